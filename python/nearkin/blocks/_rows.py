"""Rows of one block, as the core takes them, and how they are picked and joined."""

import sys
from dataclasses import dataclass

import numpy as np

from nearkin._missing import MISSING, is_missing


@dataclass
class Rows:
    """Some rows of a table with their target."""

    numbers: np.ndarray
    """Numeric columns, and perhaps others that ``places`` does not point at."""
    places: list | None
    """For each feature its column in ``numbers``, or codes and categories; None for all."""
    y: np.ndarray
    """Labels as the user gave them, or real values."""

    def __len__(self):
        return len(self.numbers)

    @property
    def nbytes(self):
        """Bytes of all cells."""
        coded = [place[0].nbytes for place in self.places or () if not isinstance(place, int)]
        return self.numbers.nbytes + sum(coded) + self.y.nbytes

    def __sizeof__(self):
        # By this engines tell what moving a block costs, and when memory is full.
        return object.__sizeof__(self) + self.nbytes

    def take(self, at):
        """The rows at these places."""
        places = self.places
        if places is not None:
            places = [p if isinstance(p, int) else (p[0][at], p[1]) for p in places]
        return Rows(np.ascontiguousarray(self.numbers[at]), places, self.y[at])


@dataclass(frozen=True)
class Within:
    """In the place of a block's y: it is this column of the block's data frame."""

    column: str


def read(X, y, how):
    """Rows from a block of what the user handed over.

    ``how`` is (mask of nominal features or None, dtype of numbers, whether y holds classes).
    """
    if isinstance(y, Within):
        X, y = X.drop(columns=y.column), X[y.column]
    rows = _read(X, np.asarray(y), how)
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        # What it read the last file into it would keep, and a worker's memory is counted.
        arrow.default_memory_pool().release_unused()
    return rows


def read_queries(X, how):
    """Rows without a target from a block of what the user handed over; ``how`` as above."""
    nominal, dtype, _ = how
    return read(X, np.zeros(len(X)), (nominal, dtype, False))


def _read(X, y, how):
    nominal, dtype, classes = how
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if len(X) != len(y):
        raise ValueError(f"a block has {len(X)} rows and its y {len(y)}; cut both at the same rows")
    y = _checked_labels(y) if classes else np.ascontiguousarray(y, dtype=np.float64)
    if nominal is None:
        numbers = X if len(X) else np.empty((0, X.shape[1]))
        return Rows(_numbers(numbers, dtype), None, y)
    if len(X) == 0:
        nothing = (np.empty(0, dtype=np.uint16), [])
        place = iter(range(len(nominal)))
        places = [nothing if is_nominal else next(place) for is_nominal in nominal]
        return Rows(np.empty((0, int((~nominal).sum())), dtype=dtype), places, y)
    from nearkin import _columns  # and scikit-learn with it, which numbers do without

    columns = _columns._split(None, X, nominal)
    return Rows(_numbers(columns.numbers, dtype), columns.places, y)


def _numbers(X, dtype):
    X = np.asarray(X, dtype=dtype)
    if np.isinf(X).any():
        row, column = np.argwhere(np.isinf(X))[0]
        raise ValueError(
            f"row {row} of a block, column {column}: an infinite value has no distance to others; "
            "replace it, or leave it empty to mark it missing"
        )
    return np.ascontiguousarray(X)


def _checked_labels(y):
    unknown = (
        np.array([is_missing(label) for label in y], dtype=bool)
        if (y.dtype.kind in "fO")
        else np.zeros(0, dtype=bool)
    )
    if unknown.any():
        raise ValueError(
            f"row {np.flatnonzero(unknown)[0]} of a block has no class; drop rows without one"
        )
    return y


def join(*parts):
    """Rows one after another."""
    if len(parts) == 1:
        return parts[0]
    numbers = np.concatenate([part.numbers for part in parts])
    y = np.concatenate([part.y for part in parts])
    places = parts[0].places
    if places is not None:
        places = [
            place if isinstance(place, int) else _join_codes([part.places[at] for part in parts])
            for at, place in enumerate(places)
        ]
    return Rows(numbers, places, y)


def _join_codes(parts):
    """Codes of several blocks as codes into the categories of all, in order of appearance."""
    found = {}
    renumbered = []
    for codes, categories in parts:
        table = np.full(MISSING + 1, MISSING, dtype=np.uint16)
        table[: len(categories)] = [found.setdefault(name, len(found)) for name in categories]
        renumbered.append(table[codes])
    return np.concatenate(renumbered), list(found)
