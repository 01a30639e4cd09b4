"""Classifiers that know nothing of samples but how alike they are: what they share."""

from collections.abc import Mapping

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import _columns, _core, _parameters
from nearkin._estimator import class_codes
from nearkin._progress import progress
from nearkin.classify._base import BaseClassifier
from nearkin.learn import BaseLearner

# Entries of the Parameters section for what these classifiers have in common.
_SHARED = {
    "measure": """
measure : str or estimator of :mod:`nearkin.learn`, default='heom'
    How alike two rows of a table are: one of :func:`measures`, such as 'heom', 'euclidean',
    'hvdm' or 'cosine'; or a learner of a similarity, which is fitted on the training rows.""",
    "measure_params": """
measure_params : dict or None, default=None
    Settings of the measure, such as ``{'scaling': 'none'}``.""",
    "similarity": """
similarity : {'precomputed'} or None, default=None
    With 'precomputed', ``X`` holds similarities in place of features, the larger the more
    alike: of the training samples with each other in ``fit``, of queries (rows) to training
    samples (columns) afterwards. They may be negative, asymmetric and indefinite.""",
    "metric": """
metric : {'precomputed'} or None, default=None
    With 'precomputed', ``X`` holds distances in the same way, the smaller the more alike.""",
}

# So many similarities of queries are held at a time.
_HELD = 1 << 23


def measures():
    """Names and summaries of the measures that compare rows of a table.

    Returns
    -------
    dict of str to str
        For each name that ``measure`` takes, what it is.

    Examples
    --------
    >>> from nearkin.classify import measures
    >>> measures()["counting"]
    'the number of columns that agree'
    """
    return {name: one["summary"] for name, one in _parameters.declarations("measure").items()}


