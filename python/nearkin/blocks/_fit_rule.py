"""Learning of classifiers from training rows in blocks."""

from dataclasses import replace

import numpy as np

from nearkin import _core
from nearkin.blocks import _ask_work, _work
from nearkin.blocks._compare import Alike, Called, Measured
from nearkin.blocks._engine import folded
from nearkin.blocks._entry import how_to_read
from nearkin.blocks._grid import grid, steps
from nearkin.blocks._look import knowing_all, look
from nearkin.blocks._model import needs_fit, needs_model, of_model
from nearkin.blocks._plan import FOLDED, choose
from nearkin.blocks._rule import Rule


def rule_blocks(engine, blocks, estimator, like, *, plan="auto", learn=None, fit=None, say=None):
    """The facts about training rows in blocks that a classifier of :mod:`nearkin.classify` needs.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    blocks : iterable of (X, y)
        Blocks of training rows in order, arrays or data frames, or promises of them.
    estimator : KNN, SKNN or one of the SDA family
        The classifier and its settings; it is not fitted.
    like : array or data frame
        No rows, or a few, of what X is.
    plan : {'auto', 'broadcast', 'grid'}, default='auto'
        Whether every worker gets all training rows, or nobody does; by size when left to the
        planner.
    learn : callable or None, default=None
        Called without arguments for what the estimator's ``measure`` learns from the blocks, where
        that is a learner which can; it gives None where not.
    fit : callable or None, default=None
        Called without arguments for the estimator, fitted in one place, where it has to look at
        all pairs of training rows to be fitted, but not to be asked.
    say : callable or None, default=None
        Told in words which plan was chosen and why.

    Returns
    -------
    dict
        ``plan`` and ``size``; ``classes``; and ``rule``, which is None where the plan is
        *broadcast*: such a classifier is fitted in one place, and goes to every worker. With a rule
        also ``notes``.

    Examples
    --------
    >>> import numpy as np
    >>> from nearkin import datasets
    >>> from nearkin.blocks import Engine, answer_blocks, rule_blocks
    >>> from nearkin.classify import KNN
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> blocks = list(zip(np.array_split(X, 4), np.array_split(y, 4)))
    >>> rule = rule_blocks(Engine(map), blocks, KNN(5), X[:0], plan="grid")["rule"]
    >>> [said] = answer_blocks(Engine(map), rule, blocks, [X[[0, 60, 140]]])
    >>> rule.classes[said["class"]]
    array([0, 1, 2])
    """
    here = fit is not None and needs_fit(estimator)
    whole = needs_model(estimator) if here else _needs_all(estimator)
    how = how_to_read(like, estimator.categorical_features)
    measure = None
    if whole is None and not here and isinstance(estimator.measure, str):
        measure = estimator.measure, estimator._measure_settings()
    seen = look(engine, blocks, how, estimator, measure)
    rule, sizes = _rule(engine, estimator, seen, how), []
    compare = None
    if measure is not None:
        numeric = [True] * len(how.names) if how.nominal is None else (~how.nominal).tolist()
        compare = Measured(measure, how.names, seen.summary, seen.classes, numeric)
    if whole is None and not here:
        rule, sizes = _asking(rule)
        whole = compare.whole() if compare else None
        whole = whole if rule.k else _LEARNS_MORE
    size = seen.size(engine, neighbours=rule.k * rule.groups)
    chosen = _chosen(size, plan, whole, here)
    if say is not None:
        say(str(chosen))
    found = {"plan": chosen, "size": size, "classes": seen.classes, "rule": None}
    if chosen.name == "broadcast":
        return found
    if here:
        return found | _fitted(fit(), rule, size, chosen)
    if compare is None:
        compare = _given(estimator, learn, seen.summary, how)
    else:
        compare = knowing_all(engine, compare, seen.rows)
    rule = replace(rule, compare=compare, step=chosen.step, folded=chosen.folded)
    if sizes:
        rule = _choosing(engine, rule, seen, sizes)
    return found | {"rule": rule, "notes": _core.CountedRule(*rule.counted).notes()}


