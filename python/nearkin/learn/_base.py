"""Base of all learners of a similarity: everything but their parameters."""

import warnings

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.linalg import norm as sparse_norm
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from nearkin import _columns, _core, _saved
from nearkin._estimator import Declared, class_codes, sentences
from nearkin._progress import progress
from nearkin.learn._similarity import Similarity
from nearkin.learn._triplets import (
    check_places,
    naming_triplets,
    rows_of_triplets,
    without_unused_zeros,
)

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
    epoch; of SiLA, in each epoch. With neighbours found anew it is another function from then on.
n_mistakes_ : list of ndarray
    For each of ``similarities_``, the rows of margin 0 or below.
notes_ : list of str
    What a reader should know, such as classes with few rows.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, when ``X`` has names that are all strings.
"""


class BaseLearner(_saved.LoadMixin, Declared):
    """Base class of the estimators that learn a similarity.

    A subclass names its method in ``_method``, whose declaration makes its parameters.
    """

    _room = "learn"
    _attributes = _ATTRIBUTES
    _hidden = ("_learned",)
    # False for methods that look at every cell.
    _takes_sparse = True

    def fit(self, X, y=None):
        """Learn from labelled rows, or from triplets of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The samples: finite numbers. Or, without ``y``, triplets of shape
            (n_triplets, 3, n_features), as for ``fit_triplets``. With the norm cosine, a row of
            zeros says nothing and is left out, with a warning; its similarity to others is 0.
        y : array-like of shape (n_samples,)
            The classes of the samples.

        Returns
        -------
        self : object
            The fitted learner.
        """
        if y is None and getattr(X, "ndim", None) != 2 and np.ndim(X) == 3:
            return self.fit_triplets(X)
        self._forget()
        words = _saved.words(y)
        if issparse(X) and self._takes_sparse:
            _columns.check_target(self, y, True)
            options = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}
            X, y = validate_data(self, X, y, ensure_min_samples=2, **options)
            columns, y = _columns.Columns(X, None), _columns.checked_target(self, y, True)
        else:
            columns, y = _columns.read(self, X, y, "from_dtype", classes=True, missing=False)
        columns, y = self._without_empty_rows(columns, y)
        self.classes_, codes, class_names = class_codes(y)
        return self._learn(columns, words, y=codes, class_names=class_names)

    def fit_triplets(self, triplets, X=None):
        """Learn from triplets: the first row belongs with the second more than with the third.

        Parameters
        ----------
        triplets : array-like of shape (n_triplets, 3, n_features) or (n_triplets, 3)
            The rows of each triplet; or, with ``X``, their places there.
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or None, default=None
            The rows that triplets are about.

        Returns
        -------
        self : object
            The fitted learner. It has no ``classes_``.
        """
        self._forget()
        X, triplets = rows_of_triplets(np.asarray(triplets), X)
        _columns.check_table(X)
        options = {"accept_sparse": "csr" if self._takes_sparse else False, "order": "C"}
        X = validate_data(self, X, dtype=[np.float64, np.float32], **options)
        check_places(triplets, X.shape[0])
        if self._norm() == "cosine" and not self.constant:
            X, triplets = without_unused_zeros(X, triplets, _has_numbers(X))
        columns = _columns.Columns(X, None)
        with naming_triplets(triplets):
            return self._learn(
                columns, (_saved.MADE_FROM, ""), triplets=np.ascontiguousarray(triplets, np.uint32)
            )

    def _norm(self):
        """The norm that rows are compared under."""
        return self.norm

    def _without_empty_rows(self, columns, y):
        """Rows of zeros, which have no cosine with any other, left out."""
        if self._norm() != "cosine" or self.constant or columns.places is not None:
            return columns, y
        full = _has_numbers(columns.numbers)
        if full.all():
            return columns, y
        warnings.warn(
            f"{(~full).sum()} rows are all zeros and have no cosine with any other; they are left "
            "out",
            stacklevel=3,
        )
        return _columns.Columns(columns.numbers[full], None), y[full]

    def _learn(self, columns, words, **lesson):
        options = {
            "columns": columns.places,
            "feature_names": self._names(),
            "width": self.n_features_in_,
            "threads": self._threads(),
            **lesson,
        }
        self._keep_words(words)
        with progress(type(self).__name__, self.verbose) as show:
            try:
                rows = _columns.rows_of(columns.numbers)
                found = _core.learn(self._method, rows, self._set_to, progress=show, **options)
            except _core.NoAnswer as reason:
                warnings.warn(f"{reason}. The plain similarity is used", stacklevel=3)
                found = self._plain(str(reason), lesson.get("class_names", []))
        self._keep_found(found)
        self._note(found["notes"])
        return self

    def _keep_words(self, words):
        """Set what a model says of itself besides what was learned."""
        kind = _saved.kind_of(self.classes_) if hasattr(self, "classes_") else ""
        # A generator among the settings is asked once, so that what is saved is what was used.
        self._set_to = self._settings(getattr(self, "classes_", None), self._seed())
        words = (*words, kind, _saved.told(self, self._set_to))
        self._about = {"words": words, "rule": "knn", "k": self.n_neighbors, "rows": None}

    def _plain(self, reason, class_names):
        """The result where nothing could be learned: the plain similarity."""
        matrix = np.full(self.n_features_in_, 2.0 if self._norm() == "dice" else 1.0)
        plain = Similarity(matrix, self._norm(), feature_names=self._names())
        local = self.mode == "one-vs-rest" and len(class_names) > 2
        return _core.unlearned(plain._inner, class_names, local=local, notes=[reason])

    def _keep_found(self, found):
        """Set what follows from what was learned, and from nothing else."""
        models = found["models"]
        self._learned = found["learned"]
        self.similarities_ = [Similarity._of(one["similarity"]) for one in models]
        if len(models) == 1:
            self.similarity_ = self.similarities_[0]
        self.margins_before_ = [one["before"] for one in models]
        self.margins_after_ = [one["after"] for one in models]
        self.objective_ = [one["objective"] for one in models]
        self.n_mistakes_ = [one["mistakes"] for one in models]
        if hasattr(self, "epochs"):
            self.n_iter_ = max(0, *(len(objective) - 1 for objective in self.objective_))

    def save(self, path, *, rows=None):
        """Write what was learned to a file, as ``nearkin learn -o`` does.

        Parameters
        ----------
        path : str or path-like
            The file; a model of the program, in the safetensors format.
        rows : tuple of (X, y) or None, default=None
            Labelled rows to save with it, sparse where ``fit`` takes them so. With them, ``nearkin
            predict`` and ``nearkin neighbors`` can answer from the file; whoever has the file has
            them.
        """
        check_is_fitted(self)
        about = self._about
        if rows is not None:
            about = about | {"rows": self._labelled(*rows)}
        _saved.write(path, self._bytes(about))

    def _labelled(self, X, y):
        """Rows to save beside what was learned, as the core takes them."""
        _columns.check_target(self, y, classes=True)
        y = column_or_1d(y, warn=True)
        unknown = set(y.tolist()) - set(getattr(self, "classes_", y).tolist())
        if unknown:
            raise ValueError(f"rows: classes {sorted(unknown, key=str)} were not learned from")
        options = {"accept_sparse": "csr" if self._takes_sparse else False, "order": "C"}
        X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32], **options)
        check_consistent_length(X, y)
        return (_columns.rows_of(X), *class_codes(y)[1:])

    def _bytes(self, about):
        words, k, rule, rows = (about[key] for key in ("words", "k", "rule", "rows"))
        options = {"k": k, "rule": rule, "rows": rows}
        return _core.similarity_bytes(self._method, self._set_to, self._learned, words, **options)

    @classmethod
    def _restored(cls, found):
        made = cls(**_saved.settings("learn", cls._method, found["parameters"]))
        made._set_to = dict(found["parameters"])
        made._about = {key: found.get(key) for key in ("words", "k", "rule", "rows")}
        made._keep_found(found)
        made.notes_ = sentences(found["notes"])
        said = _saved.retold(found["words"][3])
        _saved.tell(made, said)
        _saved.keep_names(made, made.similarities_[0]._inner.feature_names, said)
        if found["classes"]:
            made.classes_ = _saved.classes(found["classes"], found["words"][2])
        return made

    # What _keep_found sets, and so need not be pickled beside the model's bytes.
    _from_model = (
        "_learned",
        "similarity_",
        "similarities_",
        "margins_before_",
        "margins_after_",
        "objective_",
        "n_mistakes_",
        "n_iter_",
        "bounds_",
    )

    def __getstate__(self):
        state = super().__getstate__()
        if "_learned" not in state:
            return state
        state = {key: state[key] for key in state if key not in self._from_model}
        return state | {"_model": self._bytes(self._about)}

    def __setstate__(self, state):
        state = dict(state)
        model, components = state.pop("_model", None), state.pop("components_", None)
        super().__setstate__(state)
        if model is not None:
            self._keep_found(_core.read_model(model) | {"components": components})

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
        tags.input_tags.positive_only = self._norm() in ("dice", "jaccard")
        tags.input_tags.sparse = (
            self._takes_sparse and self.matrix == "diagonal" and not self.whiten
        )
        return tags


class Dissimilarity:
    """Minus a similarity, as a function of two rows that can be pickled."""

    def __init__(self, similarity):
        self.similarity = similarity

    def __call__(self, x, y):
        """How different two rows are."""
        return -self.similarity(x, y)


def _has_numbers(X):
    """Whether each row has a number other than 0; squares of tiny ones might be 0."""
    return np.asarray((X != 0).sum(axis=1)).ravel() > 0 if issparse(X) else X.any(axis=1)


def _lengths(X):
    """The length of each row."""
    return sparse_norm(X, axis=1) if issparse(X) else np.linalg.norm(X, axis=1)


class BasePSDLearner(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseLearner):
    """Base class of the learners whose similarity is an inner product of mapped rows.

    Their ``transform`` is there where the settings make it one: norm dot or cosine, and one
    similarity for all classes.
    """

    _attributes = """