class BaseSimilarityClassifier(BaseClassifier):
    """Base class of the classifiers that ask how alike samples are, and nothing else."""

    # True for a rule that needs no more than neighbours: it spares the similarities of all pairs.
    _asks_neighbours = False
    _shared = BaseClassifier._shared | _SHARED
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
            missing cell. Or the similarities, or distances, of the samples with each other.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._threads()
        if self._given() is None:
            columns, y = _columns.read(self, X, y, self.categorical_features, classes=True)
            # What is kept must not change when the caller's array does.
            self._training = columns.copied()
        else:
            options = {"dtype": np.float64, "order": "C", "ensure_min_samples": 2}
            X, y = validate_data(self, X, y, **options)
            y = _columns.checked_target(self, y, classes=True)
            self._training = X.copy()
        self.classes_, self._codes, self._class_names = class_codes(y)
        self._learn_measure(X, y)
        self._prepare()
        self._note(self._classifier.inside()["notes"])
        self._look_inside(self._classifier.inside())
        return self

    def _given(self):
        """What X holds in place of features: 'similarity', 'metric', or None."""
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

    def _learn_measure(self, X, y):
        """Fit the learner that is to say how alike rows are, if there is one."""
        learner = isinstance(self.measure, BaseLearner)
        if not learner and not isinstance(self.measure, str):
            raise TypeError(
                "measure: expected the name of a measure or an estimator of nearkin.learn, got "
                f"{self.measure!r} of type {type(self.measure).__name__}"
            )
        learner = learner and self._given() is None
        self._keep_or_drop("measure_", clone(self.measure).fit(X, y) if learner else None)
        if learner and len(self.measure_.similarities_) > 1:
            raise ValueError(
                "measure: a classifier needs one similarity and mode='one-vs-rest' learns one for "
                "each class; learn with mode='multi-class'"
            )

    def _prepare(self):
        """Fit measure and classifier to what is kept of the training samples.

        This follows from them alone, so it is also how a pickled classifier comes back.
        """
        threads = self._threads()
        settings = self._settings(self.classes_, self._seed())
        with progress(type(self).__name__, self.verbose) as show:
            if self._given() is None:
                self._fit_measure()
            names = {"class_names": self._class_names}
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

    def _fit_measure(self):
        if hasattr(self, "measure_"):
            return
        declared = _parameters.declarations("measure")
        given = {} if self.measure_params is None else self.measure_params
        if not isinstance(given, Mapping):
            raise TypeError(f"measure_params: expected a dict or None, got {given!r}")
        known = declared.get(self.measure, {"parameters": []})["parameters"]
        known = {p["python"]: p for p in known}
        texts = {
            name: _parameters.text(known[name], value) if name in known else str(value)
            for name, value in given.items()
        }
        self._measure = _core.measure(
            self.measure,
            self._training.rows(),
            texts,
            y=self._codes,
            class_names=self._class_names,
            feature_names=self._names(),
        )

    def _training_similarities(self, show=None):
        """Similarities of the training samples with each other."""
        if self._given() is None:
            return self._similar(self._training, self._threads(), show)
        return self._similarities(self._training)

    def _similar(self, queries, threads, show=None):
        """Similarities of rows to the training rows."""
        if hasattr(self, "measure_"):
            similarity = self.measure_.similarity_
            return similarity.between(queries.numbers, self._training.numbers, n_jobs=threads)
        options = {"feature_names": self._names(), "threads": threads, "progress": show}
        return self._measure.between(queries.rows(), self._training.rows(), **options)

    def _similarities(self, X):
        """What the user gave, as similarities: 0 - d for distances, so that 0 keeps its sign."""
        return 0 - X if self._given() == "metric" else X

    def _blocks(self, X):
        """Blocks of similarities of queries to the training samples."""
        threads = self._threads()
        if self._given() is not None:
            X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
            yield self._similarities(X)
            return
        queries = _columns.read_queries(self, X, self._training)
        step = max(1, _HELD // len(self._codes))
        for start in range(0, len(queries), step):
            yield self._similar(queries[start : start + step], threads)

    def _ask(self, X):
        if self._asks_neighbours and self._given() is None and not hasattr(self, "measure_"):
            queries = _columns.read_queries(self, X, self._training).rows()
            options = {"feature_names": self._names(), "threads": self._threads()}
            said = self._classifier.predict_rows(
                self._measure, queries, self._training.rows(), **options
            )
            if said is not None:
                return said
        said = [self._classifier.predict(s, threads=self._threads()) for s in self._blocks(X)]
        return {key: np.concatenate([one[key] for one in said]) for key in said[0]}

    def _look_inside(self, inside):
        """Keep what there is to see of the fit."""

    def __getstate__(self):
        state = super().__getstate__()
        return {key: state[key] for key in state if key not in ("_classifier", "_measure")}

    def __setstate__(self, state):
        super().__setstate__(state)
        if "_training" in state:
            self._prepare()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        given = "precomputed" in (self.similarity, self.metric)
        tags.input_tags.pairwise = given
        tags.input_tags.allow_nan = not given and isinstance(self.measure, str)
        return tags


class NeighboursMixin:
    """The neighbours of a query, for classifiers that ask them."""

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """The most similar training samples of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features) or None, default=None
            As for ``predict``; the training samples when not given, none its own neighbour.
        n_neighbors : int or None, default=None
            How many; as many as the classifier asks when not given.
        return_distance : bool, default=True
            Whether to return how far they are, too.

        Returns
        -------
        neigh_dist : ndarray of shape (n_queries, n_neighbors)
            Their distances: minus the similarity where that is what was measured.
        neigh_ind : ndarray of shape (n_queries, n_neighbors)
            Their places among the training samples, the most similar first; equal ones in order.
        """
        check_is_fitted(self)
        k = self.n_neighbors_ if n_neighbors is None else n_neighbors
        if k is None:
            raise ValueError("n_neighbors: neighbours are chosen by radius here; say how many")
        samples = len(self._codes)
        most = samples - (X is None)
        if not 1 <= k <= most:
            raise ValueError(f"n_neighbors: must be in 1..={most}, got {k}")
        found = self._nearest(X, k)
        if found is not None:
            return found if return_distance else found[1]
        blocks = self._blocks(X) if X is not None else [self._training_similarities().copy()]
        found = []
        for s in blocks:
            if X is None:
                np.fill_diagonal(s, -np.inf)
            near = np.argsort(-s, axis=1, kind="stable")[:, :k]
            found.append((0 - np.take_along_axis(s, near, axis=1), near))
        distances, near = (np.concatenate(part) for part in zip(*found, strict=True))
        return (distances, near) if return_distance else near

    def _nearest(self, X, k):
        """The neighbours, where an engine finds them without the similarities of all pairs."""
        if self._given() is not None or hasattr(self, "measure_"):
            return None
        queries = None if X is None else _columns.read_queries(self, X, self._training).rows()
        options = {"feature_names": self._names(), "threads": self._threads()}
        return self._measure.nearest(queries, self._training.rows(), k, **options)

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.n_neighbors_ = inside["k"]
        if inside["alpha"] is not None:
            self.alpha_ = inside["alpha"]


class PrototypesMixin:
    """The samples that stand for classes, for classifiers that have some."""

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.prototypes_ = [np.array(one, dtype=np.intp) for one in inside["prototypes"]]


class LawsMixin:
    """The laws of similarities, for classifiers that fit some before they see a query."""

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.laws_ = [one | {"class": self.classes_[one["class"]]} for one in inside["laws"]]
