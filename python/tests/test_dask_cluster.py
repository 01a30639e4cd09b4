"""How nearkin.dask treats a cluster: whose it is, what goes there, and what it says of workers."""

import os
import pickle
import subprocess
import sys
import sysconfig
import time

import numpy as np
import pytest

pytest.importorskip("distributed")

import dask
import dask.array as da
from distributed import Client, LocalCluster, futures_of

import nearkin.dask as kin
from nearkin import classify, datasets, learn, weigh
from nearkin.blocks import answer_cost, cost, learn_cost, rule_blocks, rule_cost
from nearkin.dask._cluster import Cluster, worker_threads


def refuse(*_, **__):
    raise AssertionError("computed by whoever happens to be the default")


@pytest.fixture
def client():
    """A client that has to be named: whoever asks the default one is told so."""
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=4, processes=False, dashboard_address=":0"
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
        dask.config.set(scheduler=refuse),
    ):
        yield client


@pytest.fixture(scope="module")
def wine():
    X, y = datasets.load("wine", return_X_y=True)
    return X / X.max(axis=0), y


@pytest.mark.parametrize("plan", ["broadcast", "grid"])
def test_the_client_that_is_given_computes(client, wine, plan, capsys):
    X, y = wine
    far = da.from_array(X, chunks=(60, -1))
    found = kin.ReliefF(verbose=1).fit(far, da.from_array(y, chunks=60), plan=plan, client=client)
    local = weigh.ReliefF().fit(X, y)
    np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)
    # The plan in words, and Dask's own bar.
    said = capsys.readouterr().out
    assert f"relieff: {plan}: as asked" in said and "Completed" in said
    for name in ("KNN", "NNSDA"):
        found = getattr(kin, name)().fit(far, y, plan=plan, client=client)
        local = getattr(classify, name)().fit(X, y)
        np.testing.assert_array_equal(found.predict(X[:9]), local.predict(X[:9]))
        answer = found.predict(far).compute(scheduler=client)
        np.testing.assert_array_equal(answer, local.predict(X))
    found = kin.RBS().fit(far, y, plan=plan, client=client)
    matrix = learn.RBS().fit(X, y).similarity_.matrix
    np.testing.assert_array_equal(found.similarity_.matrix, matrix)


def test_lengths_of_partitions_are_asked_of_the_client(client, wine):
    dd = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    pd = pytest.importorskip("pandas")
    X, y = wine
    far = dd.from_pandas(pd.DataFrame(X, columns=[f"x{at}" for at in range(13)]), npartitions=3)
    found = kin.ReliefF().fit(far, y, client=client)
    local = weigh.ReliefF().fit(X, y)
    np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)


def _watch(dask_scheduler):
    from distributed.diagnostics.plugin import SchedulerPlugin

    class Seen(SchedulerPlugin):
        def __init__(self):
            self.known, self.keys = set(), set()

        def transition(self, key, *_, **__):
            self.keys |= {key} - self.known
            self.known.add(key)

    dask_scheduler.add_plugin(Seen(), name="seen")


def _named(dask_scheduler):
    """How many tasks the scheduler has heard of under each name that its dashboard shows."""
    from distributed.utils import key_split

    counts = {}
    for key in dask_scheduler.plugins["seen"].keys:
        name = key_split(key)
        counts[name] = counts.get(name, 0) + 1
    dask_scheduler.plugins["seen"].keys.clear()
    return counts


def made(client, title):
    """Tasks of this estimator since the last look, by what they do. Those in a row that Dask has
    made one of are named one after the other; what it reads an array with has a name beside."""
    counts = {}
    for names, number in client.run_on_scheduler(_named).items():
        if names.startswith("array-"):
            continue
        for name in names.removesuffix("-concatenate").split(f"{title}-")[1:]:
            name = name.strip("-").replace("-", "_")
            counts[name] = counts.get(name, 0) + number
    return counts


def test_the_scheduler_counts_the_tasks_that_were_told(client, wine):
    X, y = wine
    far, classes = da.from_array(X[:160], chunks=(40, -1)), {"classes": 3, "features": 13}
    client.run_on_scheduler(_watch)
    for plan in ("broadcast", "grid"):
        found = kin.ReliefF().fit(far, y[:160], plan=plan, client=client)
        told = cost(found.plan_, found.size_, **classes)
        assert made(client, "relieff") == told.tasks
        found = kin.RBS().fit(far, y[:160], plan=plan, client=client)
        assert made(client, "rbs") == learn_cost(found.plan_, found.size_, **classes).tasks
    for name, groups in (("KNN", 1), ("SKNN", 3), ("NNSDA", 3), ("LocalSDA", 1), ("SDA", 1)):
        settings = {"n_neighbors": 5} if name in ("KNN", "SKNN", "LocalSDA") else {}
        found = getattr(kin, name)(**settings).fit(far, y[:160], plan="grid", client=client)
        told = rule_cost(found.plan_, found.size_, groups=groups)
        assert made(client, name.lower()) == told.tasks
        queries = da.from_array(X[:30], chunks=(10, -1))
        found.predict(queries).compute(scheduler=client)
        asked = {"queries": 30, "blocks": 3, "groups": groups, "method": found._method}
        told = answer_cost(found.plan_, found.size_, **asked)
        # And each block's answer in the words of the question.
        assert made(client, name.lower()) == told.tasks | {"predict": 3}


