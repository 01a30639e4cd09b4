"""Classifiers over training rows in blocks: what they learn, and what they answer."""

from dataclasses import replace

import numpy as np

from nearkin import _core
from nearkin.blocks import _ask_work, _work
from nearkin.blocks._compare import Alike, Called, Measured
from nearkin.blocks._entry import feature_names, how_to_read
from nearkin.blocks._model import needs_fit, needs_model, of_model
from nearkin.blocks._plan import FOLDED, Size, choose
from nearkin.blocks._rule import Rule, nearest_among
from nearkin.blocks._weigh import _grid, merged


def rule_blocks(engine, blocks, estimator, like, *, plan="auto", learn=None, fit=None, say=None):
    """What a classifier of :mod:`nearkin.classify` has to know of training rows in blocks.

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
    from nearkin._columns import checked_target  # and scikit-learn with it, which tasks do without

    here = fit is not None and needs_fit(estimator)
    whole = needs_model(estimator) if here else _needs_all(estimator)
    nominal, dtype, _, _ = how_to_read(like, estimator.categorical_features, True)
    how, names = (nominal, dtype, True), feature_names(like)
    measure = None
    if whole is None and not here and isinstance(estimator.measure, str):
        measure = estimator.measure, estimator._measure_settings()
    X, y = zip(*blocks, strict=True)
    rows = engine.map(_work.read, X, y, [how] * len(X))
    del X, y
    every = [[value] * len(rows) for value in (names, True, measure)]
    told = engine.get(engine.map(_work.summarise, rows, *every))
    summary, classes, counts = merged(told)
    checked_target(estimator, classes, classes=True)
    if summary[0] < 2:
        raise ValueError(f"Found array with {summary[0]} sample(s); a classifier needs at least 2")
    numeric = [True] * len(names) if nominal is None else (~nominal).tolist()
    parameters = estimator._settings(classes, estimator._seed())
    class_names = [str(name) for name in classes]
    compare = Measured(measure, names, summary, class_names, numeric) if measure else None
    rule = Rule(
        estimator._method,
        parameters,
        compare,
        how,
        classes,
        counts,
        0,
        0,
        lengths=tuple(one[0] for one, _, _ in told),
        step=1,
        folded=1,
        threads=engine.threads,
    )
    sizes = []
    if whole is None and not here:
        rule, sizes = _asking(rule)
        whole = compare.learning().needs()[2] if compare else None
        whole = whole if rule.k else _LEARNS_MORE
    size = Size(
        rows=summary[0],
        nbytes=sum(nbytes for _, _, nbytes in told),
        blocks=sum(one[0] > 0 for one, _, _ in told),
        targets=summary[0],
        neighbours=rule.k * rule.groups,
        workers=engine.workers,
        memory=engine.memory,
    )
    chosen = replace(choose(size, plan, whole, instead=""), of="queries at a time")
    if chosen.name == "broadcast":
        # Blocks of queries are asked as they are.
        chosen = replace(chosen, step=0)
    elif here:
        chosen = replace(chosen, why=f"{chosen.why}; fitted in one place, since {_ALL_PAIRS}")
    if say is not None:
        say(str(chosen))
    found = {"plan": chosen, "size": size, "classes": classes, "rule": None}
    if chosen.name == "broadcast":
        return found
    rule = replace(rule, step=chosen.step, folded=chosen.folded)
    if here:
        fitted = fit()
        return found | {"rule": of_model(fitted, rule, names), "notes": fitted.notes_}
    if compare is None:
        compare = _given(estimator, learn, summary, names, nominal)
    else:
        compare = _learned(engine, compare, classes, rows)
    rule = replace(rule, compare=compare)
    if sizes:
        rule = _choosing(engine, rule, rows, sizes, chosen.step)
    return found | {"rule": rule, "notes": _core.CountedRule(*rule.counted).notes()}


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


def _choosing(engine, rule, rows, sizes, step):
    """The rule with the number of neighbours that costs least when each row is left out."""
    kept = [at for at, length in enumerate(rule.lengths) if length > 0]
    rows, starts = [rows[at] for at in kept], [rule.starts[at] for at in kept]
    every = np.arange(sum(rule.lengths), dtype=np.uint32)
    ids = [every[at : at + step] for at in range(0, len(every), step)]

    def left_out(engine, carried, rows, starts, own, queries):
        near = nearest_among(engine, rule, carried, rows, starts, queries, own)
        return engine.one(_ask_work.leave_out, carried, queries, near)

    costs = _grid(engine, engine.one(_work.as_is, rule), rows, starts, ids, left_out)
    total = None
    for at in range(0, len(costs), FOLDED):
        total = engine.one(_work.fold_rows, total, *costs[at : at + FOLDED])
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


def _learned(engine, compare, classes, rows):
    """The measure with what needs another look at every block."""
    counts, deviations, _ = compare.learning().needs()
    carried = engine.one(_work.as_is, compare)
    if counts:
        all_rows = [carried] * len(rows), [classes] * len(rows), rows
        found = engine.get(engine.map(_ask_work.tally, *all_rows))
        compare = compare.knowing(counts=_work.add_up(*found))
    if deviations:
        sums = squares = None
        for block in rows:
            sums = engine.one(_ask_work.spread, sums, carried, block)
        for block in rows:
            squares = engine.one(_ask_work.spread, squares, carried, block, sums)
        compare = compare.knowing(squares=engine.get([squares])[0])
    return compare


def _given(estimator, learn, summary, names, nominal):
    """The similarity or the function that was given as the measure, or that a learner learns."""
    from nearkin.learn import Similarity
    from nearkin.learn._base import Dissimilarity

    learned = learn() if learn is not None else None
    measure = estimator.measure if learned is None else learned
    if isinstance(measure, Dissimilarity):
        measure = measure.similarity
    if nominal is not None:
        raise ValueError(
            f"measure: column `{names[int(np.argmax(nominal))]}` is nominal, and this measure "
            "compares rows of numbers; encode or drop it, or use a measure of categories such as "
            "'heom'"
        )
    for name, column in zip(names, summary[2], strict=True):
        if column[2]:
            raise ValueError(
                f"column `{name}` has {column[2]} missing cells, and this measure compares rows of "
                "numbers; fill them in or drop it"
            )
    return Alike(measure) if isinstance(measure, Similarity) else Called(measure)


def answer_blocks(engine, rule, blocks, queries, how=None):
    """What a rule says of queries in blocks; nobody ever holds all training rows.

    Each block of queries meets each block of training rows; the most similar rows that each has
    are merged, and the rule decides on those.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    rule : Rule
        What :func:`rule_blocks` found.
    blocks : iterable of (X, y)
        The blocks of training rows that it was found in.
    queries : iterable
        Blocks of queries with the same features, arrays or data frames, or promises of them.
    how : tuple or None, default=None
        How queries are read, where their numbers are of another precision than the training rows'.

    Returns
    -------
    list
        For each block of queries a promise of what the rule says of them: a dict with ``class``,
        codes into the rule's classes; ``scores``; and ``log_posteriors`` where it has any.
    """
    X, y = zip(*blocks, strict=True)
    kept = [at for at, length in enumerate(rule.lengths) if length > 0 and rule.k > 0]
    parts = [X[at] for at in kept], [y[at] for at in kept]
    rows = engine.map(_work.read, *parts, [rule.how] * len(kept))
    starts = [rule.starts[at] for at in kept]
    carried = engine.one(_work.as_is, rule)
    queries = list(queries)
    asked = engine.map(_ask_work.read_queries, queries, [how or rule.how] * len(queries))
    return [rule.answered(engine, carried, rows, starts, block) for block in asked]
