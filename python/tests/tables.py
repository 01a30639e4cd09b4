"""Tables cut into blocks, for the tests that need them."""

import pickle

from nearkin.blocks import Engine


def cut(X, y, places):
    """Blocks of a table, cut before these rows."""
    ends = [0, *places, len(X)]
    rows = [slice(a, b) for a, b in zip(ends, ends[1:], strict=False)]
    pick = X.iloc.__getitem__ if hasattr(X, "iloc") else X.__getitem__
    return [(pick(part), y[part]) for part in rows]


def far(function, *iterables):
    """A map that pickles what tasks are given, as a cluster does."""
    calls = [pickle.dumps(call) for call in zip(*iterables, strict=True)]
    return [function(*pickle.loads(call)) for call in calls]


class Counted(Engine):
    """An engine that keeps count of tasks by name, and of the bytes they are given."""

    def __init__(self, **options):
        super().__init__(self._counting, **options)
        self.made, self.moved = {}, 0

    def _counting(self, function, *iterables):
        calls = list(zip(*iterables, strict=True))
        if calls:
            self.made[function.__name__] = self.made.get(function.__name__, 0) + len(calls)
        self.moved += taken_in(calls)
        return [function(*call) for call in calls]


def taken_in(value):
    """Bytes of what a task is given."""
    if isinstance(value, tuple | list):
        return sum(map(taken_in, value))
    return getattr(value, "nbytes", 0)
