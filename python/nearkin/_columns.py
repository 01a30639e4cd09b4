"""X and y as users give them, made ready for the core.

Numbers stay one contiguous array, borrowed by the core; categories become codes. Any array
scikit-learn accepts will do, and data frames of pandas or polars, whose categorical, object
and string columns are categories unless the user says otherwise, but for objects that are all
numbers. What kinds of table there are, and what is refused, :mod:`nearkin._tables` knows.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_consistent_length, validate_data

from nearkin._categories import codes_of, codes_of_array, kind_of, reads_as_number
from nearkin._missing import is_missing
from nearkin._tables import (
    cells_of,
    check_table,
    frame_columns,
    holds_categories,
    is_frame,
    numbers_as_such,
)


@dataclass
class Columns:
    """Features as the core takes them."""

    numbers: np.ndarray
    """Numeric columns, and perhaps others that ``places`` does not point at; or genotypes."""
    places: list | None
    """For each feature its column in ``numbers``, or codes and categories; None for all."""
    nominal: np.ndarray | None = None
    """Which features were read as categories; None where none was."""
    kinds: list | None = None
    """For each feature whether its categories are 'text' or 'number'; '' where they are either."""

    def __len__(self):
        return self.numbers.shape[0]

    def __getitem__(self, rows):
        """Some rows, by a slice."""
        places = self.places
        if places is not None:
            places = [p if isinstance(p, int) else (p[0][rows], p[1]) for p in places]
        return Columns(_contiguous(self.numbers[rows]), places, self.nominal, self.kinds)

    def copied(self):
        """The same, apart from what the user may write to."""
        if issparse(self.numbers):
            return Columns(self.numbers.copy(), self.places)
        return Columns(self.numbers.copy(order="K"), self.places, self.nominal, self.kinds)

    def rows(self):
        """As the core takes rows: numbers, and where the features are in them."""
        return self.numbers, self.places


def read(estimator, X, y, categorical, *, classes, missing=True, sparse=False):
    """Validate X and y as scikit-learn does, and set apart what is nominal in X.

    Without ``missing``, every number must be finite. With ``sparse``, sparse rows are taken where
    no column holds categories. Returns the columns and y, 1-D and as
    long as X has rows.
    """
    check_table(X)
    check_target(estimator, y, classes)
    X = numbers_as_such(X)
    nominal = _nominal_positions(X, categorical)
    if not nominal.any():
        options = _NUMBERS | {"ensure_min_samples": 2}
        if sparse:
            options["accept_sparse"] = "csr"
        if not missing:
            options["ensure_all_finite"] = True
        with _naming_columns(estimator, X):
            X, y = validate_data(estimator, X, y, y_numeric=not classes, **options)
        return Columns(_contiguous(X), None), checked_target(estimator, y, classes)
    # scikit-learn would make a single array of objects from a mixed table: check by kind.
    # y comes first, since validating it alone forgets the feature names.
    y = validate_data(estimator, y=y, y_numeric=not classes)
    validate_data(estimator, X, skip_check_array=True)
    check_consistent_length(X, y)
    return _split(estimator, X, nominal), checked_target(estimator, y, classes)


def read_genotypes(estimator, X, y, categorical, *, classes):
    """The same of genotypes, which stay packed and say themselves how they differ."""
    if not (isinstance(categorical, str) and categorical == "from_dtype"):
        raise ValueError(
            "categorical_features: genotypes say themselves how they differ; leave this at "
            "'from_dtype', and read them with additive=True where they are to differ as numbers"
        )
    check_target(estimator, y, classes)
    y = validate_data(estimator, y=y, y_numeric=not classes)
    check_consistent_length(X, y)
    if len(X) < 2:
        raise ValueError(
            f"Found {len(X)} sample(s) (shape={X.shape}) while a minimum of 2 is required by "
            f"{type(estimator).__name__}."
        )
    estimator.n_features_in_ = X.shape[1]
    estimator.feature_names_in_ = X.feature_names
    return Columns(X._table, None), checked_target(estimator, y, classes)


def check_variants(estimator, X):
    """Refuse genotypes of other variants than the estimator was fitted on."""
    if X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input."
        )
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is None:
        return
    for at, (name, meant) in enumerate(zip(X.feature_names, fitted, strict=True)):
        if name != meant:
            raise ValueError(
                f"variant {at} is `{name}` and was `{meant}` when the estimator was fitted; "
                "select the same variants in the same order"
            )


def read_queries(estimator, X, training, *, missing=True, sparse=False):
    """Validate rows with the columns of ``training``, read as those were."""
    check_table(X)
    X = numbers_as_such(X)
    if training.nominal is None:
        options = _NUMBERS if missing else _NUMBERS | {"ensure_all_finite": True}
        if sparse:
            options = options | {"accept_sparse": "csr"}
        with _naming_columns(estimator, X):
            X = validate_data(estimator, X, reset=False, **options)
        # Rows are compared with rows of their own kind.
        if issparse(training.numbers) and not issparse(X):
            X = csr_array(X)
        elif issparse(X) and not issparse(training.numbers):
            X = X.toarray()
        return Columns(_contiguous(X), None)
    validate_data(estimator, X, reset=False, skip_check_array=True)
    found = _split(estimator, X, training.nominal)
    _check_kinds(X, training.kinds, found)
    return found


def _split(estimator, X, nominal):
    split = _split_frame if is_frame(X) else _split_array
    with _naming_columns(estimator, X, nominal):
        return split(estimator, X, nominal)


@contextmanager
def _naming_columns(estimator, X, nominal=None):
    """Where a cell of a numeric column is no number, say of which column."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if not str(error).startswith("could not convert"):
            raise
        if hasattr(estimator, "categorical_features"):
            instead = "give numbers, or fit with the column among categorical_features"
        else:
            instead = "turn its categories into 0/1 columns, or drop it"
        for at, (name, cells) in enumerate(_named_columns(X)):
            if nominal is not None and nominal[at]:
                continue
            text = next((cell for cell in cells if not reads_as_number(cell)), None)
            if text is not None:
                raise ValueError(
                    f"column `{name}` holds {str(text)!r}, which is no number; {instead}"
                ) from None
        raise


