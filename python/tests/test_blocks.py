"""A table in blocks gives what the table in one piece does, to the bit, by any map."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tables import cut

from nearkin import datasets, weigh
from nearkin.blocks import Engine, Size, choose, weigh_blocks

PLANS = ["broadcast", "grid"]


def same(found, fitted):
    """Whether weights, and what was asked for beside them, have the same bits."""
    for name in ("class_weights", "pair_weights", "p_values", "q_values", "class_p_values"):
        if hasattr(fitted, f"{name}_"):
            np.testing.assert_array_equal(found[name], getattr(fitted, f"{name}_"))
    np.testing.assert_array_equal(found["weights"], fitted.feature_importances_)
    assert [sentence for _, sentence in found["notes"]] == fitted.notes_


@pytest.fixture(scope="module")
def wine():
    return datasets.load("wine", return_X_y=True)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("places", [[], [90], [1, 64, 64, 65, 130], [25, 50, 75, 100, 125, 150]])
def test_blocks_of_any_length_give_the_same_bits(wine, plan, places):
    X, y = wine
    for method in (
        weigh.ReliefF(n_neighbors=7, per_class=True, pairs=True, p_values="stir"),
        weigh.ClassDependentRelief(class_scale="relieff", p_values="stir", per_class=True),
        weigh.ReliefF(scale="zscore", sample=100, random_state=4),
        weigh.ReliefF(priors={0: 0.5, 1: 0.2, 2: 0.3}),
    ):
        found = weigh_blocks(Engine(map), cut(X, y, places), method, X[:0], plan=plan)
        same(found, method.fit(X, y))
        assert found["plan"].name == plan


@pytest.mark.parametrize("plan", PLANS)
def test_a_real_target_gives_the_same_bits(wine, plan):
    X, y = wine
    target = X[:, 0] * X[:, 3] + y
    method = weigh.RReliefF()
    found = weigh_blocks(Engine(map), cut(X, target, [50, 53]), method, X[:0], plan=plan)
    same(found, method.fit(X, target))


@pytest.mark.parametrize("method", [weigh.SURF, weigh.MultiSURF, weigh.MultiSURFStar])
def test_few_rows_within_a_radius_are_summed_in_one_place(wine, method):
    X, y = wine
    found = weigh_blocks(Engine(map), cut(X, y, [64, 100]), method(), X[:0])
    same(found, method().fit(X, y))
    with pytest.raises(ValueError, match="fewer than 4096 rows"):
        weigh_blocks(Engine(map), cut(X, y, [64]), method(), X[:0], plan="grid")


@pytest.fixture(scope="module")
def many():
    """Rows enough for whole numbers, distances that tie, and a feature of categories."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.random((4200, 4)), columns=list("abcd"))
    X["b"] = X["b"].round(1)
    X["kind"] = random.choice(["u", "v", "w"], len(X))
    y = np.where(X["a"] + 0.3 * X["b"] > 0.7, "p", np.where(X["c"] > 0.5, "q", "r"))
    return X, y


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("places", [[], [1999], [1, 64, 64, 65, 3000], list(range(600, 4200, 600))])
@pytest.mark.parametrize("name", ["SURF", "SURFStar", "MultiSURF", "MultiSURFStar"])
def test_rows_within_a_radius_give_the_same_bits(many, plan, places, name):
    X, y = many
    for data in (X, X[["kind"]]):
        method = getattr(weigh, name)(sample=150, per_class=True, random_state=1)
        found = weigh_blocks(Engine(map), cut(data, y, places), method, data[:0], plan=plan)
        same(found, method.fit(data, y))
        assert found["plan"].name == plan


def test_what_has_no_order_of_its_own_within_a_radius_is_refused(many):
    X, y = many
    missing = X.copy()
    missing.iloc[7, 0] = np.nan
    for data, settings, why in (
        (missing, {}, "missing cell"),
        (X, {"p_values": "stir"}, "squares"),
        (X, {"ramp": True}, "ramps"),
    ):
        method = weigh.MultiSURF(sample=64, **settings)
        with pytest.raises(ValueError, match=why):
            weigh_blocks(Engine(map), cut(data, y, [2000]), method, data[:0], plan="grid")
        found = weigh_blocks(Engine(map), cut(data, y, [2000]), method, data[:0])
        same(found, method.fit(data, y))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("missing", ["d", "agnostic", "weka"])
def test_frames_with_categories_and_missing_cells_give_the_same_bits(plan, missing):
    random = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "size": np.where(random.random(150) < 0.1, np.nan, random.random(150)),
            "colour": random.choice(["red", "blue", "green", None], 150),
            # Categories that only turn up in the last block.
            "late": ["a"] * 100 + random.choice(["b", "c"], 50).tolist(),
            "empty": np.nan,
            "same": 1.0,
        }
    )
    y = random.choice(["yes", "no", "perhaps"], 150)
    method = weigh.ReliefF(n_neighbors=4, missing=missing, explain_rows=[5, 140])
    found = weigh_blocks(Engine(map), cut(X, y, [60, 60, 110]), method, X.iloc[:0], plan=plan)
    same(found, method.fit(X, y))
    rows = dict(zip(found["rows"].tolist(), found["row_weights"], strict=True))
    np.testing.assert_array_equal(rows[140], method.row_weights_[1])


