"""The tasks of classifiers that are asked; see :mod:`nearkin.blocks._work`."""

from functools import reduce

import numpy as np

from nearkin import _core
from nearkin.blocks._compare import aligned_parts
from nearkin.blocks._rows import join, read_queries
from nearkin.blocks._spec import aligned, features

__all__ = [
    "answer",
    "answer_among",
    "answer_described",
    "leave_out",
    "merge",
    "nearest",
    "read_queries",
    "spread",
    "tally",
]

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


def nearest(rule, queries, base, first, own=None):
    """The most similar rows to the queries among a base block, and their classes.

    ``own`` are the queries' numbers where they are training rows: none is its own neighbour.
    """
    codes = np.searchsorted(rule.classes, base.y).astype(np.uint32)
    groups = (codes if rule.groups > 1 else np.zeros_like(codes)), rule.groups
    found = []
    for part in _parts(len(queries), min(rule.step, max(64, _HELD // max(1, len(base))))):
        ids = None if own is None else aligned(own[part])
        asked = queries.take(part), base, groups, rule.k, first, ids, rule.threads()
        found.append(rule.compare.near(*asked))
    if not found:
        return tuple(np.empty(0, dtype=kind) for kind in ("u4", "u4", "f8", "u4"))
    counts, index, far = (np.concatenate(parts) for parts in zip(*found, strict=True))
    places = np.where(_used(counts, index).ravel(), index - np.uint32(first), 0)
    return counts, index, far, codes[places]


def _parts(count, step):
    """Slices of so many rows at a time."""
    return [slice(at, at + step) for at in range(0, count, max(1, step))]


def _used(counts, index):
    """Which places of neighbours are taken, a line for each query and group."""
    room = len(index) // max(1, len(counts))
    return np.arange(room) < counts[:, np.newaxis]


def merge(so_far, rule, *found):
    """The most similar rows among several base blocks, and their classes."""
    found = [*([] if so_far is None else [so_far]), *found]
    if len(found) == 1:
        return found[0]
    near = [tuple(map(aligned, part[:3])) for part in found]
    merged = reduce(lambda a, b: _core.merge_near((rule.groups, rule.k), a, b), near)
    taken = [_used(counts, index).ravel() for counts, index, *_ in found]
    rows = np.concatenate([part[1][used] for part, used in zip(found, taken, strict=True)])
    codes = np.concatenate([part[3][used] for part, used in zip(found, taken, strict=True)])
    rows, first = np.unique(rows, return_index=True)
    if len(rows) == 0:
        return *merged, merged[1]
    places = np.minimum(np.searchsorted(rows, merged[1]), len(rows) - 1)
    return *merged, codes[first][places]


def _taken(near):
    """Neighbours as the core takes them, and the classes of those that are there."""
    counts, index, far, codes = map(aligned, near)
    return (counts, index, far), aligned(codes[_used(counts, index).ravel()])


def answer(rule, near):
    """What a rule says of queries with these neighbours."""
    return _core.CountedRule(*rule.counted).predict(*_taken(near))


def leave_out(rule, queries, near):
    """What answers about training rows cost at each number of neighbours, from those of others."""
    truth = np.searchsorted(rule.classes, queries.y).astype(np.uint32)
    return _core.Choosing(*rule.counted).costs(truth, *_taken(near))


def answer_described(rule, queries, near=None):
    """What a classifier says of queries by their similarities to prototypes, and to the nearest row
    of each class where it asks for that."""
    model = _core.classifier_of(*rule.counted[:2], aligned_parts(rule.parts))
    codes, prototypes = rule.codes, len(rule.prototypes)
    best = None if near is None else -near[2].reshape(len(queries), rule.groups)
    said = []
    if len(queries) == 0:
        said = model.predict(np.zeros((1, len(codes))))
        return {key: of[:0] for key, of in said.items()}
    for part in _parts(len(queries), max(1, _HELD // len(codes))):
        asked = queries.take(part)
        # Of all similarities, those that nobody looks at may be any.
        s = np.zeros((len(asked), len(codes))) if best is None else best[part][:, codes]
        if prototypes:
            similar = rule.compare.between(asked, rule.prototype_rows, rule.threads())
            s[:, rule.prototypes] = similar
        said.append(model.predict(np.ascontiguousarray(s), threads=rule.threads()))
    return _together(said)


def answer_among(rule, queries, near, *picked):
    """What a local classifier says of queries by their neighbours, which were picked."""
    model = _core.classifier_of(*rule.counted[:2], aligned_parts(rule.parts))
    ids = np.concatenate([numbers for numbers, _ in picked])
    rows = join(*[rows for _, rows in picked])
    if len(queries) == 0:
        return model.predict_among([])
    counts, index, far, codes = near
    used = _used(counts, index).reshape(len(queries), -1)
    index, far, codes = (of.reshape(len(queries), -1) for of in (index, far, codes))
    said = []
    for part in _parts(len(queries), max(1, 1024 // max(1, used.shape[1]))):
        hoods = []
        for at in range(*part.indices(len(queries))):
            there = np.flatnonzero(used[at])
            there = there[np.argsort(index[at][there])]
            hoods.append((index[at][there], codes[at][there], -far[at][there]))
        numbers = np.unique(np.concatenate([hood[0] for hood in hoods]))
        among = rows.take(np.searchsorted(ids, numbers))
        s = rule.compare.between(among, among, rule.threads())
        asked = []
        for own, classes, similar in hoods:
            places = np.searchsorted(numbers, own)
            asked.append((np.ascontiguousarray(s[np.ix_(places, places)]), classes, similar))
        said.append(model.predict_among(asked, threads=rule.threads()))
    return _together(said)


def _together(said):
    """Answers about several parts of a block as one."""
    return {key: np.concatenate([one[key] for one in said]) for key in said[0]}