components_ : ndarray of shape (n_components, n_features)
    L with A = LᵀL. Where the norm is dot or cosine and the mode multi-class.
""" + _ATTRIBUTES.lstrip()

    def _keep_found(self, found):
        super()._keep_found(found)
        components = found.get("components")
        if components is None and self._maps():
            components = self.similarity_.factor()
        self._keep_if_there("components_", components)

    def _maps(self):
        """Whether what was, or would be, learned is an inner product of mapped rows."""
        return self._norm() in ("dot", "cosine") and self.mode == "multi-class"

    @property
    def _n_features_out(self):
        return len(self.components_)

    def transform(self, X):
        """Map rows to where the inner product is the learned similarity.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples with the features seen in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Lx of each row, scaled to length 1 before for the cosine; a row of zeros stays one.
        """
        check_is_fitted(self)
        options = {"accept_sparse": "csr" if self._takes_sparse else False}
        X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32], **options)
        dtype, scale = X.dtype, self.similarity_.scale
        if scale is not None:
            X = (X.toarray() if issparse(X) else X) - scale[0].astype(X.dtype)
            X *= scale[1].astype(X.dtype)
        if self.similarity_.whitening is not None:
            X = (X.toarray() if issparse(X) else X) @ self.similarity_.whitening.T
        components, constant = self.components_, self.similarity_.constant
        own = components[:, : X.shape[1]]
        mapped = np.asarray(X @ own.T.astype(X.dtype, copy=False))
        if constant:
            mapped += (constant * components[:, -1]).astype(mapped.dtype)
        if self._norm() == "cosine":
            lengths = np.hypot(_lengths(X), constant)
            mapped /= np.where(lengths > 0, lengths, 1).astype(mapped.dtype)[:, np.newaxis]
        return mapped.astype(dtype, copy=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


# Only now, since scikit-learn wraps the output of a plain function while it makes the class.
_where_rows_are_mapped = available_if(lambda self: self._maps())
BasePSDLearner.transform = _where_rows_are_mapped(  # type: ignore[method-assign]
    BasePSDLearner.transform
)
BasePSDLearner.fit_transform = _where_rows_are_mapped(TransformerMixin.fit_transform)
