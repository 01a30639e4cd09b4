"""The cost model counts what is really made: tasks of each kind, and bytes that go into them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tables import Counted

from nearkin import classify, learn, weigh
from nearkin.blocks import (
    Size,
    answer_blocks,
    answer_cost,
    choose,
    cost,
    learn_blocks,
    learn_cost,
    rule_blocks,
    rule_cost,
    weigh_blocks,
)

GUIDE = Path(__file__).parents[2] / "docs" / "dask.md"


def test_the_guide_says_what_the_model_does():
    guide = " ".join(GUIDE.read_text(encoding="utf-8").split())
    size = Size(
        rows=10**7,
        nbytes=8 * 10**10,
        blocks=500,
        targets=10**7,
        neighbours=20,
        workers=100,
        memory=32 * 10**9,
    )

    def both(told):
        """Tasks and terabytes, as the guide writes them."""
        return f"{sum(told.tasks.values()):,} tasks", f"{told.nbytes / 1e12:.0f} TB"

    of = {"classes": 2, "features": 1000}
    radii = [replace(size, neighbours=0, sums=8 * sides * 2 * 1001) for sides in (1, 2)]
    for told in (
        cost(choose(size), size, **of),
        *(cost(choose(one), one, radius="own", **of) for one in radii),
        learn_cost(choose(size), size, **of),
    ):
        assert all(words in guide for words in both(told)), both(told)
    knn = replace(size, neighbours=10)
    told = answer_cost(choose(knn), knn, queries=10**6, blocks=50, features=1000)
    assert both(told)[0] in guide and f"{told.nbytes / 1e12:.1f} TB" in guide
    assert rule_cost(choose(knn), knn).tasks == {"read": 500, "summarise": 500}


def table(rows, blocks=20, columns=30):
    """Random rows, their classes, and both in blocks."""
    random = np.random.default_rng(1)
    X, y = random.random((rows, columns)), random.integers(0, 2, rows)
    return X, y, list(zip(np.array_split(X, blocks), np.array_split(y, blocks), strict=True))


def same(told, engine):
    """Whether the model told what the engine did."""
    assert told.tasks == engine.made
    assert told.nbytes == pytest.approx(engine.moved, rel=0.1)


@pytest.mark.parametrize(
    ("method", "plan", "rows", "more"),
    [
        (weigh.ReliefF(), "broadcast", 2000, {}),
        (weigh.ReliefF(), "grid", 2000, {}),
        (weigh.ReliefF(sample=300), "grid", 2000, {}),
        (weigh.ReliefF(scale="zscore"), "grid", 2000, {"deviations": True}),
        (weigh.ReliefF(scale="zscore"), "broadcast", 2000, {"deviations": True}),
        (weigh.ReliefF(missing="d"), "grid", 2000, {"counted": True}),
        (weigh.RReliefF(), "grid", 2000, {"classes": 1}),
        (weigh.MultiSURF(), "grid", 4200, {"radius": "own"}),
        (weigh.MultiSURFStar(), "grid", 4200, {"radius": "own"}),
        (weigh.SURF(), "grid", 4200, {"radius": "one"}),
        (weigh.SURFStar(), "grid", 4200, {"radius": "one"}),
        # Few columns: what else travels counts.
        (weigh.MultiSURF(), "grid", 4200, {"radius": "own", "features": 2}),
        (weigh.SURF(), "grid", 4200, {"radius": "one", "features": 2}),
    ],
)
def test_weights_cost_what_was_told(method, plan, rows, more):
    more = {"features": 30} | more
    X, _, blocks = table(rows, columns=more["features"])
    if more.get("counted"):
        blocks[3][0][1, 2] = np.nan
    engine = Counted(workers=4)
    found = weigh_blocks(engine, blocks, method, X[:0], plan=plan)
    told = cost(found["plan"], found["size"], **more)
    same(told, engine)
    passes = {"own": 3, "one": 2}.get(more.get("radius"), 1)
    assert told.differences == passes * found["size"].targets * rows * more["features"]


@pytest.mark.parametrize(
    ("rule", "more"),
    [
        (classify.KNN(5), {}),
        (classify.KNN(k_candidates=[3, 5]), {"choosing": True}),
        (classify.SKNN(5), {"groups": 2}),
        (classify.SKNN(5, measure="hvdm"), {"groups": 2, "counted": True, "deviations": True}),
        (classify.SDA(), {}),
        (classify.NNSDA(), {"groups": 2}),
        (classify.MixtureSDA(2), {}),
        (classify.LocalSDA(8), {}),
        (classify.LocalSDA(4, neighbourhood="per-class"), {"groups": 2}),
    ],
)
def test_rules_and_their_answers_cost_what_was_told(rule, more):
    X, y, blocks = table(900)
    queries = np.array_split(X[:300] + 0.01, 3)
    # So little that steps of queries are small.
    engine = Counted(workers=4, memory=10_000)
    fit = {"fit": lambda: rule.fit(X, y)}
    found = rule_blocks(engine, blocks, rule, X[:0], plan="grid", **fit)
    same(rule_cost(found["plan"], found["size"], features=30, **more), engine)
    engine = Counted()
    answer_blocks(engine, found["rule"], blocks, queries)
    asked = {"queries": 300, "blocks": 3, "groups": more.get("groups", 1), "features": 30}
    neighbours = found["rule"].k * found["rule"].groups
    size = replace(found["size"], neighbours=neighbours)
    told = answer_cost(found["plan"], size, method=rule._method, **asked)
    same(told, engine)
    assert told.differences == (300 * 900 * 30 if neighbours else 0)


@pytest.mark.parametrize("plan", ["broadcast", "grid"])
@pytest.mark.parametrize(
    ("method", "margins", "sums"),
    [(learn.RBS(), 2, 1), (learn.RBS(matrix="full"), 2, 1), (learn.SRBS(epochs=3), None, None)],
)
def test_similarities_cost_what_was_told(method, margins, sums, plan):
    X, _, blocks = table(2000)
    engine = Counted(workers=4)
    found = learn_blocks(engine, blocks, method, X[:0], plan=plan)
    steps = -(-2000 // found["plan"].step)
    asked = {"margins": engine.made["margins"] // steps, "sums": engine.made["sum_pairs"] // steps}
    if margins is not None:
        assert asked == {"margins": margins, "sums": sums}
    matrix = method.matrix if isinstance(method.matrix, str) else "diagonal"
    told = learn_cost(found["plan"], found["size"], features=30, matrix=matrix, **asked)
    same(told, engine)
