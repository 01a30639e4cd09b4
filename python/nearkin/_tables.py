"""Tables as users bring them: their columns, and what of them cannot be read."""

import numpy as np

from nearkin._genotypes import Genotypes
from nearkin._missing import is_missing

# In HistGradientBoosting's words, with strings read as categories too; then Arrow's in pandas.
_CATEGORY_DTYPES = (
    *("category", "object", "str", "string", "categorical", "enum", "utf8"),
    *("dictionary", "large_string"),
)

_TIMES = ("datetime", "timedelta", "date", "duration", "time")

# Cells that are no single value, and their opposites: stretches of time or numbers.
_NEITHER = {
    ("period", "interval"): "turn them into numbers, such as where they begin",
    ("list", "large_list", "fixed_size_list", "array", "struct", "map"): (
        "make columns of what is in them"
    ),
    ("binary", "large_binary", "fixed_size_binary"): "turn them into numbers or text",
}


def is_frame(X):
    """True for data frames, of pandas, polars or the like."""
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def is_polars(X):
    """True for a polars data frame."""
    return hasattr(X, "iter_columns") and not hasattr(X, "iloc") and is_frame(X)


def frame_columns(X):
    """The columns of a data frame in order, whatever their names."""
    if hasattr(X, "iloc"):
        return [X.iloc[:, at] for at in range(X.shape[1])]
    return list(X.iter_columns())


def cells_of(column):
    """A column as a NumPy array; polars' categories as their names."""
    if isinstance(column, np.ndarray):
        return column
    cells = column.to_list()
    made = np.empty(len(cells), dtype=object)
    made[:] = cells
    return made


def holds_categories(dtype):
    """True for the types of columns that are read as categories."""
    return _name_of(dtype).startswith(_CATEGORY_DTYPES)


def _name_of(dtype):
    name = getattr(dtype, "name", None)
    return (name if isinstance(name, str) else str(dtype)).lower()


def numbers_as_such(X):
    """A data frame whose columns of objects are numbers where all their known cells are."""
    if not is_frame(X):
        return X
    found = {}
    for name, column in zip(X.columns, frame_columns(X), strict=True):
        if not _name_of(column.dtype).startswith("object"):
            continue
        cells = column.to_list()
        kinds = {type(cell) for cell in cells if not is_missing(cell)}
        numbers = all(issubclass(kind, int | float | np.number) for kind in kinds)
        if kinds and numbers and bool not in kinds:
            found[name] = np.array([np.nan if is_missing(c) else c for c in cells], dtype=float)
    if not found:
        return X
    if is_polars(X):
        return X.with_columns(**found)
    X = X.copy(deep=False)
    for name, cells in found.items():
        X[name] = cells
    return X


def check_table(X):
    """Refuse columns that cannot be told apart, rows not yet there, and what is no value."""
    if isinstance(X, Genotypes):
        raise TypeError(
            "X holds packed genotypes, which the estimators of nearkin.weigh take; hand over "
            "np.asarray(X), which has the copies of an allele as float32 and NaN where missing"
        )
    if hasattr(X, "collect_schema") and hasattr(X, "collect"):
        raise TypeError("X is a lazy frame, which has no rows yet; hand over X.collect()")
    if is_frame(X):
        names = list(X.columns)
        if len(set(names)) < len(names):
            twice = next(name for at, name in enumerate(names) if name in names[:at])
            raise ValueError(f"two columns are named `{twice}`; rename or drop one")
    _refuse_arrow(X)
    refuse_times(X)


def _refuse_arrow(X):
    """A table of Arrow's has no columns of categories that scikit-learn could hand over."""
    if not type(X).__module__.startswith("pyarrow") or not hasattr(X, "schema"):
        return
    for field in X.schema:
        if str(field.type).startswith(("string", "large_string", "dictionary", "utf8")):
            raise TypeError(
                f"column `{field.name}` of a pyarrow table holds text; hand over X.to_pandas(), "
                "where columns of text are categories"
            )


def refuse_times(X):
    """Times would be read as counts of some unit since some day; say what to do instead."""
    if is_frame(X):
        kinds = zip(X.columns, [column.dtype for column in frame_columns(X)], strict=True)
    else:
        kinds = [("", getattr(X, "dtype", None))]
    for name, kind in kinds:
        column = f"column `{name}`" if name != "" else "X"
        if str(kind).lower().startswith(_TIMES):
            raise TypeError(
                f"{column} holds times ({kind}); turn them into numbers that mean something, such "
                "as days since a date, or drop them"
            )
        for words, instead in _NEITHER.items():
            if str(kind).lower().startswith(words):
                raise TypeError(
                    f"{column} holds {kind}, which are neither numbers nor categories; {instead}, "
                    "or drop them"
                )