def _named_columns(X):
    """Names and cells of the columns that may hold text."""
    if is_frame(X):
        columns = zip(X.columns, frame_columns(X), strict=True)
        return [(name, cells_of(c) if holds_categories(c.dtype) else ()) for name, c in columns]
    cells = np.asarray(X, dtype=object)
    return [(f"x{at}", column) for at, column in enumerate(cells.T)] if cells.ndim == 2 else []


def _check_kinds(X, kinds, found):
    """Refuse numbers where there was text, and text where there were numbers.

    No category of the one kind is one of the other, so that all would be taken for unseen.
    """
    for at, kind in enumerate(kinds or []):
        other = {"text": "number", "number": "text"}.get(kind)
        if other is not None and found.kinds[at] == other:
            name = X.columns[at] if is_frame(X) else f"x{at}"
            raise ValueError(
                f"column `{name}` held {_WORDS[kind]} when the estimator was fitted and holds "
                f"{_WORDS[other]} here; give categories of the same kind"
            )


_WORDS = {"text": "text", "number": "numbers"}


def kinds_of(places):
    """The kinds of categories as far as their names tell: which are text."""
    return ["" if isinstance(place, int) else kind_of(place[1]) for place in places]


_NUMBERS = {
    "dtype": [np.float64, np.float32],
    "ensure_all_finite": "allow-nan",
}


def check_target(estimator, y, classes):
    """Refuse what is no class, or no number, with its row; what is left scikit-learn checks."""
    cells = np.asarray(y)
    if cells.ndim != 1 or cells.dtype.kind not in ("O" if classes else "OUS"):
        return
    if not classes:
        text = next((cell for cell in cells if not reads_as_number(cell)), None)
        if text is not None:
            raise ValueError(
                f"y holds {str(text)!r}, which is no number; {type(estimator).__name__} explains "
                "real values, and methods such as ReliefF classes"
            )
        return
    at = next((at for at, cell in enumerate(cells) if is_missing(cell)), None)
    if at is not None:
        raise ValueError(
            f"y: row {at} has no class but {cells[at]!r}; drop the row, or give it one"
        )
    text = next((cell for cell in cells if isinstance(cell, str)), None)
    other = next((cell for cell in cells if not isinstance(cell, str)), None)
    if text is not None and other is not None:
        raise TypeError(
            f"y: classes are of different kinds, {text!r} and {other!r}; give all of them as text, "
            "or all as numbers"
        )


def checked_target(estimator, y, classes):
    """y, once it is known to be what the estimator needs."""
    if classes and type_of_target(y, input_name="y").startswith("continuous"):
        raise ValueError(
            f"Unknown label type: continuous. {type(estimator).__name__} needs classes and y "
            "holds real numbers; use a method for real targets, such as RReliefF, or cut y "
            "into classes"
        )
    if classes:
        check_classification_targets(y)
    return y


