"""The tasks: plain functions of values that can be pickled, run wherever the engine likes.

Their names are what dashboards show.
"""

from functools import reduce

import numpy as np

from nearkin import _core
from nearkin.blocks._rows import join, read
from nearkin.blocks._spec import aligned, features

__all__ = [
    "add_up",
    "as_is",
    "bound",
    "count",
    "deviate",
    "fold",
    "fold_rows",
    "gather",
    "join",
    "measure",
    "merge",
    "nearest",
    "pick",
    "read",
    "sum_near",
    "sum_whole",
    "sum_within",
    "summarise",
    "take",
    "within",
]


def as_is(value):
    """A value that many tasks need, kept by the engine once."""
    return value


def summarise(rows, names, classes, measure=None):
    """What a block says of its columns, as a measure reads them, and of its target: for the
    statistics pass."""
    summary = _core.summarise(*features(rows), names, measure)
    if classes:
        labels = np.unique(rows.y, return_counts=True)
    else:
        if not np.isfinite(rows.y).all():
            raise ValueError("y holds values that are not finite; every row needs one")
        labels = (rows.y.min(), rows.y.max()) if len(rows) else None
    return summary, labels, rows.nbytes


def count(spec, rows):
    """Known cells of a block by column, class and value."""
    return spec.frame().count(spec.block(rows))


def deviate(so_far, spec, rows, sums=None):
    """Add a block to what leads to standard deviations; blocks come in order."""
    frame = spec.frame()
    if so_far is None:
        numeric = sum(len(column) == 3 for column in spec.summary[2])
        so_far = np.zeros(2 * numeric)
    sums = None if sums is None else aligned(sums)
    return frame.add_deviations(aligned(so_far), spec.block(rows), sums)


def take(rows, at):
    """Some rows of a block."""
    return rows.take(at)


def gather(order, *pieces):
    """Pieces of blocks as one, in this order."""
    rows = join(*pieces)
    return rows if (np.diff(order) > 0).all() else rows.take(order)


def nearest(spec, queries, ids, base, first):
    """The nearest rows to the queries among a base block."""
    return spec.frame().nearest(spec.block(queries), aligned(ids), spec.block(base), first)


def merge(so_far, spec, *found):
    """The nearest rows among several base blocks."""
    frame = spec.frame()
    near = [tuple(map(aligned, part)) for part in found]
    return reduce(frame.merge, near if so_far is None else [tuple(map(aligned, so_far)), *near])


def pick(near, base, first):
    """The rows of a base block that are somebody's neighbours, and their numbers."""
    counts, index, *_ = near
    room = len(index) // max(1, len(counts))
    used = np.arange(room) < counts[:, np.newaxis]
    ids = np.unique(index.reshape(len(counts), room)[used])
    ids = ids[(ids >= first) & (ids < first + len(base))]
    return ids, base.take(ids - first)


def sum_near(spec, queries, ids, near, *picked):
    """What targets say whose neighbours were found and picked."""
    block = join(queries, *[rows for _, rows in picked])
    ids = np.concatenate([ids, *[numbers for numbers, _ in picked]]).astype(np.uint32)
    return spec.frame().parts(spec.block(block), ids, tuple(map(aligned, near)))


def measure(so_far, spec, queries, ids, base, first, sums=None):
    """Add distances from the queries to a base block to those to the blocks before it; where sums
    over all are known, squares of how far they are from their means. Blocks come in order."""
    frame = spec.frame()
    so_far = np.zeros(len(ids)) if so_far is None else aligned(so_far)
    means = None if sums is None else frame.radius_means(aligned(sums))
    block = spec.block(join(queries, base))
    return frame.add_distances(so_far, block, aligned(ids), first, means)


def bound(spec, sums, squares):
    """How near is near, and how far is far, for each of some targets."""
    frame = spec.frame()
    return frame.own_radii(frame.radius_means(aligned(sums)), aligned(squares))


def within(spec, queries, ids, limits, base, first):
    """What a base block's rows within the limits add up to, in whole numbers."""
    near, far = (np.broadcast_to(limit, len(ids)) for limit in limits)
    block = spec.block(join(queries, base))
    return spec.frame().within(block, aligned(ids), first, aligned(near), aligned(far))


def sum_within(spec, queries, ids, found):
    """What targets say whose rows within their limits were added up."""
    *_, codes = spec.block(queries)
    return spec.frame().parts_within(codes, aligned(ids), aligned(found))


def sum_whole(spec, whole, targets):
    """What targets say, where all rows are at hand."""
    return spec.frame().parts_of_whole(spec.block(whole), aligned(targets))


def fold(so_far, *parts):
    """Add up what blocks of targets say, in order; single targets beside it."""
    sums, rows, weights = so_far if so_far is not None else (None, [], [])
    for cells, more_rows, more_weights in parts:
        if sums is None:
            sums = np.zeros(cells.shape[1])
        else:
            sums = sums.copy()
        for row in cells:
            sums += row
        rows, weights = rows + more_rows, weights + more_weights
    return sums, rows, weights


def add_up(*arrays):
    """The sum of whole numbers, in one array beside those; None is none."""
    first, *rest = [array for array in arrays if array is not None]
    total = first.copy()
    for array in rest:
        total += array
    return total


def fold_rows(so_far, *parts):
    """Add lines up, in order."""
    total = np.zeros(parts[0].shape[1]) if so_far is None else so_far.copy()
    for part in parts:
        for line in part:
            total += line
    return total
