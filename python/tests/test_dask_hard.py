"""What a cluster has to live through: killed workers, and more rows than a worker may hold.

These take minutes and run with ``scripts/test-dask``.
"""

import os
import signal
import threading
import time

import numpy as np
import pytest

if "NEARKIN_DASK" not in os.environ:
    pytest.skip("long: run scripts/test-dask", allow_module_level=True)

import dask
import dask.array as da
from distributed import Client, LocalCluster

import nearkin.dask as kin
from nearkin import weigh


@pytest.mark.parametrize("plan", ["broadcast", "grid"])
def test_a_killed_worker_does_not_change_the_answer(plan):
    random = np.random.default_rng(0)
    X = random.random((3000, 60))
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    local = weigh.ReliefF().fit(X, y).feature_importances_
    with (
        LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        far = da.from_array(X, chunks=(300, -1))
        victim = next(iter(client.run(os.getpid).values()))
        working = "sum_whole" if plan == "broadcast" else "nearest"

        def kill():
            while not any(working in str(stack) for stack in client.call_stack().values()):
                time.sleep(0.02)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        found = kin.ReliefF().fit(far, y, plan=plan, client=client)
        killer.join(timeout=10)
        alive = list(client.run(os.getpid).values())
    assert not killer.is_alive()
    assert victim not in alive
    np.testing.assert_array_equal(found.feature_importances_, local)


def _block(seed, rows, columns):
    return np.random.default_rng(seed).random((rows, columns), dtype=np.float32)


def _peak():
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_a_grid_run_stays_under_a_limit_smaller_than_the_data(tmp_path):
    rows, columns, number = 100, 60_000, 40
    nbytes = rows * columns * number * 4  # 0.96 GB
    limit = 800_000_000
    labels = np.random.default_rng(9).integers(0, 2, rows * number)
    parts = [
        da.from_delayed(dask.delayed(_block)(seed, rows, columns), (rows, columns), np.float32)
        for seed in range(number)
    ]
    with (
        dask.config.set({"distributed.worker.memory.target": 0.4, "temporary-directory": tmp_path}),
        LocalCluster(
            2,
            threads_per_worker=1,
            processes=True,
            memory_limit=limit,
            dashboard_address=":0",
            local_directory=str(tmp_path),
        ) as cluster,
        Client(cluster) as client,
    ):
        before = set(client.run(os.getpid).values())
        method = kin.ReliefF(n_neighbors=2).fit(da.concatenate(parts), labels, client=client)
        peaks = client.run(_peak)
        after = set(client.run(os.getpid).values())
    assert method.plan_.name == "grid"
    assert before == after, "no worker was ended for its memory"
    assert max(peaks.values()) < limit < nbytes, peaks
    X = np.concatenate([_block(seed, rows, columns) for seed in range(number)])
    local = weigh.ReliefF(n_neighbors=2).fit(X, labels)
    np.testing.assert_array_equal(method.feature_importances_, local.feature_importances_)
