"""Rules of neighbours over training rows in blocks: what they learn, and what they answer."""

from dataclasses import dataclass, replace

import numpy as np

from nearkin import _core
from nearkin.blocks import _ask_work, _work
from nearkin.blocks._compare import Alike, Called, Measured
from nearkin.blocks._entry import feature_names, how_to_read
from nearkin.blocks._plan import Size, choose
from nearkin.blocks._spec import one_thread
from nearkin.blocks._weigh import merged


@dataclass(frozen=True)
class Rule:
    """A rule of neighbours and what it knows of its training rows: all but the rows."""

    method: str
    parameters: dict
    compare: object
    """How rows are compared."""
    how: tuple
    """How blocks are read."""
    classes: np.ndarray
    class_counts: list
    k: int
    groups: int
    """1, or the number of classes where k rows of each are asked for."""
    lengths: tuple
    """Rows of each block."""
    step: int
    folded: int
    threads: object = one_thread

    @property
    def class_names(self):
        """Those of the classes, as the core takes them."""
        return [str(name) for name in self.classes]


def rule_blocks(engine, blocks, estimator, like, *, plan="auto", learn=None, say=None):
    """What a classifier of :mod:`nearkin.classify` has to know of training rows in blocks.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    blocks : iterable of (X, y)
        Blocks of training rows in order, arrays or data frames, or promises of them.
    estimator : KNN or SKNN
        The rule and its settings; it is not fitted.
    like : array or data frame
        No rows, or a few, of what X is.
    plan : {'auto', 'broadcast', 'grid'}, default='auto'
        Whether every worker gets all training rows, or nobody does; by size when left to the
        planner.
    learn : callable or None, default=None
        Called without arguments for what the estimator's ``measure`` learns from the blocks, where
        that is a learner which can; it gives None where not.
    say : callable or None, default=None
        Told in words which plan was chosen and why.

    Returns
    -------
    dict
        ``plan`` and ``size``; ``classes``; and ``rule``, which is None where the plan is
        *broadcast*: such a classifier is fitted in one place. With a rule also ``notes``.
    """
    from nearkin._columns import checked_target  # and scikit-learn with it, which tasks do without

    whole = _needs_all(estimator)
    nominal, dtype, _, _ = how_to_read(like, estimator.categorical_features, True)
    how, names = (nominal, dtype, True), feature_names(like)
    measure = None
    if whole is None and isinstance(estimator.measure, str):
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
    class_names = [str(name) for name in classes]
    numeric = [True] * len(names) if nominal is None else (~nominal).tolist()
    parameters = estimator._settings(classes, estimator._seed())
    compare = Measured(measure, names, summary, class_names, numeric) if measure else None
    counted = _core.CountedRule(estimator._method, parameters, class_names, counts)
    k, groups = counted.asks() or (0, 0)
    if whole is None:
        whole = compare.learning().needs()[2] if compare else None
        whole = whole if k else _LEARNS_MORE
    size = Size(
        rows=summary[0],
        nbytes=sum(nbytes for _, _, nbytes in told),
        blocks=sum(one[0] > 0 for one, _, _ in told),
        targets=summary[0],
        neighbours=k * groups,
        workers=engine.workers,
        memory=engine.memory,
    )
    chosen = replace(choose(size, plan, whole, instead=""), of="queries at a time")
    if chosen.name == "broadcast":
        # Blocks of queries are asked as they are.
        chosen = replace(chosen, step=0)
    if say is not None:
        say(str(chosen))
    found = {"plan": chosen, "size": size, "classes": classes, "rule": None}
    if chosen.name == "broadcast":
        return found
    if compare is None:
        compare = _given(estimator, learn, summary, names, nominal)
    else:
        compare = _learned(engine, compare, classes, rows)
    rule = Rule(
        estimator._method,
        parameters,
        compare,
        how,
        classes,
        counts,
        k,
        groups,
        lengths=tuple(one[0] for one, _, _ in told),
        step=chosen.step,
        folded=chosen.folded,
        threads=engine.threads,
    )
    return found | {"rule": rule, "notes": counted.notes()}


_LEARNS_MORE = (
    "a rule that chooses the number of neighbours, or fits probabilities, compares all training "
    "rows with each other first; set n_neighbors, and no probabilities or costs of SKNN"
)


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
    rows = engine.map(_work.read, X, y, [rule.how] * len(X))
    starts = np.concatenate([[0], np.cumsum(rule.lengths)]).tolist()
    kept = [at for at, length in enumerate(rule.lengths) if length > 0]
    rows, starts = [rows[at] for at in kept], [starts[at] for at in kept]
    carried = engine.one(_work.as_is, rule)
    queries = list(queries)
    asked = engine.map(_ask_work.read_queries, queries, [how or rule.how] * len(queries))
    return [_answered(engine, rule, carried, rows, starts, block) for block in asked]


def _answered(engine, rule, carried, rows, starts, queries):
    blocks = len(rows)
    same = [carried] * blocks, [queries] * blocks
    found = engine.map(_ask_work.nearest, *same, rows, starts, [rule.step] * blocks)
    near = None
    for at in range(0, blocks, rule.folded):
        near = engine.one(_ask_work.merge, near, carried, *found[at : at + rule.folded])
    return engine.one(_ask_work.answer, carried, near)
