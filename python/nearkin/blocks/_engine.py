"""The runner of tasks, and how results go from one to the next."""

from nearkin.blocks._spec import one_thread


class Engine:
    """A runner of tasks: a ``map`` and, where that gives promises, a way to get their values.

    ``map(function, *iterables)`` calls the function for each tuple of arguments and gives the
    results in order. They are handed to later calls as they are, so a map may give promises
    (futures of Dask, object references of Ray) as long as a task finds values in their place.
    ``get(results)`` turns a list of them into a list of values. ``wait(result)`` returns when a
    promise is kept, without its value, and raises what its task raised: without it a map that
    gives promises is handed all tasks of a grid at once.
    """

    workers = 1
    memory = None
    threads = staticmethod(one_thread)

    def __init__(self, map=map, get=list, *, wait=None, workers=1, memory=None, threads=one_thread):
        self._map, self._get, self._wait = map, get, wait
        self.workers, self.memory, self.threads = workers, memory, threads

    def map(self, function, *iterables):
        """Call the function for each tuple of arguments; results or promises, in order."""
        return list(self._map(function, *[list(iterable) for iterable in iterables]))

    def get(self, results):
        """Values of results, in order."""
        return list(self._get(results))

    def wait(self, result):
        """Wait until a result is there, wherever it is: no more is begun before."""
        if self._wait is not None:
            self._wait(result)

    def one(self, function, *arguments):
        """Call the function once."""
        return self.map(function, *[[argument] for argument in arguments])[0]


def folded(engine, task, parts, number, *carried):
    """Put parts together in order, so many in a task: each gets what those before it made, None
    at first."""
    total = None
    for at in range(0, len(parts), number):
        total = engine.one(task, total, *carried, *parts[at : at + number])
    return total


def chained(engine, task, *columns):
    """Call a task for each tuple of arguments in order; each gets what the one before made, None
    at first."""
    total = None
    for arguments in zip(*columns, strict=True):
        total = engine.one(task, total, *arguments)
    return total
