"""SiLA."""

from nearkin.learn._base import BaseLearner


class SiLA(BaseLearner):
    """SiLA: a voted perceptron over margins of nearest neighbours.

    Rows are met in order. Where the impostors of a row, its most similar rows of other
    classes, are more similar to it than its targets, those of its own class, the matrix moves
    towards the targets. Every matrix on the way counts by the rows it was right about.

    Attributes
    ----------
    n_iter_ : int
        The epochs gone through; of several similarities, the most.
    bounds_ : list of dict or None
        For each of ``similarities_``, the mistakes that theory allows the first epoch. With
        ``start='null'``.

    References
    ----------
    A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, "Similarity learning for nearest
    neighbor classification", ICDM 2008.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.learn import SiLA
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> learner = SiLA(n_neighbors=1).fit(X, y)
    >>> learner.similarity_
    Similarity(diagonal of 4 features, norm='cosine')
    >>> bool(learner.margins_after_[0].mean() > learner.margins_before_[0].mean())
    True
    >>> learner.pair_score([[X[0], X[1]], [X[0], X[100]]]).argmax()
    np.int64(0)
    """

    _method = "sila"

    def _keep_found(self, found):
        super()._keep_found(found)
        self.n_iter_ = max(map(len, self.objective_))
        self.bounds_ = [one["bound"] for one in found["models"]]
