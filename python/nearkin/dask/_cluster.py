"""A Dask cluster as the planner's engine."""

import importlib.metadata
import os
import socket
import uuid
from collections import Counter

import dask
import psutil
from distributed import default_client, get_worker, progress, wait

from nearkin.blocks import Engine


def worker_threads():
    """A task's share of its worker's threads: all of them, where it is alone there."""
    try:
        state = get_worker().state
    except ValueError:
        return 1
    return max(1, state.nthreads // max(1, state.executing_count))


# Beyond this share of its limit Dask pauses a worker.
_PAUSED = 0.8


def _process():
    """This process, unlike all others of a cluster."""
    return socket.gethostname(), os.getpid()


def _occupied(dask_worker):
    """A worker's process, and its bytes without data: Python, and what it has imported."""
    held = getattr(getattr(dask_worker.data, "fast", None), "total_weight", 0)
    return _process(), max(0, psutil.Process().memory_info().rss - int(held))


def occupied(told, own):
    """Bytes that each worker cannot use, where it has a process to itself.

    Workers that are threads of the user's process, or of one process, do not answer for what that
    has taken.
    """
    workers = Counter(process for process, _ in told.values())
    alone = {process for process, number in workers.items() if number == 1} - {own}
    return {name: nbytes if process in alone else 0 for name, (process, nbytes) in told.items()}


def key_of(title, task):
    """The beginning of a task's key: dashboards show it up to the first word that is not of letters
    alone."""
    return f"{title}-{task}".replace("_", "-")


class Cluster(Engine):
    """The workers of a client: tasks named by what they do, data on them recomputed when lost."""

    def __init__(self, client=None, *, title="nearkin", verbose=0):
        self.client = default_client() if client is None else client
        self.title, self.verbose = title.lower(), verbose
        self.client.wait_for_workers(1)
        self._check_package()
        taken = occupied(self.client.run(_occupied), _process())
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        threads = [worker["nthreads"] for worker in workers.values()]
        limits = [
            (_PAUSED * worker["memory_limit"] - taken.get(name, 0)) / max(1, worker["nthreads"])
            for name, worker in workers.items()
            if worker["memory_limit"]
        ]
        super().__init__(
            self.client.map,
            self.client.gather,
            workers=sum(threads),
            memory=max(1, int(min(limits))) if limits else None,
            threads=worker_threads,
        )

    def _check_package(self):
        """Say what is missing before a task fails on it."""
        ours = importlib.metadata.version("nearkin")
        theirs = self.client.run(importlib.metadata.version, "nearkin", on_error="return")
        for worker, version in theirs.items():
            if isinstance(version, importlib.metadata.PackageNotFoundError):
                raise RuntimeError(
                    f"worker {worker} has no nearkin: install nearkin {ours} where workers run "
                    f"(pip install 'nearkin[dask]=={ours}')"
                ) from version
            if isinstance(version, BaseException):
                raise RuntimeError(
                    f"worker {worker} does not say which nearkin it has: {version!r}"
                ) from version
            if version != ours:
                raise RuntimeError(
                    f"worker {worker} has nearkin {version} and this is {ours}; install the same "
                    "version everywhere, or the bits may differ"
                )

    def map(self, function, *iterables):
        """Submit tasks; futures in order.

        What is not computed yet is computed in one graph with the tasks that need it, so that
        it can be forgotten block by block.
        """
        key, calls = key_of(self.title, function.__name__), list(zip(*iterables, strict=True))
        if not calls:
            return []
        if any(dask.is_dask_collection(value) for call in calls for value in call):
            task = dask.delayed(function, pure=False)
            named = [task(*call, dask_key_name=f"{key}-{uuid.uuid4().hex}") for call in calls]
            return self.client.compute(named)
        return self.client.map(function, *zip(*calls, strict=True), key=key, pure=False)

    def get(self, results):
        """Wait for values, with Dask's progress bar when asked to."""
        if self.verbose:
            with self.client.as_current():
                progress(results, notebook=False)
        return self.client.gather(results)

    def wait(self, result):
        """Wait until a task is done; its value stays where it is. Raise what it raised."""
        with self.client.as_current():
            wait([result])
        if result.status != "finished":
            self.client.gather(result)

    def say(self, words):
        """Print the plan, when asked to."""
        if self.verbose:
            print(f"{self.title}: {words}")
