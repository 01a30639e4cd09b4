"""Similarities and functions that are there before a fit, as measures of classifiers."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from test_classify import OVER_SIMILARITIES, quick

import nearkin
from nearkin import datasets
from nearkin.classify import KNN, SDA, SKNN
from nearkin.learn import SRBS, SRBSPSD, Relief, SiLA, Similarity

X, Y = (part[::2] for part in datasets.load("iris", return_X_y=True))
FRAME = pd.DataFrame(X, columns=["sl", "sw", "pl", "pw"])


def minus_manhattan(x, z):
    return -np.abs(x - z).sum()


def assert_same_answers(one, other, queries):
    said, found = one._ask(queries), other._ask(queries)
    for key in said:
        np.testing.assert_array_equal(found[key], said[key])


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
@pytest.mark.parametrize("learner", [SRBSPSD(epochs=5), Relief()])
def test_what_was_learned_before_is_a_measure(classifier, learner, tmp_path):
    learned = clone(learner).fit(X, Y)
    fitted = quick(classifier, measure=learned.similarity_).fit(X, Y)
    assert_same_answers(quick(classifier, measure=learner).fit(X, Y), fitted, X[::7])
    assert not hasattr(fitted, "measure_")
    path = tmp_path / "model.safetensors"
    fitted.save(path)
    for copy in (nearkin.load(path), pickle.loads(pickle.dumps(fitted))):
        assert copy.get_params() == fitted.get_params()
        assert_same_answers(fitted, copy, X[::7])
    metric = quick(classifier, measure=learned.get_metric()).fit(X, Y)
    assert_same_answers(fitted, metric, X[::7])


def test_names_of_columns_must_be_those_of_the_similarity(tmp_path):
    by_name = SRBS(epochs=5).fit(FRAME, Y).similarity_
    plain = Similarity(by_name.matrix, norm=by_name.norm, form="full")
    fitted = KNN(3, measure=by_name).fit(FRAME, Y)
    assert_same_answers(KNN(3, measure=plain).fit(X, Y), KNN(3, measure=by_name).fit(X, Y), X[::5])
    assert fitted.predict(FRAME).tolist() == KNN(3, measure=by_name).fit(X, Y).predict(X).tolist()
    unnamed = KNN(3, measure=plain).fit(FRAME, Y)
    unnamed.save(tmp_path / "model.safetensors")
    found = nearkin.load(tmp_path / "model.safetensors").measure
    assert found.feature_names == ["sl", "sw", "pl", "pw"]
    with pytest.raises(ValueError, match=r"about the columns \['sl'.*in the same order"):
        KNN(3, measure=by_name).fit(FRAME[["sw", "sl", "pl", "pw"]], Y)
    with pytest.raises(ValueError, match="X has 3 features and the similarity is about 4"):
        KNN(3, measure=plain).fit(X[:, :3], Y)


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_a_function_of_two_rows_is_a_measure(classifier, tmp_path):
    named = {"measure": "manhattan", "measure_params": {"scaling": "none"}}
    plain = quick(classifier, **named).fit(X, Y)
    fitted = quick(classifier, measure=minus_manhattan).fit(X, Y)
    np.testing.assert_array_equal(fitted.predict(X), plain.predict(X))
    assert_same_answers(fitted, pickle.loads(pickle.dumps(fitted)), X[::7])
    assert_same_answers(fitted, clone(fitted).fit(X, Y), X[::7])
    if hasattr(fitted, "kneighbors"):
        both = (one.kneighbors(X[:3], 4) for one in (fitted, plain))
        for ours, theirs in zip(*both, strict=True):
            np.testing.assert_allclose(ours, theirs)
    with pytest.raises(ValueError, match="a file holds no code.*pickle"):
        fitted.save(tmp_path / "model.safetensors")


def test_functions_may_be_asymmetric_and_must_give_numbers():
    def ahead(x, z):
        return x[0] - 2 * z[0]

    fitted = SKNN(1, measure=ahead).fit(X, Y)
    s = X[:, :1] - 2 * X[:, 0]
    given = SKNN(1, similarity="precomputed").fit(s, Y)
    np.testing.assert_array_equal(fitted.predict(X), given.predict(s))
    with pytest.raises(ValueError, match="^measure: the function must give a finite number"):
        SDA(measure=lambda x, z: np.nan).fit(X, Y)


def test_measures_of_numbers_refuse_categories_and_holes():
    mixed = FRAME.assign(colour=["red", "blue", "red"] * (len(FRAME) // 3))
    holes = FRAME.mask(FRAME > 6)
    for measure in (Similarity([1, 1, 1, 1, 1]), minus_manhattan):
        with pytest.raises(ValueError, match="^measure: column `colour` is nominal, and this meas"):
            KNN(3, measure=measure).fit(mixed, Y)
    for measure in (Similarity([1, 1, 1, 1]), minus_manhattan, SiLA()):
        with pytest.raises(ValueError, match="contains NaN"):
            KNN(3, measure=measure).fit(holes, Y)
        fitted = KNN(3, measure=measure).fit(FRAME, Y)
        with pytest.raises(ValueError, match="contains NaN|finite number"):
            fitted.predict(holes)


@pytest.mark.parametrize("measure", [SiLA(), Similarity([1, 1, 1, 1]), minus_manhattan])
def test_settings_of_a_measure_go_with_its_name(measure):
    with pytest.raises(ValueError, match="^measure_params: they are settings of a measure that"):
        KNN(3, measure=measure, measure_params={"scaling": "none"}).fit(X, Y)
    assert KNN(3, measure=measure, measure_params={}).fit(X, Y).score(X, Y) > 0.8


def test_searches_choose_among_measures():
    grid = {"measure": ["heom", Similarity([1, 1, 1, 1]), minus_manhattan, SiLA(epochs=2)]}
    search = GridSearchCV(KNN(3), grid, cv=2).fit(X, Y)
    assert (search.cv_results_["mean_test_score"] > 0.8).all()


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_rows_of_zeros_are_like_no_other(classifier, tmp_path):
    """A learner leaves them out; a classifier by the similarity keeps them, at similarity 0."""
    rows, labels = np.vstack([X, np.zeros((2, 4))]), np.append(Y, [0, 1])
    made = quick(classifier, measure=SRBSPSD(epochs=3))
    with pytest.warns(UserWarning, match="^2 rows are all zeros"):
        fitted = made.fit(rows, labels)
    assert fitted.predict(X).shape == Y.shape
    assert set(fitted.predict(rows[-2:])) <= {0, 1, 2}
    s = fitted.measure_.similarity_.between(rows)
    assert not s[-2:].any() and not s[:, -2:].any()
    given = quick(classifier, similarity="precomputed").fit(s, labels)
    np.testing.assert_array_equal(fitted.predict(rows), given.predict(s))
    fitted.save(tmp_path / "model.safetensors")
    assert_same_answers(fitted, nearkin.load(tmp_path / "model.safetensors"), rows)
    plain = quick(classifier, measure=SiLA(epochs=2)).fit(X, Y)
    assert plain.predict(np.zeros((1, 4))).shape == (1,)


def test_sparse_rows_are_compared_as_the_same_rows_in_full():
    rule = KNN(measure=Similarity([1, 1, 1, 1]))
    sparse = scipy.sparse.csr_array(X)
    expected = rule.fit(X, Y).predict(X)
    np.testing.assert_array_equal(rule.fit(sparse, Y).predict(sparse), expected)


def test_a_class_is_no_function_of_rows():
    with pytest.raises(TypeError, match="measure: expected the name of a measure"):
        KNN(measure=SiLA).fit(X, Y)
