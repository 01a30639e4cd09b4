"""The potential support vector machine."""

from nearkin.classify._similarities import BaseSimilarityClassifier


class PSVM(BaseSimilarityClassifier):
    """P-SVM: a sparse linear machine on similarities to the training samples.

    The similarities may be indefinite and asymmetric. Two classes have one machine, more have
    one against the rest each.

    Attributes
    ----------
    C_, epsilon_ : float
        Those in use: as given, or the best of the candidates.
    dual_coef_ : ndarray of shape (n_machines, n_samples)
        The weight of each training sample in each machine: one machine for two classes, else one a
        class.
    n_iter_ : int
        The sweeps that were gone through; of several machines, the most.

    References
    ----------
    S. Hochreiter and K. Obermayer, "Support vector machines for dyadic data", Neural
    Computation 18, 2006.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import PSVM
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> PSVM().fit(X, y).predict(X[[0, 60, 140]])
    array([0, 1, 2])
    """

    _method = "psvm"
    _gives = frozenset({"scores"})

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.C_, self.epsilon_, self.dual_coef_ = self._classifier.machines()
