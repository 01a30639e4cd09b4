"""Learning a similarity from blocks of rows: RBS and sRBS, whose steps are sums over rows."""

import numpy as np

from nearkin import _core
from nearkin.blocks import _work
from nearkin.blocks._entry import feature_names, how_to_read
from nearkin.blocks._plan import FOLDED, Size, choose
from nearkin.blocks._weigh import merged

ROWS = 256
"""Rows summed together: tasks begin at multiples of it, so that sums have the same bits."""


def learn_blocks(engine, blocks, estimator, like, *, say=None):
    """Learn a similarity from a table in blocks, as an estimator of :mod:`nearkin.learn` would.

    Neighbours are found once, with all rows at every worker; what is needed of them stays
    where it was found, and each step asks for margins and for one weighted sum.

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
    _core.blockwise(method, parameters)  # before anything moves
    X, y = zip(*blocks, strict=True)
    rows = engine.map(_work.read, X, y, [(None, dtype, True)] * len(X))
    del X, y
    told = engine.get(engine.map(_work.summarise, rows, [names] * len(rows), [True] * len(rows)))
    (count, _, columns), classes, counts = merged(told)
    for name, column in zip(names, columns, strict=True):
        if column[2]:
            missing = f"column `{name}` has {column[2]} missing cells"
            raise ValueError(f"{missing}; fill them in or drop it")
    rows = [part for part, (summary, _, _) in zip(rows, told, strict=True) if summary[0] > 0]
    size = Size(
        rows=count,
        nbytes=sum(nbytes for _, _, nbytes in told),
        blocks=len(rows),
        targets=count,
        neighbours=0,
        workers=engine.workers,
        memory=engine.memory,
    )
    plan = choose(size, whole="neighbours are looked for among all rows")
    step = max(ROWS, plan.step // ROWS * ROWS)
    if say is not None:
        say(str(plan))
    labels = [str(name) for name in classes]
    lesson = engine.one(_work.as_is, (method, parameters, names, classes, engine.threads))
    whole = engine.one(_work.join, *rows)
    starts = list(range(0, count, step))
    stops = [min(start + step, count) for start in starts]
    tasks = len(starts)
    pairs = engine.map(_work.pull, [lesson] * tasks, [whole] * tasks, starts, stops)
    del whole, rows
    how = [(parameters["matrix"], engine.threads)] * tasks

    def margins(cells):
        found = engine.get(engine.map(_work.margins, pairs, how, [cells] * tasks))
        return np.concatenate(found)

    def sums(weights):
        slices = [weights[a:b] for a, b in zip(starts, stops, strict=True)]
        parts = engine.map(_work.sum_pairs, pairs, how, slices)
        total = None
        for at in range(0, tasks, FOLDED):
            total = engine.one(_work.fold_rows, total, *parts[at : at + FOLDED])
        return engine.get([total])[0]

    found = _core.learn_elsewhere(
        method, parameters, names, labels, counts, count, margins, sums
    )
    [note] = engine.get(engine.map(_work.note, pairs[:1]))
    found["notes"] = ([note] if note else []) + found["notes"]
    return found | {"classes": classes, "plan": plan}
