"""RBS, sRBS, and their forms of positive semi-definite matrix."""

from nearkin.learn._base import BaseLearner, BasePSDLearner


class RBS(BaseLearner):
    """RBS: the matrix of length 1 with the largest sum of margins, in closed form.

    RELIEF weighs features by how far rows are from misses and near to hits; RBS does so for a
    similarity. As every row counts alike, one class is often nearest to everything under the
    answer: look at :class:`SRBS` beside it.

    References
    ----------
    A. M. Qamar and E. Gaussier, "RELIEF algorithm and similarity learning for k-NN",
    2012, section III.B.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.learn import RBS
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> RBS().fit(X, y).similarity_.weights.round(3)
    array([ 0.28 ,  0.778, -0.562, -0.024])
    """

    _method = "rbs"


class RBSPSD(BasePSDLearner):
    """RBS with a positive semi-definite matrix: an inner product of mapped rows.

    References
    ----------
    A. M. Qamar and E. Gaussier, "RELIEF algorithm and similarity learning for k-NN",
    2012, section III.C.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.learn import RBSPSD
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> learner = RBSPSD(matrix="symmetric").fit(X, y)
    >>> mapped = learner.transform(X)
    >>> abs(mapped[0] @ mapped[100] - learner.similarity_(X[0], X[100])) < 1e-12
    np.True_
    """

    _method = "rbs-psd"


class SRBS(BaseLearner):
    """sRBS: RBS with the number of mistakes, smoothed, in place of the sum of margins.

    Rows near the border count, and far ones do not.

    Attributes
    ----------
    n_iter_ : int
        The epochs gone through; of several similarities, the most.

    References
    ----------
    A. M. Qamar and E. Gaussier, "RELIEF algorithm and similarity learning for k-NN",
    2012, section IV.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.learn import SRBS
    >>> X, y = datasets.load("wine", return_X_y=True)
    >>> learner = SRBS(solver="modern").fit(X, y)
    >>> bool(learner.objective_[0][-1] < learner.objective_[0][0])
    True
    """

    _method = "srbs"


class SRBSPSD(BasePSDLearner):
    """sRBS with a positive semi-definite matrix: an inner product of mapped rows.

    Attributes
    ----------
    n_iter_ : int
        The epochs gone through; of several similarities, the most.

    References
    ----------
    A. M. Qamar and E. Gaussier, "RELIEF algorithm and similarity learning for k-NN",
    2012, section IV.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.learn import SRBSPSD
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> SRBSPSD().fit(X, y).transform(X).shape
    (150, 4)
    """

    _method = "srbs-psd"
