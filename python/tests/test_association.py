"""Association in Python: the definition, the program's numbers, what is given beside X, refusals."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from program import needs_program, run
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.feature_selection import SelectFdr
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from test_genotypes import copies_of, write_plink

from nearkin import datasets
from nearkin.datasets import read_plink
from nearkin.weigh import (
    SURF,
    VLS,
    Association,
    MultiSURF,
    ReliefF,
    RReliefF,
    TuRF,
    association,
    relieff,
)

TOLD = ("statistics_", "deviations_", "z_", "p_values_", "p_target_", "p_column_", "q_values_")
TOLD += ("p_family_", "extrapolated_", "feature_importances_")


def same(one, other):
    """Two fits tell the same, to the bit."""
    for name in TOLD:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    assert one.directions_ == other.directions_


def statistic(X, G):
    """T of numbers without missing cells by the definition, pair by pair."""
    n, p = X.shape
    linked = np.corrcoef(X.T) ** 2 > 0.1
    apart = np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0)
    found = np.zeros(p)
    for a in range(p):
        d = apart[:, :, ~linked[a]].sum(axis=2)
        for i in range(n):
            others = np.arange(n) != i
            radius = d[i, others].mean() - d[i, others].std() / 2
            near = np.flatnonzero(others & (d[i] < radius))
            if near.size:
                away = apart[i, near, a] - apart[i, near, a].mean()
                found[a] -= (away * G[i, near]).sum() / near.size
    return found


@pytest.fixture(scope="module")
def mixed():
    """Categories, numbers, missing cells; unequal classes that two columns tell apart."""
    rng = np.random.default_rng(0)
    n = 120
    y = np.where(rng.random(n) < 0.25, "case", "control")
    colour = np.where(rng.random(n) < 0.8, np.where(y == "case", "red", "blue"), "green")
    size = (y == "case") + rng.normal(size=n)
    frame = pd.DataFrame({"colour": colour, "size": size})
    for at in range(4):
        frame[f"n{at}"] = rng.normal(size=n)
        frame[f"c{at}"] = rng.choice(["u", "v", "w"], n)
    frame.loc[[3, 7], "size"] = np.nan
    frame.loc[[5, 9], "colour"] = None
    return frame, y


def test_the_statistic_is_that_of_the_definition():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 5)), np.arange(60) % 4 == 0
    X[:, 0] += y
    X[:, 1] += X[:, 2]
    R = np.c_[y - y.mean(), ~y - (1 - y.mean())]
    found = Association().fit(X, y)
    np.testing.assert_allclose(found.statistics_, statistic(X, R @ R.T), rtol=1e-9)
    real = X @ [1.0, 0, 0, 0, 0] + rng.normal(size=60)
    R = real - real.mean()
    found = Association().fit(X, real)
    np.testing.assert_allclose(found.statistics_, statistic(X, np.outer(R, R)), rtol=1e-9)
    # Given a covariate, what least squares leaves.
    given = rng.normal(size=60)
    line = np.polyval(np.polyfit(given, real, 1), given)
    found = Association().fit(X, real, covariates=given)
    R = real - line
    np.testing.assert_allclose(found.statistics_, statistic(X, np.outer(R, R)), rtol=1e-9)


def test_several_targets_are_scaled_and_tested_together():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:90], y[:90]
    both = np.c_[y, 1000 * X[:, 2] + np.arange(90) % 7]
    found = Association(target="real").fit(X, both)
    R = both - both.mean(axis=0)
    R /= R.std(axis=0)
    of_numbers = [0, *range(2, 10)]  # sex has two values
    numbers = X[:, of_numbers]
    again = Association().fit(numbers, both)
    np.testing.assert_allclose(again.statistics_, statistic(numbers, R @ R.T), rtol=1e-9)
    assert found.top_features_[0] == 2 and found.directions_ == [None] * 10
    frame = pd.DataFrame(both, columns=["progression", "other"])
    same(found, Association(target="real").fit(X, frame))
    same(found, Association(target="real").fit(X, both.tolist()))
    # One column is one target.
    same(Association().fit(X, y), Association().fit(X, y[:, None]))


def test_targets_of_both_kinds(mixed):
    X, y = mixed
    both = pd.DataFrame({"y": y, "size": X["size"].fillna(0)})
    found = Association().fit(X[["colour", "n0", "n1"]], both)
    classes, real = found.classes_
    assert classes.tolist() == ["case", "control"] and real is None
    assert found.top_features_[0] == 0


@needs_program
@pytest.mark.parametrize("name", ["iris", "house-votes-84", "epistasis"])
def test_tests_are_those_of_the_program(name):
    said = json.loads(run("weigh", f"@{name}", "--method", "association", "--format", "json"))
    bunch = datasets.load(name, as_frame=True)
    found = Association().fit(bunch.data, bunch.target_names[bunch.target])
    theirs = {one["feature"]: one for one in said["weights"]}
    theirs = [theirs[name] for name in found.feature_names_in_]
    np.testing.assert_array_equal(found.z_, [one["weight"] for one in theirs])
    for key, ours in (("p", found.p_values_), ("q", found.q_values_)):
        if key in theirs[0]:
            np.testing.assert_array_equal(ours, [one[key] for one in theirs])


@pytest.mark.parametrize("near", ["radius", "nearest"])
def test_order_of_rows_and_threads_change_nothing(mixed, near):
    X, y = mixed
    rng = np.random.default_rng(2)
    ages, cages = rng.normal(size=len(X)), rng.choice(["k", "l", "m"], len(X))
    order = rng.permutation(len(X))
    # Categories are met in another order, too.
    order = np.r_[np.argsort(X["colour"].astype(str))[::-1][:9], order]
    order = order[np.sort(np.unique(order, return_index=True)[1])]
    for given in ({}, {"strata": cages}, {"covariates": ages}):
        found = Association(near=near, exchanges=100).fit(X, y, **given)
        moved = {name: cells[order] for name, cells in given.items()}
        other = Association(near=near, exchanges=100, n_jobs=3)
        same(found, other.fit(X.iloc[order], y[order], **moved))


def test_frames_arrays_and_precisions_agree(mixed):
    X, y = mixed
    found = Association().fit(X, y)
    same(found, Association().fit(pl.from_pandas(X), y))
    same(found, Association().fit(X.astype({"colour": "category", "c0": "category"}), y))
    numbers = X[["n0", "n1", "n2", "n3"]].to_numpy(dtype=np.float32)
    single = Association().fit(numbers, y)
    same(single, Association().fit(np.asfortranarray(numbers), y))
    same(single, Association().fit(numbers.astype(np.float64), y))


def test_what_is_found_has_the_shape_and_kind_it_should(mixed):
    X, y = mixed
    found = Association(q=0.05).fit(X, y)
    assert set(found.top_features_[:2]) == {0, 1} and found.get_support()[:2].all()
    np.testing.assert_array_equal(found.p_values_, np.maximum(found.p_target_, found.p_column_))
    assert (found.q_values_ >= found.p_values_).all() and (found.p_family_ >= found.p_values_).all()
    np.testing.assert_array_equal(found.z_, found.scores_)
    assert found.extrapolated_.dtype == bool and found.extrapolated_[0]
    way, size = found.directions_[:2]
    assert way["z"] > 2 and way["more"]
    assert (way["level"], way["class"]) in {("red", "case"), ("blue", "control")}
    assert (size["level"], size["class"], size["more"]) == (None, "case", True)
    assert found.classes_.tolist() == ["case", "control"]


def test_classes_of_directions_are_those_of_y():
    X, y = load_iris(return_X_y=True)
    found = Association().fit(X[:100], y[:100])
    assert {way["class"] for way in found.directions_} <= {0, 1}
    assert all(isinstance(way["class"], int) for way in found.directions_)


def test_clones_and_pickles(mixed):
    X, y = mixed
    test = Association(near="nearest", n_neighbors=7, q=0.1, target="classes")
    assert clone(test).get_params() == test.get_params()
    read = pickle.loads(pickle.dumps(test.fit(X, y)))
    same(read, test)
    np.testing.assert_array_equal(read.get_support(), test.get_support())


def test_selection_by_q_by_p_and_by_number(mixed):
    X, y = mixed
    test = Association(q=0.05).fit(X, y)
    np.testing.assert_array_equal(test.get_support(), test.q_values_ <= 0.05)
    test.set_params(q=None, p=0.3)
    np.testing.assert_array_equal(test.get_support(), test.p_values_ <= 0.3)
    test.set_params(q=0.05)
    both = (test.p_values_ <= 0.3) & (test.q_values_ <= 0.05)
    np.testing.assert_array_equal(test.get_support(), both)
    test.set_params(q=None, p=None, n_features_to_select=3)
    assert test.get_support().sum() == 3
    assert SelectFdr(association, alpha=0.05).fit(X[["n0", "size"]].fillna(0), y).get_support()[1]
    z, p_values = association(X, y)
    np.testing.assert_array_equal(p_values, test.p_values_)
    np.testing.assert_array_equal(z, test.z_)


def test_genotypes_stay_packed(tmp_path):
    copies, cases = copies_of((150, 40), 0.02)
    path = write_plink(tmp_path / "cases.bed", copies, cases + 1)
    X, y = read_plink(path)
    test = Association(q=0.01).fit(X, y)
    kept = test.transform(X)
    assert type(kept) is type(X) and kept.shape == (150, test.get_support().sum())
    order = np.random.default_rng(0).permutation(150)
    same(test, Association().fit(X[order], y[order]))
    relevant = set(np.argsort(test.p_values_)[:2].tolist())
    assert relevant == set(test.top_features_[:2].tolist()) and (test.p_values_.min() < 1e-3)
    assert {way["level"] for way in test.directions_ if way} <= {"0", "1", "2"}


def null_tables(tables, rows=100, columns=15):
    """Noise, a fifth of it cases."""
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, (rows, columns)).astype(float)
        y = rng.permutation(np.arange(rows) < rows // 5)
        yield pd.DataFrame(X.astype(int).astype(str)), y


def test_noise_is_called_as_often_as_p_says_though_classes_are_unequal():
    found, stir = [], []
    for X, y in null_tables(40):
        found.append(Association(exchanges=200, column_exchanges=100).fit(X, y).p_values_)
        stir.append(ReliefF(p_values="stir").fit(X, y).p_values_)
    # 600 tests; three deviations of a share of .05 are .027.
    assert np.mean(np.less(found, 0.05)) < 0.077
    assert np.mean(np.less(found, 0.5)) > 0.3  # and not by never calling anything
    # What it is there for: STIR takes the rare class for a relevant one.
    assert np.mean(np.less(stir, 0.05)) > 0.2


def test_a_confounder_is_taken_out_by_strata_and_by_covariates():
    called = {"alone": 0, "strata": 0, "covariates": 0}
    for seed in range(8):
        rng = np.random.default_rng(seed)
        country = rng.integers(0, 2, 200)
        X = rng.normal(size=(200, 8))
        X[:, 0] += 2 * country
        y = rng.random(200) < np.where(country, 0.75, 0.25)
        given = {
            "alone": {},
            "strata": {"strata": np.array(["here", "there"])[country]},
            "covariates": {"covariates": pd.DataFrame({"country": country.astype(str)})},
        }
        for name, arguments in given.items():
            called[name] += Association(exchanges=200).fit(X, y, **arguments).p_values_[0] < 0.05
    assert called["alone"] >= 6
    assert called["strata"] <= 2 and called["covariates"] <= 2


def test_covariates_in_whatever_form_are_the_same():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    X, y = X.iloc[:100], y.iloc[:100]
    age, rest = X["age"], X.drop(columns="age")
    found = Association().fit(rest, y, covariates=age)
    plain = Association().fit(rest, y)
    assert (found.z_ != plain.z_).any()
    for given in (age.to_numpy(), age.to_frame(), age.to_numpy()[:, None], age.tolist()):
        same(found, Association().fit(rest, y, covariates=given))
    same(found, Association().fit(rest, y, covariates=pl.from_pandas(age.to_frame())))
    sex = np.where(X["sex"] > 0, "f", "m")
    found = Association().fit(rest, y, covariates=sex)
    same(found, Association().fit(rest, y, covariates=pd.DataFrame({"sex": sex}, dtype="category")))
    same(found, Association().fit(rest, y, covariates=sex.astype(object)[:, None]))


def test_strata_are_any_labels():
    X, y = load_iris(return_X_y=True)
    X, y, groups = X[50:], y[50:], np.arange(100) % 3
    found = Association().fit(X, y, strata=groups)
    for labels in (groups.tolist(), groups.astype(float), pd.Series(groups), groups > -1):
        other = Association().fit(X, y, strata=labels)
        if len(np.unique(labels)) == 3:
            same(found, other)
    same(found, Association().fit(X, y, strata=np.array(["a", "b", "c"])[groups]))
    same(found, Association().fit(X, y, strata=pd.Categorical(np.array(["a", "b", "c"])[groups])))


def test_what_is_given_is_routed_through_pipelines():
    X, y = load_iris(return_X_y=True)
    X, y, cages = X[50:], y[50:], np.arange(100) % 5
    with sklearn.config_context(enable_metadata_routing=True):
        test = Association(q=0.05, exchanges=100).set_fit_request(strata=True, covariates=True)
        model = make_pipeline(test, LogisticRegression())
        model.fit(X[:, 1:], y, strata=cages, covariates=X[:, 0])
        alone = Association(exchanges=100).fit(X[:, 1:], y, strata=cages, covariates=X[:, 0])
        same(model[0], alone)
        test = Association(exchanges=100).set_fit_request(strata=True, covariates=False)
        model = make_pipeline(test, LogisticRegression())
        search = GridSearchCV(model, {"association__n_features_to_select": [1, 2]}, cv=2)
        assert search.fit(X, y, strata=cages).best_score_ > 0.8


@pytest.mark.parametrize(
    ("test", "given", "error", "sentence"),
    [
        (Association(target="class"), {}, ValueError, "target: expected 'auto', 'classes' or"),
        (Association(exchanges=10), {}, ValueError, "exchanges: must be at least 50, got 10"),
        (Association(n_neighbors=0), {}, ValueError, "n_neighbors: must be at least 1, got 0"),
        (Association(priors=[1, 1]), {}, ValueError, "priors: "),
        (Association(q=5), {}, ValueError, "q: must be from 0 to 1, got 5"),
        (Association(p="0.05"), {}, TypeError, "p: expected a float or None, got '0.05'"),
        (Association(), {"strata": [1, 2]}, ValueError, "strata: 2 labels were given for 100"),
        (Association(), {"strata": np.ones((100, 2))}, ValueError, "strata: expected one label"),
        (Association(), {"strata": [None] + [1] * 99}, ValueError, "strata: row 0 has no label"),
        (Association(), {"strata": range(100)}, ValueError, "0 rows lie in a stratum with two"),
        (Association(), {"covariates": [1.0]}, ValueError, "covariates: 1 rows were given for 100"),
        (
            Association(),
            {"covariates": pd.DataFrame({"age": [np.nan] + [1.0] * 99})},
            ValueError,
            "covariates: row 0 has no value of `age`",
        ),
        (
            Association(),
            {"covariates": pd.DataFrame({"sex": ["f"] * 99 + [None]})},
            ValueError,
            "covariates: row 99 has no value of `sex`",
        ),
        (
            Association(),
            {"covariates": np.arange(100) < 50},
            ValueError,
            "the covariate `column 0` tells a class apart",
        ),
        (
            Association(),
            {"covariates": [np.inf] + [1.0] * 99},
            ValueError,
            "Input covariates contains infinity",
        ),
        (Association(), {"covariates": np.ones((100, 1, 1))}, ValueError, "covariates: expected"),
        (Association(), {"covariates": sparse.eye(100)}, TypeError, "covariates: expected an arr"),
        (Association(), {"covariates": np.ones((100, 0))}, ValueError, "covariates: there is no"),
        (ReliefF(), {"strata": [1] * 100}, ValueError, "strata: ReliefF exchanges samples in test"),
        (ReliefF(), {"covariates": [1] * 100}, TypeError, "unexpected keyword argument 'covariat"),
        (ReliefF(q=2), {}, ValueError, "q: must be from 0 to 1, got 2"),
        (TuRF(ReliefF(q=0.1)), {}, ValueError, "q=0.1 of the wrapped ReliefF would have no effec"),
    ],
)
def test_what_cannot_be_served_is_refused_in_a_sentence(test, given, error, sentence):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(error) as refused:
        test.fit(X[50:], y[50:], **given)
    assert sentence in str(refused.value)


def test_too_few_rows_and_targets_that_say_nothing_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="a test needs at least 20"):
        Association().fit(X[45:55], y[45:55])
    with pytest.raises(ValueError, match="class"):
        Association().fit(X[:50], y[:50])
    with pytest.raises(ValueError, match="NaN"):
        Association().fit(X, np.where(y == 0, np.nan, X[:, 0]))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Association().fit(X, [y.tolist()[:100], y.tolist()[50:]])


def test_whole_numbers_are_classes_where_they_are_few():
    X, y = load_iris(return_X_y=True)
    assert Association().fit(X, y).classes_.tolist() == [0, 1, 2]
    assert not hasattr(Association().fit(X, np.arange(150)), "classes_")
    assert not hasattr(Association(target="real").fit(X, y), "classes_")
    assert len(Association(target="classes").fit(X, np.arange(150) // 10).classes_) == 15


@pytest.mark.parametrize("selector", [ReliefF(), MultiSURF(), SURF(), TuRF(keep=4), VLS()])
def test_other_selectors_select_by_association(mixed, selector):
    X, y = mixed
    selected = clone(selector).set_params(q=0.05).fit(X, y)
    tested = Association().fit(X, y)
    for name in TOLD[:-1]:
        np.testing.assert_array_equal(getattr(selected, name), getattr(tested, name))
    np.testing.assert_array_equal(selected.get_support(), tested.q_values_ <= 0.05)
    np.testing.assert_array_equal(selected.scores_, clone(selector).fit(X, y).scores_)
    assert selected.directions_ == tested.directions_
    # Without a limit it is a test beside the weights, and the heaviest are kept.
    beside = clone(selector).set_params(p_values="association", n_features_to_select=1).fit(X, y)
    np.testing.assert_array_equal(beside.p_values_, tested.p_values_)
    assert beside.get_support().sum() == 1
    cages = np.arange(len(X)) % 4
    within = clone(selector).set_params(q=0.05).fit(X, y, strata=cages)
    np.testing.assert_array_equal(within.p_values_, Association().fit(X, y, strata=cages).p_values_)


def test_the_distance_of_the_test_is_that_of_the_method(mixed):
    X, y = mixed
    ours = ReliefF(q=0.05, missing="b", scale="zscore").fit(X, y)
    test = Association(missing="b", scale="zscore").fit(X, y)
    np.testing.assert_array_equal(ours.p_values_, test.p_values_)
    assert (test.p_values_ != Association().fit(X, y).p_values_).any()


def test_a_limit_set_after_fit_needs_tests(mixed):
    X, y = mixed
    selector = ReliefF().fit(X, y).set_params(q=0.05)
    with pytest.raises(ValueError, match="q and p select by tests, and fit made none"):
        selector.get_support()


def test_stir_selects_among_classes_of_equal_size_only(mixed):
    X, y = mixed
    with pytest.raises(ValueError, match="those of Association"):
        ReliefF(p_values="stir", q=0.05).fit(X, y)
    with pytest.raises(ValueError, match="'control' has .* rows, 'case' "):
        relieff(X, y, p_values="stir")
    assert ReliefF(p_values="stir").fit(X, y).p_values_.shape == (10,)
    X, y = load_iris(return_X_y=True)
    assert ReliefF(p_values="stir", q=0.05).fit(X, y).get_support().all()
    # 60 to 50 is as unequal as may be.
    X, y = np.r_[X[:10], X[:100]], np.r_[y[:10], y[:100]]
    ReliefF(p_values="stir", q=0.05).fit(X, y)
    with pytest.raises(ValueError, match="STIR"):
        ReliefF(p_values="stir", q=0.05).fit(X[:-1], y[:-1])


def test_shuffles_stay_within_strata():
    # Class and feature go with the cage; within cages nothing does.
    rng = np.random.default_rng(0)
    cages = np.arange(120) % 2
    X = np.c_[cages + 0.1 * rng.random(120), rng.random((120, 3))]
    y = rng.random(120) < np.where(cages, 0.8, 0.2)
    selector = ReliefF(p_values="permutation", n_permutations=99)
    assert selector.fit(X, y).p_values_[0] == 0.01
    assert selector.fit(X, y, strata=cages).p_values_[0] > 0.05
    with pytest.raises(ValueError, match="covariates: shuffled targets"):
        RReliefF(p_values="permutation").fit(X, X[:, 1], covariates=cages)


def test_rrelieff_explains_what_covariates_leave():
    X, y = load_diabetes(return_X_y=True)
    numbers, age = X[:, 2:], X[:, :1]
    line = np.polyval(np.polyfit(age[:, 0], y, 1), age[:, 0])
    given = RReliefF().fit(numbers, y, covariates=age)
    left = RReliefF().fit(numbers, y - line)
    np.testing.assert_allclose(given.scores_, left.scores_, atol=1e-9)
    assert (given.scores_ != RReliefF().fit(numbers, y).scores_).any()
    tested = RReliefF(q=0.01).fit(numbers, y, covariates=age)
    np.testing.assert_array_equal(tested.scores_, given.scores_)
    alone = Association(target="real").fit(numbers, y, covariates=age)
    np.testing.assert_array_equal(tested.p_values_, alone.p_values_)
