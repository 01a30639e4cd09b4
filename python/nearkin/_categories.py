"""Categories of a column: their codes, their names, and of what kind they are."""

from itertools import zip_longest
from numbers import Real

import numpy as np

from nearkin._core import small_categories
from nearkin._missing import MISSING, is_missing
from nearkin._tables import cells_of


def codes_of(column, name):
    """Codes of a column's cells, missing ones apart; the categories, and of what kind they are.

    Cells of one name are of one category, so that no answer depends on which of them a batch
    happens to hold.
    """
    codes, categories = _factorized(column, name)
    names = [called(category) for category in categories]
    known = {called: at for at, called in enumerate(dict.fromkeys(names))}
    if len(known) >= MISSING:
        raise ValueError(
            f"column `{name}` has {len(known)} different values; a nominal column may have "
            f"up to {MISSING - 1}. Is it an identifier? Drop it, or read it as numeric"
        )
    place = np.array([known[name] for name in names] + [MISSING], dtype=np.uint16)
    # A missing cell is -1, and so the last of the places.
    return place[codes], list(known), kind_of(categories)


def codes_of_array(X, at):
    """:func:`codes_of` for the columns ``at`` of an array, by their positions.

    Small whole numbers need no sorting: the core counts them.
    """
    counted = []
    if X.dtype.isnative and X.dtype.name in _COUNTED:
        counted = small_categories(X, list(at))
    found = {}
    for position, small in zip_longest(at, counted):
        if small is None:
            found[position] = codes_of(X[:, position], f"x{position}")
        else:
            codes, categories = small
            found[position] = codes, list(map(str, categories)), kind_of(categories)
    return found


_COUNTED = ("float64", "float32", "int64", "int32", "int8", "uint8")


def called(category):
    """The name of a category: 1 and 1.0 are one, as a missing cell turns 1 into 1.0."""
    whole = is_number(category) and float(category).is_integer()
    return str(int(category)) if whole else str(category)


def kind_of(categories):
    """'text' or 'number' where all categories are; '' for text that reads as numbers too."""
    if all(isinstance(one, str) for one in categories):
        reads = [reads_as_number(one) for one in categories]
        return "text" if reads and not all(reads) else ""
    return "number" if all(map(is_number, categories)) else ""


def is_number(cell):
    """True for numbers; truth values are none here."""
    return isinstance(cell, Real) and not isinstance(cell, bool | np.bool_)


def reads_as_number(cell):
    """True for numbers, for text that reads as one, and for what is missing."""
    try:
        float(cell)
    except (TypeError, ValueError):
        return is_missing(cell)
    return True


def _factorized(column, name):
    """Codes in order of appearance, -1 where missing, and the categories."""
    mixed = not isinstance(column, np.ndarray) and str(column.dtype) == "object"
    if hasattr(column, "factorize") and not mixed:
        return column.factorize()
    cells = cells_of(column)
    if cells.dtype.kind in "fiub":
        known = ~np.isnan(cells) if cells.dtype.kind == "f" else np.ones(len(cells), dtype=bool)
        codes = np.full(len(cells), -1, dtype=np.int64)
        categories, codes[known] = np.unique(cells[known], return_inverse=True)
        return codes, categories
    found = {}
    try:
        # By type too, since 1 equals True.
        codes = [
            -1 if is_missing(cell) else found.setdefault((type(cell), cell), len(found))
            for cell in cells
        ]
    except TypeError:
        raise TypeError(
            f"column `{name}` holds lists or the like, which are no categories; make columns of "
            "what is in them, or drop it"
        ) from None
    return np.array(codes, dtype=np.int64), [cell for _, cell in found]
