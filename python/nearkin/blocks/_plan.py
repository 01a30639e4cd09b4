"""Which way to go about it: all rows to everyone, or blocks against blocks."""

from dataclasses import dataclass

import numpy as np

BLOCK = 64
"""Targets whose contributions are summed together: tasks begin at multiples of it, so that sums
have the same bits however rows are cut."""

# Beside the rows a task holds them encoded and laid out for the engine's lanes.
_COPIES = 2.5


@dataclass(frozen=True)
class Plan:
    """How a table is worked through."""

    name: str
    """``broadcast``: every worker has all rows. ``grid``: nobody does."""
    why: str
    """In words."""
    step: int
    """Targets in a task."""

    def __str__(self):
        return f"{self.name}: {self.why}; {self.step} targets a task"


@dataclass(frozen=True)
class Size:
    """What the planner knows of table and workers."""

    rows: int
    nbytes: int
    blocks: int
    targets: int
    neighbours: int
    """Neighbours that a target may have in all classes."""
    workers: int = 1
    """Tasks that run side by side."""
    memory: int | None = None
    """Bytes that a task may use; None where there is no limit."""


def choose(size, wanted="auto", whole=None):
    """The plan for a table of this size; ``whole`` says why all rows must be in one place."""
    if wanted not in ("auto", "broadcast", "grid"):
        raise ValueError(f"plan: expected 'auto', 'broadcast' or 'grid', got {wanted!r}")
    needed = (1 + _COPIES) * size.nbytes
    fits = size.memory is None or needed <= size.memory
    told = f"{_told(size.nbytes)} of rows, {_told(needed)} at work"
    limit = "no limit" if size.memory is None else f"{_told(size.memory)} a task"
    if whole is not None and (wanted == "grid" or not fits):
        raise ValueError(
            f"this method needs all rows in one place ({whole}), and the plan is grid "
            f"({told}, {limit}); use workers with more memory, or relieff"
        )
    if wanted == "broadcast" or (wanted == "auto" and fits):
        why = f"{told} fit ({limit})" if wanted == "auto" else "as asked"
        # A few tasks for each that can run at once.
        return Plan("broadcast", why, _step(size.targets / (4 * max(1, size.workers))))
    why = f"{told} do not fit ({limit})" if wanted == "auto" else "as asked"
    # The larger the step, the fewer times blocks are looked through; base blocks keep workers
    # busy, and every worker gets its share of sums. A task gathers its targets' neighbours:
    # those must fit beside a base block.
    row = max(1.0, size.nbytes / max(1, size.rows))
    room = np.inf if size.memory is None else 0.4 * size.memory / (1 + _COPIES)
    most = room / row / (1 + size.neighbours)
    return Plan("grid", why, _step(min(size.targets / max(1, size.workers), most)))


def _step(targets):
    """Targets in a task, at multiples of a block."""
    return max(BLOCK, int(targets) // BLOCK * BLOCK)


def _told(count):
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000


@dataclass(frozen=True)
class Cost:
    """Tasks of each kind and bytes that tasks take in, at most: those made elsewhere move."""

    tasks: dict
    nbytes: int

    def __str__(self):
        kinds = ", ".join(f"{number} {name}" for name, number in self.tasks.items())
        return f"{sum(self.tasks.values())} tasks ({kinds}), up to {_told(self.nbytes)} moved"


FOLDED = 16
"""Parts that a task adds up."""


def cost(plan, size, *, classes=2, features, counted=False):
    """What a run will take: tasks by kind, and bytes that go into them.

    Blocks are taken to be of equal size, and targets to be all rows.
    """
    blocks, steps = size.blocks, -(-size.targets // plan.step)
    tasks = {"read": blocks, "summarise": blocks, "as_is": 1 + counted}
    # Raw blocks are read, and looked through.
    moved = 2 * size.nbytes
    if counted:
        tasks |= {"count": blocks}
        moved += size.nbytes
    row = size.nbytes / max(1, size.rows)
    part = 8 * (classes + classes * features) * plan.step / BLOCK
    if plan.name == "broadcast":
        tasks |= {"join": 1, "sum_whole": steps}
        moved += size.nbytes + steps * size.nbytes
    else:
        near = plan.step * (4 * classes + 12 * size.neighbours)
        pieces = _pieces(plan, size)
        tasks |= {"take": pieces, "gather": steps}
        tasks |= {"nearest": steps * blocks, "merge": steps * -(-blocks // FOLDED)}
        tasks |= {"pick": steps * blocks, "sum_near": steps}
        query, base = plan.step * row, size.nbytes / max(1, blocks)
        moved += pieces * base + steps * query
        moved += steps * blocks * (query + base + near)
        moved += steps * blocks * (near + base)
        moved += steps * (query + near + query * size.neighbours)
    tasks |= {"fold": -(-steps // FOLDED)}
    moved += steps * part + tasks["fold"] * part / (plan.step / BLOCK)
    return Cost(tasks, int(moved))


def _pieces(plan, size):
    """Pieces of blocks that queries are made of, all rows being targets."""
    starts = np.linspace(0, size.rows, size.blocks + 1).astype(int)[1:-1]
    steps = np.arange(0, size.rows, plan.step)[1:]
    return len(np.union1d(starts, steps)) + 1
