"""Rules of neighbours over training rows in blocks: what the rows in one piece say, to the bit."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tables import cut, far

from nearkin import classify, datasets, learn
from nearkin.blocks import Engine, answer_blocks, rule_blocks

CUTS = [[], [90], [1, 64, 64, 65, 130], [25, 50, 75, 100, 125, 150]]


def said(estimator, training, queries, **options):
    """What the rule says of blocks of queries, and the rule."""
    engine, like = Engine(far), training[0][0][:0]
    found = rule_blocks(engine, training, estimator, like, plan="grid", **options)
    parts = engine.get(answer_blocks(engine, found["rule"], training, queries))
    there = [part for part in parts if len(part["class"])]
    assert sum(len(part["class"]) == 0 for part in parts) == len(parts) - len(there)
    return {key: np.concatenate([part[key] for part in there]) for key in there[0]}, found["rule"]


def same(estimator, X, y, queries, places):
    """Whether blocks say of queries what the estimator on one machine does."""
    fitted = clone(estimator).fit(X, y)
    local = fitted._ask(queries)
    pick = queries.iloc if hasattr(queries, "iloc") else queries
    asked = [pick[:3], pick[3:3], pick[3:]]
    found, rule = said(estimator, cut(X, y, places), asked, fit=lambda: fitted)
    assert found.keys() == local.keys()
    if estimator._asks_neighbours:
        assert rule.k == fitted.n_neighbors_
    for key in local:
        np.testing.assert_array_equal(found[key], local[key], err_msg=key)


@pytest.fixture(scope="module")
def wine():
    return datasets.load("wine", return_X_y=True)


@pytest.mark.parametrize("places", CUTS)
def test_blocks_of_any_length_say_the_same(wine, places):
    X, y = wine
    for rule in (
        classify.KNN(7, ties="nearest"),
        classify.KNN(4, prior="uniform", costs=[[0, 1, 2], [3, 0, 1], [1, 1, 0]]),
        classify.SKNN(3, priors=[0.2, 0.3, 0.5]),
        classify.SKNN(1000),
    ):
        same(rule, X, y, X + 0.25, places)


@pytest.mark.parametrize("rule", [classify.KNN, classify.SKNN])
def test_equal_similarities_go_to_the_first_row_whichever_block_it_is_in(rule):
    random = np.random.default_rng(0)
    X, queries = (random.integers(0, 3, (rows, 3)).astype(float) for rows in (150, 40))
    y = random.choice(["a", "b", "c"], 150)
    for places in CUTS:
        same(rule(5, measure="manhattan"), X, y, queries, places)


def mixed(rows, seed):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "size": np.where(random.random(rows) < 0.1, np.nan, random.random(rows).round(1)),
            "count": random.integers(0, 4, rows),
            "colour": random.choice(["red", "blue", "green", None], rows),
            # Categories that only turn up late, and one that only queries have.
            "late": ["a"] * 20 + random.choice(["b", f"c{seed}"], rows - 20).tolist(),
            "same": 1.0,
        }
    )


@pytest.mark.parametrize("measure", sorted(classify.measures()))
@pytest.mark.parametrize("rule", [classify.KNN, classify.SKNN])
def test_every_measure_says_the_same(measure, rule):
    X, queries = mixed(150, 1), mixed(40, 2)
    y = np.where(X["size"].fillna(0.3) + 0.2 * X["count"] > 0.6, "yes", "no")
    if measure == "lin":
        with pytest.raises(ValueError, match="all training cells say"):
            same(rule(3, measure=measure), X, y, queries, [50])
        X, queries = X[["colour", "late"]], queries[["colour", "late"]]
    for places in ([60, 60, 61, 120], [149]):
        same(rule(3, measure=measure), X, y, queries, places)


@pytest.mark.parametrize(
    ("measure", "settings"),
    [
        ("euclidean", {"scaling": "zscore"}),
        ("manhattan", {"scaling": "none"}),
        ("hvdm", {"normal": "n3", "smoothing": 1.0}),
        ("ivdm", {"intervals": 7}),
        ("tversky-contrast", {"alpha": 2.0}),
    ],
)
def test_settings_of_measures_are_kept(wine, measure, settings):
    X, y = wine
    same(classify.SKNN(3, measure=measure, measure_params=settings), X, y, X + 0.25, [50, 51])


@pytest.mark.parametrize("training", [np.float32, np.float64])
@pytest.mark.parametrize("asked", [np.float32, np.float64])
def test_rows_and_queries_keep_their_precision(wine, training, asked):
    X, y = wine
    for rule in (classify.SKNN(3), classify.KNN(3, measure="manhattan")):
        same(rule, X.astype(training), y, (X + 0.01).astype(asked), [50, 51])


@pytest.mark.parametrize("neighbourhood", ["nearest", "per-class"])
def test_neighbours_are_picked_for_a_step_of_queries_at_a_time(wine, neighbourhood):
    X, y = wine
    training, queries = cut(X, y, [50, 51]), X + 0.25
    estimator = classify.LocalSDA(4, neighbourhood=neighbourhood)
    fitted = clone(estimator).fit(X, y)
    most = []

    def watched(function, *iterables):
        calls = list(zip(*iterables, strict=True))
        if function.__name__ == "answer_among":
            most.extend(len(queries) for _, queries, *_ in calls)
        return [function(*call) for call in calls]

    engine = Engine(watched, memory=10_000)
    found = rule_blocks(engine, training, estimator, X[:0], plan="grid", fit=lambda: fitted)
    assert found["rule"].step == 64
    # Of a promise nobody knows the length: it is cut as the largest training block would be.
    for lengths, pieces in ((None, 3), ([None], 2)):
        most.clear()
        [said] = answer_blocks(engine, found["rule"], training, [queries], lengths)
        local = fitted._ask(queries)
        for key in local:
            np.testing.assert_array_equal(said[key], local[key], err_msg=key)
        assert len(most) == pieces and sum(most) == len(queries)


def test_categories_of_another_kind_are_refused_by_queries():
    X, queries = mixed(150, 1), mixed(40, 2)
    y = np.where(X["count"] > 1, "yes", "no")
    rule = classify.KNN(3, measure="heom")
    for column, cells, why in (
        ("colour", 1, "column `colour` held text when the estimator was fitted"),
        ("late", 2, "column `late` held text when the estimator was fitted"),
    ):
        with pytest.raises(ValueError, match=why):
            said(rule, cut(X, y, [10, 60]), [queries, queries.assign(**{column: cells})])
    numbers = X.assign(colour=X["count"].astype(object))
    rule = classify.KNN(3, measure="heom", categorical_features=["colour", "late"])
    with pytest.raises(ValueError, match="column `colour` held numbers"):
        said(rule, cut(numbers, y, [10, 60]), [queries])
    with pytest.raises(ValueError, match="shape .40, 4., and the table has 5 features"):
        said(rule, cut(X, y, [10, 60]), [queries.iloc[:, :4]])


def test_similarities_that_were_learned_and_functions_say_the_same(wine):
    X, y = wine
    X = X / X.max(axis=0)
    sila = learn.SiLA(epochs=3).fit(X, y).similarity_
    weights = learn.Relief().fit(X, y).similarity_
    random = np.random.default_rng(4)
    full = learn.Similarity(random.normal(size=(13, 13)), norm="dot")
    for measure in (sila, weights, full, lambda x, z: -abs(x[0] - z[0])):
        for rule in (classify.KNN, classify.SKNN):
            local = rule(5, measure=measure).fit(X, y)._ask(X[:20] + 0.01)
            engine, training = Engine(map), cut(X, y, [50, 51])
            found = rule_blocks(engine, training, rule(5, measure=measure), X[:0], plan="grid")
            [answer] = answer_blocks(engine, found["rule"], training, [X[:20] + 0.01])
            for key in local:
                np.testing.assert_array_equal(answer[key], local[key], err_msg=key)


def test_what_needs_all_rows_says_so_and_goes_by_broadcast(wine):
    X, y = wine
    for rule, why in (
        (classify.SKNN(3, probabilities=True), "probabilities of a rule of scores"),
        (classify.KNN(3, measure=learn.SiLA()), "learned from all rows"),
        (classify.KNN(3, measure="mvdm", measure_params={"exemplars": "used"}), "exemplar"),
        (classify.SDA(), "compares all training rows"),
    ):
        if rule.measure == "mvdm":
            X = X.round(0) % 3
        with pytest.raises(ValueError, match=why):
            rule_blocks(Engine(map), cut(X, y, [50]), rule, X[:0], plan="grid")
        found = rule_blocks(Engine(map), cut(X, y, [50]), rule, X[:0])
        assert found["plan"].name == "broadcast" and found["rule"] is None
        with pytest.raises(ValueError, match="use workers with more memory"):
            rule_blocks(Engine(map, memory=1000), cut(X, y, [50]), rule, X[:0])


@pytest.mark.parametrize("places", CUTS)
def test_the_number_of_neighbours_is_chosen_by_leaving_rows_out_of_all_blocks(wine, places):
    X, y = wine
    for rule in (
        classify.KNN(),
        classify.KNN(ties="nearest", prior="uniform", costs=[[0, 1, 2], [3, 0, 1], [1, 1, 0]]),
        classify.SKNN(k_candidates=[2, 5, 9, 40]),
        classify.SKNN(measure=learn.Similarity(np.ones(X.shape[1]))),
    ):
        same(rule, X, y, X[::5] + 0.25, places)


@pytest.mark.parametrize("places", CUTS)
@pytest.mark.parametrize(
    "classifier",
    [
        classify.SDA(),
        classify.SDA(statistics=["nearest", "centroid", "cross-deviation"], prior="uniform"),
        classify.NNSDA(measure="hvdm"),
        classify.LocalSDA(12),
        classify.LocalSDA(k_candidates=[5, 9], neighbourhood="per-class", measure="cosine"),
        classify.MixtureSDA(2),
    ],
)
def test_what_is_fitted_in_one_place_is_asked_with_rows_in_blocks(wine, classifier, places):
    X, y = wine
    same(classifier, X, y, X[::2] + 0.25, places)


def test_models_go_without_training_rows(wine):
    X, y = wine
    family = classify.SDA(), classify.NNSDA(), classify.LocalSDA(5), classify.MixtureSDA(2)
    for classifier in family:
        fitted = clone(classifier).fit(X, y)
        _, rule = said(classifier, cut(X, y, [50]), [X[:3]], fit=lambda fitted=fitted: fitted)
        held, carried = len(getattr(rule, "prototypes", ())), pickle.dumps(rule)
        assert held <= 6 and sum(row.tobytes() in carried for row in X) == held
    for classifier, why in (
        (classify.SDA(statistics=["mean"]), "that to all of its rows"),
        (classify.LocalSDA(neighbourhood="radius"), "any number of rows"),
        (classify.NearestCentroid(), "with all training rows"),
    ):
        with pytest.raises(ValueError, match=why):
            said(classifier, cut(X, y, [50]), [X[:3]], fit=lambda: None)


def test_the_plan_is_chosen_by_size_and_said_aloud(wine):
    X, y = wine
    told = []
    found = rule_blocks(
        Engine(map, memory=30_000), cut(X, y, [50]), classify.KNN(3), X[:0], say=told.append
    )
    assert found["plan"].name == "grid" and found["size"].rows == len(X)
    assert told == [str(found["plan"])] and "do not fit" in told[0]


def test_what_no_rule_can_learn_from_is_refused(wine):
    X, y = wine
    for labels, why in ((np.zeros(len(X)), "two classes"), (X[:, 0], "continuous")):
        with pytest.raises(ValueError, match=why):
            rule_blocks(Engine(map), cut(X, labels, [50]), classify.KNN(3), X[:0], plan="grid")
    with pytest.raises(ValueError, match="is negative"):
        rule_blocks(Engine(map), cut(X - 5, y, [50]), classify.KNN(3, measure="dice"), X[:0])
    holes = X.copy()
    holes[60, 2] = np.nan
    plain = learn.Similarity(np.ones(X.shape[1]))
    with pytest.raises(ValueError, match="missing cells"):
        rule = classify.KNN(3, measure=plain)
        rule_blocks(Engine(map), cut(holes, y, [50]), rule, X[:0], plan="grid")
