"""The tasks of rules that ask neighbours; see :mod:`nearkin.blocks._work`."""

from functools import reduce

import numpy as np

from nearkin import _core
from nearkin.blocks._rows import read_queries
from nearkin.blocks._spec import aligned, features

__all__ = ["answer", "merge", "nearest", "read_queries", "spread", "tally"]

# So many similarities are held at a time, as on one machine.
_HELD = 1 << 23


def tally(compare, classes, rows):
    """Whole numbers that a block adds to what a measure learns."""
    codes = np.searchsorted(classes, rows.y).astype(np.uint32)
    return compare.learning().count(features(rows), codes)


def spread(so_far, compare, rows, sums=None):
    """Add a block to what leads to standard deviations; blocks come in order."""
    if so_far is None:
        so_far = np.zeros(2 * sum(len(column) == 3 for column in compare.summary[2]))
    sums = None if sums is None else aligned(sums)
    return compare.learning().add_deviations(aligned(so_far), features(rows), sums)


def nearest(rule, queries, base, first, step=None):
    """The most similar rows to the queries among a base block, and their classes."""
    codes = np.searchsorted(rule.classes, base.y).astype(np.uint32)
    groups = (codes if rule.groups > 1 else np.zeros_like(codes)), rule.groups
    step = max(1, min(step or len(queries), max(64, _HELD // max(1, len(base)))))
    found = []
    for start in range(0, len(queries), step):
        asked = queries.take(slice(start, start + step))
        near = rule.compare.near(asked, base, groups, rule.k, first, None, rule.threads())
        found.append(near)
    if not found:
        return (*(np.empty(0, dtype=kind) for kind in ("u4", "u4", "f8")), np.empty(0, "u4"))
    counts, index, far = (np.concatenate(parts) for parts in zip(*found, strict=True))
    places = np.where(_used(counts, index).ravel(), index - np.uint32(first), 0)
    return counts, index, far, codes[places]


def _used(counts, index):
    """Which places of neighbours are taken, a line for each query and group."""
    room = len(index) // max(1, len(counts))
    return np.arange(room) < counts[:, np.newaxis]


def merge(so_far, rule, *found):
    """The most similar rows among several base blocks, and their classes."""
    found = [*([] if so_far is None else [so_far]), *found]
    if len(found) == 1:
        return found[0]
    size = (rule.groups, rule.k)
    near = [tuple(map(aligned, part[:3])) for part in found]
    merged = reduce(lambda a, b: _core.merge_near(size, a, b), near)
    taken = [_used(counts, index).ravel() for counts, index, *_ in found]
    rows = np.concatenate([part[1][used] for part, used in zip(found, taken, strict=True)])
    codes = np.concatenate([part[3][used] for part, used in zip(found, taken, strict=True)])
    rows, first = np.unique(rows, return_index=True)
    places = np.searchsorted(rows, merged[1])
    return *merged, codes[first][np.minimum(places, len(rows) - 1)] if len(rows) else merged[1]


def answer(rule, near):
    """What the rule says of queries with these neighbours."""
    counts, index, far, codes = map(aligned, near)
    counted = _core.CountedRule(rule.method, rule.parameters, rule.class_names, rule.class_counts)
    used = _used(counts, index).ravel()
    return counted.predict((counts, index, far), aligned(codes[used]))