def _rule(engine, estimator, seen, how):
    """The rule and what the first look told, before it knows whom it asks."""
    return Rule(
        method=estimator._method,
        parameters=estimator._settings(seen.classes, estimator._seed()),
        compare=None,
        how=replace(how, kinds=seen.kinds, strict=True),
        classes=seen.classes,
        class_counts=seen.counts,
        k=0,
        groups=0,
        lengths=seen.lengths,
        step=1,
        folded=1,
        threads=engine.threads,
    )


def _chosen(size, plan, whole, here):
    """The plan, in words for those who ask queries."""
    chosen = replace(choose(size, plan, whole, instead=""), of="queries at a time")
    if chosen.name == "broadcast":
        # Blocks of queries are asked as they are.
        return replace(chosen, step=0)
    if here:
        # How many at a time is known when it is.
        why = f"{chosen.why}; fitted in one place, since {_ALL_PAIRS}"
        return replace(chosen, why=why, step=0)
    return chosen


def _fitted(fitted, rule, size, chosen):
    """The result where a classifier was fitted in one place, and is asked elsewhere."""
    rule = of_model(fitted, rule)
    size = replace(size, neighbours=rule.k * rule.groups)
    step = choose(size, "grid")
    rule = replace(rule, step=step.step, folded=step.folded)
    plan = replace(chosen, step=step.step, folded=step.folded)
    return {"rule": rule, "notes": fitted._classifier.inside()["notes"], "plan": plan, "size": size}


_LEARNS_MORE = (
    "probabilities of a rule of scores are fitted to all training rows, compared with each other; "
    "leave probabilities and costs out"
)

_ALL_PAIRS = "all training rows are compared with each other then"


def _asking(rule):
    """The rule that knows whom it asks, and the numbers of neighbours it has to choose from; it
    asks nobody where it needs more than neighbours."""
    asks = _core.CountedRule(*rule.counted).asks()
    if asks is not None:
        return replace(rule, k=asks[0], groups=asks[1]), []
    sizes = _core.Choosing(*rule.counted).sizes()
    if sizes is None:
        return rule, []
    return replace(rule, k=max(sizes[0]), groups=sizes[1]), sizes[0]


def _choosing(engine, rule, seen, sizes):
    """The rule with the number of neighbours that costs least when each row is left out."""
    ids = steps(np.arange(seen.count, dtype=np.uint32), rule.step)

    def left_out(engine, carried, seen, queries):
        near = rule.nearest(engine, carried, seen, queries)
        return engine.one(_ask_work.leave_out, carried, queries, near)

    costs = grid(engine, engine.one(_work.as_is, rule), seen, ids, left_out)
    total = folded(engine, _work.fold_rows, costs, FOLDED)
    k = sizes[int(np.argmin(engine.get([total])[0]))]
    return replace(rule, k=k, parameters=rule.parameters | {"n_neighbors": str(k)})


def _needs_all(estimator):
    """Why training rows have to be in one place, as far as that is known before a look at them."""
    if estimator._given() is not None:
        return "similarities that are given are of all training rows with each other"
    if not estimator._asks_neighbours:
        return f"{estimator._method} compares all training rows with each other when it is fitted"
    from nearkin.learn import BaseLearner

    if isinstance(estimator.measure, BaseLearner) and not getattr(
        estimator.measure, "_in_blocks", False
    ):
        return (
            "its measure is learned from all rows; give a similarity that was learned before, or "
            "a learner of nearkin.dask"
        )
    return None


def _given(estimator, learn, summary, how):
    """The similarity or the function that was given as the measure, or that a learner learns."""
    from nearkin.learn import Similarity
    from nearkin.learn._base import Dissimilarity

    learned = learn() if learn is not None else None
    measure = estimator.measure if learned is None else learned
    if isinstance(measure, Dissimilarity):
        measure = measure.similarity
    if how.nominal is not None:
        name = how.names[int(np.argmax(how.nominal))]
        raise ValueError(
            f"measure: column `{name}` is nominal, and this measure compares rows of numbers; "
            "encode or drop it, or use a measure of categories such as 'heom'"
        )
    for name, column in zip(how.names, summary[2], strict=True):
        if column[2]:
            raise ValueError(
                f"column `{name}` has {column[2]} missing cells, and this measure compares rows of "
                "numbers; fill them in or drop it"
            )
    return Alike(measure) if isinstance(measure, Similarity) else Called(measure)
