"""Classifiers that know nothing of samples but how alike they are: what they share."""

from contextlib import contextmanager

import numpy as np
from sklearn.utils.validation import validate_data

from nearkin import _columns, _core, _saved
from nearkin._estimator import class_codes
from nearkin._progress import progress
from nearkin.classify._base import BaseClassifier
from nearkin.classify._kept import KeptMixin
from nearkin.classify._measures import MeasureMixin

# What these classifiers have beside declared parameters: defaults, and entries of the docstring's
# Parameters section.
_SHARED = {
    "measure": (
        "heom",
        """
measure : str, estimator of :mod:`nearkin.learn`, Similarity or callable, default='heom'
    How alike two rows of a table are: one of :func:`measures`, such as 'heom', 'euclidean',
    'hvdm' or 'cosine'; a learner of a similarity, which is fitted on the training rows; a
    :class:`~nearkin.learn.Similarity` that was learned before, such as ``similarity_``; or a
    function of two rows of numbers that gives a number, the larger the more alike, which is
    called for every pair.""",
    ),
    "measure_params": (
        None,
        """
measure_params : dict or None, default=None
    Settings of a measure that goes by its name, such as ``{'scaling': 'none'}``.""",
    ),
    "similarity": (
        None,
        """
similarity : {'precomputed'} or None, default=None
    With 'precomputed', ``X`` holds similarities in place of features, the larger the more
    alike: of the training samples with each other in ``fit``, of queries (rows) to training
    samples (columns) afterwards. They may be negative, asymmetric and indefinite. Nothing is
    left to measure then, and ``measure`` is not looked at.""",
    ),
    "metric": (
        None,
        """
metric : {'precomputed'} or None, default=None
    With 'precomputed', ``X`` holds distances in the same way, the smaller the more alike.""",
    ),
}

# Measures of what is present, which take no number below 0.
_OF_SETS = ("dice", "jaccard", "overlap", "tversky-contrast", "tversky-ratio")

# So many similarities of queries are held at a time.
_HELD = 1 << 23

# How scikit-learn is to read similarities: those in single precision stay so.
_GIVEN = {"dtype": [np.float64, np.float32], "order": "C"}


