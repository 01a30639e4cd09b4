"""Weighing features of a table in blocks, by whatever runs functions side by side."""

from collections.abc import Mapping
from functools import partial

from nearkin import _core
from nearkin.blocks import _work
from nearkin.blocks._engine import folded
from nearkin.blocks._entry import how_to_read
from nearkin.blocks._grid import (
    grid,
    nearest_step,
    one_radius,
    own_radius_step,
    steps,
    within_step,
)
from nearkin.blocks._look import knowing_all, look
from nearkin.blocks._plan import FOLDED, choose
from nearkin.blocks._spec import Spec


def weigh_blocks(engine, blocks, estimator, like, *, plan="auto", say=None):
    """Weigh features of a table in blocks as an estimator of :mod:`nearkin.weigh` would.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    blocks : iterable of (X, y)
        Blocks of rows in order, arrays or data frames, or promises of them. ``Within`` in the
        place of y names the column of X that it is.
    estimator : BaseWeigher
        The method and its settings; it is not fitted.
    like : array or data frame
        No rows, or a few, of what X is: its columns and dtypes.
    plan : {'auto', 'broadcast', 'grid'}, default='auto'
        Whether every worker gets all rows, or none does; by size when left to the planner.
    say : callable or None, default=None
        Told in words which plan was chosen and why.

    Returns
    -------
    dict
        ``weights`` and what else the estimator wants, by the names of its attributes without
        the underscore; ``classes``, ``plan`` and ``size``.
    """
    seed = estimator._seed()
    _refuse(estimator, seed)
    how = how_to_read(like, estimator.categorical_features, estimator._explains_classes)
    seen = look(engine, blocks, how, estimator)
    spec = knowing_all(engine, _spec(engine, seen, estimator, seed), seen.rows)
    frame = spec.frame()
    targets, own = frame.targets(), frame.radius()
    classes, k = spec.room
    neighbours = k * classes if own is None else 0
    found = {"neighbours": neighbours, "sums": 8 * frame.within_width()}
    size = seen.size(engine, targets=len(targets), **found)
    chosen = choose(size, plan, frame.needs_whole())
    if say is not None:
        say(str(chosen))
    ids = steps(targets, chosen.step)
    carried = engine.one(_work.as_is, spec)
    if chosen.name == "broadcast":
        whole = engine.one(_work.join, *seen.rows)
        parts = engine.map(_work.sum_whole, [carried] * len(ids), [whole] * len(ids), ids)
        del whole
    else:
        if own is None:
            step = nearest_step
        elif own:
            step = own_radius_step
        else:
            radius = one_radius(engine, carried, frame, seen, chosen.step)
            step = partial(within_step, limits=radius)
        parts = grid(engine, carried, seen, ids, partial(step, number=chosen.folded))
    total = folded(engine, _work.fold, parts, FOLDED)
    del parts
    [(sums, single, weights)] = engine.get([total])
    found = frame.finish(sums, single, weights)
    return found | {"classes": spec.classes, "plan": chosen, "size": size}


def _refuse(estimator, seed):
    """Say what blocks cannot do, before any is read."""
    if not isinstance(getattr(estimator, "priors", None), Mapping):  # whose classes come later
        method, parameters, wrap = estimator._plan(None, seed)
        if wrap:
            raise ValueError(
                f"{wrap[-1][0]} wraps methods on one machine; weigh without it in blocks"
            )
        wanted = {of: bool(getattr(estimator, of)) for of in ("per_class", "pairs")}
        _core.Frame.check(method, parameters, stir=estimator.p_values == "stir", **wanted)
    tests = estimator._tests(seed)
    if tests["association"] is not None:
        raise ValueError(
            "p_values: the test of association, by which p and q select, compares every row with "
            "all others for each feature, which blocks do not; leave p and q at None, or fit "
            "nearkin.weigh.Association to a sample on one machine"
        )
    if tests["permutations"] is not None:
        raise ValueError(
            "p_values: a permutation test weighs all rows again for each shuffle of y, which "
            "blocks do not see; use p_values='stir'"
        )
    if estimator._bootstrap(seed) is not None:
        raise ValueError(
            "interval: a bootstrap draws among the contributions of all rows, which no block has; "
            "leave it out, or weigh a sample on one machine"
        )


def _spec(engine, seen, estimator, seed):
    """The method, its settings and what else is wanted, as the core takes them, for this table."""
    method, parameters, _ = estimator._plan(seen.classes, seed)
    wanted = estimator._wanted(seen.count, seed)
    for of_all_rows in ("permutations", "bootstrap", "association"):
        del wanted[of_all_rows]
    if seen.classes is not None:
        estimator._refuse_uneven(seen.counts, seen.classes.tolist())
    known = {"classes": seen.classes, "class_counts": tuple(seen.counts), "span": seen.span}
    return Spec(method, parameters, wanted, seen.summary, threads=engine.threads, **known)