def test_numbers_as_categories_and_single_precision_give_the_same_bits():
    random = np.random.default_rng(5)
    X = random.integers(0, 12, (140, 4)).astype(np.float32)
    y = (X[:, 0] > X[:, 1]).astype(int)
    method = weigh.ReliefF(categorical_features=[0, 3])
    found = weigh_blocks(Engine(map), cut(X, y, [40, 41]), method, X[:0], plan="grid")
    same(found, method.fit(X, y))


def test_any_map_will_do(wine):
    from concurrent.futures import ThreadPoolExecutor

    X, y = wine
    with ThreadPoolExecutor(3) as pool:
        engine = Engine(pool.map, workers=3)
        found = weigh_blocks(engine, cut(X, y, [70]), weigh.ReliefF(), X[:0], plan="grid")
    same(found, weigh.ReliefF().fit(X, y))


def unread(*_):
    raise AssertionError("a block was read")


@pytest.mark.parametrize(
    ("method", "why"),
    [
        (weigh.DReliefF(), "sequential by definition"),
        (weigh.PDReliefF(), "sequential by definition"),
        (weigh.TuRF(weigh.ReliefF()), "wraps methods on one machine"),
        (weigh.ReliefF(interval=0.9), "interval: a bootstrap draws"),
        (weigh.ReliefF(p_values="permutation"), "p_values: a permutation test"),
        (weigh.ReliefF(n_neighbors=0), "n.neighbors"),
        (weigh.ClassDependentRelief(class_scale="sum", p_values="stir"), "stir needs means"),
    ],
)
def test_what_blocks_cannot_do_is_said_before_any_is_read(wine, method, why):
    X, y = wine
    with pytest.raises(ValueError, match=why):
        weigh_blocks(Engine(unread), cut(X, y, [90]), method, X[:0])


def test_blocks_that_do_not_belong_together_are_refused(wine):
    X, y = wine
    with pytest.raises(ValueError, match="cut both at the same rows"):
        weigh_blocks(Engine(map), [(X[:9], y[:8])], weigh.ReliefF(), X[:0])
    with pytest.raises(ValueError, match="at least two classes"):
        weigh_blocks(Engine(map), [(X[:9], y[:9])], weigh.ReliefF(), X[:0])


def test_the_plan_follows_from_size():
    small = Size(rows=1000, nbytes=10**6, blocks=4, targets=1000, neighbours=20, memory=10**9)
    assert choose(small).name == "broadcast"
    large = Size(
        rows=10**7,
        nbytes=8 * 10**10,
        blocks=500,
        targets=10**7,
        neighbours=20,
        workers=100,
        memory=32 * 10**9,
    )
    plan = choose(large)
    assert plan.name == "grid"
    assert plan.step % 64 == 0
    assert "80.0 GB" in str(plan)
    assert choose(large, "broadcast").name == "broadcast"
    with pytest.raises(ValueError, match="expected 'auto'"):
        choose(small, "best")


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("columns", "classes"), [(4, 2), (1000, 2), (1000, 30), (50, 200)])
def test_sums_within_a_radius_keep_to_a_tasks_memory(columns, classes, sides):
    rows, row = 10**7, 4 * columns
    size = Size(
        rows=rows,
        nbytes=rows * row,
        blocks=500,
        targets=rows,
        neighbours=0,
        sums=8 * sides * classes * (1 + columns),
        memory=2 * 10**9,
    )
    plan = choose(size, "grid")
    assert 1 <= plan.folded <= 16
    # Parts, the total so far and the next one; 64 targets are the least.
    added_up = plan.step * (plan.folded + 2) * size.sums
    beside_a_block = plan.step * (3.5 * row + size.sums + 8 * 64)
    assert max(added_up, beside_a_block) <= 0.4 * size.memory
    # No smaller than need be.
    larger = plan.step + 64
    held = max(larger * 6 * size.sums, larger * (3.5 * row + size.sums + 8 * 64))
    assert held > 0.4 * size.memory
    assert choose(replace(size, memory=None), "grid").folded == 16


def test_the_planner_is_told_the_sums_of_a_target(many):
    X, y = many
    for name, sides in (("SURF", 1), ("SURFStar", 2), ("MultiSURF", 1), ("MultiSURFStar", 2)):
        method = getattr(weigh, name)(sample=64)
        found = weigh_blocks(Engine(map), cut(X, y, [2000]), method, X[:0], plan="grid")
        assert found["size"].sums == 8 * sides * 3 * (1 + X.shape[1])
