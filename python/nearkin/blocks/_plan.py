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
    """``broadcast``: every worker has all rows. ``grid``: nobody does."""
    why: str
    """In words."""
    step: int
    """Targets in a task."""
    folded: int = FOLDED
    """What is found in so many base blocks a task puts together."""
    of: str = "targets a task"
    """What the step counts."""

    def __str__(self):
        told = f"{self.name}: {self.why}"
        return f"{told}; {self.step} {self.of}" if self.step else told


@dataclass(frozen=True)
class Size:
    """What the planner knows of table and workers."""

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
    told = f"{_told(size.nbytes)} of rows, {_told(needed)} at work"
    limit = "no limit" if size.memory is None else f"{_told(size.memory)} a task"
    if whole is not None and (wanted == "grid" or not fits):
        raise ValueError(
            f"this method needs all rows in one place ({whole}), and the plan is grid "
            f"({told}, {limit}); use workers with more memory{instead}"
        )
    if wanted == "broadcast" or (wanted == "auto" and fits):
        why = f"{told} fit ({limit})" if wanted == "auto" else "as asked"
        # A few tasks for each that can run at once.
        return Plan("broadcast", why, _step(size.targets / (4 * max(1, size.workers))))
    why = f"{told} do not fit ({limit})" if wanted == "auto" else "as asked"
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


def cost(plan, size, *, classes=2, features, counted=False, radius=None):
    """What a run will take: tasks by kind, and bytes that go into them.

    Blocks are taken to be of equal size, and targets to be all rows. ``radius`` is None for methods
    that look for nearest rows, ``'own'`` where each target has a radius (MultiSURF and its star),
    ``'one'`` where all have the same (SURF and its star); ``size.sums`` tells one from its star.
    """
    blocks, steps = size.blocks, -(-size.targets // plan.step)
    tasks = {"read": blocks, "summarise": blocks, "as_is": 1 + counted}
    # Raw blocks are read, and looked through.
    moved = 2 * size.nbytes
    if counted:
        tasks |= {"count": blocks}
        moved += size.nbytes
    blocks_of_targets, part = -(-size.targets // BLOCK), 8 * (classes + classes * features)
    if plan.name == "broadcast":
        tasks |= {"join": 1, "sum_whole": steps}
        moved += size.nbytes + steps * size.nbytes
    else:
        of = (plan, size, steps)
        more, bytes_in = _radius_cost(*of, radius) if radius else _nearest_cost(*of, classes)
        tasks |= more
        moved += bytes_in
    tasks |= {"fold": -(-steps // FOLDED)}
    moved += blocks_of_targets * part + tasks["fold"] * part
    return Cost(tasks, int(moved))


def _gathering(size, plan, steps):
    """Tasks and bytes to put targets together: pieces of blocks are taken where these are."""
    pieces, base = _pieces(plan, size), size.nbytes / max(1, size.blocks)
    return {"take": pieces, "gather": steps}, pieces * base + _target_bytes(size)


def _target_bytes(size):
    """The rows of all targets."""
    return size.targets * size.nbytes / max(1, size.rows)


def _looks(size, steps, *carried):
    """Bytes that go into tasks when all targets, with what they carry, meet every base block."""
    return steps * size.nbytes + size.blocks * sum(carried)


def _nearest_cost(plan, size, steps, classes):
    tasks, moved = _gathering(size, plan, steps)
    folds = -(-size.blocks // plan.folded)
    rows, near = _target_bytes(size), size.targets * (4 * classes + size.found)
    tasks |= {"nearest": steps * size.blocks, "merge": steps * folds}
    tasks |= {"pick": steps * size.blocks, "sum_near": steps}
    moved += _looks(size, steps, rows) + _looks(size, steps, near)
    moved += (size.blocks + folds - 1) * near
    # A step's neighbours are different rows at most.
    moved += rows + near + min(rows * size.neighbours, steps * size.nbytes)
    return tasks, moved


def _radius_cost(plan, size, steps, radius):
    tasks, moved = _gathering(size, plan, steps)
    folds = -(-size.blocks // plan.folded)
    rows, sums = _target_bytes(size), 8 * size.targets
    # Numbers of the targets, sums so far, limits.
    if radius == "own":
        tasks |= {"measure": 2 * steps * size.blocks, "bound": steps}
        moved += 2 * _looks(size, steps, rows, 1.5 * sums) + (size.blocks + 2) * sums
    else:
        # All rows are gathered and measured before any is a target.
        tasks = {name: 2 * number for name, number in tasks.items()}
        tasks |= {"measure": steps * size.blocks}
        moved = 2 * moved + _looks(size, steps, rows, 1.5 * sums)
    tasks |= {"within": steps * size.blocks, "add_up": steps * folds, "sum_within": steps}
    found = size.targets * size.found
    moved += _looks(size, steps, rows, 2.5 * sums) + (size.blocks + folds - 1) * found
    moved += rows + found
    return tasks, moved


def _pieces(plan, size):
    """Pieces of blocks that queries are made of, all rows being targets."""
    starts = np.linspace(0, size.rows, size.blocks + 1).astype(int)[1:-1]
    steps = np.arange(0, size.rows, plan.step)[1:]
    return len(np.union1d(starts, steps)) + 1
