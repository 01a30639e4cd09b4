"""The tasks of learning a similarity; see :mod:`nearkin.blocks._work`."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from nearkin import _core
from nearkin.blocks._rows import join
from nearkin.blocks._spec import aligned, one_thread

__all__ = [
    "Lesson",
    "margins",
    "merge",
    "nearest",
    "note",
    "pull",
    "pull_picked",
    "sides",
    "sum_pairs",
]


@dataclass(frozen=True)
class Lesson:
    """A method, its settings, and what it needs to know of all rows."""

    method: str
    parameters: dict
    names: list
    """Those of the features."""
    classes: np.ndarray
    k: int
    threads: object = one_thread

    @property
    def how(self):
        """Method and settings, as the core takes them."""
        return self.method, self.parameters

    def codes(self, rows):
        """The class codes of rows."""
        return np.searchsorted(self.classes, rows.y).astype(np.uint32)


def nearest(lesson, queries, ids, base, first):
    """The most similar rows of each class to the queries among a base block."""
    return _core.learn_near(
        *lesson.how,
        (aligned(queries.numbers), aligned(ids)),
        (aligned(base.numbers), lesson.codes(base), first),
        len(lesson.classes),
        lesson.names,
        lesson.threads(),
    )


def merge(so_far, lesson, *found):
    """The most similar rows of each class among several base blocks."""
    found = [*([] if so_far is None else [so_far]), *found]
    size = len(lesson.classes), lesson.k
    near = (tuple(map(aligned, part)) for part in found)
    return reduce(lambda a, b: _core.merge_near(size, a, b), near)


def sides(lesson, queries, near):
    """Whom each row is drawn to and whom it is pushed away from, as two groups."""
    near, codes = tuple(map(aligned, near)), lesson.codes(queries)
    return _core.learn_sides(*lesson.how, near, codes, len(lesson.classes))


def pull_picked(lesson, queries, ids, sides, *picked):
    """What rows learn from whose neighbours were found and picked."""
    rows = join(queries, *[rows for _, rows in picked])
    ids = np.concatenate([ids, *[numbers for numbers, _ in picked]]).astype(np.uint32)
    return _core.learn_pairs_of(
        *lesson.how,
        aligned(rows.numbers),
        ids,
        tuple(map(aligned, sides)),
        lesson.names,
        lesson.threads(),
    )


def pull(lesson, whole, ids):
    """What rows of all learn from: each beside its neighbours of its own class and of others."""
    return _core.learn_pairs(
        *lesson.how,
        aligned(whole.numbers),
        lesson.codes(whole),
        [str(name) for name in lesson.classes],
        lesson.names,
        int(ids[0]),
        int(ids[-1]) + 1,
        lesson.threads(),
    )


def margins(pairs, how, cells):
    """The margins of some rows under a matrix."""
    (form, threads), (left, right, _) = how, pairs
    return _core.pair_margins(form, aligned(left), aligned(right), aligned(cells), threads())


def sum_pairs(pairs, how, weights):
    """Weighted sums over some rows, a line for each block of them."""
    (form, threads), (left, right, _) = how, pairs
    return _core.pair_sums(form, aligned(left), aligned(right), aligned(weights), threads())


def note(pairs):
    """What a reader should know of the rows."""
    return pairs[2]
