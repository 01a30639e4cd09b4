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
    "p_values": (
        None,
        """
p_values : {'stir', 'permutation'} or None, default=None
    How to test each feature: by STIR's t-test, quick and approximate, since neighbours
    share rows; or by weighing again with shuffled ``y``, which is slow and
    asks whether anything matters at all. Not every method
    can do the first.""",
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
    had other rows been looked at. Their neighbours stay.""",
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
    The weight of each feature among the rows of each class. With ``per_class=True``.
pair_weights_ : ndarray of shape (n_classes, n_classes, n_features)
    What neighbours of the second class add to the weights among rows of the first: those
    are the sum over other classes minus the part of their own. With ``pairs=True``.
row_weights_ : ndarray of shape (len(explain_rows), n_features)
    The part of single rows, whose mean over all rows is the weight; NaN for a row that
    ``sample`` left out. With ``explain_rows``.
p_values_, q_values_ : ndarray of shape (n_features,)
    Probability of a weight as large if the feature did not matter, and the same adjusted
    for the number of features (Benjamini and Hochberg); NaN where it cannot be told. With
    ``p_values``.
t_values_, effects_ : ndarray of shape (n_features,)
    The statistic and the effect size (Cohen's d) behind them. With ``p_values='stir'``.
class_p_values_, class_q_values_ : ndarray of shape (n_classes, n_features)
    The same for each class. With ``p_values='stir'`` and ``per_class=True``.
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
)


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

    def fit(self, X, y):
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples: an array, or a data frame that may hold categories. NaN marks a
            missing cell. Arrays of float32 or float64 in C or Fortran order are not copied
            on the way in. :class:`~nearkin.datasets.Genotypes` stay packed.
        y : array-like of shape (n_samples,)
            What is to be explained about each sample.

        Returns
        -------
        self : object
            The fitted selector.
        """
        self._forget()
        threads = self._threads()
        read = _columns.read_genotypes if isinstance(X, Genotypes) else _columns.read
        columns, y = read(self, X, y, self.categorical_features, classes=self._explains_classes)
        self._count_selected()
        if self._explains_classes:
            self.classes_, target, class_names = class_codes(y)
        else:
            class_names, target = None, np.ascontiguousarray(y, dtype=np.float64)
        seed = self._seed()
        method, parameters, wrap = self._plan(getattr(self, "classes_", None), seed)
        wanted = self._wanted(len(target), seed)
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
                progress=show,
                **wanted,
            )
        self._keep_found(found)
        return self

    def _keep_found(self, found):
        self.feature_importances_ = found["weights"]
        self.top_features_ = np.argsort(-found["weights"], kind="stable")
        for name in _FOUND:
            self._keep_if_there(name + "_", found.get(name))
        self._keep_if_there("row_weights_", self._rows_in_order(found))
        self._note(found["notes"])

    def _in_short(self, found):
        numbers = self._explains_classes and self.classes_.dtype.kind in "iuf"
        if not numbers:
            return super()._in_short(found)
        return (
            f"y holds {len(self.classes_)} different numbers, and {type(self).__name__} takes each "
            "for a class; for a real target use a method such as RReliefF. "
            f"{len(found)} notes are in notes_"
        )

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

    def _tests(self, seed):
        if self.p_values not in (None, "stir", "permutation"):
            raise ValueError(
                f"p_values: expected 'stir', 'permutation' or None, got {self.p_values!r}"
            )
        shuffles = (_at_least_one("n_permutations", self.n_permutations), seed)
        return {
            "stir": self.p_values == "stir",
            "permutations": shuffles if self.p_values == "permutation" else None,
        }

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


def score_function(estimator, name):
    """The function that gives an estimator's weights alone, called ``name``."""

    def function(X, y, **parameters):
        fitted = estimator(**parameters).fit(X, y)
        if fitted.p_values is None:
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
