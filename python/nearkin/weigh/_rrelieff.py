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

    def fit(self, X, y, *, covariates=None, strata=None):
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, as for every selector of :mod:`nearkin.weigh`.
        y : array-like of shape (n_samples,)
            The number to be explained about each sample.
        covariates : array-like or data frame of shape (n_samples, n_covariates) or None, \
                default=None
            What is known to act on ``y``, such as age or the place of measurement: what least
            squares on it leaves of ``y`` is explained. Columns of categories in a data frame
            are taken as such. They are no features; leave them out of ``X``.
        strata : array-like of shape (n_samples,) or None, default=None
            The group of each sample, such as its family or cage: tests exchange samples
            within groups only. Weights do not know of it.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._weigh(X, [y], covariates=covariates, strata=strata)


rrelieff = score_function(RReliefF, "rrelieff")
