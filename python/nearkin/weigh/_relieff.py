"""ReliefF and its near relatives."""

from nearkin.weigh._base import BaseWeigher, score_function


class ReliefF(BaseWeigher):
    """ReliefF: k nearest neighbours of the same class and of every other class.

    A feature gains weight where it differs between a row and its nearest neighbours of
    other classes (misses, each class counting by its probability), and loses weight where it
    differs between a row and its nearest neighbours of the same class (hits). So features
    that matter only together with others are found too. Weights lie in [-1, 1]. They rank
    features and are no test: among classes of unequal size those of noise lie above 0.

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

    A weight comes with a test and an interval when asked; and the weights of single
    classes and rows say where it comes from:

    >>> from nearkin import datasets
    >>> bunch = datasets.load("epistasis", as_frame=True)
    >>> selector = ReliefF(q=0.01, interval=0.95, explain_rows=[0, 1])
    >>> selector.fit(bunch.data, bunch.target).top_features_[:2]
    array([1, 0])
    >>> selector.get_feature_names_out().tolist()
    ['M0P0', 'M0P1']
    >>> selector.row_weights_.shape
    (2, 20)
    """

    _method = "relieff"


relieff = score_function(ReliefF, "relieff")


class MyopicReliefF(BaseWeigher):
    """Myopic ReliefF: ReliefF without neighbours, each feature by itself.

    It sees no interactions: what ReliefF finds and this does not is due to other features.

    References
    ----------
    M. Robnik-Šikonja and I. Kononenko, "Theoretical and empirical analysis of ReliefF and
    RReliefF", Machine Learning 53, 2003, equations 16 to 18.

    Examples
    --------
    Two loci of this table matter, and only together:

    >>> from nearkin import datasets
    >>> from nearkin.weigh import MyopicReliefF, ReliefF
    >>> X, y = datasets.load("epistasis", as_frame=True, return_X_y=True)
    >>> sorted(ReliefF().fit(X, y).top_features_[:2].tolist())
    [0, 1]
    >>> sorted(MyopicReliefF().fit(X, y).top_features_[:2].tolist())
    [14, 17]
    """

    _method = "myopic-relieff"


myopic_relieff = score_function(MyopicReliefF, "myopic_relieff")


class ReliefSeq(BaseWeigher):
    """ReliefSeq: ReliefF with the best number of neighbours for each feature.

    Features with an effect of their own like many neighbours, interacting ones few. The
    maximum over numbers of neighbours is biased upwards: judge it by permutation, and look
    at ``best_k_`` beside it.

    Attributes
    ----------
    best_k_ : ndarray of shape (n_features,)
        The number of neighbours that gives each feature its largest weight.

    References
    ----------
    B. A. McKinney et al., "ReliefSeq: a gene-wise adaptive-K nearest-neighbor feature
    selection tool", PLoS ONE 8, 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nearkin.weigh import ReliefSeq
    >>> X, y = load_iris(return_X_y=True)
    >>> ReliefSeq(k_max=20).fit(X, y).best_k_
    array([ 7,  1, 20, 20])
    """

    _method = "relief-seq"


relief_seq = score_function(ReliefSeq, "relief_seq")


class ClassDependentRelief(BaseWeigher):
    """Class-dependent Relief: a weight vector for every class.

    A feature may tell one class from the others and not the other way round: the weights
    hide that, ``class_weights_``, always worked out here, show it. ``class_scale="sum"`` is as
    published; there a class of more rows has larger weights, and with more than two classes misses
    weigh more than hits. Neither sign nor size says by itself that a feature matters for a
    class: where a class is rare, its misses are near and its hits far, and noise has weights of
    either sign.

    References
    ----------
    E. Marchiori, "Class dependent feature weighting and k-nearest neighbor
    classification", PRIB 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nearkin.weigh import ClassDependentRelief
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = ClassDependentRelief().fit(X, y)
    >>> selector.class_weights_.round(2)
    array([[0.16, 0.25, 0.46, 0.46],
           [0.11, 0.1 , 0.25, 0.25],
           [0.17, 0.08, 0.35, 0.38]])
    """

    _method = "class-dependent"


class_dependent = score_function(ClassDependentRelief, "class_dependent")
