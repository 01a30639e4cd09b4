"""The estimators on a real cluster: processes on this machine, the same bits as in one."""

import os

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("distributed")

import dask
import dask.array as da
from distributed import Client, LocalCluster

import nearkin.dask as kin
from nearkin import classify, datasets, learn, weigh
from nearkin.dask._cluster import Cluster, occupied

QUIET = {"threads_per_worker": 1, "dashboard_address": ":0"}
# Blocks of rows: so many of about one length, or of these lengths, the last as long as it takes.
# What is left out here runs with scripts/test-dask, and without a cluster in the tests of blocks.
CUTS = [1, 2, 7, (1, 63, 0, 65, 49)] if "NEARKIN_DASK" in os.environ else [2, (1, 63, 0, 65, 49)]
PLANS = ["broadcast", "grid"]


@pytest.fixture(scope="module")
def client():
    with (
        dask.config.set({"distributed.admin.large-graph-warning-threshold": "100MB"}),
        LocalCluster(n_workers=2, processes=True, **QUIET) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def wine():
    X, y = datasets.load("wine", return_X_y=True)
    return X, y


def chunks(rows, number):
    """Lengths of blocks of a table of so many rows."""
    if isinstance(number, tuple):
        return (*number[:-1], rows - sum(number[:-1]))
    cuts = np.linspace(0, rows, number + 1).astype(int)
    return tuple(np.diff(cuts).tolist())


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("number", CUTS)
def test_weights_equal_the_local_ones_to_the_bit(client, wine, plan, number):
    X, y = wine
    rows = chunks(len(X), number)
    far = da.from_array(X, chunks=(rows, 5)), da.from_array(y, chunks=50)
    settings = {"n_neighbors": 5, "per_class": True, "p_values": "stir"}
    found = kin.ReliefF(**settings).fit(*far, plan=plan, client=client)
    local = weigh.ReliefF(**settings).fit(X, y)
    np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)
    np.testing.assert_array_equal(found.class_weights_, local.class_weights_)
    np.testing.assert_array_equal(found.p_values_, local.p_values_)
    np.testing.assert_array_equal(found.classes_, local.classes_)
    assert found.plan_.name == plan
    kept = found.transform(far[0])
    np.testing.assert_array_equal(kept.compute(), local.transform(X))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("number", CUTS)
def test_other_weights_equal_the_local_ones_to_the_bit(client, wine, plan, number):
    X, y = wine
    rows = chunks(len(X), number)
    far = da.from_array(X, chunks=(rows, -1))
    by_class = {"class_scale": "relieff", "p_values": "stir", "per_class": True}
    for name, settings, target in (
        ("ClassDependentRelief", by_class, y),
        ("RReliefF", {}, X[:, 2] + y),
    ):
        found = getattr(kin, name)(**settings).fit(far, target, plan=plan, client=client)
        local = getattr(weigh, name)(**settings).fit(X, target)
        assert found.plan_.name == plan
        for what in ("feature_importances_", "class_weights_", "p_values_", "class_p_values_"):
            if hasattr(local, what):
                np.testing.assert_array_equal(getattr(found, what), getattr(local, what))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("number", CUTS)
def test_rows_within_a_radius_weigh_the_same_by_either_plan(client, number, plan):
    random = np.random.default_rng(3)
    X = random.random((4200, 4))
    y = np.where(X[:, 0] + X[:, 1] > 1, "yes", "no")
    rows = chunks(len(X), number)
    far = da.from_array(X, chunks=(rows, -1))
    for name in ("SURF", "SURFStar", "MultiSURF", "MultiSURFStar"):
        found = getattr(kin, name)(sample=128).fit(far, y, plan=plan, client=client)
        local = getattr(weigh, name)(sample=128).fit(X, y)
        assert found.plan_.name == plan
        np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)


def test_frames_keep_names_and_categories(client, tmp_path):
    dd = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    random = np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "size": np.where(random.random(120) < 0.1, np.nan, random.random(120)),
            "colour": random.choice(["red", "blue", "green"], 120),
        }
    )
    y = pd.Series((X["colour"] == "red").map({True: "yes", False: "no"}), name="y")
    far = dd.from_pandas(X.assign(y=y), npartitions=3)
    names = ["size", "colour"]
    local = weigh.ReliefF(missing="d").fit(X, y)
    far.to_parquet(tmp_path / "table")
    for frame in (far, dd.read_parquet(tmp_path / "table")):
        for plan in ("broadcast", "grid"):
            found = kin.ReliefF(missing="d", n_features_to_select=1)
            found.fit(frame[names], frame["y"], plan=plan, client=client)
            np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)
            assert found.get_feature_names_out().tolist() == ["colour"]
            assert found.transform(frame[names]).columns.tolist() == ["colour"]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("number", CUTS)
