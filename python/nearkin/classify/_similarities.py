"""Classifiers that know nothing of samples but how alike they are: what they share."""

from collections.abc import Mapping
from contextlib import contextmanager
from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import _columns, _core, _parameters, _saved
from nearkin._estimator import class_codes, in_scikit_learns_words
from nearkin._progress import progress
from nearkin.classify._base import BaseClassifier
from nearkin.learn import BaseLearner, Similarity
from nearkin.learn._base import Dissimilarity

# Entries of the Parameters section for what these classifiers have in common.
_SHARED = {
    "measure": """
measure : str, estimator of :mod:`nearkin.learn`, Similarity or callable, default='heom'
    How alike two rows of a table are: one of :func:`measures`, such as 'heom', 'euclidean',
    'hvdm' or 'cosine'; a learner of a similarity, which is fitted on the training rows; a
    :class:`~nearkin.learn.Similarity` that was learned before, such as ``similarity_``; or a
    function of two rows of numbers that gives a number, the larger the more alike, which is
    called for every pair.""",
    "measure_params": """
measure_params : dict or None, default=None
    Settings of a measure that goes by its name, such as ``{'scaling': 'none'}``.""",
    "similarity": """
similarity : {'precomputed'} or None, default=None
    With 'precomputed', ``X`` holds similarities in place of features, the larger the more
    alike: of the training samples with each other in ``fit``, of queries (rows) to training
    samples (columns) afterwards. They may be negative, asymmetric and indefinite. Nothing is
    left to measure then, and ``measure`` is not looked at.""",
    "metric": """
metric : {'precomputed'} or None, default=None
    With 'precomputed', ``X`` holds distances in the same way, the smaller the more alike.""",
}

