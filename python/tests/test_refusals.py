"""What a newcomer gets wrong is refused with a sentence that says what to do."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from test_classify import quick
from test_sklearn_checks import CLASSIFIERS, ESTIMATORS, LEARNERS, WEIGHERS

from nearkin.classify import KNN, SDA, LocalSDA
from nearkin.learn import SRBS, SiLA, Similarity
from nearkin.weigh import ClassDependentRelief, Relief, ReliefF, RReliefF

X = np.random.default_rng(0).integers(0, 4, (30, 4)).astype(float) + 1
Y = np.arange(30) % 3
HOLES = np.where(X == 2, np.nan, X)


def made(estimator):
    return quick(estimator) if estimator in CLASSIFIERS else estimator()


def refused(kind, match, call, *arguments):
    with pytest.raises(kind, match=match):
        call(*arguments)


OF_CLASSES = [one for one in ESTIMATORS if one is not RReliefF]


@pytest.mark.parametrize("estimator", OF_CLASSES)
def test_rows_without_a_class(estimator):
    gap = ["a", "b", None] * 10
    for y in (np.array(gap, dtype=object), pd.Series(gap), pd.Categorical(gap)):
        refused(ValueError, "y: row 2 has no class but (None|nan); drop", made(estimator).fit, X, y)
    whole = pd.array([0, None, 1] * 10, dtype="Int64")
    refused(ValueError, "Input y contains NaN", made(estimator).fit, X, whole)


@pytest.mark.parametrize("estimator", OF_CLASSES)
def test_classes_of_different_kinds(estimator):
    y = np.array(["a", 1, 2] * 10, dtype=object)
    refused(TypeError, "different kinds, 'a' and 1; give", made(estimator).fit, X, y)


def test_words_where_real_values_are_explained():
    said = "y holds 'a', which is no number; RReliefF explains real values"
    refused(ValueError, said, RReliefF().fit, X, ["a", "b", "c"] * 10)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_columns_of_one_name(estimator):
    table = pd.DataFrame(X, columns=list("aabc"))
    refused(ValueError, "two columns are named `a`; rename or drop", made(estimator).fit, table, Y)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_text_in_arrays(estimator):
    words = np.array([[1, "cat"], [2, "dog"]] * 15, dtype=object)
    instead = "turn its categories" if estimator in LEARNERS else "categorical_features"
    for table in (words, words.tolist(), words.astype(str)):
        said = f"column `x1` holds 'cat', which is no number; .*{instead}"
        refused(ValueError, said, made(estimator).fit, table, np.arange(30) % 2)


@pytest.mark.parametrize("estimator", WEIGHERS + CLASSIFIERS)
def test_text_in_frames_that_are_to_be_numbers(estimator):
    for frame in (pd.DataFrame, pl.DataFrame):
        table = frame({"a": X[:, 0], "b": ["1", "dog"] * 15})
        fit = made(estimator).set_params(categorical_features=None).fit
        refused(ValueError, "column `b` holds 'dog'", fit, table, np.arange(30) % 2)


@pytest.mark.parametrize("measure", [SiLA(), Similarity([1, 1, 1, 1]), lambda x, z: x @ z])
def test_missing_cells_under_a_measure_of_numbers(measure):
    name = type(measure).__name__
    said = f"Input X contains NaN. The measure {name} compares rows of known.*'heom'"
    for classifier in (KNN(3, measure=measure), SDA(measure=measure)):
        refused(ValueError, said, classifier.fit, HOLES, Y)
        refused(ValueError, said, classifier.fit(X, Y).predict, HOLES)
    refused(ValueError, said, KNN(3, measure=measure).fit(X, Y).kneighbors, HOLES)


def test_rows_of_another_length():
    said = r"expected rows of 2 numbers, got arrays of shape \(2,\) and \(3,\)"
    refused(ValueError, said, Similarity([1, 1]), [1, 2], [1, 2, 3])


def test_a_file_in_a_folder_that_is_not_there(tmp_path):
    fitted = KNN(3).fit(X, Y)
    refused(FileNotFoundError, "no such folder.*nowhere'$", fitted.save, tmp_path / "nowhere" / "a")


def test_queries_left_to_the_fallback_are_told():
    rng = np.random.default_rng(1)
    rows, classes = rng.normal(size=(60, 2)), np.r_[np.zeros(57, int), 1, 1, 1]
    local = LocalSDA(n_neighbors=10).fit(rows, classes)
    near = classes[local.kneighbors(rows, return_distance=False)]
    few = (near == 1).sum(axis=1)
    np.testing.assert_array_equal(local.fell_back(rows), (few > 0) & (few < 3))
    assert 0 < local.fell_back(rows).sum() < 60
    # There the shares of the neighbours are the probabilities; elsewhere the likeliest is said,
    # or the class that is expected to cost least.
    for costs in (None, [[0, 9], [1, 0]]):
        local = LocalSDA(n_neighbors=10, costs=costs).fit(rows, classes)
        fell, p = local.fell_back(rows), local.predict_proba(rows)
        cost = p @ np.transpose(costs if costs else [[0, 1], [1, 0]])
        np.testing.assert_array_equal(local.predict(rows)[~fell], cost.argmin(axis=1)[~fell])
        np.testing.assert_allclose(p[fell, 1], few[fell] / 10)


def test_queries_outside_a_declared_support_are_told():
    s = np.exp(-np.abs(X[:, :1] - X[:, 0]))
    sda = SDA(similarity="precomputed", support="interval", support_values=[0.0, 1.0])
    strange = np.vstack([s[0], s[0] + 3])
    np.testing.assert_array_equal(sda.fit(s, Y).outside_support(strange), [False, True])
    assert not SDA(similarity="precomputed").fit(s, Y).outside_support(strange).any()


def test_distances_below_zero_are_refused_but_for_rounding():
    distances = np.array([[0.0, 1.0, 4.0], [1.0, -4e-16, 3.0], [4.0, 3.0, 0.0]])
    KNN(n_neighbors=1, metric="precomputed").fit(distances, [0, 0, 1])
    with pytest.raises(ValueError, match="Negative values in data"):
        KNN(n_neighbors=1, metric="precomputed").fit(distances - 1, [0, 0, 1])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_cells_that_are_no_single_value(estimator):
    stretches = {
        "period": pd.period_range("2020", periods=30, freq="D"),
        "interval": pd.interval_range(0, 30),
    }
    for name, cells in stretches.items():
        said = f"column `b` holds {name}.*neither numbers nor categories; turn them into numbers"
        refused(TypeError, said, made(estimator).fit, pd.DataFrame({"a": X[:, 0], "b": cells}), Y)
    lists = pl.DataFrame({"a": X[:, 0], "b": [[1, 2]] * 30})
    refused(TypeError, "column `b` holds List.*make columns", made(estimator).fit, lists, Y)
    if estimator not in LEARNERS:
        lists = pd.DataFrame({"a": X[:, 0], "b": [[1, 2]] * 30})
        refused(TypeError, "column `b` holds lists or the like", made(estimator).fit, lists, Y)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_tables_that_are_not_taken(estimator):
    lazy = pl.LazyFrame({"a": X[:, 0], "b": X[:, 1]})
    refused(TypeError, r"lazy frame, .*X.collect\(\)", made(estimator).fit, lazy, Y)
    pa = pytest.importorskip("pyarrow")
    words = pa.table({"a": X[:, 0], "b": ["cat", "dog", "bat"] * 10})
    said = r"column `b` of a pyarrow table holds text; hand over X.to_pandas\(\)"
    refused(TypeError, said, made(estimator).fit, words, Y)


def test_row_numbers_of_triplets_that_do_not_fit():
    for row in (30, 2**32 + 1, 2**40):
        said = f"triplet 1 is about row {row}, and rows are 0 to 29"
        refused(ValueError, said, SRBS(epochs=1).fit_triplets, [[0, 1, 2], [0, 1, row]], X)
    refused(ValueError, "start at 0, got -1", SRBS().fit_triplets, [[0, 1, -1]], X)


def test_rows_of_zeros_in_triplets_are_named_by_their_triplet():
    rows = np.vstack([X, np.zeros((1, 4))])
    triplets = np.array([[0, 1, 2], [3, 30, 5], [6, 7, 8]])
    for call in (lambda: SRBS().fit_triplets(triplets, rows), lambda: SRBS().fit(rows[triplets])):
        refused(ValueError, "^the second row of triplet 1 is all zeros, and", call)
    # One that no triplet is about is no matter.
    fitted = SRBS(epochs=2).fit_triplets(triplets[::2], rows)
    assert fitted.similarity_ == SRBS(epochs=2).fit_triplets(triplets[::2], X).similarity_


@pytest.mark.parametrize("name", ["n_permutations", "n_bootstrap"])
def test_more_repetitions_than_there_are_numbers(name):
    for count in (2**70, 2**31, 0):
        fit = ReliefF(**{name: count}, p_values="permutation", interval=0.9).fit
        said = rf"{name}: must be (at least 1|below 2\*\*31), got {count}"
        refused(ValueError, said, fit, X, Y)


def test_whole_numbers_out_of_bounds():
    refused(ValueError, "^n_neighbors: must be at least 1, got -1$", ReliefF(-1).fit, X, Y)
    refused(ValueError, r"^n_neighbors: must be below 2\*\*63, got", ReliefF(2**70).fit, X, Y)
    refused(ValueError, "^random_state: expected a whole", ReliefF(random_state=2**70).fit, X, Y)


def test_no_candidates():
    for name in ("k_candidates", "alpha_candidates"):
        classifier = LocalSDA(**{name: []}, neighbourhood="radius")
        refused(ValueError, f"^{name}: needs at least one value$", classifier.fit, X, Y)


def test_words_of_the_program_are_not_those_of_python():
    squared = Relief(squared=True, p_values="stir")
    refused(ValueError, "^p_values: stir needs plain differences and not", squared.fit, X, Y)
    sums = ClassDependentRelief(class_scale="sum", p_values="stir")
    refused(ValueError, "^p_values: stir needs means, which the class scale", sums.fit, X, Y)
