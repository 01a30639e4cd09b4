"""RReliefF, for real targets."""

from nearkin.weigh._base import BaseWeigher, score_function


class RReliefF(BaseWeigher):
    """RReliefF: Relief for a real target.

    A feature gains weight where near rows that differ in the target differ in the feature,
    and loses weight where near rows that agree on the target differ in it.

    References
    ----------
    M. Robnik-Šikonja and I. Kononenko, "Theoretical and empirical analysis of ReliefF and
    RReliefF", Machine Learning 53, 2003, figure 3.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nearkin.weigh import RReliefF
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> RReliefF(n_features_to_select=2).fit(X, y).get_feature_names_out().tolist()
    ['bmi', 's5']
    """

    _method = "rrelieff"
    _explains_classes = False


rrelieff = score_function(RReliefF, "rrelieff")
