"""What a cluster has to live through: killed workers.

These take a minute and more, and run with ``scripts/test-dask``.
"""

import os
import signal
import threading
import time

import numpy as np
import pytest

if "NEARKIN_DASK" not in os.environ:
    pytest.skip("long: run scripts/test-dask", allow_module_level=True)

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
