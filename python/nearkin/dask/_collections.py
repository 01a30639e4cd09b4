"""Dask arrays and data frames as blocks of rows, in order."""

import dask
import dask.array as da
import numpy as np

from nearkin.blocks import Within


def is_dask(X):
    """True for a Dask array, data frame or series."""
    return dask.is_dask_collection(X)


def is_frame(X):
    """True for a Dask data frame."""
    return is_dask(X) and hasattr(X, "npartitions") and hasattr(X, "columns")


def like(X):
    """No rows of what X is."""
    if is_frame(X):
        return X._meta
    if not is_dask(X) or X.ndim != 2:
        raise TypeError(
            "X: expected a Dask array of two dimensions or a Dask data frame, got "
            f"{type(X).__name__}; nearkin.weigh takes what fits in memory"
        )
    return np.empty((0, X.shape[1]), dtype=X.dtype)


def delayed_blocks(X):
    """The blocks of X, all columns in each, not computed yet."""
    if is_frame(X):
        return list(X.to_delayed())
    if X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    return list(X.to_delayed().ravel())


def delayed_targets(X, y):
    """The blocks of y, cut where those of X are."""
    if is_dask(y) and hasattr(y, "npartitions") and hasattr(y, "to_delayed"):
        if isinstance(y, da.Array):
            y = y.ravel() if y.ndim == 2 else y
            chunks = None if is_frame(X) else X.chunks[0]
            known = chunks is not None and not np.isnan(chunks).any() and not np.isnan(y.shape[0])
            if known and y.shape[0] != X.shape[0]:
                raise ValueError(f"X has {X.shape[0]} rows and y {y.shape[0]}; they must agree")
            if known and y.chunks[0] != chunks:
                y = y.rechunk((chunks,))
            return list(y.to_delayed().ravel())
        return list(y.to_delayed())
    y = np.asarray(y)
    chunks = X.map_partitions(len).compute() if is_frame(X) else X.chunks[0]
    if np.isnan(np.asarray(chunks, dtype=float)).any():
        raise ValueError("y: X has chunks of unknown length, so y must be a Dask collection too")
    if len(y) != int(np.sum(chunks)):
        raise ValueError(f"X has {int(np.sum(chunks))} rows and y {len(y)}; they must agree")
    return np.split(y, np.cumsum(chunks)[:-1])


_TARGET = "__target__"


def blocks(X, y):
    """Pairs of the blocks of X and y, not computed yet."""
    if is_frame(X) and is_dask(y) and not isinstance(y, da.Array):
        # Dask reads different columns of one file in different pieces: read them together.
        parts = X.assign(**{_TARGET: y}).to_delayed()
        return [(part, Within(_TARGET)) for part in parts]
    parts, targets = delayed_blocks(X), delayed_targets(X, y)
    if len(parts) != len(targets):
        raise ValueError(
            f"X has {len(parts)} blocks and y {len(targets)}; cut both at the same rows"
        )
    return list(zip(parts, targets, strict=True))
