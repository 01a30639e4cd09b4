"""Which way to go about it: all rows to everyone, or blocks against blocks."""

from dataclasses import dataclass

import numpy as np

BLOCK = 64
"""Targets whose contributions are summed together: tasks begin at multiples of it, so that sums
have the same bits however rows are cut."""

FOLDED = 16
"""Parts that a task adds up, at most."""

# Where memory is short, steps are made smaller rather than that a task adds up fewer.
_FEW = 4

# Beside the rows a task holds them encoded and laid out for the engine's lanes.
_COPIES = 2.5

# The share of a task's memory that is for targets and what is found for them; the rest is for a
# base block.
_SHARE = 0.4


@dataclass(frozen=True)
class Plan:
    """How a table is worked through."""

    name: str
    """``broadcast``: every worker has all rows. ``grid``: none has."""
    why: str
    """In words."""
    step: int
    """Targets in a task."""
    folded: int = FOLDED
    """The number of base blocks whose results a task puts together."""
    of: str = "targets a task"
    """The things that a step counts."""

    def __str__(self):
        words = f"{self.name}: {self.why}"
        return f"{words}; {self.step} {self.of}" if self.step else words


@dataclass(frozen=True)
class Size:
    """Facts about table and workers that the planner goes by."""

    rows: int
    nbytes: int
    blocks: int
    targets: int
    neighbours: int
    """Neighbours that a target may have in all classes; 0 for methods with a radius."""
    sums: int = 0
    """Bytes of a target's sums over the rows within its radius: 8 for each side of the radius,
    class, and feature or count."""
    workers: int = 1
    """Tasks that run side by side."""
    memory: int | None = None
    """Bytes that a task may use; None where there is no limit."""

    @property
    def found(self):
        """Bytes of what a base block tells of a target."""
        return 12 * self.neighbours + self.sums


def choose(size, wanted="auto", whole=None, instead=", or relieff"):
    """The plan for a table of this size; ``whole`` says why all rows must be in one place, and
    ``instead`` what does not need them there."""
    if wanted not in ("auto", "broadcast", "grid"):
        raise ValueError(f"plan: expected 'auto', 'broadcast' or 'grid', got {wanted!r}")
    needed = (1 + _COPIES) * size.nbytes
    fits = size.memory is None or needed <= size.memory
    rows = f"{told(size.nbytes)} of rows, {told(needed)} at work"
    limit = "no limit" if size.memory is None else f"{told(size.memory)} a task"
    if whole is not None and (wanted == "grid" or not fits):
        raise ValueError(
            f"this method needs all rows in one place ({whole}), and the plan is grid "
            f"({rows}, {limit}); use workers with more memory{instead}"
        )
    if wanted == "broadcast" or (wanted == "auto" and fits):
        why = f"{rows} fit ({limit})" if wanted == "auto" else "as asked"
        # A few tasks for each that can run at once.
        return Plan("broadcast", why, _step(size.targets / (4 * max(1, size.workers))))
    why = f"{rows} do not fit ({limit})" if wanted == "auto" else "as asked"
    # The larger the step, the fewer times blocks are looked through; base blocks keep workers
    # busy, and every worker gets its share of sums.
    step = _step(min(size.targets / max(1, size.workers), _room(size) / _target(size)))
    return Plan("grid", why, step, _folded(size, step))


def _room(size):
    """Bytes that a task has for targets and what is found for them."""
    return np.inf if size.memory is None else _SHARE * size.memory


def _target(size):
    """The most bytes that any task holds for a target: with its neighbours or distances beside a
    base block, or what several blocks tell of it, their total so far, and the new one."""
    row = max(1.0, size.nbytes / max(1, size.rows))
    distances = 8 * BLOCK if size.sums else 0
    gathered = (1 + _COPIES) * row * (1 + size.neighbours) + size.found + distances
    return max(gathered, (_FEW + 2) * size.found)


def _folded(size, step):
    """How many parts, a total and the next total fit side by side."""
    if size.memory is None or size.found == 0:
        return FOLDED
    return int(np.clip(_room(size) / (step * size.found) - 2, 1, FOLDED))


def _step(targets):
    """Targets in a task, at multiples of a block."""
    return max(BLOCK, int(targets) // BLOCK * BLOCK)


def told(count):
    """Bytes in words."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
