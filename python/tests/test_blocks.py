"""A table in blocks gives what the table in one piece does, to the bit, by any map."""

import numpy as np
import pandas as pd
import pytest

from nearkin import datasets, weigh
from nearkin.blocks import Engine, Size, choose, cost, weigh_blocks

PLANS = ["broadcast", "grid"]


def cut(X, y, places):
    """Blocks of a table, cut before these rows."""
    ends = [0, *places, len(X)]
    rows = [slice(a, b) for a, b in zip(ends, ends[1:], strict=False)]
    pick = X.iloc.__getitem__ if hasattr(X, "iloc") else X.__getitem__
    return [(pick(part), y[part]) for part in rows]


def same(found, fitted):
    """Whether weights, and what was asked for beside them, have the same bits."""
    for name in ("class_weights", "pair_weights", "p_values", "q_values", "class_p_values"):
        if hasattr(fitted, f"{name}_"):
            np.testing.assert_array_equal(found[name], getattr(fitted, f"{name}_"))
    np.testing.assert_array_equal(found["weights"], fitted.feature_importances_)
    assert found["notes"] == fitted.notes_


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
def test_radius_methods_give_the_same_bits_by_broadcast(wine, method):
    X, y = wine
    found = weigh_blocks(Engine(map), cut(X, y, [64, 100]), method(), X[:0])
    same(found, method().fit(X, y))
    with pytest.raises(ValueError, match="needs all rows in one place"):
        weigh_blocks(Engine(map), cut(X, y, [64]), method(), X[:0], plan="grid")


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


@pytest.mark.parametrize("method", [weigh.DReliefF, weigh.PDReliefF])
def test_sequential_methods_say_why_they_are_not_cut(wine, method):
    X, y = wine
    with pytest.raises(ValueError, match="sequential by definition"):
        weigh_blocks(Engine(map), cut(X, y, [90]), method(), X[:0])


def test_what_needs_all_contributions_is_refused(wine):
    X, y = wine
    for method in (weigh.ReliefF(interval=0.9), weigh.ReliefF(p_values="permutation")):
        with pytest.raises(ValueError, match="interval|p_values"):
            weigh_blocks(Engine(map), cut(X, y, [90]), method, X[:0])


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


@pytest.mark.parametrize("plan", PLANS)
def test_the_cost_model_counts_tasks_as_they_are_made(wine, plan):
    X, y = wine
    made = {}

    def counting(function, *iterables):
        results = list(map(function, *iterables))
        made[function.__name__] = made.get(function.__name__, 0) + len(results)
        return results

    blocks = [(X[a : a + 40], y[a : a + 40]) for a in range(0, 178, 40)]
    found = weigh_blocks(Engine(counting), blocks, weigh.ReliefF(), X[:0], plan=plan)
    told = cost(found["plan"], found["size"], classes=3, features=X.shape[1])
    # Blocks of equal size are what the model knows of.
    told.tasks.pop("take", None), made.pop("take", None)
    assert told.tasks == made
