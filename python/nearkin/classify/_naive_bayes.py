"""Naive Bayes, the yardstick on tables."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nearkin import _columns, _core, _saved
from nearkin._estimator import class_codes
from nearkin.classify._base import BaseClassifier


class NaiveBayes(_saved.LoadMixin, BaseClassifier):
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
    _hidden = ("_bayes",)

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
        self._forget()
        self._threads()
        words = _saved.words(y)
        columns, y = _columns.read(self, X, y, self.categorical_features, classes=True)
        self.classes_, codes, names = class_codes(y)
        self._nominal, self._kinds = columns.nominal, columns.kinds
        settings = self._settings(self.classes_, self._seed())
        told = _saved.told(self, settings, kinds=columns.kinds)
        self._bayes = _core.naive_bayes(
            columns.numbers,
            codes,
            settings,
            (*words, _saved.kind_of(self.classes_), told),
            class_names=names,
            columns=columns.places,
            feature_names=self._names(),
        )
        self.notes_ = []
        return self

    def save(self, path):
        """Write the classifier to a file, as ``nearkin classify -o`` does.

        Parameters
        ----------
        path : str or path-like
            The file; a model of the program, in the safetensors format. It holds how often
            values occur, and no rows.
        """
        check_is_fitted(self)
        _saved.write(path, self._bayes.bytes())

    @classmethod
    def _restored(cls, found):
        made = cls(**_saved.settings("classify", cls._method, found["parameters"]))
        said = _saved.retold(found["words"][3])
        made._kinds = said.pop("kinds", None)
        _saved.tell(made, said)
        made.classes_ = _saved.classes(found["class_names"], found["words"][2])
        _saved.keep_names(made, found["feature_names"], said)
        made._bayes, made.notes_ = found["bayes"], []
        made._nominal = np.array(found["nominal"]) if any(found["nominal"]) else None
        return made

    def _ask(self, X):
        none = np.empty((0, self.n_features_in_))
        known = _columns.Columns(none, None, self._nominal, self._kinds)
        numbers, places = _columns.read_queries(self, X, known).rows()
        options = {"feature_names": self._names(), "threads": self._threads()}
        return self._bayes.predict(numbers, columns=places, **options)

    def __getstate__(self):
        state = super().__getstate__()
        if "_bayes" not in state:
            return state
        return {key: state[key] for key in state if key != "_bayes"} | {
            "_model": self._bayes.bytes()
        }

    def __setstate__(self, state):
        state = dict(state)
        model = state.pop("_model", None)
        super().__setstate__(state)
        if model is not None:
            self._bayes = _core.read_model(model)["bayes"]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags
