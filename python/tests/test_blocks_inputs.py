"""What blocks may hold, and what they may not: as on one machine, in words."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from tables import cut, far

from nearkin import classify, learn, weigh
from nearkin.blocks import Engine, learn_blocks, rule_blocks, weigh_blocks

ENGINE = Engine(far)
PLANS = ["broadcast", "grid"]


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    return random.random((150, 4)), random.choice(["a", "b", "c"], 150)


def weights(method, X, y, places=(50, 51), plan="grid"):
    return weigh_blocks(ENGINE, cut(X, y, places), method, X[:0], plan=plan)["weights"]


@pytest.mark.parametrize("plan", PLANS)
def test_nullable_columns_are_read_as_on_one_machine(table, plan):
    X, y = table
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["a"] = (frame["a"] * 10).round().astype("Int64")
    frame["b"] = (frame["b"] > 0.5).astype("boolean")
    frame.loc[3, "a"] = frame.loc[70, "b"] = pd.NA
    local = weigh.ReliefF().fit(frame, y).feature_importances_
    np.testing.assert_array_equal(weights(weigh.ReliefF(), frame, y, plan=plan), local)
    for blocks in (frame.astype({"a": "Float32"}), frame[["a"]]):
        local = weigh.ReliefF().fit(blocks, y).feature_importances_
        np.testing.assert_array_equal(weights(weigh.ReliefF(), blocks, y, plan=plan), local)


def everyone(X, y, places=(50, 51)):
    """Blocks given to one estimator of each room."""
    blocks, like = cut(X, y, places), X[:0]
    yield lambda: weigh_blocks(ENGINE, blocks, weigh.ReliefF(), like, plan="grid")
    yield lambda: rule_blocks(ENGINE, blocks, classify.KNN(3), like, plan="grid")
    yield lambda: learn_blocks(ENGINE, blocks, learn.RBS(), like, plan="grid")


def refused(X, y, why, error=ValueError, **options):
    for run in everyone(X, y, **options):
        with pytest.raises(error, match=why) as caught:
            run()
        assert caught.type is error


def test_targets_are_refused_as_on_one_machine(table):
    X, y = table
    refused(X, X[:, 0].round(1), "Unknown label type: continuous")
    mixed = y.astype(object)
    mixed[:50] = 1
    refused(X, mixed, "classes are of different kinds, '[abc]' and 1", TypeError)
    mixed[50:51] = 2
    refused(X, mixed, "^rows 50 to 149: y: classes are of different", TypeError, places=[50])
    unknown = y.astype(object)
    unknown[77] = None
    refused(X, unknown, "^row 77: y has no class but None")
    refused(X, np.column_stack([y, y]), "^rows 0 to 49: y: expected one dimension")
    with warnings.catch_warnings():
        # Many classes are no reason to wonder.
        warnings.simplefilter("error", UserWarning)
        weights(weigh.ReliefF(), X, np.arange(150) % 40)


def test_real_targets_are_refused_by_their_row(table):
    X, y = table
    target = X[:, 0].copy()
    target[70] = np.nan
    with pytest.raises(ValueError, match="^row 70: y holds nan, which is not finite"):
        weights(weigh.RReliefF(), X, target)
    with pytest.raises(ValueError, match="^row 0: y holds '[abc]', which is no number"):
        weights(weigh.RReliefF(), X, y)


def test_cells_are_refused_by_their_row(table):
    X, y = table
    wrong = X.copy()
    wrong[70, 2] = np.inf
    refused(wrong, y, "^row 70: column `x2`: an infinite value")
    frame = pd.DataFrame(X, columns=list("abcd")).astype({"c": object})
    frame.loc[60, "c"] = "much"
    method = weigh.ReliefF(categorical_features=None)
    with pytest.raises(ValueError, match="column `c` holds 'much', which is no number"):
        weights(method, frame, y)


def test_columns_are_refused_as_on_one_machine(table):
    X, y = table
    twice = pd.DataFrame(X, columns=["a", "a", "c", "d"])
    refused(twice, y, "two columns are named `a`")
    refused(X + 1j, y, "Complex data not supported")
    many = pd.DataFrame({"id": np.arange(70_000).astype(str), "x": np.arange(70_000.0)})
    target = np.arange(70_000) % 2
    for method in (weigh.ReliefF(sample=5), classify.KNN(3, measure="heom")):
        run = weigh_blocks if isinstance(method, weigh.ReliefF) else rule_blocks
        with pytest.raises(ValueError, match="`id` has 70000 different values.*an identifier"):
            run(ENGINE, cut(many, target, [35_000]), method, many[:0], plan="grid")


@pytest.mark.parametrize("plan", PLANS)
def test_categories_of_one_name_are_one_in_all_blocks(table, plan):
    X, y = table
    random = np.random.default_rng(3)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["c"] = np.where(y == "a", 1, 2).astype(object)
    frame.loc[frame.index[::3], "c"] = "1"
    frame["d"] = random.choice(np.array([True, 1.0, 1, "1", "x"], dtype=object), 150)
    local = weigh.ReliefF().fit(frame, y).feature_importances_
    for places in ([50, 51], [75]):
        found = weights(weigh.ReliefF(), frame, y, places, plan)
        np.testing.assert_array_equal(found, local)


def test_numbers_that_are_objects_are_sent_back(table):
    X, y = table
    frame = pd.DataFrame(X, columns=list("abcd")).astype({"c": object})
    with pytest.raises(ValueError, match="column `c` holds numbers as objects"):
        weights(weigh.ReliefF(), frame, y)
    frame.loc[120, "c"] = "much"
    local = weigh.ReliefF().fit(frame, y).feature_importances_
    np.testing.assert_array_equal(weights(weigh.ReliefF(), frame, y), local)
    chosen = weigh.ReliefF(categorical_features=["c"])
    frame["c"] = frame["a"].round(1).astype(object)
    local = chosen.fit(frame, y).feature_importances_
    np.testing.assert_array_equal(weights(chosen, frame, y), local)


def test_blocks_that_are_no_table_are_refused(table):
    X, y = table
    for blocks, why in (
        ([], "there are no blocks of rows"),
        ([(X[:0], y[:0])] * 2, "Found array with 0 sample"),
        ([(X[:1], y[:1]), (X[:0], y[:0])], "Found array with 1 sample"),
        (
            [(X[:50], y[:50]), (X[50:, :3], y[50:])],
            r"^rows 50 to 149: .* \(100, 3\), .* 4 features",
        ),
        ([(X[:50], y[:50]), (X[50:], y[51:])], "^rows 50 to 149: .* cut both at the same rows"),
        ([(csr_array(X), y)], "^rows 0 to 149: rows are sparse"),
    ):
        for run, method in (
            (weigh_blocks, weigh.ReliefF()),
            (rule_blocks, classify.KNN(3)),
            (learn_blocks, learn.RBS()),
        ):
            with pytest.raises(ValueError, match=why):
                run(ENGINE, blocks, method, X[:0])


def test_rows_to_explain_have_to_be_there(table):
    X, y = table
    for row in (-1, 150):
        with pytest.raises(ValueError, match=f"row {row} does not exist; rows are 0 to 149"):
            weights(weigh.ReliefF(explain_rows=[3, row]), X, y)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("method", [learn.RBS(), learn.SRBS(epochs=3), learn.SRBSPSD(epochs=3)])
def test_learners_leave_out_whom_they_do_on_one_machine(plan, method):
    random = np.random.default_rng(2)
    X = random.random((700, 5))
    y = random.choice(["a", "b"], 700).astype("U6")
    # Classes of one row have no target, and rows of zeros no cosine.
    y[[3, 300, 699]] = ["once", "alone", "single"]
    X[[0, 299, 301]] = 0
    with pytest.warns(UserWarning, match="3 rows are all zeros"):
        local = method.fit(X, y)
    with pytest.warns(UserWarning, match="3 rows are all zeros"):
        found = learn_blocks(ENGINE, cut(X, y, [10, 290, 305]), method, X[:0], plan=plan)
    [model] = found["models"]
    np.testing.assert_array_equal(model["similarity"].cells, local.similarity_._inner.cells)
    np.testing.assert_array_equal(model["after"], local.margins_after_[0])
    assert [sentence for _, sentence in found["notes"]] == local.notes_
    alone = np.arange(700).astype(str)
    with pytest.raises(ValueError, match="every class has a single row"):
        learn_blocks(ENGINE, cut(X + 1, alone, [300]), method, X[:0], plan=plan)


def test_what_cannot_be_learned_is_said_with_what_was_seen():
    X, y = np.ones((12, 2)), np.arange(12) % 3
    with pytest.warns(UserWarning, match="The plain similarity is used"):
        local = learn.RBS().fit(X, y)
    found = learn_blocks(ENGINE, cut(X, y, [5]), learn.RBS(), X[:0], plan="grid")
    assert found["reason"] in local.notes_
    assert found["plan"].name == "grid" and found["classes"].tolist() == [0, 1, 2]


def test_an_engine_waits_for_early_steps_before_it_begins_later_ones(table):
    X, y = table
    waited, begun = [], []

    def watched(function, *iterables):
        begun.append(function.__name__)
        return map(function, *iterables)

    engine = Engine(watched, memory=10_000, wait=lambda result: waited.append((len(begun), result)))
    weigh_blocks(
        engine, cut(np.tile(X, (3, 1)), np.tile(y, 3), [50]), weigh.ReliefF(), X[:0], plan="grid"
    )
    # Eight steps of 64, two of which are under way.
    assert len(waited) == 6
    assert [at for at, _ in waited] == sorted({at for at, _ in waited})
