"""RELIEF's weights as a distance, or as a similarity."""

from nearkin.learn._base import BaseLearner, BasePSDLearner


class _Weighing:
    """Base of the RELIEF learners."""

    # Differences are looked at in every column.
    _takes_sparse = False

    def _norm(self):
        return "dot" if self.used_as == "distance" else self.norm


class Relief(_Weighing, BaseLearner):
    """RELIEF: weights of features from nearest hits and misses, as a distance or similarity.

    The weights are those of :class:`nearkin.weigh.Relief`'s idea over all rows; here they say
    how alike rows are. Negative weights make no distance and count as 0 there.

    References
    ----------
    K. Kira and L. A. Rendell, "A practical approach to feature selection", ICML 1992.

    A. M. Qamar and E. Gaussier, "RELIEF algorithm and similarity learning for k-NN",
    2012, section II.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.learn import Relief
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> learner = Relief().fit(X, y)
    >>> learner.similarity_
    Similarity(diagonal of 4 features, norm='dot', compare='absolute-distance')
    >>> learner.similarity_.weights.argmax()
    np.int64(3)
    """

    _method = "relief"


class ReliefPSD(_Weighing, BasePSDLearner):
    """RELIEF-PSD: RELIEF whose weights, or whose matrix, make a metric.

    With a matrix that is not diagonal, the distance is Euclidean between mapped rows, and
    ``transform`` maps them. A diagonal weighs absolute differences, which no map makes
    Euclidean, so it has none unless it is used as a similarity.

    References
    ----------
    A. M. Qamar and E. Gaussier, "RELIEF algorithm and similarity learning for k-NN",
    2012, section V.

    Y. Sun and D. Wu, "A RELIEF based feature extraction algorithm", SDM 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from nearkin import datasets
    >>> from nearkin.learn import ReliefPSD
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> learner = ReliefPSD(matrix="symmetric").fit(X, y)
    >>> mapped = learner.transform(X)
    >>> apart = np.sum((mapped[0] - mapped[100]) ** 2)
    >>> bool(abs(apart + learner.similarity_(X[0], X[100])) < 1e-12)
    True
    """

    _method = "relief-psd"

    def _maps(self):
        absolute = self.used_as == "distance" and self.matrix == "diagonal"
        return not absolute and super()._maps()
