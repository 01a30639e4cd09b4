"""Base of all weighting selectors: everything but their parameters."""

from numbers import Integral, Real

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import _columns, _core, _tables
from nearkin._estimator import Declared, class_codes
from nearkin._genotypes import Genotypes
from nearkin._progress import progress
from nearkin.weigh._given import covariates_of, strata_of

# What all weighting selectors have beside declared parameters: defaults, and entries of the
# docstring's Parameters section.
SHARED = {
    "n_features_to_select": (
        10,
        """
n_features_to_select : int, float or None, default=10
    How many features ``transform`` keeps, the heaviest first: a number, at most all of
    them; a share of the features between 0 and 1; None for half of them. It may be
    changed after ``fit``.""",
    ),
    "categorical_features": (
        "from_dtype",
        """
categorical_features : array-like of int, str or bool, 'from_dtype' or None, default='from_dtype'
    Which columns hold categories, which either agree or differ: their indices, their
    names in a data frame, or a mask. With 'from_dtype', the columns of a data frame whose
    dtype is categorical, object or string; arrays have none. With None, no column.""",
    ),
    "per_class": (
        False,
        """
per_class : bool, default=False
    Whether to work out weights for each class too.""",
    ),
    "pairs": (
        False,
        """
pairs : bool, default=False
    Whether to work out what each class adds to the weights of each class.""",
    ),
    "explain_rows": (
        None,
        """
explain_rows : array-like of int or None, default=None
    Rows of ``X``, counted from 0, whose own part in the weights is wanted.""",
    ),
    "q": (
        None,
        """
q : float or None, default=None
    Keep the features whose q-value is at most this, in place of ``n_features_to_select``:
    of those kept, a share of at most ``q`` is expected to be false. The tests are those of
    ``p_values``; where that is None, those of :class:`Association`.""",
    ),
    "p": (
        None,
        """
p : float or None, default=None
    Keep the features whose p-value is at most this, likewise. With many features prefer
    ``q``: of features that do not matter, a share of ``p`` is kept.""",
    ),
    "p_values": (
        None,
        """
p_values : {'association', 'stir', 'permutation'} or None, default=None
    How to test each feature. 'association' tests it as :class:`Association` does, whatever
    the weights are: its p-values hold for classes of unequal size and beside features that
    matter. 'stir' is STIR's t-test, quick and approximate: it takes a rare class for a
    relevant one, so that with ``q`` or ``p`` unequal classes are refused. 'permutation'
    weighs again with shuffled ``y``, which is slow and asks whether anything matters at
    all. Not every method can do the second.""",
    ),
    "n_permutations": (
        200,
        """
n_permutations : int, default=200
    Number of shuffles of the permutation test; no p-value is below 1 / (1 + this).""",
    ),
    "interval": (
        None,
        """
interval : float or None, default=None
    Level, such as 0.95, of a bootstrap interval around each weight: how far it would move
    had other rows been looked at. Their neighbours stay. It is no test: an interval of a
    feature that does not matter may lie above 0.""",
    ),
    "n_bootstrap": (
        1000,
        """
n_bootstrap : int, default=1000
    Number of bootstrap replicates behind an interval.""",
    ),
    "random_state": (
        0,
        """
random_state : int, RandomState instance or None, default=0
    Seed of every random choice.""",
    ),
}

_ATTRIBUTES = """
feature_importances_ : ndarray of shape (n_features,)
    The weight of each feature.
scores_ : ndarray of shape (n_features,)
    The same weights, under the name scikit-learn's selectors use.
top_features_ : ndarray of shape (n_features,)
    Indices of all features, the heaviest first; equal weights in order of column.
classes_ : ndarray of shape (n_classes,)
    The classes, unless the target is real.
class_weights_ : ndarray of shape (n_classes, n_features)
    The weight of each feature among the rows of each class. Those of noise lie around 0 only
    where classes are of equal size. With ``per_class=True``.
pair_weights_ : ndarray of shape (n_classes, n_classes, n_features)
    What neighbours of the second class add to the weights among rows of the first: those
    are the sum over other classes minus the part of their own. With ``pairs=True``.
row_weights_ : ndarray of shape (len(explain_rows), n_features)
    The part of single rows, whose mean over all rows is the weight; NaN for a row that
    ``sample`` left out. With ``explain_rows``.
p_values_, q_values_ : ndarray of shape (n_features,)
    Probability of so clear a finding if the feature did not matter, and the same adjusted
    for the number of features (Benjamini and Hochberg); NaN where it cannot be told. With
    ``p_values``, ``q`` or ``p``.
t_values_, effects_ : ndarray of shape (n_features,)
    The statistic and the effect size (Cohen's d) behind them. With ``p_values='stir'``.
class_p_values_, class_q_values_ : ndarray of shape (n_classes, n_features)
    The same for each class. With ``p_values='stir'`` and ``per_class=True``.
z_, statistics_, p_target_, p_column_, p_family_, extrapolated_, directions_
    What else :class:`Association` tells of each feature. With ``p_values='association'``.
intervals_ : ndarray of shape (n_features, 2)
    Low and high end of the interval around each weight. With ``interval``.
notes_ : list of str
    What a reader of the weights should know, such as classes with few rows.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, when ``X`` has names that are all strings.
"""