def test_a_model_goes_to_the_cluster_once(client, wine):
    X, y = wine
    client.run_on_scheduler(_watch)
    found = kin.KNN(5).fit(da.from_array(X, chunks=(60, -1)), y, plan="broadcast", client=client)
    local = classify.KNN(5).fit(X, y)
    queries = da.from_array(X, chunks=(60, -1))
    for question in ("predict", "predict_proba", "predict"):
        answer = getattr(found, question)(queries)
        np.testing.assert_array_equal(answer.compute(scheduler=client), getattr(local, question)(X))
    assert made(client, "knn") == {
        "read": 3,
        "summarise": 3,
        "model": 1,
        "predict": 6,
        "predict_proba": 3,
    }
    # Pickled it is a classifier of its own, which belongs to no cluster.
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict(X[:9]), local.predict(X[:9]))
    # What the cluster has lost goes there again.
    client.cancel(futures_of(found._sent[1]))
    answer = found.predict(queries).compute(scheduler=client)
    np.testing.assert_array_equal(answer, local.predict(X))


def _share(_):
    time.sleep(0.3)
    threads = worker_threads()
    time.sleep(0.3)
    return threads


def test_tasks_share_the_threads_of_their_worker(client):
    assert client.submit(_share, 0).result() == 4
    assert client.gather(client.map(_share, range(1, 5))) == [1, 1, 1, 1]
    assert worker_threads() == 1


def test_what_fails_is_raised_where_it_is_waited_for(client):
    engine = Cluster(client)
    engine.wait(engine.one(abs, -1))
    with pytest.raises(TypeError, match="bad operand"):
        engine.wait(engine.one(abs, "one"))


def _broken(x, z):
    raise ArithmeticError("no such similarity")


def test_what_fails_ends_a_grid_before_later_steps_are_begun(client):
    random = np.random.default_rng(0)
    X, y = random.random((1280, 4)), random.integers(0, 2, 1280)
    engine = Cluster(client, title="rule")
    # So little that a step has 64 rows, and there are twenty of them.
    engine.memory = 10_000
    client.run_on_scheduler(_watch)
    rule = classify.KNN(k_candidates=[3, 5], measure=_broken)
    with pytest.raises(ArithmeticError, match="no such similarity"):
        rule_blocks(engine, [(X[:700], y[:700]), (X[700:], y[700:])], rule, X[:0], plan="grid")
    # Of forty, twice as many steps as there are threads were under way.
    assert 0 < made(client, "rule")["nearest"] <= 8 * 2
    assert engine.map(abs, []) == []


class Asked:
    """A client whose workers answer so."""

    def __init__(self, answer):
        self.answer = answer

    def run(self, *_, **__):
        return {"tcp://there": self.answer}


def test_workers_that_do_not_say_what_they_have_are_quoted():
    engine = object.__new__(Cluster)
    for answer, said in ((OSError("lost"), r"OSError\('lost'\)"), ("0.0.0", "has nearkin 0.0.0")):
        engine.client = Asked(answer)
        with pytest.raises(RuntimeError, match=f"worker tcp://there .*{said}"):
            engine._check_package()


@pytest.mark.skipif(os.name == "nt", reason="makes symbolic links")
def test_a_worker_without_the_package_is_named(wine, tmp_path):
    X, y = wine
    # Everything that is installed here, but nearkin: for a worker that is another process.
    for place in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for name in os.listdir(place):
            if not name.startswith("nearkin"):
                os.symlink(os.path.join(place, name), tmp_path / name)
    with (
        LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        worker = [sys.executable, "-S", "-m", "distributed.cli.dask_worker"]
        worker.append(cluster.scheduler_address)
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", tmp_path]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([*worker, *options], env=environment, **quiet) as process:
            try:
                client.wait_for_workers(1, timeout=60)
                with pytest.raises(RuntimeError, match="has no nearkin: install nearkin"):
                    kin.ReliefF().fit(da.from_array(X, chunks=(60, -1)), y, client=client)
            finally:
                process.terminate()
