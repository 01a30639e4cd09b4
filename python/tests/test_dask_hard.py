"""What a cluster has to live through: killed workers, and less memory than data.

These take a minute and more, and run with ``scripts/test-dask``.
"""

import os
import shutil
import signal
import threading
import time
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

if "NEARKIN_DASK" not in os.environ:
    pytest.skip("long: run scripts/test-dask", allow_module_level=True)

import dask.array as da
from distributed import Client, LocalCluster

import nearkin.dask as kin
from nearkin import classify, learn, weigh

QUIET = {"threads_per_worker": 1, "dashboard_address": ":0"}


def _weigh(X, y, plan, client):
    far = da.from_array(X, chunks=(300, -1))
    return kin.ReliefF().fit(far, y, plan=plan, client=client).feature_importances_


def _ask(X, y, plan, client):
    far = da.from_array(X, chunks=(300, -1))
    found = kin.SKNN(5).fit(far, y, plan=plan, client=client)
    return found.decision_function(far).compute(scheduler=client)


def _learn(X, y, plan, client):
    far = da.from_array(X, chunks=(300, -1))
    return kin.SRBS(epochs=5).fit(far, y, plan=plan, client=client).similarity_.matrix


@pytest.mark.parametrize("plan", ["broadcast", "grid"])
@pytest.mark.parametrize(
    ("far", "near", "during"),
    [
        (
            _weigh,
            lambda X, y: weigh.ReliefF().fit(X, y).feature_importances_,
            {"broadcast": "sum_whole", "grid": "nearest"},
        ),
        (
            _ask,
            lambda X, y: classify.SKNN(5).fit(X, y).decision_function(X),
            {"broadcast": "decision_function", "grid": "nearest"},
        ),
        (
            _learn,
            lambda X, y: learn.SRBS(epochs=5).fit(X, y).similarity_.matrix,
            {"broadcast": "pull", "grid": "nearest"},
        ),
    ],
)
def test_a_killed_worker_does_not_change_the_answer(far, near, during, plan):
    random = np.random.default_rng(0)
    X = random.random((3000, 60))
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    with (
        LocalCluster(n_workers=2, processes=True, **QUIET) as cluster,
        Client(cluster) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))

        def kill():
            while not any(during[plan] in str(stack) for stack in client.call_stack().values()):
                time.sleep(0.02)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        found = far(X, y, plan, client)
        killer.join(timeout=10)
        alive = list(client.run(os.getpid).values())
    assert not killer.is_alive()
    assert victim not in alive
    np.testing.assert_array_equal(found, near(X, y))


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


PIECES = 60


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A directory of Parquet files that hold more than a worker's memory."""
    pytest.importorskip("dask.dataframe", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("rows")
    for number in range(PIECES):
        X, y = _piece(number)
        frame = pd.DataFrame(X, columns=COLUMNS).assign(y=y)
        frame.to_parquet(folder / f"{number:03}.parquet", compression=None)
    yield folder
    shutil.rmtree(folder)


def _all_rows():
    return map(np.concatenate, zip(*map(_piece, range(PIECES)), strict=True))


@contextmanager
def _little_memory(folder):
    """Two workers of little memory; what they took at most is asserted when they are done."""
    with (
        LocalCluster(
            n_workers=2,
            processes=True,
            memory_limit=LIMIT,
            local_directory=str(folder),
            **QUIET,
        ) as cluster,
        Client(cluster) as client,
    ):
        begun = set(client.run(os.getpid).values())
        yield client
        highest = dict(client.run(_highest).values())
    shutil.rmtree(folder, ignore_errors=True)  # what was spilled, a gigabyte perhaps
    assert set(highest) == begun, "a worker was ended for its memory"
    assert max(highest.values()) < LIMIT


linux = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="asks Linux for memory")


@linux
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("ReliefF", {"sample": 512, "random_state": 1}),
        ("MultiSURF", {"sample": 256, "random_state": 1}),
    ],
)
def test_workers_stay_under_a_limit_smaller_than_the_data(files, tmp_path, name, settings):
    import dask.dataframe as dd

    with _little_memory(tmp_path) as client:
        table = dd.read_parquet(files)
        found = getattr(kin, name)(**settings).fit(table[COLUMNS], table["y"], client=client)
    assert found.size_.nbytes > 1.4 * LIMIT
    assert found.plan_.name == "grid"
    local = getattr(weigh, name)(**settings).fit(*_all_rows())
    np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)


@linux
@pytest.mark.parametrize(("name", "question"), [("KNN", "predict_proba"), ("SKNN", "predict")])
def test_rules_are_asked_under_a_limit_smaller_than_their_training_rows(
    files, tmp_path, name, question
):
    import dask.dataframe as dd

    queries = np.random.default_rng(PIECES).random((400, len(COLUMNS)))
    with _little_memory(tmp_path) as client:
        table = dd.read_parquet(files)
        found = getattr(kin, name)(9).fit(table[COLUMNS], table["y"], client=client)
        asked = dd.from_pandas(pd.DataFrame(queries, columns=COLUMNS), npartitions=4)
        answer = getattr(found, question)(asked).compute(scheduler=client)
    assert found.size_.nbytes > 1.4 * LIMIT
    assert found.plan_.name == "grid"
    X, y = _all_rows()
    local = getattr(classify, name)(9).fit(pd.DataFrame(X, columns=COLUMNS), y)
    np.testing.assert_array_equal(
        answer, getattr(local, question)(pd.DataFrame(queries, columns=COLUMNS))
    )