def rows_of(X):
    """Rows of numbers as the core takes them: an array, or compressed sparse rows."""
    if not issparse(X):
        return X
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.shape[1] > np.iinfo(np.uint32).max:
        raise ValueError(f"X has {X.shape[1]} features; sparse rows may have up to 2**32 - 1")
    return (
        X.indptr.astype(np.uint64),
        X.indices.astype(np.uint32),
        X.data if X.data.dtype == np.float32 else X.data.astype(np.float64, copy=False),
    )


def own(X, given):
    """X apart from what the user gave, who may write to that: a copy, unless it is one already."""
    made = isinstance(given, list | tuple) or (
        isinstance(given, np.ndarray) and not np.may_share_memory(X, given)
    )
    return X if made else X.copy()


def _contiguous(X):
    if issparse(X):
        return X
    if X.flags.c_contiguous or X.flags.f_contiguous:
        return X
    return np.ascontiguousarray(X)


def _nominal_positions(X, categorical):
    """A mask of the columns to read as categories."""
    frame = is_frame(X)
    width = X.shape[1] if frame else None
    if categorical is None or (isinstance(categorical, str) and categorical == "from_dtype"):
        if not frame or categorical is None:
            return np.zeros(width or 0, dtype=bool)
        return np.array([holds_categories(c.dtype) for c in frame_columns(X)], dtype=bool)
    if isinstance(categorical, str):
        raise ValueError(
            "categorical_features: expected 'from_dtype', None, or an array of column "
            f"indices, names or booleans, got {categorical!r}"
        )
    if width is None:
        shape = np.shape(X)
        width = shape[1] if len(shape) == 2 else 0
    chosen = np.asarray(categorical)
    if chosen.size == 0:
        return np.zeros(width, dtype=bool)
    if chosen.dtype.kind not in "biuUO":
        raise ValueError(
            "categorical_features: expected column indices, names or booleans, got an array "
            f"of {chosen.dtype}"
        )
    if chosen.dtype.kind == "b":
        if chosen.shape != (width,):
            raise ValueError(
                f"categorical_features: a mask of {chosen.size} booleans was given for "
                f"{width} features"
            )
        return chosen
    if chosen.dtype.kind in "UO":
        chosen = _positions_of(X, chosen.tolist())
    mask = np.zeros(width, dtype=bool)
    for at in chosen:
        if not -width <= at < width:
            raise ValueError(f"categorical_features: there is no column {at}; X has {width}")
        mask[at] = True
    return mask


def _positions_of(X, names):
    if not is_frame(X):
        raise ValueError("categorical_features: names of columns need X to be a data frame")
    known = list(X.columns)
    for name in names:
        if name not in known:
            raise ValueError(f"categorical_features: X has no column {name!r}")
    return [known.index(name) for name in names]


def _split_frame(estimator, X, nominal):
    columns = frame_columns(X)
    kept = np.flatnonzero(~nominal)
    numeric = X.iloc[:, kept] if hasattr(X, "iloc") else X[:, kept.tolist()]
    numbers = _numbers(estimator, numeric, len(X), len(kept))
    names = list(X.columns)
    coded = {at: codes_of(columns[at], names[at]) for at in np.flatnonzero(nominal)}
    return _assembled(numbers, coded, nominal, iter(range(len(kept))))


def _assembled(numbers, coded, nominal, place):
    """Columns of numbers at these places, and of what was coded."""
    places, kinds = [], []
    for at in range(len(nominal)):
        codes, categories, kind = coded.get(at, (None, None, ""))
        places.append(next(place) if codes is None else (codes, categories))
        kinds.append(kind)
    return Columns(numbers, places, nominal, kinds)


def _split_array(estimator, X, nominal):
    # Two-dimensional and dense, as for numbers; cells may be anything until split.
    anything = {"dtype": None, "ensure_all_finite": False}
    X = check_array(X, estimator=estimator, input_name="X", **anything)
    coded = codes_of_array(X, np.flatnonzero(nominal).tolist())
    if X.dtype.kind in "fiub":
        # One array with the numbers where they are; the nominal columns are not looked at.
        numbers = check_array(X, estimator=estimator, input_name="X", **_NUMBERS)
        numbers, there = _contiguous(numbers), np.flatnonzero(~nominal).tolist()
        return _assembled(numbers, coded, nominal, iter(there))
    kept = np.flatnonzero(~nominal)
    numbers = _numbers(estimator, X[:, kept], len(X), len(kept))
    return _assembled(numbers, coded, nominal, iter(range(len(kept))))


def _numbers(estimator, X, rows, width):
    if width == 0:
        return np.empty((rows, 0))
    return _contiguous(check_array(X, estimator=estimator, input_name="X", **_NUMBERS))
