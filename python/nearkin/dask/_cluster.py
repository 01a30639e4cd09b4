"""A Dask cluster as the planner's engine."""

import importlib.metadata

from distributed import default_client, get_worker, progress

from nearkin.blocks import Engine


def worker_threads():
    """The threads of the worker that a task runs on."""
    try:
        return get_worker().state.nthreads
    except ValueError:
        return 1


class Cluster(Engine):
    """The workers of a client: tasks named by what they do, data on them recomputed when lost."""

    def __init__(self, client=None, *, title="nearkin", verbose=0):
        self.client = default_client() if client is None else client
        self.title, self.verbose = title.lower(), verbose
        workers = self._workers()
        self._check_package()
        threads = [worker["nthreads"] for worker in workers]
        limits = [
            worker["memory_limit"] / max(1, worker["nthreads"])
            for worker in workers
            if worker["memory_limit"]
        ]
        super().__init__(
            self.client.map,
            self.client.gather,
            workers=sum(threads),
            memory=int(min(limits)) if limits else None,
            threads=worker_threads,
        )

    def _workers(self):
        self.client.wait_for_workers(1)
        return list(self.client.scheduler_info(n_workers=-1)["workers"].values())

    def _check_package(self):
        """Say what is missing before a task fails on it."""
        ours = importlib.metadata.version("nearkin")
        theirs = self.client.run(importlib.metadata.version, "nearkin", on_error="return")
        for worker, version in theirs.items():
            if isinstance(version, BaseException):
                raise RuntimeError(
                    f"worker {worker} has no nearkin: install nearkin {ours} where workers run "
                    f"(pip install 'nearkin[dask]=={ours}')"
                )
            if version != ours:
                raise RuntimeError(
                    f"worker {worker} has nearkin {version} and this is {ours}; install the same "
                    "version everywhere, or the bits may differ"
                )

    def map(self, function, *iterables):
        """Submit tasks; futures in order."""
        key = f"{self.title}-{function.__name__}"
        return self.client.map(function, *iterables, key=key, pure=False)

    def get(self, results):
        """Wait for values, with Dask's progress bar when asked to."""
        if self.verbose:
            progress(results, notebook=False)
        return self.client.gather(results)

    def say(self, words):
        """What is going to happen, for those who watch."""
        if self.verbose:
            print(f"{self.title}: {words}")
