"""The tasks: plain functions of values that can be pickled, run wherever the engine likes.

Their names are what dashboards show.
"""

from collections import namedtuple
from dataclasses import replace
from functools import reduce

import numpy as np

from nearkin import _core
from nearkin.blocks._read import read
from nearkin.blocks._rows import join
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


Told = namedtuple(
    "Told",
    "rows nbytes summary labels kinds dropped flaw",
    defaults=(None, None, None, None, None),
)
"""The summary of a block."""


def summarise(rows, how, measure=None):
    """What a block says of its columns, as a measure reads them, and of its target: for the
    statistics pass."""
    if rows.flaw is not None or len(rows) == 0:
        return Told(len(rows), 0, dropped=rows.dropped, flaw=rows.flaw)
    summary = _core.summarise(*features(rows), how.names, measure)
    if how.classes:
        labels = np.unique(rows.y, return_counts=True)
    else:
        labels = float(rows.y.min()), float(rows.y.max())
    return Told(len(rows), rows.nbytes, summary, labels, _known_kinds(rows), rows.dropped)


def _known_kinds(rows):
    """The kinds of categories; None of a feature without any cell."""
    if rows.kinds is None:
        return None
    every = zip(rows.kinds, rows.places, strict=True)
    return [kind if isinstance(place, int) or place[1] else None for kind, place in every]


def count(who, rows):
    """Known cells of a block by column, class and value."""
    return who.count(rows)


def deviate(so_far, who, rows, sums=None):
    """Add a block to what leads to standard deviations; blocks come in order."""
    if so_far is None:
        so_far = np.zeros(2 * sum(len(column) == 3 for column in who.summary[2]))
    sums = None if sums is None else aligned(sums)
    return who.add_deviations(aligned(so_far), rows, sums)


def take(rows, at):
    """Some rows of a block."""
    return rows.take(at)


def gather(order, ids, *pieces):
    """Pieces of blocks as one, in this order; ``ids`` are the numbers of the rows then."""
    rows = join(*pieces)
    rows = rows if (np.diff(order) > 0).all() else rows.take(order)
    return replace(rows, ids=ids)


def nearest(spec, queries, base, first):
    """The nearest rows to the queries among a base block."""
    asked = spec.block(queries), aligned(queries.ids)
    return spec.frame().nearest(*asked, spec.block(base), first)


def used(counts, index):
    """Which places of neighbours are taken, a line for each query and group."""
    room = len(index) // max(1, len(counts))
    return np.arange(room) < counts[:, np.newaxis]


def merge(so_far, who, *found):
    """The nearest rows among several base blocks; with their classes, where these are told."""
    found = [*([] if so_far is None else [so_far]), *found]
    if len(found) == 1:
        return found[0]
    near = [tuple(map(aligned, part[:3])) for part in found]
    merged = reduce(lambda a, b: _core.merge_near(who.room, a, b), near)
    if len(found[0]) == 3:
        return merged
    taken = [used(counts, index).ravel() for counts, index, *_ in found]
    rows = np.concatenate([part[1][there] for part, there in zip(found, taken, strict=True)])
    codes = np.concatenate([part[3][there] for part, there in zip(found, taken, strict=True)])
    rows, first = np.unique(rows, return_index=True)
    if len(rows) == 0:
        return *merged, merged[1]
    places = np.minimum(np.searchsorted(rows, merged[1]), len(rows) - 1)
    return *merged, codes[first][places]


def pick(near, base, first):
    """The rows of a base block that are somebody's neighbours, and their numbers."""
    counts, index, *_ = near
    there = used(counts, index)
    ids = np.unique(index.reshape(there.shape)[there])
    ids = ids[(ids >= first) & (ids < first + len(base))]
    return replace(base.take(ids - first), ids=ids)


def beside(queries, picked):
    """Queries and the rows picked for them as one, and the numbers of all."""
    ids = np.concatenate([queries.ids, *[rows.ids for rows in picked]]).astype(np.uint32)
    return join(queries, *picked), ids


def sum_near(spec, queries, near, *picked):
    """Contributions of target rows whose neighbours were found and picked."""
    block, ids = beside(queries, picked)
    return spec.frame().parts(spec.block(block), ids, tuple(map(aligned, near)))


def measure(so_far, spec, queries, base, first, sums=None):
    """Add distances from the queries to a base block to those to the blocks before it, two numbers
    a query: the sum and what it rounds off. Where sums over all are known, squares of how far they
    are from their means. Blocks come in order."""
    frame, ids = spec.frame(), aligned(queries.ids)
    so_far = np.zeros(2 * len(ids)) if so_far is None else aligned(so_far)
    means = None if sums is None else frame.radius_means(aligned(sums))
    block = spec.block(join(queries, base))
    return frame.add_distances(so_far, block, ids, first, means)


def bound(spec, sums, squares):
    """How near is near, and how far is far, for each of some targets."""
    frame = spec.frame()
    return frame.own_radii(frame.radius_means(aligned(sums)), aligned(squares))


def within(spec, queries, base, first, limits):
    """Counts over a base block's rows within the limits."""
    ids = aligned(queries.ids)
    near, far = (np.broadcast_to(limit, len(ids)) for limit in limits)
    block = spec.block(join(queries, base))
    return spec.frame().within(block, ids, first, aligned(near), aligned(far))


def sum_within(spec, queries, found):
    """Contributions of target rows whose rows within their limits were added up."""
    *_, codes = spec.block(queries)
    return spec.frame().parts_within(codes, aligned(queries.ids), aligned(found))


def sum_whole(spec, whole, targets):
    """Contributions of target rows, where all rows are here."""
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
