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

    def __init__(
        self,
        n_neighbors=10,
        *,
        metric="manhattan",
        weighting="rank",
        sigma=20.0,
        rank_from=1,
        scale="minmax",
        missing="d",
        ramp=False,
        ramp_equal=0.05,
        ramp_different=0.1,
        sample=None,
        priors=None,
        n_features_to_select=10,
        categorical_features="from_dtype",
        per_class=False,
        pairs=False,
        explain_rows=None,
        p_values=None,
        n_permutations=200,
        interval=None,
        n_bootstrap=1000,
        random_state=0,
        n_jobs=None,
        verbose=0,
    ):
        self._keep(locals())


rrelieff = score_function(RReliefF, "rrelieff")
