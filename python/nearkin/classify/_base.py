"""Base of all classifiers: everything but their parameters."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from nearkin._estimator import Declared

_CATEGORICAL = """
categorical_features : array-like of int, str or bool, 'from_dtype' or None, default='from_dtype'
    Which columns hold categories, which either agree or differ: their indices, their
    names in a data frame, or a mask. With 'from_dtype', the columns of a data frame whose
    dtype is categorical, object or string; arrays have none. With None, no column."""

_ATTRIBUTES = """
classes_ : ndarray of shape (n_classes,)
    The classes.
notes_ : list of str
    What a reader of the answers should know.
n_features_in_ : int
    Number of features, or of training samples where similarities are given.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, when ``X`` has names that are all strings.
"""

# The score of a class that had no part in a decision; the core says minus infinity, which
# scikit-learn's scorers refuse.
_NO_PART = -1e300


def _available_with(what):
    return available_if(lambda self: what in self._given_beside_classes())


class BaseClassifier(ClassifierMixin, Declared):
    """Base class of the classifiers.

    A subclass names its method in ``_method``, whose declaration makes its parameters, and says in
    ``_gives`` what its rule has beside classes.
    """

    _room = "classify"
    _shared = {"categorical_features": ("from_dtype", _CATEGORICAL)}
    _attributes = _ATTRIBUTES
    _gives: frozenset[str] = frozenset()

    def _given_beside_classes(self):
        """The rule's answers beside classes, under the parameters it has now."""
        asked = getattr(self, "probabilities", False) or getattr(self, "costs", None) is not None
        return self._gives | {"probabilities"} if asked else self._gives

    def predict(self, X):
        """The class of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            The queries, as in ``fit``; or their similarities to the training samples.

        Returns
        -------
        ndarray of shape (n_queries,)
            The classes.
        """
        codes = self._said(X, "class")
        return self.classes_[codes]

    @_available_with("probabilities")
    def predict_proba(self, X):
        """The probability of each class for each query.

        With ``probabilities=True`` they are fitted to the scores of a rule, and the likeliest class
        need not be the one that ``predict`` says, which is the rule's: as for scikit-learn's
        :class:`~sklearn.svm.SVC`. With ``costs``, ``predict`` goes by them.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_queries, n_classes)
            The probabilities, classes in the order of ``classes_``.
        """
        return np.exp(self.predict_log_proba(X))

    @_available_with("probabilities")
    def predict_log_proba(self, X):
        """The logarithm of the probability of each class for each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_queries, n_classes)
            The logarithms, minus infinity for a class that is out of the question.
        """
        return self._said(X, "log_posteriors")

    @_available_with("scores")
    def decision_function(self, X):
        """The scores that the rule compares: of laws, the logarithm of prior and likelihood.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_classes)
            The score of each class; of two classes, the second's less the first's.
        """
        scores = np.maximum(self._said(X, "scores"), _NO_PART)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    @_available_with("likelihoods")
    def score_samples(self, X):
        """How well the best class explains each query: the lower, the stranger it is.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_queries,)
            The largest log-likelihood over the classes.
        """
        return self._said(X, "log_likelihood")

    def _said(self, X, key):
        """The core's answers about queries under this key."""
        check_is_fitted(self)
        said = self._ask(X)
        if key not in said:
            raise ValueError(
                "probabilities: it was fitted without them; fit it again with probabilities=True"
            )
        return said[key]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
