"""The tasks of learning a similarity; see :mod:`nearkin.blocks._work`."""

from dataclasses import dataclass

import numpy as np

from nearkin import _core
from nearkin.blocks._spec import aligned, codes_of, one_thread
from nearkin.blocks._work import beside

__all__ = [
    "Lesson",
    "margins",
    "nearest",
    "notes",
    "places",
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

    @property
    def room(self):
        """In how many classes neighbours are looked for, and how many in each."""
        return len(self.classes), self.k

    @property
    def form(self):
        """The form of the learned matrix, and the threads that a task may use."""
        return self.parameters["matrix"], self.threads

    def codes(self, rows):
        """The class codes of rows."""
        return codes_of(self.classes, rows.y)


def places(rows, labels):
    """Where in a block rows of these classes are."""
    return np.flatnonzero(np.isin(rows.y, labels))


def nearest(lesson, queries, base, first):
    """The most similar rows of each class to the queries among a base block."""
    return _core.learn_near(
        *lesson.how,
        (aligned(queries.numbers), aligned(queries.ids)),
        (aligned(base.numbers), lesson.codes(base), first),
        len(lesson.classes),
        lesson.names,
        lesson.threads(),
    )


def sides(lesson, queries, near):
    """Target neighbours and impostors of each row, as two groups."""
    near, codes = tuple(map(aligned, near)), lesson.codes(queries)
    return _core.learn_sides(*lesson.how, near, codes, len(lesson.classes))


def pull_picked(lesson, queries, sides, *picked):
    """What rows learn from whose neighbours were found and picked."""
    rows, ids = beside(queries, picked)
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


def margins(pairs, form, cells):
    """The margins of some rows under a matrix."""
    (form, threads), (left, right, _) = form, pairs
    return _core.pair_margins(form, aligned(left), aligned(right), aligned(cells), threads())


def sum_pairs(pairs, form, weights):
    """Weighted sums over some rows, a line for each block of them."""
    (form, threads), (left, right, _) = form, pairs
    return _core.pair_sums(form, aligned(left), aligned(right), aligned(weights), threads())


def notes(pairs):
    """Notes on the rows."""
    return pairs[2]