def test_models_fitted_in_one_place_say_the_same_by_either_plan(client, wine, plan, number):
    X, y = wine
    rows = chunks(len(X), number)
    far = da.from_array(X, chunks=(rows, -1))
    queries = da.from_array(X[::3] + 0.25, chunks=((1, 0, 59), 4))
    for name in ("SDA", "NNSDA", "LocalSDA", "MixtureSDA"):
        local = getattr(classify, name)().fit(X, y)
        found = getattr(kin, name)().fit(far, y, plan=plan, client=client)
        assert found.plan_.name == plan
        answer = found.predict_proba(queries).compute(scheduler=client)
        np.testing.assert_array_equal(answer, local.predict_proba(X[::3] + 0.25))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", ["KNN", "SKNN", "SDA", "NNSDA", "LocalSDA", "MixtureSDA"])
def test_every_question_is_answered_as_on_one_machine(client, wine, name, plan):
    X, y = wine
    local = getattr(classify, name)().fit(X, y)
    far = da.from_array(X, chunks=((50, 0, 1, 127), 5))
    found = getattr(kin, name)().fit(far, y, plan=plan, client=client)
    queries = da.from_array(X + 0.25, chunks=((1, 0, 100, 77), 4))
    answer = found.predict(queries)
    assert answer.shape == (len(X),)
    np.testing.assert_array_equal(answer.compute(scheduler=client), local.predict(X + 0.25))
    for question in ("predict_proba", "decision_function"):
        assert hasattr(found, question) == hasattr(local, question)
        if hasattr(local, question):
            said = getattr(found, question)(queries).compute(scheduler=client)
            np.testing.assert_array_equal(said, getattr(local, question)(X + 0.25))
    np.testing.assert_array_equal(found.predict(X[:5]), local.predict(X[:5]))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("number", CUTS)
def test_rules_of_neighbours_say_the_same_by_either_plan(client, wine, plan, number):
    X, y = wine
    rows = chunks(len(X), number)
    far = da.from_array(X, chunks=(rows, 5)), da.from_array(y, chunks=50)
    queries = da.from_array(X + 0.25, chunks=((1, 0, 100, 77), 4))
    for name, question in (("KNN", "predict_proba"), ("SKNN", "decision_function")):
        local = getattr(classify, name)(5).fit(X, y)
        found = getattr(kin, name)(5).fit(*far, plan=plan, client=client)
        assert found.plan_.name == plan and found.n_neighbors_ == 5
        assert found.size_.nbytes == X.nbytes + y.nbytes
        np.testing.assert_array_equal(found.classes_, local.classes_)
        for asked in ("predict", question):
            expected = getattr(local, asked)(X + 0.25)
            answer = getattr(found, asked)(queries)
            assert answer.shape == expected.shape and answer.dtype == expected.dtype
            np.testing.assert_array_equal(answer.compute(scheduler=client), expected)
        with client.as_current():
            np.testing.assert_array_equal(found.predict(X[:5]), local.predict(X[:5]))
    with pytest.raises(ValueError, match="expecting 13 features"):
        found.predict(queries[:, :5])


def test_a_grid_keeps_no_training_rows(client, wine):
    X, y = wine
    far = da.from_array(X, chunks=(60, -1))
    found = kin.KNN(5).fit(far, y, plan="grid", client=client)
    assert not any(isinstance(value, np.ndarray) and len(value) >= len(X) for value in vars(found))
    assert not hasattr(found, "_training") and "grid" in str(found.plan_)
    with pytest.raises(ValueError, match="left them in their blocks"):
        found.save("model")
    # Fitted again by broadcast, it is an ordinary classifier.
    found.fit(far, y, plan="broadcast", client=client)
    local = classify.KNN(5).fit(X, y)
    np.testing.assert_array_equal(found.kneighbors(X[:3])[1], local.kneighbors(X[:3])[1])
    found.fit(far, y, plan="grid", client=client)
    with pytest.raises(ValueError, match="left them in their blocks"):
        found.kneighbors(X[:3])


