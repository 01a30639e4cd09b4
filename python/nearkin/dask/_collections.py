"""Dask arrays and data frames as blocks of rows, in order."""

from itertools import count

import dask
import dask.array as da
import numpy as np

from nearkin.blocks import Within


def is_dask(X):
    """True for a Dask array, data frame or series."""
    return dask.is_dask_collection(X)


def is_frame(X):
    """True for a Dask data frame."""
    return _in_parts(X) and hasattr(X, "columns") and X.ndim == 2


def _in_parts(X):
    """True for Dask's arrays, data frames and series, and no other promise."""
    return is_dask(X) and hasattr(type(X), "npartitions")


def like(X):
    """No rows of what X is."""
    if is_frame(X):
        return X._meta
    if not isinstance(X, da.Array) or X.ndim != 2:
        raise TypeError(
            "X: expected a Dask array of two dimensions or a Dask data frame, got "
            f"{type(X).__name__}; nearkin.weigh takes what fits in memory"
        )
    return np.empty((0, X.shape[1]), dtype=X.dtype)


def computed(client, *collections):
    """Values of collections, computed on this cluster; what is none stays as it is."""
    if client is None:
        return dask.compute(*collections)
    return tuple(client.gather(client.compute(list(collections))))


def one_target(y):
    """y of one dimension: the only column, where it is a table of one."""
    if is_frame(y):
        if y.shape[1] != 1:
            raise ValueError(f"y: expected one column, got a data frame of {y.shape[1]}")
        return y[y.columns[0]]
    if isinstance(y, da.Array) and y.ndim == 2 and y.shape[1] == 1:
        return y[:, 0]
    if _in_parts(y) and y.ndim != 1:
        raise ValueError(f"y: expected one dimension, got an array of shape {y.shape}")
    if is_dask(y) and not _in_parts(y):
        raise TypeError(
            f"y: expected a Dask array or series, or an array, got {type(y).__name__}; "
            "dask.array.from_delayed and dask.dataframe.from_delayed make those"
        )
    return y


def blocks(X, y, client=None):
    """Pairs of the blocks of X and y, not computed yet. They belong together by their position,
    as rows do on one machine; an index plays no part."""
    y = one_target(y)
    if is_frame(X) and is_dask(y) and not isinstance(y, da.Array) and _one_root(X, y):
        # Dask reads different columns of one file in different pieces: read them together.
        name = next(f"y{at}" for at in count() if f"y{at}" not in X.columns)
        together = X.map_partitions(
            _beside, y, name, align_dataframes=False, meta=_beside(X._meta, y._meta, name)
        )
        return [(part, Within(name)) for part in together.to_delayed()]
    parts, targets = delayed_blocks(X), _delayed_targets(X, y, client)
    if len(parts) != len(targets):
        raise ValueError(
            f"X has {len(parts)} blocks and y {len(targets)}, and it is unknown which rows belong "
            "together; take X and y from one table, after `table = table.persist()` if it is to be "
            "kept in memory, or cut both at the same rows"
        )
    return list(zip(parts, targets, strict=True))


def _one_root(X, y):
    """Whether both come from one table, partition by partition."""
    try:
        from dask.dataframe.dask_expr._expr import are_co_aligned
    except ImportError:  # Dask has no name for it that it promises to keep
        return False
    return X.npartitions == y.npartitions and are_co_aligned(X.expr, y.expr)


def _beside(X, y, name):
    if len(X) != len(y):
        raise ValueError(f"a block has {len(X)} rows and its y {len(y)}; cut both at the same rows")
    return X.assign(**{name: y.array})


def delayed_blocks(X):
    """The blocks of X, all columns in each, not computed yet."""
    if is_frame(X):
        return list(X.to_delayed())
    if X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    return list(X.to_delayed().ravel())


def _delayed_targets(X, y, client):
    """The blocks of y, cut where those of X are."""
    if isinstance(y, da.Array):
        chunks = None if is_frame(X) else X.chunks[0]
        known = chunks is not None and not np.isnan(chunks).any() and not np.isnan(y.shape[0])
        if known and y.shape[0] != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and y {y.shape[0]}; they must agree")
        if known and y.chunks[0] != chunks:
            y = y.rechunk((chunks,))
        return list(y.to_delayed().ravel())
    if is_dask(y):
        return list(y.to_delayed())
    y = np.asarray(y)
    chunks = X.chunks[0] if isinstance(X, da.Array) else _lengths(X, client)
    if np.isnan(np.asarray(chunks, dtype=float)).any():
        raise ValueError("y: X has chunks of unknown length, so y must be a Dask collection too")
    if len(y) != int(np.sum(chunks)):
        raise ValueError(f"X has {int(np.sum(chunks))} rows and y {len(y)}; they must agree")
    return np.split(y, np.cumsum(chunks)[:-1])


def _lengths(X, client):
    """Rows of each partition, as Dask cuts them when it reads whole rows."""
    return computed(client, *[dask.delayed(len)(part) for part in X.to_delayed()])
