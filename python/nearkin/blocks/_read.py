"""A block of what the user handed over, read into rows; what is wrong with it, in words."""

import sys
from dataclasses import dataclass, replace

import numpy as np

from nearkin._missing import is_missing
from nearkin.blocks._rows import Rows


@dataclass(frozen=True)
class How:
    """How blocks are read."""

    names: list
    """Those of the features."""
    nominal: np.ndarray | None
    """Which features hold categories; None where none does."""
    dtype: np.dtype | None
    """That of numbers; None for single precision where a block has it, and double elsewhere."""
    classes: bool = True
    """Whether y holds classes."""
    in_order: bool = False
    """Whether categories are in the order of numbers, or else in that of their appearance."""
    objects: tuple = ()
    """Features that are taken for categories since their cells are objects, by their place."""
    kinds: list | None = None
    """For each feature what its categories have to be: 'text', 'number', or '' for either."""
    empty: bool = True
    """Whether rows of zeros are kept."""
    strict: bool = False
    """Whether a flaw is raised at once, or kept until somebody knows which rows the block has."""


@dataclass(frozen=True)
class Within:
    """In the place of a block's y: it is this column of the block's data frame."""

    column: str


class Flaw(ValueError):
    """A fault of a block, and the row that has it."""

    def __init__(self, words, row=None, error=ValueError):
        super().__init__(words, row, error)

    def __str__(self):
        words, row, _ = self.args
        return words if row is None else f"row {row} of a block: {words}"

    def within(self, first, length):
        """The same of a block that begins at this row of the table."""
        words, row, error = self.args
        where = f"rows {first} to {first + length - 1}" if row is None else f"row {first + row}"
        return error(f"{where}: {words}")


def read(X, y, how):
    """Rows from a block of what the user handed over, and its target."""
    length = 0
    try:
        length = X.shape[0]
        if hasattr(X, "tocsr"):
            raise Flaw("rows are sparse, and blocks are read dense; convert them by toarray()")
        if isinstance(y, Within):
            X, y = X.drop(columns=y.column), X[y.column]
        rows = _read(X, np.asarray(y), how)
    except Flaw as flaw:
        if how.strict:
            raise
        return Rows(np.empty((length, 0)), None, np.empty(0), flaw=flaw)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        # What it read the last file into it would keep, and a worker's memory is counted.
        arrow.default_memory_pool().release_unused()
    return rows


def read_queries(X, how):
    """Rows without a target, in their own precision."""
    return read(X, np.zeros(len(X)), replace(how, dtype=None, classes=False, strict=True))


def _read(X, y, how):
    if X.ndim != 2 or X.shape[1] != len(how.names):
        raise Flaw(f"a block of shape {X.shape}, and the table has {len(how.names)} features")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise Flaw(f"y: expected one dimension, got an array of shape {y.shape}")
    if len(X) != len(y):
        raise Flaw(f"a block has {len(X)} rows and its y {len(y)}; cut both at the same rows")
    y = _labels(y) if how.classes else _values(y)
    if how.nominal is None:
        numbers, places, kinds = X if len(X) else np.empty(X.shape), None, None
    elif len(X) == 0:
        numbers, places, kinds = np.empty((0, int((~how.nominal).sum()))), _no_codes(how), None
    else:
        from nearkin import _columns  # and scikit-learn with it, which numbers do without

        columns = _columns._split(None, X, how.nominal)
        _columns._check_kinds(X, how.kinds, columns)
        numbers, places, kinds = columns.numbers, columns.places, columns.kinds
    rows = Rows(_numbers(numbers, how), places, y, kinds=kinds)
    return rows if how.empty else _without_zeros(rows)


def _no_codes(how):
    nothing = (np.empty(0, dtype=np.uint16), [])
    place = iter(range(len(how.nominal)))
    return [nothing if is_nominal else next(place) for is_nominal in how.nominal]


def _without_zeros(rows):
    full = (rows.numbers != 0).any(axis=1)
    if full.all():
        return rows
    return replace(rows.take(full), dropped=int((~full).sum()))


def _numbers(X, how):
    kinds = [X.dtype] if hasattr(X, "dtype") else list(X.dtypes)
    dtype = how.dtype
    if dtype is None:
        dtype = np.dtype(np.float32 if all(kind == np.float32 for kind in kinds) else np.float64)
    try:
        if hasattr(X, "iloc") and not all(isinstance(kind, np.dtype) for kind in kinds):
            X = X.to_numpy(dtype=dtype, na_value=np.nan)
        X = np.asarray(X, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise _no_number(X, error) from None
    if np.isinf(X).any():
        row, column = np.argwhere(np.isinf(X))[0]
        name = how.names[column] if X.shape[1] == len(how.names) else column
        raise Flaw(
            f"column `{name}`: an infinite value has no distance to others; replace it, or leave "
            "it empty to mark it missing",
            int(row),
        )
    return np.ascontiguousarray(X)


def _no_number(X, error):
    """Which column holds what is no number, as on one machine."""
    from nearkin import _columns

    try:
        with _columns._naming_columns(None, X):
            raise ValueError(f"could not convert: {error}")
    except ValueError as named:
        return Flaw(str(named))


def _labels(y):
    if y.dtype.kind not in "fO":
        return y
    if y.dtype.kind == "f":
        unknown = np.flatnonzero(np.isnan(y))
    else:
        unknown = [at for at, label in enumerate(y) if is_missing(label)]
    if len(unknown):
        at = int(unknown[0])
        raise Flaw(f"y has no class but {_plain(y[at])!r}; drop the row, or give it one", at)
    if y.dtype.kind == "O":
        check_kinds(y)
    return y


def check_kinds(labels):
    """Refuse classes that are text beside classes that are not."""
    text = next((label for label in labels if isinstance(label, str)), None)
    other = next((label for label in labels if not isinstance(label, str)), None)
    if text is not None and other is not None:
        raise Flaw(
            f"y: classes are of different kinds, {str(text)!r} and {_plain(other)!r}; give all of "
            "them as text, or all as numbers",
            error=TypeError,
        )


def _plain(value):
    """A value as Python shows it."""
    return value.item() if isinstance(value, np.generic) else value


def _is_value(cell):
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def _values(y):
    try:
        values = np.ascontiguousarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        at = next(at for at, cell in enumerate(y) if not _is_value(cell))
        words = (
            f"y holds {_plain(y[at])!r}, which is no number; methods such as ReliefF take classes"
        )
        raise Flaw(words, at) from None
    if not np.isfinite(values).all():
        at = int(np.argmin(np.isfinite(values)))
        raise Flaw(f"y holds {values[at]}, which is not finite; every row needs a value", at)
    return values
