"""Relief as first published, and what others made of it."""

from nearkin.weigh._base import BaseWeigher, score_function


class Relief(BaseWeigher):
    """Relief, the original: one nearest hit and one nearest miss of each row.

    As published, differences are squared and rows are drawn with replacement when
    ``sample`` says how many. ``tau``, or a rate of false alarms ``alpha``, gives the
    threshold at which the paper calls a feature relevant. It takes the weights of noise to lie
    around 0, which they do not where classes differ in size; ``q`` selects soundly.

    Attributes
    ----------
    threshold_ : float
        The paper calls features of at least this weight relevant. With ``tau`` or ``alpha``.

    References
    ----------
    K. Kira and L. A. Rendell, "A practical approach to feature selection", ICML 1992.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nearkin.weigh import Relief
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = Relief(tau=0.02).fit(X, y)
    >>> selector.feature_importances_ >= selector.threshold_
    array([False,  True,  True,  True])
    """

    _method = "relief"


relief = score_function(Relief, "relief")


class Relieved(BaseWeigher):
    """Relieved: Relief over all rows, equally near ones averaged.

    The weights are what Relief would give in infinite time; they do not depend on the
    order of rows.

    References
    ----------
    R. Kohavi and G. H. John, "Wrappers for feature subset selection", Artificial
    Intelligence 97, 1997, section 2.4.2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nearkin.weigh import Relieved
    >>> X, y = load_iris(return_X_y=True)
    >>> weights = Relieved().fit(X, y).feature_importances_
    >>> bool(abs(Relieved().fit(X[::-1], y[::-1]).feature_importances_ - weights).max() < 1e-12)
    True
    """

    _method = "relieved"


relieved = score_function(Relieved, "relieved")


class ReliefPSD(BaseWeigher):
    """RELIEF-PSD: Relief with weights at 0 or above, fit for use as a metric.

    Weights are clipped after every row, as published, or once, with ``clip='closed'``,
    and scaled to length 1. A table where no feature gets a positive weight is refused.

    References
    ----------
    A. M. Qamar and E. Gaussier, "RELIEF algorithm and similarity learning for k-NN", 2012.

    Y. Sun and D. Wu, "A RELIEF based feature extraction algorithm", SDM 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from nearkin.weigh import ReliefPSD
    >>> X, y = load_wine(return_X_y=True)
    >>> weights = ReliefPSD(clip="closed").fit(X, y).feature_importances_
    >>> bool((weights >= 0).all()), round(float((weights**2).sum()), 6)
    (True, 1.0)
    """

    _method = "relief-psd"


relief_psd = score_function(ReliefPSD, "relief_psd")


class IRelief(BaseWeigher):
    """I-RELIEF: soft neighbours under the weights themselves, until they agree.

    Which rows are nearest depends on the weights, and the weights on which rows are
    nearest; this finds weights that fit together. They are at 0 or above, of length 1.
    Each step looks at all pairs of rows.

    Attributes
    ----------
    n_iter_ : int
        The steps that were taken; with ``online``, the passes over the rows.

    References
    ----------
    Y. Sun and J. Li, "Iterative RELIEF for feature weighting", ICML 2006.

    Y. Sun, "Iterative RELIEF for feature weighting: algorithms, theories, and
    applications", IEEE TPAMI 29, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nearkin.weigh import IRelief
    >>> X, y = load_iris(return_X_y=True)
    >>> IRelief().fit(X, y).feature_importances_.round(2)
    array([0.26, 0.13, 0.66, 0.7 ])
    """

    _method = "i-relief"


i_relief = score_function(IRelief, "i_relief")
