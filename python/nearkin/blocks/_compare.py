"""How rows of two blocks are compared: by a measure, a similarity, or a function."""

from dataclasses import dataclass, replace

import numpy as np

from nearkin import _core
from nearkin.blocks._spec import aligned, features


@dataclass(frozen=True)
class Measured:
    """A measure of the core's, by its name, and what it needs to know of all training rows."""

    measure: tuple
    """Its name and its settings as texts."""
    names: list
    """Those of the features."""
    summary: tuple
    class_names: list
    numeric: list
    """Which features are numbers."""
    counts: np.ndarray | None = None
    squares: np.ndarray | None = None

    def learning(self):
        """The core's view of it, before it knows all it needs."""
        return _core.Learning(self.measure, self.summary, self.class_names, self.numeric)

    def knowing(self, **more):
        """The same, knowing more."""
        return replace(self, **more)

    def near(self, queries, base, groups, k, first, own, threads):
        """The k most similar rows of each group of a base block that begins at row ``first``."""
        learned = self.counts, self.squares
        counts, squares = (None if of is None else aligned(of) for of in learned)
        return _core.near_by(
            self.learning().fitted(counts, squares),
            features(queries),
            features(base),
            groups,
            k,
            first,
            own=own,
            feature_names=self.names,
            threads=threads,
        )


@dataclass(frozen=True)
class Alike:
    """A similarity that was learned before, or made by hand."""

    similarity: object

    def near(self, queries, base, groups, k, first, own, threads):
        """The k most similar rows of each group of a base block that begins at row ``first``."""
        rows = aligned(queries.numbers), aligned(base.numbers)
        s = self.similarity._between(*rows, threads)
        return _core.near_in(s, groups, k, first, own=own, threads=threads)


@dataclass(frozen=True)
class Called:
    """A function of two rows, called for every pair."""

    function: object

    def near(self, queries, base, groups, k, first, own, threads):
        """The k most similar rows of each group of a base block that begins at row ``first``."""
        from nearkin.classify._similarities import _called_for_all

        s = _called_for_all(self.function, queries.numbers, base.numbers)
        return _core.near_in(s, groups, k, first, own=own, threads=threads)
