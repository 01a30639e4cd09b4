"""What a cluster has to live through: killed workers, and less memory than data.

These take a minute and more, and run with ``scripts/test-dask``.
"""

import os
import signal
import threading
import time

import numpy as np
import pandas as pd
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


LIMIT = 500 * 10**6
COLUMNS = [f"x{at}" for at in range(300)]


def _piece(number):
    """Rows of one file: twelve megabytes."""
    random = np.random.default_rng(number)
    X = random.random((5000, len(COLUMNS)))
    return X, np.where(X[:, 0] + X[:, 1] > 1, "yes", "no")


def _highest():
    """The most bytes that this process ever took: its whole memory, Python and all."""
    with open("/proc/self/status") as status:
        [told] = [line for line in status if line.startswith("VmHWM")]
    return os.getpid(), int(told.split()[1]) * 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="asks Linux for memory")
def test_workers_stay_under_a_limit_smaller_than_the_data(tmp_path):
    dd = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    pieces = 60
    for number in range(pieces):
        X, y = _piece(number)
        frame = pd.DataFrame(X, columns=COLUMNS).assign(y=y)
        frame.to_parquet(tmp_path / f"{number:03}.parquet", compression=None)
    settings = {"sample": 512, "random_state": 1}
    with (
        LocalCluster(
            2,
            threads_per_worker=1,
            processes=True,
            memory_limit=LIMIT,
            dashboard_address=":0",
            local_directory=str(tmp_path / "spilled"),
        ) as cluster,
        Client(cluster) as client,
    ):
        begun = set(client.run(os.getpid).values())
        table = dd.read_parquet(tmp_path)
        found = kin.ReliefF(**settings).fit(table[COLUMNS], table["y"], client=client)
        highest = dict(client.run(_highest).values())
    assert found.size_.nbytes > 1.4 * LIMIT
    assert found.plan_.name == "grid"
    assert set(highest) == begun, "a worker was ended for its memory"
    assert max(highest.values()) < LIMIT
    X, y = map(np.concatenate, zip(*map(_piece, range(pieces)), strict=True))
    local = weigh.ReliefF(**settings).fit(X, y)
    np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)
