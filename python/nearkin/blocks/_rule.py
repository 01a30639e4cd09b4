"""A rule of neighbours, and how it goes past blocks of training rows."""

from dataclasses import dataclass

import numpy as np

from nearkin.blocks import _ask_work
from nearkin.blocks._grid import nearest_of_all
from nearkin.blocks._read import How
from nearkin.blocks._spec import one_thread


@dataclass(frozen=True)
class Rule:
    """A rule of neighbours and what it knows of its training rows: all but the rows."""

    method: str
    parameters: dict
    compare: object
    """How rows are compared."""
    how: How
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
    """The number of blocks whose results a task puts together."""
    threads: object = one_thread

    @property
    def counted(self):
        """The rule as the core takes it: method, settings, names and counts of classes."""
        names = [str(name) for name in self.classes]
        return self.method, self.parameters, names, self.class_counts

    @property
    def room(self):
        """In how many groups neighbours are looked for, and how many in each."""
        return self.groups, self.k

    def nearest(self, engine, carried, seen, queries):
        """A promise of the most similar rows of all blocks; ``carried`` is the rule itself."""
        return nearest_of_all(engine, _ask_work.nearest, carried, queries, seen, self.folded)

    def answered(self, engine, carried, seen, queries, length):
        """A promise of what it says of a block of queries, of so many rows perhaps."""
        near = self.nearest(engine, carried, seen, queries)
        return engine.one(_ask_work.answer, carried, near)
