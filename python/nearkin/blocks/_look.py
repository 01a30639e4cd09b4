"""The first look at every block: ranges, categories, counts and classes of the whole table."""

from dataclasses import dataclass

import numpy as np

from nearkin import _core
from nearkin._missing import MISSING
from nearkin.blocks import _work
from nearkin.blocks._engine import chained
from nearkin.blocks._plan import Size
from nearkin.blocks._read import Flaw, check_kinds


@dataclass(frozen=True)
class Seen:
    """Facts about the whole table from its blocks, and promises of those that have rows."""

    rows: list
    starts: list
    """The number of the first row of each of those."""
    lengths: tuple
    """Rows of every block."""
    nbytes: int
    summary: tuple
    classes: np.ndarray | None
    """The classes in order; None where the target is real."""
    counts: list
    """Rows of each class."""
    span: tuple | None
    """The ends of a real target's range."""
    kinds: list | None
    dropped: int

    @property
    def count(self):
        """Rows of the table."""
        return sum(self.lengths)

    def size(self, engine, **more):
        """The facts that the planner needs."""
        size = {"targets": self.count, "workers": engine.workers, "memory": engine.memory} | more
        return Size(rows=self.count, nbytes=self.nbytes, blocks=len(self.rows), **size)


def look(engine, blocks, how, estimator, measure=None):
    """Read every block, and put together what each says; as a measure reads it, where one is
    named."""
    blocks = list(blocks)
    if not blocks:
        raise ValueError("there are no blocks of rows")
    X, y = zip(*blocks, strict=True)
    rows = engine.map(_work.read, X, y, [how] * len(X))
    del X, y, blocks  # so that promises of what was read can be forgotten
    every = [[value] * len(rows) for value in (how, measure)]
    told = engine.get(engine.map(_work.summarise, rows, *every))
    starts = np.concatenate([[0], np.cumsum([one.rows for one in told])]).tolist()
    first = 0
    for one in told:
        if one.flaw is not None:
            raise one.flaw.within(first, one.rows)
        first += one.rows + one.dropped
    if starts[-1] < 2:
        raise ValueError(f"Found array with {starts[-1]} sample(s) in all; at least 2 are needed")
    kept = [at for at, one in enumerate(told) if one.rows > 0]
    there = [told[at] for at in kept]
    classes, counts = _classes(there, estimator) if how.classes else (None, [])
    spans = [] if how.classes else [one.labels for one in there]
    kinds = None if how.nominal is None else _kinds([one.kinds for one in there], how)
    return Seen(
        rows=[rows[at] for at in kept],
        starts=[starts[at] for at in kept],
        lengths=tuple(one.rows for one in told),
        nbytes=sum(one.nbytes for one in there),
        summary=_summary([one.summary for one in there], how),
        classes=classes,
        counts=counts,
        span=(min(low for low, _ in spans), max(high for _, high in spans)) if spans else None,
        kinds=kinds,
        dropped=sum(one.dropped for one in told),
    )


def _summary(summaries, how):
    """The summary of all blocks."""
    rows, names, columns = _core.merge_summaries(summaries)
    for name, column in zip(names, columns, strict=True):
        if len(column) == 2 and len(column[0]) >= MISSING:
            raise ValueError(
                f"column `{name}` has {len(column[0])} different values; a nominal column may have "
                f"up to {MISSING - 1}. Is it an identifier? Drop it, or read it as numeric"
            )
    if how.in_order:
        columns = [
            column if len(column) == 3 else (sorted(column[0], key=_number), column[1])
            for column in columns
        ]
    return rows, names, columns


def _number(category):
    try:
        return float(category)
    except ValueError:
        return float(category == "True")


def _classes(told, estimator):
    """The classes of all blocks in order, and the rows of each."""
    from nearkin._columns import checked_target  # and scikit-learn with it

    labels = [one.labels[0] for one in told]
    try:
        check_kinds([own[0] for own in labels])
    except Flaw as flaw:
        words, _, error = flaw.args
        raise error(words) from None
    classes = np.unique(np.concatenate(labels))
    # Twice each: where every row has a class of its own, scikit-learn wonders.
    checked_target(estimator, np.repeat(classes, 2), classes=True)
    counts = np.zeros(len(classes), dtype=np.int64)
    for one in told:
        own, number = one.labels
        counts[np.searchsorted(classes, own)] += number
    return classes, counts.tolist()


def _kinds(told, how):
    """Of what kind the categories of each feature are in all blocks."""

    def of_all(kinds):
        kinds = {kind for kind in kinds if kind is not None}
        if "text" in kinds:
            return "" if "number" in kinds else "text"
        return "number" if kinds == {"number"} else ""

    found = [of_all(kinds) for kinds in zip(*told, strict=True)]
    for at in how.objects:
        if found[at] == "number":
            raise ValueError(
                f"column `{how.names[at]}` holds numbers as objects: on one machine it is read as "
                "numbers, and a block does not know what the others hold; convert it by "
                "astype(float)"
            )
    return found


def knowing_all(engine, who, rows):
    """``who`` with what needs another look at every block: counts, and standard deviations."""
    counts, deviations = who.needs()
    if not counts and not deviations:
        return who
    carried, blocks = engine.one(_work.as_is, who), len(rows)
    if counts:
        found = engine.get(engine.map(_work.count, [carried] * blocks, rows))
        who = who.knowing(counts=_work.add_up(*found))
    if deviations:
        sums = chained(engine, _work.deviate, [carried] * blocks, rows)
        squares = chained(engine, _work.deviate, [carried] * blocks, rows, [sums] * blocks)
        who = who.knowing(squares=engine.get([squares])[0])
    return who
