"""What all learners of a similarity share: everything but their parameters."""

import warnings

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import _columns, _core
from nearkin._estimator import Declared, class_codes
from nearkin._progress import progress
from nearkin.learn._similarity import Similarity

_ATTRIBUTES = """
similarity_ : Similarity
    What was learned. With ``mode='one-vs-rest'`` and more than two classes there is one for
    each class, in ``similarities_``, and not this.
similarities_ : list of Similarity
    The same in a list, or one for each class in the order of ``classes_``.
classes_ : ndarray of shape (n_classes,)
    The classes.
margins_before_, margins_after_ : list of ndarray
    For each of ``similarities_``, how much more similar each row is to its own class than to
    others, under the plain similarity and under what was learned, both scaled to length 1.
    A row without another of its class has none.
objective_ : list of ndarray
    For each of ``similarities_``, what was minimised or maximised, at the start and after each
    epoch.
n_mistakes_ : list of ndarray
    For each of ``similarities_``, the rows of margin 0 or below.
notes_ : list of str
    What a reader should know, such as classes with few rows.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, when ``X`` has names that are all strings.
"""


class BaseLearner(Declared):
    """Base class of the estimators that learn a similarity.

    A subclass names its method in ``_method`` and lists its parameters in ``__init__``,
    as scikit-learn needs; what they are comes from the method's declaration.
    """

    _room = "learn"
    _attributes = _ATTRIBUTES

    def fit(self, X, y):
        """Learn from labelled rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples: finite numbers.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : object
            The fitted learner.
        """
        columns, y = _columns.read(self, X, y, "from_dtype", classes=True, missing=False)
        self.classes_, codes, class_names = class_codes(y)
        return self._learn(columns, y=codes, class_names=class_names)

    def fit_triplets(self, triplets, X=None):
        """Learn from triplets: the first row belongs with the second more than with the third.

        Parameters
        ----------
        triplets : array-like of shape (n_triplets, 3, n_features) or (n_triplets, 3)
            The rows of each triplet; or, with ``X``, their places there.
        X : array-like of shape (n_samples, n_features) or None, default=None
            The rows that triplets are about.

        Returns
        -------
        self : object
            The fitted learner. It has no ``classes_``.
        """
        given, triplets = X is not None, np.asarray(triplets)
        if triplets.ndim != (2 if given else 3) or triplets.shape[1] != 3:
            shape = "(n_triplets, 3) beside X" if given else "(n_triplets, 3, n_features)"
            raise ValueError(f"triplets: expected shape {shape}, got {triplets.shape}")
        if not given:
            rows = triplets.reshape(-1, triplets.shape[2])
            X, places = np.unique(rows, axis=0, return_inverse=True)
            triplets = places.reshape(-1, 3)
        elif triplets.dtype.kind not in "iu":
            raise ValueError(f"triplets: expected row numbers beside X, got {triplets.dtype}")
        elif triplets.size and triplets.min() < 0:
            raise ValueError(f"triplets: row numbers start at 0, got {triplets.min()}")
        X = validate_data(self, X, dtype=[np.float64, np.float32], order="C")
        self._keep_or_drop("classes_", None)
        columns = _columns.Columns(X, None)
        return self._learn(columns, triplets=np.ascontiguousarray(triplets, dtype=np.uint32))

    def _learn(self, columns, **lesson):
        classes = getattr(self, "classes_", None)
        options = {
            "columns": columns.places,
            "feature_names": self._names(),
            "threads": self._threads(),
            **lesson,
        }
        settings = self._settings(classes, self._seed())
        with progress(type(self).__name__, self.verbose) as show:
            try:
                found = _core.learn(
                    self._method, columns.numbers, settings, progress=show, **options
                )
            except _core.NoAnswer as reason:
                warnings.warn(f"{reason}. The plain similarity is used", stacklevel=3)
                local = self.mode == "one-vs-rest" and classes is not None and len(classes) > 2
                found = self._plain(str(reason), len(classes) if local else 1)
        self._keep_found(found)
        return self

    def _plain(self, reason, count):
        """What is found where nothing could be learned: the plain similarity."""
        matrix = np.full(self.n_features_in_, 2.0 if self.norm == "dice" else 1.0)
        nothing = dict.fromkeys(("before", "after", "objective", "mistakes"), np.empty(0))
        model = {"matrix": matrix, "form": "diagonal", "bound": None, **nothing}
        return {"models": [model] * count, "notes": [reason]}

    def _keep_found(self, found):
        models = found["models"]
        options = {"norm": self.norm, "feature_names": self._names()}
        self.similarities_ = [
            Similarity(one["matrix"], form=one["form"], **options) for one in models
        ]
        only = self.similarities_[0] if len(models) == 1 else None
        self._keep_or_drop("similarity_", only)
        self.margins_before_ = [one["before"] for one in models]
        self.margins_after_ = [one["after"] for one in models]
        self.objective_ = [one["objective"] for one in models]
        self.n_mistakes_ = [one["mistakes"] for one in models]
        self._note(found["notes"])

    def _only(self):
        check_is_fitted(self)
        if not hasattr(self, "similarity_"):
            raise AttributeError(
                f"this {type(self).__name__} learned one similarity for each of "
                f"{len(self.similarities_)} classes; take one of similarities_, or learn with "
                "mode='multi-class'"
            )
        return self.similarity_

    def pair_score(self, pairs):
        """How alike the two rows of each pair are.

        Parameters
        ----------
        pairs : array-like of shape (n_pairs, 2, n_features)
            The pairs.

        Returns
        -------
        ndarray of shape (n_pairs,)
            The learned similarity of each: the larger, the more alike.
        """
        return self._only().pairs(pairs)

    def get_metric(self):
        """A function that says how different two rows are, for scikit-learn's neighbours.

        Returns
        -------
        callable
            A function of two rows that gives minus their similarity, so that those
            who look for the smallest find the most similar. It need be no metric: give it
            to :class:`~sklearn.neighbors.KNeighborsClassifier` with ``algorithm='brute'``.
        """
        return Dissimilarity(self._only())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = None
        return tags


