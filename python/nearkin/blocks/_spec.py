"""Facts about all rows: made by the planner, carried to every task."""

from dataclasses import dataclass, field, replace

import numpy as np

from nearkin import _core


def aligned(array):
    """The array where the processor can read it: what came over a wire may lie anywhere."""
    return np.require(array, requirements=["A", "C"])


def features(rows):
    """Numbers of some rows and the places of features, as the core takes them."""
    places = rows.places
    if places is not None:
        places = [p if isinstance(p, int) else (aligned(p[0]), p[1]) for p in places]
    return aligned(rows.numbers), places


def codes_of(classes, labels):
    """Labels as codes into the classes, which are in order."""
    return np.searchsorted(classes, labels).astype(np.uint32)


def one_thread():
    """The threads a task may use where nobody says otherwise."""
    return 1


@dataclass(frozen=True)
class Spec:
    """A method, its settings, and what they need to know of the whole table."""

    method: str
    parameters: dict
    wanted: dict
    summary: tuple
    classes: np.ndarray | None = None
    """The classes in order; None where the target is real."""
    class_counts: tuple = ()
    span: tuple | None = None
    """The ends of a real target's range."""
    counts: np.ndarray | None = None
    squares: np.ndarray | None = None
    threads: object = field(default=one_thread)
    """A function that says, where a task runs, how many threads it may use."""

    @property
    def room(self):
        """In how many classes neighbours are looked for, and how many in each."""
        classes = 1 if self.classes is None else len(self.classes)
        return classes, int(self.parameters.get("n_neighbors", 0))

    def frame(self):
        """The core's view of it."""
        names = None if self.classes is None else [str(name) for name in self.classes]
        return _core.Frame(
            self.method,
            self.parameters,
            self.summary,
            classes=None if names is None else (names, list(self.class_counts)),
            span=self.span,
            counts=self.counts,
            squares=self.squares,
            threads=self.threads(),
            **self.wanted,
        )

    def block(self, rows):
        """Rows as the core takes them: numbers, places of features, coded target."""
        y = rows.y if self.classes is None else codes_of(self.classes, rows.y)
        return *features(rows), aligned(y)

    def knowing(self, **more):
        """The same, knowing more."""
        return replace(self, **more)

    def needs(self):
        """Whether counts and deviations of all blocks have to be known."""
        return self.frame().needs()

    def count(self, rows):
        """Known cells of a block by column, class and value."""
        return self.frame().count(self.block(rows))

    def add_deviations(self, so_far, rows, sums):
        """Sums over the columns of the blocks so far and of this block."""
        return self.frame().add_deviations(so_far, self.block(rows), sums)
