"""Weighing features of a table in blocks, by whatever runs functions side by side."""

from functools import partial

import numpy as np

from nearkin import _core
from nearkin.blocks import _work
from nearkin.blocks._plan import FOLDED, Size, choose
from nearkin.blocks._spec import Spec, one_thread


class Engine:
    """What runs tasks: a ``map`` and, where that gives promises, a way to get their values.

    ``map(function, *iterables)`` calls the function for each tuple of arguments and gives the
    results in order. They are handed to later calls as they are, so a map may give promises
    (futures of Dask, object references of Ray) as long as a task finds values in their place.
    ``get(results)`` turns a list of them into a list of values.
    """

    workers = 1
    memory = None
    threads = staticmethod(one_thread)

    def __init__(self, map=map, get=list, *, workers=1, memory=None, threads=one_thread):
        self._map, self._get = map, get
        self.workers, self.memory, self.threads = workers, memory, threads

    def map(self, function, *iterables):
        """Call the function for each tuple of arguments; results or promises, in order."""
        return list(self._map(function, *[list(iterable) for iterable in iterables]))

    def get(self, results):
        """Values of results, in order."""
        return list(self._get(results))

    def wait(self, result):
        """Wait until a result is there, wherever it is: no more is begun before."""

    def one(self, function, *arguments):
        """Call the function once."""
        return self.map(function, *[[argument] for argument in arguments])[0]


def weigh(engine, blocks, how, *, method, parameters, wanted, names, plan="auto", say=None):
    """Weigh the features of a table that comes in blocks; the same bits as in one piece.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    blocks : iterable of (X, y)
        Blocks of rows in order, or promises of them.
    how : tuple
        How blocks are read: a mask of the nominal features or None, the dtype of numbers,
        whether y holds classes, and whether categories are in the order of numbers.
    method, parameters, wanted : str, dict, dict
        The method's id, its settings as texts, and what else is wanted.
    names : list of str
        The features' names.
    plan : {'auto', 'broadcast', 'grid'}, default='auto'
        Whether every worker gets all rows, or nobody does.
    say : callable or None, default=None
        Told in words what is going to happen.

    Returns
    -------
    dict
        What the core finds, and ``classes`` and ``plan``.
    """
    *how, in_order = how
    X, y = zip(*blocks, strict=True)
    rows = engine.map(_work.read, X, y, [tuple(how)] * len(X))
    del X, y  # so that promises of what was read can be forgotten
    told = engine.get(engine.map(_work.summarise, rows, [names] * len(rows), [how[2]] * len(rows)))
    spec, starts = _spec(engine, told, method, parameters, wanted, how[2], in_order)
    # Blocks without rows say nothing.
    kept = [at for at, (summary, _, _) in enumerate(told) if summary[0] > 0]
    rows, starts = [rows[at] for at in kept], [starts[at] for at in kept]
    spec = _with_statistics(engine, spec, rows)
    frame = spec.frame()
    targets = frame.targets()
    classes = 1 if spec.classes is None else len(spec.classes)
    k = int(parameters.get("n_neighbors", 0))
    own = frame.radius()
    size = Size(
        rows=spec.summary[0],
        nbytes=sum(nbytes for _, _, nbytes in told),
        blocks=len(rows),
        targets=len(targets),
        neighbours=k * classes if own is None else 0,
        sums=8 * frame.within_width(),
        workers=engine.workers,
        memory=engine.memory,
    )
    chosen = choose(size, plan, frame.needs_whole())
    if say is not None:
        say(str(chosen))
    ids = [targets[at : at + chosen.step] for at in range(0, len(targets), chosen.step)]
    carried = engine.one(_work.as_is, spec)
    within = partial(_within_step, folded=chosen.folded)
    if chosen.name == "broadcast":
        parts = _broadcast(engine, carried, rows, ids)
    elif own is None:
        nearest = partial(_nearest_step, folded=chosen.folded)
        parts = _grid(engine, carried, rows, starts, ids, nearest)
    elif own:
        parts = _grid(engine, carried, rows, starts, ids, partial(_own_radius_step, within=within))
    else:
        radius = _one_radius(engine, carried, frame, rows, starts, chosen.step, size.rows)
        parts = _grid(engine, carried, rows, starts, ids, partial(within, limits=radius))
    total = None
    for at in range(0, len(parts), FOLDED):
        total = engine.one(_work.fold, total, *parts[at : at + FOLDED])
    del parts
    [(sums, single, weights)] = engine.get([total])
    found = frame.finish(sums, single, weights)
    return found | {"classes": spec.classes, "plan": chosen, "size": size}


def _spec(engine, told, method, parameters, wanted, classes, in_order):
    """What the statistics pass found, merged, and where each block begins."""
    summary, found, counts = merged(told, classes)
    if in_order:
        columns = [
            column if len(column) == 3 else (sorted(column[0], key=_number), column[1])
            for column in summary[2]
        ]
        summary = (*summary[:2], columns)
    starts = np.concatenate([[0], np.cumsum([summary[0] for summary, _, _ in told])]).tolist()
    spec = Spec(method, parameters, wanted, summary, threads=engine.threads)
    if classes:
        return spec.knowing(classes=found, class_counts=tuple(counts)), starts
    spans = [span for _, span, _ in told if span is not None]
    low = min((span[0] for span in spans), default=0.0)
    high = max((span[1] for span in spans), default=0.0)
    return spec.knowing(span=(float(low), float(high))), starts


