"""How rows of two blocks are compared: by a measure, a similarity, or a function."""

from dataclasses import dataclass, replace

import numpy as np

from nearkin import _core
from nearkin.blocks._spec import aligned, codes_of, features


class ByMeasure:
    """A measure of the core's."""

    def near(self, queries, base, groups, k, first, own, threads):
        """The k most similar rows of each group of a base block that begins at row ``first``."""
        rows = self.fitted(), features(queries), features(base)
        options = {"own": own, "feature_names": self.names, "threads": threads}
        return _core.near_by(*rows, groups, k, first, **options)

    def between(self, queries, base, threads):
        """How similar every query is to every row."""
        rows = features(queries), features(base)
        return self.fitted().between(*rows, feature_names=self.names, threads=threads)


@dataclass(frozen=True)
class Measured(ByMeasure):
    """A measure by its name, and what it needs to know of all training rows."""

    measure: tuple
    """Its name and its settings as texts."""
    names: list
    """Those of the features."""
    summary: tuple
    classes: np.ndarray
    numeric: list
    """Which features are numbers."""
    counts: np.ndarray | None = None
    squares: np.ndarray | None = None

    def learning(self):
        """The core's view of it, before it knows all it needs."""
        class_names = [str(name) for name in self.classes]
        return _core.Learning(self.measure, self.summary, class_names, self.numeric)

    def needs(self):
        """Whether counts and deviations of all blocks have to be known."""
        return self.learning().needs()[:2]

    def whole(self):
        """Why all rows have to be in one place; None where they need not."""
        return self.learning().needs()[2]

    def count(self, rows):
        """Whole numbers that a block adds to what the measure learns."""
        return self.learning().count(features(rows), codes_of(self.classes, rows.y))

    def add_deviations(self, so_far, rows, sums):
        """Sums over the columns of the blocks so far and of this block."""
        return self.learning().add_deviations(so_far, features(rows), sums)

    def knowing(self, **more):
        """The same, knowing more."""
        return replace(self, **more)

    def fitted(self):
        """The core's view of it."""
        learned = self.counts, self.squares
        counts, squares = (None if of is None else aligned(of) for of in learned)
        return self.learning().fitted(counts, squares)


@dataclass(frozen=True)
class Restored(ByMeasure):
    """A measure by its name, and what it has learned in one place."""

    measure: tuple
    names: list
    parts: tuple

    def fitted(self):
        """The core's view of it."""
        return _core.measure_of(self.measure, aligned_parts(self.parts))


def aligned_parts(parts):
    """The parts, in memory that the processor can read."""
    *arrays, texts = parts
    return *({name: aligned(of) for name, of in one.items()} for one in arrays), texts


class ByPairs:
    """What has to look at every pair."""

    def near(self, queries, base, groups, k, first, own, threads):
        """The k most similar rows of each group of a base block that begins at row ``first``."""
        s = self.between(queries, base, threads)
        return _core.near_in(s, groups, k, first, own=own, threads=threads)


@dataclass(frozen=True)
class Alike(ByPairs):
    """A similarity that was learned before, or made by hand."""

    similarity: object

    def between(self, queries, base, threads):
        """How similar every query is to every row."""
        return self.similarity._between(aligned(queries.numbers), aligned(base.numbers), threads)


@dataclass(frozen=True)
class Called(ByPairs):
    """A function of two rows, called for every pair."""

    function: object

    def between(self, queries, base, threads):
        """How similar every query is to every row."""
        from nearkin.classify._measures import called_for_all

        return called_for_all(self.function, queries.numbers, base.numbers)
