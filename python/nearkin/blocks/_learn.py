"""Learning a similarity from blocks of rows: RBS and sRBS, whose steps are sums over rows."""

import warnings
from dataclasses import replace
from functools import partial

import numpy as np

from nearkin import _core
from nearkin.blocks import _learn_work, _work
from nearkin.blocks._engine import folded
from nearkin.blocks._entry import how_to_read
from nearkin.blocks._grid import grid, nearest_of_all, picked, steps
from nearkin.blocks._learn_work import Lesson
from nearkin.blocks._look import look
from nearkin.blocks._plan import FOLDED, choose

ROWS = 256
"""Rows summed together: tasks begin at multiples of it, so that sums have the same bits."""


def learn_blocks(engine, blocks, estimator, like, *, plan="auto", say=None):
    """Learn a similarity from a table in blocks, as an estimator of :mod:`nearkin.learn` would.

    Neighbours are found once, with all rows at every worker or block by block; what is needed of
    them stays where it was found, and each step asks for margins and for one weighted sum.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    blocks : iterable of (X, y)
        Blocks of rows in order, arrays or data frames of numbers, or promises of them.
    estimator : BaseLearner
        The method and its settings: RBS, sRBS and their PSD forms. It is not fitted.
    like : array or data frame
        No rows, or a few, of what X is.
    plan : {'auto', 'broadcast', 'grid'}, default='auto'
        Whether every worker gets all rows while neighbours are found, or nobody does; by size
        when left to the planner.
    say : callable or None, default=None
        Told in words what is going to happen.

    Returns
    -------
    dict
        What the core finds; ``classes``, ``plan`` and ``size``. Where nothing can be learned,
        ``reason`` in the place of what the core finds.
    """
    # A row of zeros has no cosine with any other, and is left out as on one machine.
    empty = estimator._norm() != "cosine" or bool(estimator.constant)
    how = how_to_read(like, "from_dtype", empty=empty)
    if how.nominal is not None:
        raise ValueError("a similarity is learned from numbers; drop or encode categorical columns")
    method, parameters = estimator._method, estimator._settings(None, estimator._seed())
    k = _core.blockwise(method, parameters)  # before anything moves
    seen = look(engine, blocks, how, estimator)
    _check(seen, how)
    size = seen.size(engine, neighbours=k * len(seen.classes))
    chosen = choose(size, plan)
    chosen = replace(chosen, step=max(ROWS, chosen.step // ROWS * ROWS))
    if say is not None:
        say(str(chosen))
    lesson = Lesson(method, parameters, how.names, seen.classes, k, engine.threads)
    ids = steps(_with_margin(engine, seen), chosen.step)
    pairs = _pairs(engine, lesson, seen, ids, chosen)
    asked = partial(_margins, engine, pairs, lesson), partial(_sums, engine, pairs, lesson, ids)
    told = [str(name) for name in seen.classes], seen.counts, sum(map(len, ids))
    known = {"classes": seen.classes, "plan": chosen, "size": size}
    notes = engine.get(engine.map(_learn_work.notes, pairs))
    notes = list(dict.fromkeys(note for some in notes for note in some))
    try:
        found = _core.learn_elsewhere(method, parameters, how.names, *told, *asked)
    except _core.NoAnswer as reason:
        return known | {"reason": str(reason), "notes": notes}
    return found | known | {"notes": notes + found["notes"]}


def _check(seen, how):
    for name, column in zip(how.names, seen.summary[2], strict=True):
        if column[2]:
            missing = f"column `{name}` has {column[2]} missing cells"
            raise ValueError(f"{missing}; fill them in or drop it")
    if seen.dropped:
        warnings.warn(
            f"{seen.dropped} rows are all zeros and have no cosine with any other; they are left "
            "out",
            stacklevel=4,
        )


def _with_margin(engine, seen):
    """The numbers of rows that have another of their class."""
    every = np.arange(seen.count, dtype=np.uint32)
    counts = np.asarray(seen.counts)
    if (counts > 1).all():
        return every
    single, blocks = seen.classes[counts == 1], len(seen.rows)
    found = engine.get(engine.map(_learn_work.places, seen.rows, [single] * blocks))
    alone = [first + at for first, at in zip(seen.starts, found, strict=True)]
    return np.delete(every, np.concatenate(alone))


def _pairs(engine, lesson, seen, ids, chosen):
    """Promises of what rows learn from, step by step."""
    carried = engine.one(_work.as_is, lesson)
    if chosen.name == "broadcast":
        whole = engine.one(_work.join, *seen.rows)
        return engine.map(_learn_work.pull, [carried] * len(ids), [whole] * len(ids), ids)
    step = partial(_neighbours_step, number=chosen.folded)
    return grid(engine, carried, seen, ids, step)


def _neighbours_step(engine, lesson, seen, queries, number):
    """The neighbours among each block and among all; then those themselves."""
    near = nearest_of_all(engine, _learn_work.nearest, lesson, queries, seen, number)
    sides = engine.one(_learn_work.sides, lesson, queries, near)
    beside = picked(engine, sides, seen)
    return engine.one(_learn_work.pull_picked, lesson, queries, sides, *beside)


def _margins(engine, pairs, lesson, cells):
    """The margins of all rows under a matrix, which goes to the workers once."""
    cells, tasks = engine.one(_work.as_is, cells), len(pairs)
    found = engine.map(_learn_work.margins, pairs, [lesson.form] * tasks, [cells] * tasks)
    return np.concatenate(engine.get(found))


def _sums(engine, pairs, lesson, ids, weights):
    """The weighted sum over all rows, each task given the weights of its own."""
    ends = np.cumsum([len(one) for one in ids])[:-1]
    forms, slices = [lesson.form] * len(pairs), np.split(weights, ends)
    parts = engine.map(_learn_work.sum_pairs, pairs, forms, slices)
    return engine.get([folded(engine, _work.fold_rows, parts, FOLDED)])[0]
