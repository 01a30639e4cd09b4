"""Triplets as users bring them, as rows and places among them."""

from contextlib import contextmanager

import numpy as np

_PLACES = ("first", "second", "third")


def rows_of_triplets(triplets, X):
    """The rows that triplets are about, and triplets of places among them."""
    if triplets.ndim != (3 if X is None else 2) or triplets.shape[1] != 3:
        shape = "(n_triplets, 3, n_features)" if X is None else "(n_triplets, 3) beside X"
        raise ValueError(f"triplets: expected shape {shape}, got {triplets.shape}")
    if X is None:
        rows = triplets.reshape(-1, triplets.shape[2])
        X, places = np.unique(rows, axis=0, return_inverse=True)
        return X, places.reshape(-1, 3)
    if triplets.dtype.kind not in "iu":
        raise ValueError(f"triplets: expected row numbers beside X, got {triplets.dtype}")
    return X, triplets


def check_places(triplets, rows):
    """Refuse places where there is no row."""
    if not triplets.size:
        return
    if triplets.min() < 0:
        raise ValueError(f"triplets: row numbers start at 0, got {triplets.min()}")
    if triplets.max() >= rows:
        at = np.argwhere(triplets >= rows)[0, 0]
        raise ValueError(f"triplet {at} is about row {triplets[at].max()}, and rows are 0 to {rows - 1}")


def without_unused_zeros(X, triplets, full):
    """Rows, without those of zeros that no triplet is about; ``full`` says which are none."""
    if full.all():
        return X, triplets
    used = np.unique(triplets)
    if full[used].all() and len(used):
        return X[used], np.searchsorted(used, triplets)
    return X, triplets


@contextmanager
def naming_triplets(triplets):
    """Where the core refuses a row, say which it is of which triplet."""
    try:
        yield
    except ValueError as reason:
        row = getattr(reason, "row", None)
        place = np.argwhere(triplets == row) if row is not None else []
        if not len(place):
            raise
        at, of = place[0]
        before, _, after = str(reason).partition(f"row {row}")
        raise ValueError(f"{before}the {_PLACES[of]} row of triplet {at}{after}") from None