class Dissimilarity:
    """Minus a similarity, as a function of two rows that can be pickled."""

    def __init__(self, similarity):
        self.similarity = similarity

    def __call__(self, x, y):
        """How different two rows are."""
        return -self.similarity(x, y)


def _has_a_factor(self):
    """Whether what was, or would be, learned is an inner product of mapped rows."""
    return self.norm in ("dot", "cosine") and self.mode == "multi-class"


class BasePSDLearner(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseLearner):
    """Base class of the learners whose similarity is an inner product of mapped rows."""

    _attributes = """
components_ : ndarray of shape (n_components, n_features)
    L with A = LᵀL. Where the norm is dot or cosine and the mode multi-class.
""" + _ATTRIBUTES.lstrip()

    def _keep_found(self, found):
        super()._keep_found(found)
        self._keep_or_drop(
            "components_", self.similarity_.factor() if _has_a_factor(self) else None
        )

    @property
    def _n_features_out(self):
        return len(self.components_)

    def transform(self, X):
        """Map rows to where the inner product is the learned similarity.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples with the features seen in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Lx of each row, scaled to length 1 before for the cosine.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        if self.norm == "cosine":
            lengths = np.linalg.norm(X, axis=1, keepdims=True)
            if not lengths.all():
                raise ValueError(
                    f"row {np.flatnonzero(lengths == 0)[0]} is all zeros, and a zero row has no "
                    "cosine with any other; drop it, or learn with the norm dot"
                )
            X = X / lengths
        return X @ self.components_.T.astype(X.dtype, copy=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


# Only now, since scikit-learn wraps the output of a plain function while it makes the class.
BasePSDLearner.transform = available_if(_has_a_factor)(BasePSDLearner.transform)