def test_rules_of_neighbours_take_frames_with_categories(client):
    dd = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    random = np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "size": np.where(random.random(120) < 0.1, np.nan, random.random(120)),
            "colour": random.choice(["red", "blue", "green"], 120),
        }
    )
    y = pd.Series((X["colour"] == "red").map({True: "yes", False: "no"}), name="y")
    y[::7] = "no"
    far = dd.from_pandas(X.assign(y=y), npartitions=3)
    for measure in ("heom", "hvdm"):
        local = classify.SKNN(3, measure=measure).fit(X, y)
        found = kin.SKNN(3, measure=measure)
        found.fit(far[["size", "colour"]], far["y"], plan="grid", client=client)
        answer = found.predict(far[["size", "colour"]])
        np.testing.assert_array_equal(answer.compute(scheduler=client), local.predict(X))
        with client.as_current():
            np.testing.assert_array_equal(found.predict(X[:4]), local.predict(X[:4]))
        with pytest.raises(ValueError, match="feature names"):
            found.predict(far[["colour", "size"]])


def test_a_similarity_learned_in_blocks_is_asked_in_blocks(client, wine):
    X, y = wine
    X = X / X.max(axis=0)
    far = da.from_array(X, chunks=(60, -1))
    local = classify.KNN(5, measure=learn.RBS()).fit(X, y)
    for plan in ("grid", "broadcast"):
        found = kin.KNN(5, measure=kin.RBS()).fit(far, y, plan=plan, client=client)
        matrix = found.measure_.similarity_.matrix
        np.testing.assert_array_equal(matrix, local.measure_.similarity_.matrix)
        answer = found.predict_proba(far).compute(scheduler=client)
        np.testing.assert_array_equal(answer, local.predict_proba(X))
    with pytest.raises(ValueError, match="a learner of nearkin.dask"):
        kin.KNN(5, measure=learn.RBS()).fit(far, y, plan="grid", client=client)
    with pytest.raises(ValueError, match="sequential by definition"):
        kin.KNN(5, measure=kin.SiLA()).fit(far, y, plan="grid", client=client)
    with pytest.raises(ValueError, match="leave probabilities"):
        kin.SKNN(probabilities=True).fit(far, y, plan="grid", client=client)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("RBS", {}),
        ("RBSPSD", {"matrix": "symmetric"}),
        ("SRBS", {"beta": 10.0, "epochs": 5, "constant": 2.0}),
        ("SRBS", {"solver": "modern", "norm": "dot", "epochs": 5}),
        ("RBS", {"norm": "jaccard", "n_neighbors": 4}),
        ("RBS", {"norm": "dice", "matrix": "full"}),
        ("SRBSPSD", {"epochs": 3}),
    ],
)
@pytest.mark.parametrize("plan", PLANS)
def test_similarities_equal_the_local_ones_to_the_bit(client, name, settings, plan):
    random = np.random.default_rng(2)
    X = random.random((700, 6)) + 0.1
    y = random.choice(["a", "b", "c"], 700)
    local = getattr(learn, name)(**settings).fit(X, y)
    far = da.from_array(X, chunks=((100, 0, 333, 267), 3))
    found = getattr(kin, name)(**settings).fit(far, y, plan=plan, client=client)
    assert found.plan_.name == plan
    np.testing.assert_array_equal(found.similarity_.matrix, local.similarity_.matrix)
    np.testing.assert_array_equal(found.objective_[0], local.objective_[0])
    np.testing.assert_array_equal(found.margins_after_[0], local.margins_after_[0])
    assert found.notes_ == local.notes_


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("number", CUTS)
def test_similarities_equal_the_local_ones_however_rows_are_cut(client, number, plan):
    random = np.random.default_rng(2)
    X = random.random((700, 6)) + 0.1
    y = random.choice(["a", "b", "c"], 700).astype("U4")
    # A class of one row, which nobody of its class is drawn to.
    y[100] = "once"
    rows = chunks(len(X), number)
    far = da.from_array(X, chunks=(rows, -1)), da.from_array(y, chunks=300)
    for name, settings in (("RBS", {}), ("SRBS", {"epochs": 3})):
        with pytest.warns(UserWarning, match="has one row"):
            local = getattr(learn, name)(**settings).fit(X, y)
        with pytest.warns(UserWarning, match="has one row"):
            found = getattr(kin, name)(**settings).fit(*far, plan=plan, client=client)
        assert found.plan_.name == plan and found._about["words"] == local._about["words"]
        np.testing.assert_array_equal(found.similarity_.matrix, local.similarity_.matrix)
        np.testing.assert_array_equal(found.margins_after_[0], local.margins_after_[0])


