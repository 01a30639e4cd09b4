"""ReliefF."""

from nearkin.weigh._base import BaseWeigher


class ReliefF(BaseWeigher):
    """ReliefF: k nearest neighbours of the same class and of every other class.

    A feature gains weight where it differs between a row and its nearest neighbours of
    other classes (misses, each class counting by its probability), and loses weight where it
    differs between a row and its nearest neighbours of the same class (hits). So features
    that matter only together with others are found too. Weights lie in [-1, 1].

    References
    ----------
    I. Kononenko, "Estimating attributes: analysis and extensions of RELIEF", ECML 1994.

    M. Robnik-Šikonja and I. Kononenko, "Theoretical and empirical analysis of ReliefF and
    RReliefF", Machine Learning 53, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nearkin.weigh import ReliefF
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = ReliefF(n_neighbors=10, n_features_to_select=2).fit(X, y)
    >>> selector.feature_importances_.round(3)
    array([0.14 , 0.123, 0.359, 0.375])
    >>> selector.get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']

    Columns of a data frame that hold categories are compared as such, and cells may be
    missing:

    >>> import pandas as pd
    >>> X = pd.DataFrame({
    ...     "colour": ["red", "red", None, "blue", "blue", "blue"],
    ...     "size": [1.0, 2.0, 3.0, 1.5, None, 2.5],
    ... })
    >>> y = ["apple", "apple", "apple", "plum", "plum", "plum"]
    >>> ReliefF(n_neighbors=1).fit(X, y).top_features_
    array([0, 1])
    """

    _method = "relieff"

    def __init__(
        self,
        n_neighbors=10,
        *,
        metric="manhattan",
        scale="minmax",
        missing="d",
        sample=None,
        priors=None,
        n_features_to_select=10,
        categorical_features="from_dtype",
        per_class=False,
        random_state=0,
        n_jobs=None,
        verbose=0,
    ):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.scale = scale
        self.missing = missing
        self.sample = sample
        self.priors = priors
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.per_class = per_class
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


def relieff(X, y, **parameters):
    """The ReliefF weight of each feature.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        Their classes.
    **parameters
        Those of :class:`ReliefF`.

    Returns
    -------
    ndarray of shape (n_features,)
        One weight a feature.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.feature_selection import SelectKBest
    >>> from nearkin.weigh import relieff
    >>> X, y = load_iris(return_X_y=True)
    >>> SelectKBest(relieff, k=2).fit(X, y).get_support()
    array([False, False,  True,  True])
    """
    return ReliefF(**parameters).fit(X, y).feature_importances_
