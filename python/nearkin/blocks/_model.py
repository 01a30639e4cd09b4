"""Classifiers that are fitted in one place, and asked with their training rows in blocks."""

from dataclasses import dataclass, fields

import numpy as np

from nearkin.blocks import _ask_work
from nearkin.blocks._compare import Alike, Called, Restored
from nearkin.blocks._grid import picked
from nearkin.blocks._rows import Rows
from nearkin.blocks._rule import Rule


@dataclass(frozen=True, kw_only=True)
class Described(Rule):
    """A classifier that looks at a query's similarities to prototypes, and perhaps to the nearest
    row of each class."""

    parts: tuple
    """Arrays of everything it has learned."""
    codes: np.ndarray
    """The class of each training row."""
    prototypes: np.ndarray
    """Training rows that stand for classes, by number."""
    prototype_rows: Rows

    def answered(self, engine, carried, seen, queries, length):
        """A promise of what it says of a block of queries."""
        near = [self.nearest(engine, carried, seen, queries)] if self.k else []
        return engine.one(_ask_work.answer_described, carried, queries, *near)


@dataclass(frozen=True, kw_only=True)
class Local(Rule):
    """A classifier that is fitted to the neighbours of each query."""

    parts: tuple
    """Arrays of everything it has learned, without similarities of training rows."""

    def answered(self, engine, carried, seen, queries, length):
        """A promise of what it says of a block of queries, whose neighbours are picked for a step
        of them at a time. One of unknown length is taken to be a large one."""
        pieces = max(1, -(-(max(self.lengths) if length is None else length) // self.step))
        if pieces == 1:
            return self._among(engine, carried, seen, queries)
        every = [queries] * pieces, range(pieces), [pieces] * pieces
        cut = engine.map(_ask_work.piece, *every)
        said = [self._among(engine, carried, seen, part) for part in cut]
        return engine.one(_ask_work.together, *said)

    def _among(self, engine, carried, seen, queries):
        near = self.nearest(engine, carried, seen, queries)
        beside = picked(engine, near, seen)
        return engine.one(_ask_work.answer_among, carried, queries, near, *beside)


# Whether a classifier asks for the nearest row of each class: never, always, or as it is set.
_ASKED = {"sda": None, "nn-sda": True, "mixture-sda": False, "local-sda": True}


def needs_fit(estimator):
    """Whether a classifier looks at all pairs of training rows when it is fitted."""
    return not estimator._asks_neighbours and estimator._given() is None


def needs_model(estimator):
    """Why a classifier that is fitted cannot do without all training rows; None where it can."""
    if estimator._method not in _ASKED:
        return f"{estimator._method} compares queries with all training rows"
    if "mean" in getattr(estimator, "statistics", ()):
        return "the mean similarity to a class is that to all of its rows"
    if getattr(estimator, "neighbourhood", None) == "radius":
        return "any number of rows may be within a radius; choose the nearest"
    return None


def of_model(fitted, rule):
    """What a fitted classifier has to carry to be asked with its training rows in blocks."""
    known = {field.name: getattr(rule, field.name) for field in fields(rule)}
    known |= {"compare": _compare(fitted, rule.how.names), "parameters": fitted._set_to}
    model, every = fitted._classifier, len(rule.classes)
    if fitted._method == "local-sda":
        k, of_each = model.reach()
        known |= {"k": k, "groups": every if of_each else 1}
        return Local(**known, parts=model.parts("s."))
    nearest = _ASKED[fitted._method]
    if nearest is None:
        nearest = "nearest" in fitted.statistics
    rows = np.unique(np.concatenate([np.empty(0, np.intp), *model.inside()["prototypes"]]))
    rows = rows.astype(np.intp)
    columns = fitted._training[rows]
    return Described(
        **known | {"k": int(nearest), "groups": every},
        parts=model.parts(""),
        codes=fitted._codes,
        prototypes=rows,
        prototype_rows=Rows(columns.numbers, columns.places, np.zeros(len(rows))),
    )


def _compare(fitted, names):
    if fitted._similarity() is not None:
        return Alike(fitted._similarity())
    if fitted._function is not None:
        return Called(fitted._function)
    measure = fitted.measure, fitted._measure_settings()
    return Restored(measure, fitted._names() or names, fitted._measure.parts())
