"""Questions to a classifier as tasks: of a model that is sent once, or of neighbours in blocks."""

import pickle
import uuid
from functools import lru_cache

import dask
import numpy as np
from distributed import default_client, futures_of
from sklearn.base import clone

from nearkin.blocks import Engine
from nearkin.dask._cluster import key_of, worker_threads


class Lazy(Engine):
    """Tasks that run when their results are asked for."""

    def __init__(self, title):
        super().__init__(threads=worker_threads)
        self.title = title.lower()

    def map(self, function, *iterables):
        """Tasks not computed yet, named by what they do."""
        return self.map_as(function.__name__, function, *iterables)

    def map_as(self, name, function, *iterables):
        """The same under another name."""
        task = dask.delayed(function, pure=False)
        calls = zip(*iterables, strict=True)
        key = key_of(self.title, name)
        return [task(*call, dask_key_name=f"{key}-{uuid.uuid4().hex}") for call in calls]


def current_client():
    """The client that tasks go to by default; None where there is none."""
    try:
        return default_client()
    except ValueError:
        return None


def sent(engine, model, client):
    """A model as a task's argument: with a client, one that goes to its cluster now, and stays."""
    # As bytes: arrays that travel by themselves may arrive where the core cannot read them,
    # and a worker puts a model together once, not once a task.
    [there] = engine.map_as("model", as_is, [pickle.dumps(model)])
    return there if client is None else client.persist(there)


def is_there(model):
    """Whether what was sent is still on its cluster."""
    return all(future.status in ("pending", "finished") for future in futures_of(model))


def as_is(pickled):
    """A model, kept by the workers once; where one dies the scheduler has it still."""
    return pickled


@lru_cache(maxsize=2)
def _model(pickled, threads):
    model = pickle.loads(pickled)
    model.n_jobs = threads
    return model


def ask(pickled, X, question, tail, dtype):
    """The model's answers about one block."""
    if len(X) == 0:
        return np.empty((0, *tail), dtype=dtype)
    return getattr(_model(pickled, worker_threads()), question)(X)


def tell(shell, kind, said, question):
    """The answer to a question, from what the rule says; ``kind`` is what every classifier here
    is, whose like on one machine puts it in words."""
    estimator, classes = shell
    estimator = clone(estimator)  # other tasks of this process may have the same one
    estimator.classes_, estimator._ask = classes, lambda _: said
    estimator.notes_ = []
    return getattr(super(kind, estimator), question)(None)
