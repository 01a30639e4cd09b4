"""A cost that is being added up: what steps and blocks come to."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from nearkin.blocks._plan import FOLDED, told


@dataclass(frozen=True)
class Cost:
    """Tasks of each kind and bytes that tasks take in, at most: those made elsewhere move."""

    tasks: dict
    nbytes: int
    differences: int = 0
    """Cells of one row that are compared with those of another."""

    def __str__(self):
        kinds = ", ".join(f"{number} {name}" for name, number in self.tasks.items())
        return f"{sum(self.tasks.values())} tasks ({kinds}), up to {told(self.nbytes)} moved"


@dataclass
class Bill:
    """A cost that is being added up, for a table of this size and this plan."""

    plan: object
    size: object
    tasks: Counter = field(default_factory=Counter)
    nbytes: float = 0
    pairs: float = 0
    """Pairs of rows that are compared."""

    def add(self, task, number, nbytes):
        """So many tasks, which take in so many bytes together."""
        self.tasks[task] += int(number)
        self.nbytes += nbytes

    @property
    def row(self):
        """Bytes of a row."""
        return self.size.nbytes / max(1, self.size.rows)

    @property
    def folds(self):
        """Tasks that put together what base blocks have found, for each step."""
        return -(-self.size.blocks // self.plan.folded)

    def steps(self, targets):
        """Steps of so many targets."""
        return -(-targets // self.plan.step)

    def look(self, counted, deviations):
        """The statistics pass, and the further ones that some methods need."""
        blocks, nbytes = self.size.blocks, self.size.nbytes
        self.add("read", blocks, nbytes)
        self.add("summarise", blocks, nbytes)
        if counted or deviations:
            self.add("as_is", 1, 0)
        if counted:
            self.add("count", blocks, nbytes)
        if deviations:
            self.add("deviate", 2 * blocks, 2 * nbytes)

    def gather(self, targets):
        """Targets put together, taken from the blocks that have them: the bytes they have then."""
        pieces, base = self._pieces(targets), self.size.nbytes / max(1, self.size.blocks)
        self.add("take", pieces, pieces * base + 8 * targets)
        self.add("gather", self.steps(targets), targets * (self.row + 12))
        return targets * (self.row + 4)

    def _pieces(self, targets):
        """Pieces of blocks that steps of targets are made of: in order where they are all rows, and
        drawn from all blocks where they are a sample."""
        size, step = self.size, self.plan.step
        if targets == size.rows:
            starts = np.linspace(0, size.rows, size.blocks + 1).astype(int)[1:-1]
            ends = np.arange(0, size.rows, step)[1:]
            return len(np.union1d(starts, ends)) + 1
        lengths = np.diff([*range(0, targets, step), targets])
        missed = (1 - 1 / size.blocks) ** lengths
        return round(float((size.blocks * (1 - missed)).sum()))

    def past(self, task, steps, carried):
        """Steps that meet every base block, with what they carry to each."""
        blocks = self.size.blocks
        self.add(task, steps * blocks, steps * self.size.nbytes + blocks * carried)

    def nearest(self, steps, asked, queries, near):
        """The nearest rows to queries of so many bytes, in every block and merged."""
        self.past("nearest", steps, queries)
        self.add("merge", steps * self.folds, (self.size.blocks + self.folds - 1) * near)
        self.pairs += asked * self.size.rows

    def pick(self, steps, asked, near):
        """The neighbours themselves: their bytes, different rows for all of a step at most."""
        self.past("pick", steps, near)
        return min(asked * self.size.neighbours * (self.row + 4), steps * self.size.nbytes)

    def fold(self, task, steps, nbytes):
        """The results of steps, added up in order."""
        self.add(task, -(-steps // FOLDED), nbytes)

    def total(self, features=0):
        """The cost, with so many cells to a row."""
        return Cost(dict(self.tasks), int(self.nbytes), int(self.pairs * features))