# What the core may find beside the weights; each becomes an attribute with a final underscore.
_FOUND = (
    "class_weights",
    "pair_weights",
    *(f"{of}{what}" for of in ("", "class_") for what in ("p_values", "q_values", "t_values")),
    "effects",
    "class_effects",
    "intervals",
    "threshold",
    "order_deviation",
    "best_k",
    "removed_in",
    "n_iter",
    *("statistics", "deviations", "z", "p_target", "p_column", "p_family", "extrapolated"),
)

# Of the largest class to the smallest: where STIR may still select.
_NEARLY_EQUAL = 1.2

# What the test of association shares with the method beside it.
_OF_DISTANCE = ("scale", "missing", "ramp", "ramp_equal", "ramp_different")


# More shuffles, or replicates, than anybody can wait for.
_TOO_MANY = 1 << 31


class BaseWeigher(SelectorMixin, Declared):
    """Base class of the selectors that weigh features.

    A subclass names its method in ``_method``, whose declaration makes its parameters.
    """

    _room = "weigh"
    _shared = SHARED
    _attributes = _ATTRIBUTES
    # Whether the target is a class; False for methods of real targets.
    _explains_classes = True

    def fit(self, X, y, *, strata=None):
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples: an array, or a data frame that may hold categories. NaN marks a
            missing cell. Arrays of float32 or float64 in C or Fortran order are not copied
            on the way in. :class:`~nearkin.datasets.Genotypes` stay packed.
        y : array-like of shape (n_samples,)
            What is to be explained about each sample.
        strata : array-like of shape (n_samples,) or None, default=None
            The group of each sample, such as its family or cage: tests exchange samples
            within groups only. Weights do not know of it.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._weigh(X, [y], strata=strata)

    def _weigh(self, X, ys, *, covariates=None, strata=None):
        """Fit to one target, or to several that are tested together."""
        self._forget()
        threads = self._threads()
        explains_classes = self._takes_classes(ys[0])
        read = _columns.read_genotypes if isinstance(X, Genotypes) else _columns.read
        columns, y = read(self, X, ys[0], self.categorical_features, classes=explains_classes)
        self._count_selected()
        target, class_names = self._target(y, explains_classes)
        rows = len(target)
        strata = strata_of(strata, rows)
        covariates = covariates_of(covariates, rows)
        seed = self._seed()
        wanted = self._wanted(rows, seed)
        self._check_tests(strata, covariates)
        if explains_classes:
            self._refuse_uneven(np.bincount(target), class_names)
        method, parameters, wrap = self._plan(getattr(self, "classes_", None), seed)
        targets = self._further_targets(ys[1:], rows)
        with progress(type(self).__name__, self.verbose) as show:
            found = _core.weigh(
                method,
                columns.numbers,
                target,
                parameters,
                wrap=wrap,
                columns=columns.places,
                class_names=class_names,
                feature_names=self._names(),
                threads=threads,
                covariates=covariates,
                strata=strata,
                targets=targets,
                progress=show,
                **wanted,
            )
        self._keep_found(found)
        return self

    def _takes_classes(self, y):
        """Whether y is taken for classes."""
        return self._explains_classes

    def _target(self, y, explains_classes):
        """A target for the core: codes and class names, or numbers."""
        if not explains_classes:
            return np.ascontiguousarray(y, dtype=np.float64), None
        self.classes_, codes, names = class_codes(y)
        return codes, names

    def _further_targets(self, ys, rows):
        """Targets beside the first one."""
        return []

    def _keep_found(self, found):
        self.feature_importances_ = found["weights"]
        self.top_features_ = np.argsort(-found["weights"], kind="stable")
        for name in _FOUND:
            self._keep_if_there(name + "_", found.get(name))
        self._keep_if_there("row_weights_", self._rows_in_order(found))
        self._keep_if_there("directions_", self._directions(found.get("directions")))
        self._note(found["notes"])

    def _in_short(self, found):
        classes = getattr(self, "classes_", None)
        if not (isinstance(classes, np.ndarray) and classes.dtype.kind in "iuf"):
            return super()._in_short(found)
        return (
            f"y holds {len(self.classes_)} different numbers, and {type(self).__name__} takes each "
            "for a class; for a real target use a method such as RReliefF. "
            f"{len(found)} notes are in notes_"
        )

    def _directions(self, directions):
        """Directions with classes as the user has them."""
        classes = getattr(self, "classes_", None)
        if directions is None or not isinstance(classes, np.ndarray):
            return directions
        own = {str(one): one for one in classes.tolist()}
        return [
            None if way is None else way | {"class": own.get(way["class"], way["class"])}
            for way in directions
        ]

    def _rows_in_order(self, found):
        """Weights of single rows as the user listed them."""
        asked = getattr(self, "explain_rows", None)
        if asked is None:
            return None
        weights = np.full((len(asked), self.n_features_in_), np.nan)
        if "rows" in found:
            of = dict(zip(found["rows"].tolist(), found["row_weights"], strict=True))
            for place, row in enumerate(asked):
                if row in of:
                    weights[place] = of[row]
        return weights

    def _plan(self, classes, seed):
        """The method's id, its parameters as texts, and the wrappers around it."""
        return self._method, self._settings(classes, seed), []

    def _wanted(self, rows, seed):
        """The results beside weights that the core is asked for."""
        return {
            "per_class": bool(self.per_class),
            "pairs": bool(self.pairs),
            "rows": self._asked_rows(rows),
            "bootstrap": self._bootstrap(seed),
            **self._tests(seed),
        }

    def _test(self):
        """What the user wants features to be tested by; association where they are selected so."""
        kinds = ("association", "stir", "permutation")
        if self.p_values is not None and self.p_values not in kinds:
            expected = "'association', 'stir', 'permutation' or None"
            raise ValueError(f"p_values: expected {expected}, got {self.p_values!r}")
        if self.p_values is None and self._limits():
            return "association"
        return self.p_values

    def _limits(self):
        """The largest p-values and q-values that are kept, where the user says so."""
        limits = {}
        for name in ("p", "q"):
            limit = getattr(self, name)
            if limit is None:
                continue
            if not isinstance(limit, Real) or isinstance(limit, bool):
                kind = type(limit).__name__
                raise TypeError(f"{name}: expected a float or None, got {limit!r} of type {kind}")
            if not 0 <= limit <= 1:
                raise ValueError(f"{name}: must be from 0 to 1, got {limit!r}")
            limits[name] = limit
        return limits

    def _tests(self, seed):
        shuffles = (_at_least_one("n_permutations", self.n_permutations), seed)
        test = self._test()
        return {
            "stir": test == "stir",
            "permutations": shuffles if test == "permutation" else None,
            "association": self._distance(seed) if test == "association" else None,
        }

    def _distance(self, seed):
        """Settings of the test of association: the distance is the method's own."""
        estimator = self._tested()
        declared = {p["python"] for p in estimator._declared()}
        settings = estimator._settings(None, seed)
        shared = {name: settings[name] for name in _OF_DISTANCE if name in declared}
        return shared | {"random_state": str(seed)}

    def _tested(self):
        """The estimator whose distance a test shares."""
        return self

    def _check_tests(self, strata, covariates):
        """Refuse strata that nothing would use, and a test that cannot know of covariates."""
        self._limits()
        if covariates is not None and self._test() == "permutation":
            raise ValueError(
                "covariates: shuffled targets have nothing to do with covariates, so that a "
                "permutation test would not adjust for them; use p_values='association'"
            )
        if strata is not None and self._test() not in ("association", "permutation"):
            raise ValueError(
                f"strata: {type(self).__name__} exchanges samples in tests alone; set "
                "p_values='association' or 'permutation'"
            )

    def _refuse_uneven(self, counts, names):
        """Refuse to select by STIR where one class is rarer than another."""
        if self.p_values == "stir" and self._limits():
            refuse_uneven(counts, names)

    def _bootstrap(self, seed):
        replicates, level = _at_least_one("n_bootstrap", self.n_bootstrap), self.interval
        if level is None:
            return None
        if not (isinstance(level, Real) and 0 < level < 1):
            raise ValueError(f"interval: expected a float between 0 and 1 or None, got {level!r}")
        return replicates, float(level), seed

    def _asked_rows(self, rows):
        if self.explain_rows is None:
            return []
        asked = np.asarray(self.explain_rows)
        if asked.size and (asked.ndim != 1 or asked.dtype.kind not in "iu"):
            raise ValueError(
                f"explain_rows: expected a list of row numbers or None, got {self.explain_rows!r}"
            )
        for row in asked.tolist():
            if not 0 <= row < rows:
                raise ValueError(
                    f"explain_rows: row {row} does not exist; rows are 0 to {rows - 1}"
                )
        return asked.tolist()

    def transform(self, X):
        """Keep the selected features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples with the features seen in ``fit``.

        Returns
        -------
        array-like of shape (n_samples, n_selected_features)
            The samples with the selected features only, in order of column; of genotypes,
            packed ones.
        """
        if isinstance(X, Genotypes):
            check_is_fitted(self)
            _columns.check_variants(self, X)
            kept = X[:, self.get_support(indices=True)]
            # Data frames are made of arrays.
            packed = _get_output_config("transform", self)["dense"] == "default"
            return kept if packed else np.asarray(kept)
        # scikit-learn lets columns of a pandas frame keep their types; here polars' do too.
        if _tables.is_polars(X) and _get_output_config("transform", self)["dense"] != "default":
            validate_data(self, X, skip_check_array=True, reset=False)
            return X[:, self.get_support(indices=True).tolist()]
        return super().transform(X)

    @property
    def scores_(self):
        """The weights, under the name scikit-learn's selectors use."""
        return self.feature_importances_

    def _count_selected(self):
        """How many features to keep."""
        wanted, features = self.n_features_to_select, self.n_features_in_
        whole = isinstance(wanted, Integral) and not isinstance(wanted, bool)
        if wanted is None:
            return max(1, features // 2)
        if whole and wanted >= 1:
            return min(int(wanted), features)
        if isinstance(wanted, Real) and not isinstance(wanted, Integral) and 0 < wanted <= 1:
            return max(1, int(wanted * features))
        error = ValueError if isinstance(wanted, Real) else TypeError
        raise error(
            "n_features_to_select: expected an int of at least 1, a float in (0, 1] or None, "
            f"got {wanted!r}"
        )

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        if limits := self._limits():
            tested = {name: getattr(self, f"{name}_values_", None) for name in limits}
            if any(values is None for values in tested.values()):
                raise ValueError("q and p select by tests, and fit made none; fit again")
            mask[:] = True
            for name, limit in limits.items():
                mask &= tested[name] <= limit
            return mask
        mask[self.top_features_[: self._count_selected()]] = True
        return mask

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _at_least_one(name, value):
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name}: expected an int, got {value!r} of type {type(value).__name__}")
    if not 1 <= value < _TOO_MANY:
        bound = "at least 1" if value < 1 else "below 2**31"
        raise ValueError(f"{name}: must be {bound}, got {value}")
    return int(value)