def test_where_nothing_is_learned_nothing_is_left_of_an_earlier_fit(client, wine):
    X, y = wine
    far = da.from_array(X, chunks=(60, -1))
    found = kin.RBS().fit(far, y, plan="grid", client=client)
    plain = da.ones((12, 2), chunks=(5, -1))
    with pytest.warns(UserWarning, match="The plain similarity is used"):
        found.fit(plain, np.arange(12) % 3, plan="broadcast", client=client)
    assert found.plan_.name == "broadcast" and found.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(found.similarity_.weights, [1, 1])


def test_sila_says_why_it_is_not_cut(client, wine):
    X, y = wine
    with pytest.raises(ValueError, match="sequential by definition"):
        kin.SiLA().fit(da.from_array(X, chunks=(60, -1)), y, client=client)


def test_sequential_methods_say_why(client, wine):
    X, y = wine
    for method in (kin.DReliefF, kin.PDReliefF):
        with pytest.raises(ValueError, match="sequential by definition"):
            method().fit(da.from_array(X, chunks=(60, -1)), y, client=client)


def test_what_is_no_dask_collection_is_sent_home(client, wine):
    X, y = wine
    with pytest.raises(TypeError, match="nearkin.weigh takes what fits in memory"):
        kin.ReliefF().fit(X, y, client=client)
    with pytest.raises(ValueError, match="they must agree"):
        kin.ReliefF().fit(da.from_array(X, chunks=60), y[:-1], client=client)


def test_workers_in_the_users_process_do_not_answer_for_its_memory(wine):
    X, y = wine
    with (
        LocalCluster(n_workers=2, processes=False, **QUIET) as cluster,
        Client(cluster) as client,
    ):
        workers = client.scheduler_info()["workers"].values()
        assert Cluster(client).memory == int(0.8 * min(w["memory_limit"] for w in workers))
        found = kin.ReliefF().fit(da.from_array(X, chunks=(60, -1)), y, client=client)
    local = weigh.ReliefF().fit(X, y)
    np.testing.assert_array_equal(found.feature_importances_, local.feature_importances_)
    assert found.plan_.name == "broadcast"


def test_what_a_process_of_its_own_takes_is_not_there_for_tasks(client):
    limits = [worker["memory_limit"] for worker in client.scheduler_info()["workers"].values()]
    assert 0 < Cluster(client).memory < 0.8 * min(limits) - 20 * 10**6
    told = {"a": (("here", 1), 50), "b": (("here", 2), 60), "c": (("here", 2), 60)}
    told |= {"d": (("there", 1), 70)}
    assert occupied(told, ("here", 1)) == {"a": 0, "b": 0, "c": 0, "d": 70}


def test_lists_of_arguments_that_do_not_match_are_refused(client):
    with pytest.raises(ValueError, match="shorter|longer"):
        Cluster(client).map(max, [1, 2], [3])


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.filterwarnings("error")
def test_rows_are_mapped_where_they_lie(client, wine, kind):
    # Once an array in this process, and a warning about names that were the same.
    dd = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    X, y = wine
    X = X.astype(kind)
    frame = pd.DataFrame(X, columns=[f"c{at}" for at in range(X.shape[1])])
    for name in ("SRBSPSD", "RBSPSD"):
        learner = getattr(kin, name)(epochs=2) if name == "SRBSPSD" else getattr(kin, name)()
        local = getattr(learn, name)(**learner.get_params())
        far = da.from_array(X, chunks=((60, 0, 118), -1))
        mapped = learner.fit(far, y, client=client).transform(far)
        assert isinstance(mapped, da.Array) and sum(mapped.chunks[0]) == len(X)
        expected = local.fit(X, y).transform(X)
        assert mapped.dtype == expected.dtype == kind
        np.testing.assert_array_equal(mapped.compute(), expected)
        np.testing.assert_array_equal(learner.transform(X), expected)
        far = dd.from_pandas(frame, npartitions=3)
        mapped = learner.fit(far, y, client=client).transform(far)
        assert mapped.shape[1] == expected.shape[1] and mapped.dtype == kind
        np.testing.assert_array_equal(mapped.compute(), local.fit(frame, y).transform(frame))
        with pytest.raises(ValueError, match="feature names"):
            learner.transform(far[far.columns[::-1]])
    with pytest.raises(AttributeError):
        kin.SRBSPSD(norm="dice").fit(far, y, client=client).transform  # noqa: B018
