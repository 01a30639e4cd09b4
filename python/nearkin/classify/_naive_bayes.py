"""Naive Bayes, the yardstick on tables."""

from nearkin import _columns, _core
from nearkin._estimator import class_codes
from nearkin.classify._base import BaseClassifier


class NaiveBayes(BaseClassifier):
    """Naive Bayes on features of few values: what similarities have to be as good as.

    Every column counts the values of each class: categories, or numbers of which there are
    few. A missing cell, and a value that training has not seen, say nothing.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009, section 5.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import NaiveBayes
    >>> votes = datasets.load("house-votes-84", as_frame=True)
    >>> bayes = NaiveBayes().fit(votes.data, votes.target)
    >>> round(bayes.score(votes.data, votes.target), 2)
    0.9
    """

    _method = "naive-bayes"
    _gives = frozenset({"probabilities", "likelihoods"})

    def __init__(
        self,
        *,
        alpha=1.0,
        costs=None,
        prior="empirical",
        priors=None,
        categorical_features="from_dtype",
        n_jobs=None,
        verbose=0,
    ):
        self._keep(locals())

    def fit(self, X, y):
        """Count the values of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples: an array of few different numbers, or a data frame that may hold
            categories. NaN marks a missing cell.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._threads()
        columns, y = _columns.read(self, X, y, self.categorical_features, classes=True)
        self._training = columns.copied()
        self.classes_, self._codes, self._class_names = class_codes(y)
        self._prepare()
        self.notes_ = []
        return self

    def _prepare(self):
        numbers, places = self._training.rows()
        self._bayes = _core.naive_bayes(
            numbers,
            self._codes,
            self._settings(self.classes_, self._seed()),
            class_names=self._class_names,
            columns=places,
            feature_names=self._names(),
        )

    def _ask(self, X):
        numbers, places = _columns.read_queries(self, X, self._training).rows()
        options = {"feature_names": self._names(), "threads": self._threads()}
        return self._bayes.predict(numbers, columns=places, **options)

    def __getstate__(self):
        state = super().__getstate__()
        return {key: state[key] for key in state if key != "_bayes"}

    def __setstate__(self, state):
        super().__setstate__(state)
        if "_training" in state:
            self._prepare()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags
