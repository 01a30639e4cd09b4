"""Blocks against blocks: steps of targets go past every base block, and nobody holds all rows."""

import numpy as np

from nearkin.blocks import _work
from nearkin.blocks._engine import chained, folded


def steps(numbers, step):
    """The numbers of targets, so many at a time."""
    return [numbers[at : at + step] for at in range(0, len(numbers), step)]


def grid(engine, carried, seen, ids, step):
    """The result of each step of target rows, ``step(carried, seen, queries)`` by step.

    A few are under way at a time, the earlier first: what is found and gathered for targets is
    never there for all of them at once.
    """
    ahead = 2 * max(1, engine.workers)
    parts = []
    for at, one in enumerate(ids):
        if at >= ahead:
            engine.wait(parts[at - ahead])
        parts.append(step(engine, carried, seen, _gather(engine, seen, one)))
    return parts


def _gather(engine, seen, ids):
    """The rows with these numbers, in order, from the blocks that have them."""
    at = ids.astype(np.int64)
    of = np.searchsorted(seen.starts, at, side="right") - 1
    order = np.argsort(of, kind="stable")
    holders, counts = np.unique(of, return_counts=True)
    wanted = np.split(at[order], np.cumsum(counts)[:-1])
    pieces = engine.map(
        _work.take,
        [seen.rows[block] for block in holders],
        [part - seen.starts[block] for part, block in zip(wanted, holders, strict=True)],
    )
    return engine.one(_work.gather, np.argsort(order, kind="stable"), ids, *pieces)


def past(engine, task, carried, queries, seen, *more):
    """Each base block is looked through where it is; what travels is small."""
    blocks = len(seen.rows)
    more = [[value] * blocks for value in more]
    return engine.map(task, [carried] * blocks, [queries] * blocks, seen.rows, seen.starts, *more)


def nearest_of_all(engine, task, carried, queries, seen, number):
    """The nearest rows among each block, and among all; so many blocks a task."""
    found = past(engine, task, carried, queries, seen)
    return folded(engine, _work.merge, found, number, carried)


def picked(engine, near, seen):
    """The neighbours themselves, from the blocks that have them."""
    return engine.map(_work.pick, [near] * len(seen.rows), seen.rows, seen.starts)


def nearest_step(engine, spec, seen, queries, number):
    """Contributions of target rows by their nearest rows."""
    near = nearest_of_all(engine, _work.nearest, spec, queries, seen, number)
    return engine.one(_work.sum_near, spec, queries, near, *picked(engine, near, seen))


def within_step(engine, spec, seen, queries, limits, number):
    """What targets say by the rows within limits, added up in any order: they are whole numbers."""
    found = past(engine, _work.within, spec, queries, seen, limits)
    total = folded(engine, _work.add_up, found, number)
    return engine.one(_work.sum_within, spec, queries, total)


def own_radius_step(engine, spec, seen, queries, number):
    """Means of distances, then deviations, then who is within."""
    sums = measured(engine, spec, seen, queries)
    squares = measured(engine, spec, seen, queries, sums)
    limits = engine.one(_work.bound, spec, sums, squares)
    return within_step(engine, spec, seen, queries, limits, number)


def measured(engine, spec, seen, queries, *sums):
    """Sums of distances go from block to block: doubles, added in the order of rows."""
    blocks = len(seen.rows)
    same = [[value] * blocks for value in (spec, queries)]
    sums = [[value] * blocks for value in sums]
    return chained(engine, _work.measure, *same, seen.rows, seen.starts, *sums)


def one_radius(engine, spec, frame, seen, step):
    """The mean distance of all rows, whether they are targets or not."""
    every = steps(np.arange(seen.count, dtype=np.uint32), step)
    sums = engine.get(grid(engine, spec, seen, every, measured))
    mean = frame.one_radius(np.concatenate(sums))
    return mean, mean
