"""The tasks of classifiers that are asked; see :mod:`nearkin.blocks._work`."""

import numpy as np

from nearkin import _core
from nearkin.blocks._compare import aligned_parts
from nearkin.blocks._read import read_queries
from nearkin.blocks._rows import join
from nearkin.blocks._spec import aligned, codes_of
from nearkin.blocks._work import used

__all__ = [
    "answer",
    "answer_among",
    "answer_described",
    "leave_out",
    "nearest",
    "piece",
    "read_queries",
    "together",
]

# So many similarities are held at a time, as on one machine.
_HELD = 1 << 23


def piece(queries, at, of):
    """One piece of several that a block of queries is cut into."""
    return queries.take(slice(len(queries) * at // of, len(queries) * (at + 1) // of))


def nearest(rule, queries, base, first):
    """The most similar rows to the queries among a base block, and their classes. Where queries are
    training rows, none is its own neighbour."""
    codes, own = codes_of(rule.classes, base.y), queries.ids
    groups = (codes if rule.groups > 1 else np.zeros_like(codes)), rule.groups
    found = []
    for part in _parts(len(queries), min(rule.step, max(64, _HELD // max(1, len(base))))):
        ids = None if own is None else aligned(own[part])
        asked = queries.take(part), base, groups, rule.k, first, ids, rule.threads()
        found.append(rule.compare.near(*asked))
    if not found:
        return tuple(np.empty(0, dtype=kind) for kind in ("u4", "u4", "f8", "u4"))
    counts, index, far = (np.concatenate(parts) for parts in zip(*found, strict=True))
    places = np.where(used(counts, index).ravel(), index - np.uint32(first), 0)
    return counts, index, far, codes[places]


def _parts(count, step):
    """Slices of so many rows at a time."""
    return [slice(at, at + step) for at in range(0, count, max(1, step))]


def _taken(near):
    """Neighbours as the core takes them, and the classes of those that are there."""
    counts, index, far, codes = map(aligned, near)
    return (counts, index, far), aligned(codes[used(counts, index).ravel()])


def answer(rule, near):
    """A rule's answers about queries with these neighbours."""
    return _core.CountedRule(*rule.counted).predict(*_taken(near))


def leave_out(rule, queries, near):
    """Costs of answers about training rows at each number of neighbours, from other rows."""
    truth = codes_of(rule.classes, queries.y)
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
        # Similarities that are never read may have any value.
        s = np.zeros((len(asked), len(codes))) if best is None else best[part][:, codes]
        if prototypes:
            similar = rule.compare.between(asked, rule.prototype_rows, rule.threads())
            s[:, rule.prototypes] = similar
        said.append(model.predict(np.ascontiguousarray(s), threads=rule.threads()))
    return together(*said)


def answer_among(rule, queries, near, *picked):
    """A local classifier's answers about queries by their neighbours, which were picked."""
    model = _core.classifier_of(*rule.counted[:2], aligned_parts(rule.parts))
    ids, rows = np.concatenate([part.ids for part in picked]), join(*picked)
    if len(queries) == 0:
        return model.predict_among([])
    counts, index, far, codes = near
    taken = used(counts, index).reshape(len(queries), -1)
    index, far, codes = (of.reshape(len(queries), -1) for of in (index, far, codes))
    said = []
    for part in _parts(len(queries), max(1, 1024 // max(1, taken.shape[1]))):
        hoods = []
        for at in range(*part.indices(len(queries))):
            there = np.flatnonzero(taken[at])
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
    return together(*said)


def together(*said):
    """Answers about several parts of a block as one."""
    return {key: np.concatenate([one[key] for one in said]) for key in said[0]}