# Measures of what is present, which take no number below 0.
_OF_SETS = ("dice", "jaccard", "overlap", "tversky-contrast", "tversky-ratio")

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
        words = _saved.words(y)
        if self._given() is None:
            options = {"classes": True, "missing": isinstance(self.measure, str)}
            with self._naming_what_takes_holes():
                columns, y = _columns.read(self, X, y, self.categorical_features, **options)
            # What is kept must not change when the caller's array does.
            self._training = columns.copied()
        else:
            _columns.check_target(self, y, classes=True)
            options = {"dtype": np.float64, "order": "C", "ensure_min_samples": 2}
            X, y = validate_data(self, X, y, **options)
            y = _columns.checked_target(self, y, classes=True)
            self._check_square(X)
            self._check_distances(X)
            self._training = X.copy()
        self.classes_, self._codes, self._class_names = class_codes(y)
        # A generator among the settings is asked once: copies are fitted as this one.
        self._set_to = self._settings(self.classes_, self._seed())
        kinds = None if self._given() else self._training.kinds
        told = _saved.told(self, self._set_to, kinds=kinds)
        self._words = (*words, _saved.kind_of(self.classes_), told)
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
        if self._given() == "metric" and X.size and X.min() < -1e-8 * abs(X).max():
            raise ValueError(
                f"Negative values in data: {X.min()} is no distance; give similarities, which may "
                "be negative, with similarity='precomputed'"
            )

    def _learn_measure(self, X, y):
        """Fit the learner that is to say how alike rows are, if there is one."""
        learner = isinstance(self.measure, BaseLearner)
        function = callable(self.measure) and not isinstance(self.measure, type)
        if not (learner or isinstance(self.measure, str | Similarity) or function):
            raise TypeError(
                "measure: expected the name of a measure, an estimator of nearkin.learn, a "
                "Similarity or a function of two rows, got "
                f"{self.measure!r} of type {type(self.measure).__name__}"
            )
        learner = learner and self._given() is None
        self._check_measure_params({} if self.measure_params is None else self.measure_params)
        self._known = self._function = None
        if self._given() is None:
            self._take_ready_measure()
        self._keep_or_drop("measure_", clone(self.measure).fit(X, y) if learner else None)
        if learner and len(self.measure_.similarities_) > 1:
            raise ValueError(
                "measure: a classifier needs one similarity and mode='one-vs-rest' learns one for "
                "each class; learn with mode='multi-class'"
            )

    def _take_ready_measure(self):
        """Keep the similarity, or the function, that was given as the measure."""
        measure = self.measure
        if isinstance(measure, Dissimilarity):
            measure = measure.similarity
        ready = isinstance(measure, Similarity)
        if not ready and (isinstance(measure, str | BaseLearner)):
            return
        if self._training.nominal is not None:
            at = int(np.argmax(self._training.nominal))
            name = (self._names() or [f"x{at}" for at in range(self.n_features_in_)])[at]
            raise ValueError(
                f"measure: column `{name}` is nominal, and this measure compares rows of numbers; "
                "encode or drop it, or use a measure of categories such as 'heom'"
            )
        if not ready:
            self._function = measure
            return
        measure._rows(self._training.numbers, "X")
        self._known = measure._about(self._names())

    def _similarity(self):
        """The similarity that compares rows: learned by ``measure_``, or given; else None."""
        return self.measure_.similarity_ if hasattr(self, "measure_") else self._known

    def _prepare(self):
        """Fit measure and classifier to what is kept of the training samples.

        This follows from them alone, so it is also how a pickled classifier comes back.
        """
        threads, settings = self._threads(), self._set_to
        with progress(type(self).__name__, self.verbose) as show:
            names = {"class_names": self._class_names}
            if self._given() is None:
                self._fit_measure()
                self._beside = self._further_rows(settings, names)
            # A rule of a given number of neighbours spares the matrix of all with each other.
            self._classifier = _core.classify_labels(self._method, self._codes, settings, **names)
            if self._classifier is None:
                with in_scikit_learns_words():
                    self._classifier = _core.classify(
                        self._method,
                        self._training_similarities(show),
                        self._codes,
                        settings,
                        **names,
                        threads=threads,
                        progress=show,
                    )

    def _measure_settings(self):
        """What the user set of the measure's parameters, as texts."""
        declared = _parameters.declarations("measure")
        given = {} if self.measure_params is None else self.measure_params
        self._check_measure_params(given)
        known = declared.get(self.measure, {"parameters": []})["parameters"]
        known = {p["python"]: p for p in known}
        return {
            name: _parameters.text(known[name], value) if name in known else str(value)
            for name, value in given.items()
        }

    def _check_measure_params(self, given):
        if not isinstance(given, Mapping):
            raise TypeError(f"measure_params: expected a dict or None, got {given!r}")
        if given and not isinstance(self.measure, str):
            raise ValueError(
                "measure_params: they are settings of a measure that goes by its name, and "
                f"measure is a {type(self.measure).__name__}; give it what it needs itself"
            )

    def _fit_measure(self):
        if self._similarity() is not None or self._function is not None:
            return
        with in_scikit_learns_words():
            self._measure = _core.measure(
                self.measure,
                self._training.rows(),
                self._measure_settings(),
                y=self._codes,
                class_names=self._class_names,
                feature_names=self._names(),
            )

    def _further_rows(self, settings, names):
        """Rows that the method has samples compared with, beside the training rows; or None."""
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

    def _compared(self, queries, references, threads, show):
        similarity = self._similarity()
        if similarity is not None:
            return similarity._between(queries.numbers, references.numbers, threads, show)
        if self._function is not None:
            return _called_for_all(self._function, queries.numbers, references.numbers)
        options = {"feature_names": self._names(), "threads": threads, "progress": show}
        return self._measure.between(queries.rows(), references.rows(), **options)

    def _similarities(self, X):
        """What the user gave, as similarities: 0 - d for distances, so that 0 keeps its sign."""
        return 0 - X if self._given() == "metric" else X

    def _blocks(self, X):
        """Blocks of similarities of queries to the training samples."""
        threads = self._threads()
        if self._given() is not None:
            X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
            self._check_distances(X)
            yield self._similarities(X)
            return
        queries = self._queries(X)
        step = max(1, _HELD // len(self._codes))
        for start in range(0, len(queries), step):
            yield self._similar(queries[start : start + step], threads)

    def _queries(self, X):
        """Rows with the columns of the training samples."""
        with self._naming_what_takes_holes():
            missing = isinstance(self.measure, str)
            return _columns.read_queries(self, X, self._training, missing=missing)

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
        if self._asks_neighbours and self._measures_itself():
            queries = self._queries(X).rows()
            options = {"feature_names": self._names(), "threads": self._threads()}
            said = self._classifier.predict_rows(
                self._measure, queries, self._training.rows(), **options
            )
            if said is not None:
                return said
        said = [self._classifier.predict(s, threads=self._threads()) for s in self._blocks(X)]
        return {key: np.concatenate([one[key] for one in said]) for key in said[0]}

    def _measures_itself(self):
        """True where rows are compared by a measure of the core's, under its name."""
        return self._given() is None and self._similarity() is None and self._function is None

    def _look_inside(self, inside):
        """Keep what there is to see of the fit."""
        if inside["rounds"] is not None:
            self.n_iter_ = inside["rounds"]

    def save(self, path):
        """Write the classifier to a file, as ``nearkin classify -o`` does.

        Parameters
        ----------
        path : str or path-like
            The file; a model of the program, in the safetensors format. It holds the training
            samples: whoever has the file has them.
        """
        check_is_fitted(self)
        if self._function is not None:
            raise ValueError(
                "the measure is a function of your program, and a file holds no code; give its "
                "values with similarity='precomputed', or pickle the classifier"
            )
        _saved.write(path, self._bytes())

    @classmethod
    def load(cls, path):
        """The fitted classifier in a file that ``save`` or ``nearkin classify -o`` wrote.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        estimator
            The classifier, fitted.
        """
        return _saved.restored(path, cls)

    def _bytes(self):
        if self._given() is not None:
            samples = (self._training, self._given() == "metric")
        elif hasattr(self, "measure_"):
            learner = self.measure_
            compared = (learner._method, learner._set_to, learner.similarity_._inner)
            samples = (self._training.rows(), self._names(), compared)
        elif self._known is not None:
            samples = (self._training.rows(), self._names(), ("learned", {}, self._known._inner))
        else:
            compared = (self.measure, self._measure_settings())
            samples = (self._training.rows(), self._names(), compared)
        names = self._class_names
        return _core.classifier_bytes(
            self._method, self._set_to, samples, self._codes, names, self._words
        )

    def _take_samples(self, found):
        """The training samples in a model, as ``fit`` keeps them."""
        self._codes, self._class_names = found["codes"], found["class_names"]
        self._known = self._function = None
        if "similarities" in found:
            s = found["similarities"]
            self._training = 0 - s if found["dissimilar"] else s
            return
        places = found["places"]
        nominal = np.array([not isinstance(place, int) for place in places])
        if found["measure"] == "learned":
            self._known = Similarity._of(found["similarity"])
        # As _columns.read: without categories, features are the columns of the numbers.
        kinds = _saved.retold(found["words"][3]).get("kinds") or _columns.kinds_of(places)
        options = (places, nominal, kinds) if nominal.any() else (None, None)
        self._training = _columns.Columns(found["numbers"], *options)

    @classmethod
    def _restored(cls, found):
        made = cls(**_saved.settings("classify", cls._method, found["parameters"]))
        made._set_to, made._words = dict(found["parameters"]), tuple(found["words"])
        made._take_samples(found)
        made.classes_ = _saved.classes(found["class_names"], found["words"][2])
        if "similarities" in found:
            made.set_params(**{"metric" if found["dissimilar"] else "similarity": "precomputed"})
            made.n_features_in_ = len(found["codes"])
        else:
            _saved.keep_names(made, found["feature_names"])
            made._take_measure(found)
        _saved.tell(made, _saved.retold(found["words"][3]))
        made._prepare()
        made.notes_ = made._classifier.inside()["notes"]
        made._look_inside(made._classifier.inside())
        return made

    def _take_measure(self, found):
        name, texts, learned = found["measure"], found["measure_parameters"], found["similarity"]
        if learned is None:
            self.measure = name
            self.measure_params = _saved.unlike_defaults("measure", name, texts)
            return
        if name == "learned":
            self.measure = self._known
            return
        # A model keeps what the learner learned, and not how well it went.
        known = _core.unlearned(learned, found["class_names"])
        known |= {"kind": "similarity", "method": name, "parameters": texts, "k": 1, "rule": "knn"}
        self.measure_ = _saved.named("learn", name)._restored(known | {"words": self._words})
        self.measure = clone(self.measure_)

    # What follows from the training samples, and so need not be pickled beside their bytes.
    _from_fit = ("_classifier", "_measure", "_beside")
    _from_model = ("_training", "_codes", "_class_names", "_known", "_function")

    def __getstate__(self):
        state = super().__getstate__()
        if "_training" not in state:
            return state
        state = {key: state[key] for key in state if key not in self._from_fit}
        if self._function is not None:
            return state
        state = {key: state[key] for key in state if key not in self._from_model}
        return state | {"_model": self._bytes()}

    def __setstate__(self, state):
        state = dict(state)
        model = state.pop("_model", None)
        super().__setstate__(state)
        if model is not None:
            self._take_samples(_core.read_model(model))
        if "_training" in vars(self):
            self._prepare()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        given = "precomputed" in (self.similarity, self.metric)
        tags.input_tags.pairwise = given
        tags.input_tags.allow_nan = not given and isinstance(self.measure, str)
        of_sets = isinstance(self.measure, str) and self.measure in _OF_SETS
        distances = self.metric == "precomputed"
        tags.input_tags.positive_only = distances or (not given and of_sets)
        return tags


def _called_for_all(function, queries, references):
    """What a function of two rows says of every pair."""
    s = np.array([[function(x, z) for z in references] for x in queries], dtype=np.float64)
    if s.shape != (len(queries), len(references)) or not np.isfinite(s).all():
        raise ValueError("measure: the function must give a finite number for every two rows")
    return s


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
        if not isinstance(k, Integral | None) or isinstance(k, bool):
            raise TypeError(
                f"n_neighbors: expected an int or None, got {k!r} of type {type(k).__name__}"
            )
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
        if not self._measures_itself():
            return None
        queries = None if X is None else self._queries(X).rows()
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


class EvidenceMixin:
    """What laws say of a query, for classifiers that have some by then."""

    def evidence(self, X):
        """What each law says of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        list of list of dict
            For each query its laws: ``class``, ``what`` is measured and its ``value`` there,
            ``prototype`` (the training sample it is the similarity to, or None), ``log_p`` of the
            value, ``mean``, ``lambda`` and ``log_z``; of a mixture's part also ``component``, its
            ``weight`` and its ``responsibility``, the part's share in what the mixture says.
        """
        check_is_fitted(self)
        said = [self._classifier.evidence(np.ascontiguousarray(s)) for s in self._blocks(X)]
        return [[self._with_class(one) for one in of] for block in said for of in block]

    def outside_support(self, X):
        """Whether a similarity of each query lies where the laws were told that none can.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_queries,)
            True where a query is outside the support that was declared; nobody is where it is that
            of the training samples.
        """
        return self._said(X, "outside")

    def _with_class(self, law):
        return law | {"class": self.classes_[law["class"]]}


class LawsMixin(EvidenceMixin):
    """The laws of similarities, for classifiers that fit some before they see a query."""

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.laws_ = [self._with_class(one) for one in inside["laws"]]
        self.law_tables_ = inside["law_tables"]
