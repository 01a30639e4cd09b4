"""Learning a similarity from blocks of rows: RBS and sRBS, whose steps are sums over rows."""

from dataclasses import replace
from functools import partial

import numpy as np

from nearkin import _core
from nearkin.blocks import _learn_work, _work
from nearkin.blocks._entry import feature_names, how_to_read
from nearkin.blocks._learn_work import Lesson
from nearkin.blocks._plan import FOLDED, Size, choose
from nearkin.blocks._weigh import _grid, merged

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
        What the core finds; ``classes`` and ``plan``.
    """
    nominal, dtype, _, _ = how_to_read(like, "from_dtype", True)
    if nominal is not None:
        raise ValueError("a similarity is learned from numbers; drop or encode categorical columns")
    names, method = feature_names(like), estimator._method
    parameters = estimator._settings(None, estimator._seed())
    k = _core.blockwise(method, parameters)  # before anything moves
    X, y = zip(*blocks, strict=True)
    rows = engine.map(_work.read, X, y, [(None, dtype, True)] * len(X))
    del X, y
    told = engine.get(engine.map(_work.summarise, rows, [names] * len(rows), [True] * len(rows)))
    (count, _, columns), classes, counts = merged(told)
    for name, column in zip(names, columns, strict=True):
        if column[2]:
            missing = f"column `{name}` has {column[2]} missing cells"
            raise ValueError(f"{missing}; fill them in or drop it")
    starts = np.concatenate([[0], np.cumsum([summary[0] for summary, _, _ in told])]).tolist()
    kept = [at for at, (summary, _, _) in enumerate(told) if summary[0] > 0]
    rows, starts = [rows[at] for at in kept], [starts[at] for at in kept]
    size = Size(
        rows=count,
        nbytes=sum(nbytes for _, _, nbytes in told),
        blocks=len(rows),
        targets=count,
        neighbours=k * len(classes),
        workers=engine.workers,
        memory=engine.memory,
    )
    chosen = choose(size, plan)
    chosen = replace(chosen, step=max(ROWS, chosen.step // ROWS * ROWS))
    if say is not None:
        say(str(chosen))
    labels = [str(name) for name in classes]
    lesson = Lesson(method, parameters, names, classes, k, engine.threads)
    carried = engine.one(_work.as_is, lesson)
    every = np.arange(count, dtype=np.uint32)
    ids = [every[at : at + chosen.step] for at in range(0, count, chosen.step)]
    if chosen.name == "broadcast":
        whole = engine.one(_work.join, *rows)
        pairs = engine.map(_learn_work.pull, [carried] * len(ids), [whole] * len(ids), ids)
        del whole
    else:
        step = partial(_neighbours_step, folded=chosen.folded)
        pairs = _grid(engine, carried, rows, starts, ids, step)
    del rows
    tasks = len(ids)
    how = [(parameters["matrix"], engine.threads)] * tasks

    def margins(cells):
        found = engine.get(engine.map(_learn_work.margins, pairs, how, [cells] * tasks))
        return np.concatenate(found)

    def sums(weights):
        slices = [weights[part[0] : part[-1] + 1] for part in ids]
        parts = engine.map(_learn_work.sum_pairs, pairs, how, slices)
        total = None
        for at in range(0, tasks, FOLDED):
            total = engine.one(_work.fold_rows, total, *parts[at : at + FOLDED])
        return engine.get([total])[0]

    found = _core.learn_elsewhere(
        method, parameters, names, labels, counts, count, margins, sums
    )
    notes = engine.get(engine.map(_learn_work.note, pairs))
    notes = list(dict.fromkeys(note for note in notes if note))
    return found | {"classes": classes, "plan": chosen, "notes": notes + found["notes"]}


def _neighbours_step(engine, lesson, rows, starts, ids, queries, folded):
    """The neighbours among each block and among all; then those themselves."""
    blocks = len(rows)
    same = [lesson] * blocks, [queries] * blocks, [ids] * blocks
    found = engine.map(_learn_work.nearest, *same, rows, starts)
    near = None
    for at in range(0, blocks, folded):
        near = engine.one(_learn_work.merge, near, lesson, *found[at : at + folded])
    sides = engine.one(_learn_work.sides, lesson, queries, near)
    picked = engine.map(_work.pick, [sides] * blocks, rows, starts)
    return engine.one(_learn_work.pull_picked, lesson, queries, ids, sides, *picked)