def merged(told, classes=True):
    """The summary of all blocks, the classes in order, and the rows of each."""
    summaries = [summary for summary, _, _ in told]
    summary = _core.merge_summaries([s for s in summaries if s[0] > 0] or summaries[:1])
    if not classes:
        return summary, None, None
    labels = [labels for _, (labels, _), _ in told if len(labels)]
    found = np.unique(np.concatenate(labels)) if labels else np.empty(0)
    counts = np.zeros(len(found), dtype=np.int64)
    for _, (own, number), _ in told:
        if len(own):
            counts[np.searchsorted(found, own)] += number
    return summary, found, counts.tolist()


def _number(category):
    try:
        return float(category)
    except ValueError:
        return float(category == "True")


def _with_statistics(engine, spec, rows):
    """The spec with what needs another look at every block."""
    counts, deviations = spec.frame().needs()
    if not counts and not deviations:
        return spec
    carried = engine.one(_work.as_is, spec)
    if counts:
        found = engine.get(engine.map(_work.count, [carried] * len(rows), rows))
        spec = spec.knowing(counts=_work.add_up(*found))
    if deviations:
        sums = None
        for block in rows:
            sums = engine.one(_work.deviate, sums, carried, block)
        squares = None
        for block in rows:
            squares = engine.one(_work.deviate, squares, carried, block, sums)
        spec = spec.knowing(squares=engine.get([squares])[0])
    return spec


def _broadcast(engine, spec, rows, ids):
    whole = engine.one(_work.join, *rows)
    return engine.map(_work.sum_whole, [spec] * len(ids), [whole] * len(ids), ids)


def _grid(engine, spec, rows, starts, ids, step):
    """What each step of targets says, ``step`` by step past all base blocks.

    A few are under way at a time, the earlier first: what is found and gathered for targets is
    never there for all of them at once.
    """
    ahead = 2 * max(1, engine.workers)
    parts = []
    for at, one in enumerate(ids):
        if at >= ahead:
            engine.wait(parts[at - ahead])
        queries = _gather(engine, rows, starts, one)
        parts.append(step(engine, spec, rows, starts, one, queries))
    return parts


def _past(engine, function, spec, queries, ids, rows, starts, *more):
    """Each base block is looked through where it is; what travels is small."""
    blocks = len(rows)
    more = [[value] * blocks for value in more]
    return engine.map(
        function, [spec] * blocks, [queries] * blocks, [ids] * blocks, *more, rows, starts
    )


def _nearest_step(engine, spec, rows, starts, ids, queries, folded):
    """The nearest among each block, and among all; then those themselves."""
    found = _past(engine, _work.nearest, spec, queries, ids, rows, starts)
    near = None
    for at in range(0, len(found), folded):
        near = engine.one(_work.merge, near, spec, *found[at : at + folded])
    picked = engine.map(_work.pick, [near] * len(rows), rows, starts)
    return engine.one(_work.sum_near, spec, queries, ids, near, *picked)


def _within_step(engine, spec, rows, starts, ids, queries, limits, folded):
    """What the rows within limits add up to, in any order: they are whole numbers."""
    found = _past(engine, _work.within, spec, queries, ids, rows, starts, limits)
    total = None
    for at in range(0, len(found), folded):
        total = engine.one(_work.add_up, total, *found[at : at + folded])
    return engine.one(_work.sum_within, spec, queries, ids, total)


def _own_radius_step(engine, spec, rows, starts, ids, queries, within):
    """Means of distances, then deviations, then who is within."""
    sums = _measured(engine, spec, rows, starts, ids, queries)
    squares = _measured(engine, spec, rows, starts, ids, queries, sums)
    limits = engine.one(_work.bound, spec, sums, squares)
    return within(engine, spec, rows, starts, ids, queries, limits)


def _measured(engine, spec, rows, starts, ids, queries, *sums):
    """Sums of distances go from block to block: doubles, added in the order of rows."""
    total = None
    for block, first in zip(rows, starts, strict=True):
        total = engine.one(_work.measure, total, spec, queries, ids, block, first, *sums)
    return total


def _one_radius(engine, spec, frame, rows, starts, step, count):
    """The mean distance of all rows, whether they are targets or not."""
    every = np.arange(count, dtype=np.uint32)
    ids = [every[at : at + step] for at in range(0, len(every), step)]
    sums = engine.get(_grid(engine, spec, rows, starts, ids, _measured))
    mean = frame.one_radius(np.concatenate(sums))
    return mean, mean


def _gather(engine, rows, starts, ids):
    """The rows with these numbers, in order, from the blocks that have them."""
    ids = ids.astype(np.int64)
    of = np.searchsorted(starts, ids, side="right") - 1
    order = np.argsort(of, kind="stable")
    holders, counts = np.unique(of, return_counts=True)
    wanted = np.split(ids[order], np.cumsum(counts)[:-1])
    pieces = engine.map(
        _work.take,
        [rows[block] for block in holders],
        [part - starts[block] for part, block in zip(wanted, holders, strict=True)],
    )
    return engine.one(_work.gather, np.argsort(order, kind="stable"), *pieces)
