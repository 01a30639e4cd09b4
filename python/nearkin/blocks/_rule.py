"""A rule of neighbours, and how it goes past blocks of training rows."""

from dataclasses import dataclass

import numpy as np

from nearkin.blocks import _ask_work
from nearkin.blocks._spec import one_thread


@dataclass(frozen=True)
class Rule:
    """A rule of neighbours and what it knows of its training rows: all but the rows."""

    method: str
    parameters: dict
    compare: object
    """How rows are compared."""
    how: tuple
    """How blocks are read."""
    classes: np.ndarray
    class_counts: list
    k: int
    groups: int
    """1, or the number of classes where k rows of each are asked for."""
    lengths: tuple
    """Rows of each block."""
    step: int
    """Queries looked at together."""
    folded: int
    """What is found in so many blocks a task puts together."""
    threads: object = one_thread

    @property
    def counted(self):
        """The rule as the core takes it: method, settings, names and counts of classes."""
        names = [str(name) for name in self.classes]
        return self.method, self.parameters, names, self.class_counts

    @property
    def starts(self):
        """The number of each block's first row."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).tolist()

    def answered(self, engine, carried, rows, starts, queries):
        """A promise of what it says of a block of queries; ``carried`` is the rule itself."""
        near = nearest_among(engine, self, carried, rows, starts, queries)
        return engine.one(_ask_work.answer, carried, near)


def nearest_among(engine, rule, carried, rows, starts, queries, own=None):
    """The most similar rows of each block, and of all."""
    blocks = len(rows)
    same = [carried] * blocks, [queries] * blocks, rows, starts
    found = engine.map(_ask_work.nearest, *same, [own] * blocks)
    near = None
    for at in range(0, blocks, rule.folded):
        near = engine.one(_ask_work.merge, near, carried, *found[at : at + rule.folded])
    return near