class BaseSimilarityClassifier(MeasureMixin, KeptMixin, BaseClassifier):
    """Base class of the classifiers that ask how alike samples are, and nothing else."""

    # True for a rule that needs no more than neighbours: it spares the similarities of all pairs.
    _asks_neighbours = False
    # True for a rule that asks the similarities of the training samples when it is asked itself.
    _holds_similarities = False
    _shared = _SHARED | BaseClassifier._shared
    _attributes = """
measure_ : estimator of :mod:`nearkin.learn`
    The fitted learner, where ``measure`` is one.
""" + BaseClassifier._attributes.lstrip()

    def fit(self, X, y):
        """Learn from samples and their classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            The samples: an array, or a data frame that may hold categories. NaN marks a
            missing cell. A sparse matrix where ``measure`` is a learner that takes one, or a
            :class:`~nearkin.learn.Similarity`. Or the similarities, or distances, of the samples with each other.
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
        if self._given() is None:
            options = {"classes": True, "missing": isinstance(self.measure, str)}
            options["sparse"] = self._takes_sparse()
            with self._naming_what_takes_holes():
                columns, y = _columns.read(self, X, y, self.categorical_features, **options)
            # What is kept must not change when the caller's array does.
            self._training = columns.copied()
        else:
            _columns.check_target(self, y, classes=True)
            given = X
            X, y = validate_data(self, X, y, ensure_min_samples=2, **_GIVEN)
            y = _columns.checked_target(self, y, classes=True)
            self._check_square(X)
            self._check_distances(X)
            self._training = _columns.own(X, given)
        self.classes_, self._codes, self._class_names = class_codes(y)
        # A generator among the settings is asked once: copies are fitted as this one.
        self._set_to = self._settings(self.classes_, self._seed())
        kinds = None if self._given() else self._training.kinds
        told = _saved.told(self, self._set_to, kinds=kinds)
        self._words = (*words, _saved.kind_of(self.classes_), told)
        self._learn_measure(X, y)
        self._prepare()
        inside = self._classifier.inside()
        self._look_inside(inside)
        self._note(inside["notes"])
        return self

    def _given(self):
        """The kind of matrix that X holds in place of features: 'similarity', 'metric', or None."""
        given = []
        for name in ("similarity", "metric"):
            value = getattr(self, name)
            if value is not None and value != "precomputed":
                raise ValueError(
                    f"{name}: expected 'precomputed' or None, got {value!r}; rows of a table are "
                    "compared by `measure`"
                )
            if value is not None:
                given.append(name)
        if len(given) == 2:
            raise ValueError("similarity and metric: X cannot hold both; set one of them to None")
        return given[0] if given else None

    def _check_square(self, X):
        """Refuse what is not the training samples with each other, in the core's words."""
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f"the training matrix is {X.shape[0]} × {X.shape[1]}; {self._method} needs the "
                "similarities of the training samples with each other, as many rows as columns"
            )

    def _check_distances(self, X):
        """Refuse distances below 0, as scikit-learn does, but for what rounding leaves there.

        One minus a cosine of 1 may come to -4e-16.
        """
        if self._given() == "metric" and X.size and X.min() < -1e-8 * max(X.max(), -X.min()):
            raise ValueError(
                f"Negative values in data: {X.min()} is no distance; give similarities, which may "
                "be negative, with similarity='precomputed'"
            )

    def _prepare(self, parts=None):
        """Fit measure and classifier to what is kept of the training samples.

        This follows from them alone, so it is also how a pickled classifier comes back; with the
        parts of one that was fitted before, there is nothing to be fitted.
        """
        threads, settings = self._threads(), self._set_to
        with progress(type(self).__name__, self.verbose) as show:
            names = {"class_names": self._class_names}
            if self._given() is None:
                self._fit_measure()
                self._beside = self._further_rows(settings, names)
            if parts is not None:
                self._classifier = _core.classifier_of(self._method, settings, parts)
                return
            if self._measures_itself():
                self._classifier = _core.classify_rows(
                    self._method,
                    self._measure,
                    self._training.rows(),
                    self._codes,
                    settings,
                    **names,
                    feature_names=self._compared_names(),
                    threads=threads,
                    progress=show,
                )
                return
            # A rule of a given number of neighbours spares the matrix of all with each other.
            self._classifier = _core.classify_labels(self._method, self._codes, settings, **names)
            if self._classifier is None:
                self._classifier = _core.classify(
                    self._method,
                    self._training_similarities(show),
                    self._codes,
                    settings,
                    **names,
                    threads=threads,
                    progress=show,
                )

    def _further_rows(self, settings, names):
        """Rows that the method has samples compared with, beside the training rows; or None."""
        if self._is_sparse():
            if getattr(self, "centroid", None) == "unconstrained":
                raise ValueError(
                    "centroid: an unconstrained centroid is a row of means, most of them not 0; "
                    "hand over X.toarray()"
                )
            return None
        found = _core.classify_references(
            self._method,
            self._training.rows(),
            self._codes,
            settings,
            **names,
            feature_names=self._names(),
        )
        if found is None:
            return None
        numbers, places = found
        nominal, kinds = self._training.nominal, self._training.kinds
        return _columns.Columns(numbers, places, nominal, kinds)

    def _training_similarities(self, show=None):
        """Similarities of the training samples with each other."""
        if self._given() is None:
            return self._similar(self._training, self._threads(), show)
        return self._similarities(self._training)

    def _similar(self, queries, threads, show=None):
        """Similarities of rows to the training rows, and to further ones where there are some."""
        s = self._compared(queries, self._training, threads, show)
        if self._beside is None:
            return s
        return np.hstack([s, self._compared(queries, self._beside, threads, show)])

    def _similarities(self, X):
        """The given matrix as similarities: 0 - d for distances, so that 0 keeps its sign."""
        return 0 - X if self._given() == "metric" else X

    def _blocks(self, X):
        """Blocks of similarities of queries to the training samples."""
        threads = self._threads()
        if self._given() is not None:
            X = validate_data(self, X, reset=False, **_GIVEN)
            self._check_distances(X)
            for start, stop in self._parts(len(X)):
                yield self._similarities(X[start:stop])
            return
        queries = self._queries(X)
        for start, stop in self._parts(len(queries)):
            yield self._similar(queries[start:stop], threads)

    def _training_blocks(self):
        """Similarities of the training samples in blocks to write to, each with its first row."""
        threads = self._threads()
        for start, stop in self._parts(len(self._codes)):
            rows = self._training[start:stop]
            if self._given() is not None:
                yield start, self._similarities(rows).copy()
            else:
                yield start, self._similar(rows, threads)

    def _parts(self, rows):
        """Where parts of so many rows start and stop, of which similarities are held at a time."""
        step = max(1, _HELD // len(self._codes))
        return [(start, min(start + step, rows)) for start in range(0, rows, step)]

    def _queries(self, X):
        """Rows with the columns of the training samples."""
        with self._naming_what_takes_holes():
            options = {"missing": isinstance(self.measure, str), "sparse": self._takes_sparse()}
            return _columns.read_queries(self, X, self._training, **options)

    @contextmanager
    def _naming_what_takes_holes(self):
        """Where missing cells are refused, say that this is the measure's doing."""
        try:
            yield
        except ValueError as reason:
            if isinstance(self.measure, str) or not str(reason).startswith("Input X contains NaN"):
                raise
            raise ValueError(
                f"Input X contains NaN. The measure {type(self.measure).__name__} compares rows of "
                "known numbers: fill missing cells in before, or use a measure that takes them, "
                "such as 'heom'"
            ) from None

    def _ask(self, X):
        if self._measures_itself():
            beside = None if self._beside is None else self._beside.rows()
            rows = (self._queries(X).rows(), self._training.rows(), beside)
            options = {"feature_names": self._compared_names(), "threads": self._threads()}
            return self._classifier.predict_rows(self._measure, *rows, **options)
        said = [self._classifier.predict(s, threads=self._threads()) for s in self._blocks(X)]
        return {key: np.concatenate([one[key] for one in said]) for key in said[0]}

    def _look_inside(self, inside):
        """Keep what there is to see of the fit."""
        if inside["rounds"] is not None:
            self.n_iter_ = inside["rounds"]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        given = "precomputed" in (self.similarity, self.metric)
        tags.input_tags.pairwise = given
        tags.input_tags.allow_nan = not given and isinstance(self.measure, str)
        tags.input_tags.sparse = not given and self._takes_sparse()
        of_sets = isinstance(self.measure, str) and self.measure in _OF_SETS
        distances = self.metric == "precomputed"
        tags.input_tags.positive_only = distances or (not given and of_sets)
        return tags