def refuse_uneven(counts, names):
    """Refuse STIR's p-values for a selection among classes of unequal size."""
    counts = np.asarray(counts)
    most, least = int(counts.argmax()), int(counts.argmin())
    if counts[most] > _NEARLY_EQUAL * counts[least]:
        raise ValueError(
            f"p_values: STIR's p-values are too small where classes differ in size, and "
            f"{names[most]!r} has {counts[most]} rows, {names[least]!r} {counts[least]}; select by "
            "those of Association: p_values='association', which is what p and q take by themselves"
        )


def score_function(estimator, name):
    """The function that gives an estimator's weights alone, called ``name``."""

    def function(X, y, **parameters):
        selector = estimator(**parameters)
        # These p-values are there to select by.
        if selector._test() == "stir" and selector._explains_classes:
            classes, counts = np.unique(np.asarray(y), return_counts=True)
            refuse_uneven(counts, classes.tolist())
        fitted = selector.fit(X, y)
        if selector._test() is None:
            return fitted.feature_importances_
        return fitted.feature_importances_, fitted.p_values_

    title = estimator.__name__
    function.__name__ = function.__qualname__ = name
    # Pickled by reference, so it has to be found where the estimator is.
    function.__module__ = estimator.__module__
    function.__doc__ = f"""The {title} weight of each feature.

    For :class:`~sklearn.feature_selection.SelectKBest` and its like.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        What is to be explained about each sample.
    **parameters
        Those of :class:`{title}`.

    Returns
    -------
    ndarray of shape (n_features,)
        One weight a feature; with ``p_values``, that and the p-values, as
        :class:`~sklearn.feature_selection.SelectFdr` needs them.
    """
    return function
