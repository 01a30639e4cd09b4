"""What is saved or pickled comes back as it was, as the bytes of the program's models."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.metrics.pairwise import euclidean_distances
from test_classify import OVER_SIMILARITIES, quick
from test_sklearn_checks import CLASSIFIERS, LEARNERS

import nearkin
from nearkin import _saved, datasets
from nearkin.classify import (
    KNN,
    PSVM,
    SDA,
    MixtureSDA,
    NaiveBayes,
    NearestCentroid,
)
from nearkin.learn import SRBSPSD, SiLA

# Every third flower: what comes back does not depend on how many there are.
IRIS = tuple(part[::3] for part in datasets.load("iris", return_X_y=True))
VOTES = datasets.load("house-votes-84", return_X_y=True, as_frame=True)


def copies(fitted, path):
    """The estimator from its file and from its pickle."""
    fitted.save(path)
    return nearkin.load(path), pickle.loads(pickle.dumps(fitted))


def assert_same_answers(one, other, X):
    said, found = one._ask(X), other._ask(X)
    assert set(said) == set(found)
    for key in said:
        np.testing.assert_array_equal(found[key], said[key])


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("mode", ["multi-class", "one-vs-rest"])
def test_a_learner_comes_back_whole(learner, mode, tmp_path):
    fitted = learner(n_neighbors=2, mode=mode).fit(*IRIS)
    path = tmp_path / "model.safetensors"
    for copy in copies(fitted, path):
        assert copy.get_params() == fitted.get_params()
        assert copy.similarities_ == fitted.similarities_
        for name in ("margins_before_", "margins_after_", "objective_", "n_mistakes_"):
            for ours, theirs in zip(getattr(fitted, name), getattr(copy, name), strict=True):
                np.testing.assert_array_equal(ours, theirs)
        assert copy.classes_.tolist() == [0, 1, 2]
        assert hasattr(copy, "components_") == hasattr(fitted, "components_")
        assert copy.n_features_in_ == 4 and not hasattr(copy, "feature_names_in_")
        copy.save(tmp_path / "again.safetensors")
        again = (tmp_path / "again.safetensors").read_bytes()
        assert again == path.read_bytes()
    assert pickle.dumps(fitted).count(path.read_bytes()) == 1


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_classifier_of_a_table_comes_back_whole(classifier, dtype, tmp_path):
    X, y = IRIS[0].astype(dtype), IRIS[1]
    fitted = quick(classifier, measure="cosine").fit(X, y)
    path = tmp_path / "model.safetensors"
    for copy in copies(fitted, path):
        assert copy.get_params() == fitted.get_params()
        assert copy._training.numbers.dtype == dtype
        assert_same_answers(fitted, copy, X[::7])
        for name in ("prototypes_", "laws_", "n_neighbors_"):
            assert str(getattr(copy, name, None)) == str(getattr(fitted, name, None))
    assert pickle.dumps(fitted).count(path.read_bytes()) == 1


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_categories_and_holes_come_back(classifier, tmp_path):
    X, y = VOTES
    X = X.assign(size=np.arange(len(X), dtype=float))
    fitted = quick(classifier, measure="tversky-ratio").fit(X[::4], y[::4])
    for copy in copies(fitted, tmp_path / "model.safetensors"):
        assert copy.feature_names_in_.tolist() == X.columns.tolist()
        assert_same_answers(fitted, copy, X[::5])


@pytest.mark.parametrize("given", ["similarity", "metric"])
@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_given_similarities_come_back(classifier, given, tmp_path):
    d = euclidean_distances(IRIS[0])
    X = d if given == "metric" else np.exp(-d)
    fitted = quick(classifier, **{given: "precomputed"}).fit(X, IRIS[1])
    for copy in copies(fitted, tmp_path / "model.safetensors"):
        assert copy.get_params() == fitted.get_params()
        assert_same_answers(fitted, copy, X[::9])
        assert copy.n_features_in_ == 50


def test_naive_bayes_comes_back(tmp_path):
    X, y = VOTES
    fitted = NaiveBayes(alpha=0.5, priors=[0.4, 0.6]).fit(X, y)
    path = tmp_path / "model.safetensors"
    for copy in copies(fitted, path):
        assert copy.get_params() == fitted.get_params()
        assert_same_answers(fitted, copy, X)
    assert pickle.dumps(fitted).count(path.read_bytes()) == 1
    whole = NaiveBayes().fit(np.round(IRIS[0]), IRIS[1])
    for copy in copies(whole, path):
        assert_same_answers(whole, copy, np.round(IRIS[0]))


def test_centroids_that_are_no_sample_come_back(tmp_path):
    # No row has the most frequent value of its class in every column.
    rows = ["aab", "aba", "baa", "ccd", "cdc", "dcc"]
    X = pd.DataFrame([[*row] for row in rows], columns=["first", "second", "third"])
    free = NearestCentroid(centroid="unconstrained", measure="counting").fit(X, [0, 0, 0, 1, 1, 1])
    # The rows of most frequent values come after the samples.
    assert [one.tolist() for one in free.prototypes_] == [[6], [7]]
    for copy in copies(free, tmp_path / "model.safetensors"):
        assert_same_answers(free, copy, X)
        assert str(copy.prototypes_) == str(free.prototypes_)


def test_a_learned_measure_comes_back(tmp_path):
    fitted = KNN(3, measure=SRBSPSD(epochs=5)).fit(*IRIS)
    for copy in copies(fitted, tmp_path / "model.safetensors"):
        assert copy.measure.get_params() == fitted.measure.get_params()
        assert copy.measure_.similarity_ == fitted.measure_.similarity_
        assert_same_answers(fitted, copy, IRIS[0][::7])
        assert clone(copy).fit(*IRIS).measure_.similarity_ == fitted.measure_.similarity_


@pytest.mark.parametrize(
    "labels", [[3, 1, 2], [1.0, 2.0, -3.0], ["b", "a", "c"], ["1", "2", "10"], [True, False, True]]
)
def test_classes_come_back_as_what_they_were(labels, tmp_path):
    y = np.array(labels)[IRIS[1]]
    for fitted in (KNN(3).fit(IRIS[0], y), SiLA(epochs=1).fit(IRIS[0], y)):
        for copy in copies(fitted, tmp_path / "model.safetensors"):
            assert copy.classes_.tolist() == fitted.classes_.tolist()
            assert copy.classes_.dtype.kind == fitted.classes_.dtype.kind


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint16, np.int64, np.float16, np.float32, bool, "U3", object]
)
def test_classes_keep_their_type(dtype, tmp_path):
    y = (IRIS[1] > 0) if dtype is bool else IRIS[1].astype(dtype)
    y = IRIS[1].astype(str).astype(object) if dtype is object else y
    path = tmp_path / "model.safetensors"
    for estimator in (KNN(3), NaiveBayes(), SiLA(epochs=1)):
        fitted = estimator.fit(np.round(IRIS[0]), y)
        for one in (fitted, *copies(fitted, path)):
            assert one.classes_.tolist() == np.unique(y).tolist()
            if dtype != "U3":  # texts are as wide as the longest
                assert one.classes_.dtype == y.dtype
            if hasattr(one, "predict"):
                assert one.predict(np.round(IRIS[0])).dtype == one.classes_.dtype


# Settings that are unlike their defaults, for what a model file does not know by itself.
TOLD = {
    "categorical_features": [1],
    "measure_params": {"scaling": "none"},
    "costs": [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]],
    "priors": [0.2, 0.3, 0.5],
    "random_state": 7,
    "probabilities": True,
}


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, *LEARNERS])
def test_every_setting_comes_back(estimator, tmp_path):
    X, y = np.round(IRIS[0]), IRIS[1]
    made = quick(estimator) if estimator in CLASSIFIERS else estimator(n_neighbors=2)
    made.set_params(**{name: TOLD[name] for name in made.get_params(deep=False) if name in TOLD})
    if "measure" in made.get_params():
        made.set_params(measure="heom", measure_params=None)
    fitted = made.fit(X, y)
    for copy in copies(fitted, tmp_path / "model.safetensors"):
        assert copy.get_params() == fitted.get_params()
        again = clone(copy).fit(X, y)
        if estimator in CLASSIFIERS:
            np.testing.assert_array_equal(copy.predict(X), fitted.predict(X))
            np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
        else:
            assert again.similarities_ == fitted.similarities_


@pytest.mark.parametrize(
    "told",
    [
        {"categorical_features": None},
        {"categorical_features": ["g"]},
        {"categorical_features": [True, False]},
        {"measure": "euclidean", "measure_params": {"scaling": "none"}, "categorical_features": []},
        {"measure": "heom", "measure_params": {}},
        {"n_neighbors": 2},
    ],
)
def test_every_form_of_a_setting_comes_back(told, tmp_path):
    X, y = pd.DataFrame({"g": [0, 1, 2] * 9, "n": np.arange(27.0)}), [0, 1, 2] * 9
    fitted = KNN(**({"n_neighbors": 3} | told)).fit(X, y)
    for copy in copies(fitted, tmp_path / "model.safetensors"):
        assert copy.get_params() == fitted.get_params()
        assert_same_answers(fitted, copy, X)
    masked = KNN(3, categorical_features=np.array([True, False])).fit(X, y)
    masked.save(tmp_path / "model.safetensors")
    found = nearkin.load(tmp_path / "model.safetensors")
    assert found.categorical_features == [True, False]


def test_priors_by_class_come_back_in_the_order_of_classes(tmp_path):
    fitted = SDA(priors={2: 0.5, 0: 0.2, 1: 0.3}).fit(*IRIS)
    fitted.save(tmp_path / "model.safetensors")
    found = nearkin.load(tmp_path / "model.safetensors")
    assert found.priors == [0.2, 0.3, 0.5]
    assert_same_answers(fitted, found, IRIS[0])


def test_classes_without_a_kind_are_whole_numbers_where_they_all_read_so():
    assert _saved.classes(["0", "1", "-7"], "").tolist() == [0, 1, -7]
    assert _saved.classes(["0", "01"], "").tolist() == ["0", "01"]
    assert _saved.classes(["yes", "1"], "").tolist() == ["yes", "1"]


def test_what_the_target_is_called_is_kept(tmp_path):
    y = pd.Series(IRIS[1], name="species")
    assert KNN(3).fit(IRIS[0], y)._words == ("a table in Python", "species", "int64", "")
    assert SiLA().fit(*IRIS)._about["words"] == ("a table in Python", "class", "int64", "")


@pytest.mark.parametrize("classifier", [PSVM, MixtureSDA])
def test_a_generator_is_asked_once_so_that_copies_answer_alike(classifier, tmp_path):
    fitted = quick(classifier, random_state=np.random.RandomState(3)).fit(*IRIS)
    for copy in copies(fitted, tmp_path / "model.safetensors"):
        assert_same_answers(fitted, copy, IRIS[0])


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    fitted = SDA().fit(*IRIS)
    fitted.save(path)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        fitted.save(path)
    assert path.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == [path.name]


def test_what_is_no_model_is_refused_with_its_name(tmp_path):
    path = tmp_path / "model.safetensors"
    SDA().fit(*IRIS).save(path)
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match=r"cut.safetensors: .*cut short"):
        nearkin.load(cut)
    with pytest.raises(FileNotFoundError):
        nearkin.load(tmp_path / "nothing.safetensors")
    with pytest.raises(NotFittedError):
        SiLA().save(path)
    with pytest.raises(NotFittedError):
        SDA().save(path)
    with pytest.raises(ValueError, match=r"rows: classes \[9\] were not learned from"):
        SiLA().fit(*IRIS).save(path, rows=(IRIS[0][:1], [9]))


def test_an_unfitted_estimator_is_pickled_as_its_settings():
    for one in (SiLA(epochs=7), KNN(4, measure="vdm"), SDA(costs=[0, 1, 2, 0])):
        assert pickle.loads(pickle.dumps(one)).get_params() == one.get_params()


def test_rows_beside_a_learner_are_checked_before_anything_is_written(tmp_path):
    X, y = IRIS
    frame, path = pd.DataFrame(X, columns=list("abcd")), tmp_path / "model.safetensors"
    learner = SiLA(epochs=2).fit(frame, y)
    for rows, said in (
        ((frame[:5], y), "inconsistent numbers of samples"),
        ((frame, np.eye(3)[y].astype(int)), "y should be a 1d array"),
        ((frame, y + 7), r"classes \[7, 8, 9\] were not learned from"),
        ((frame, [None] * len(y)), "y: row 0 has no class"),
    ):
        with pytest.raises(ValueError, match=said):
            learner.save(path, rows=rows)
        assert not path.exists()
    with pytest.warns(DataConversionWarning):
        learner.save(path, rows=(frame, y.reshape(-1, 1)))
    first = path.read_bytes()
    learner.save(path, rows=(frame, y))
    assert path.read_bytes() == first
    assert nearkin.load(path).similarity_ == learner.similarity_


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_rows_beside_a_learner_come_back(dtype, tmp_path):
    X, y = csr_matrix(IRIS[0] * (IRIS[0] > 2), dtype=dtype), IRIS[1]
    learner, path = SiLA(epochs=2).fit(X, y), tmp_path / "model.safetensors"
    learner.save(path, rows=(X, y))
    loaded = nearkin.load(path)
    (starts, columns, values), codes, names = loaded._about["rows"]
    kept = csr_matrix((values, columns, starts), shape=X.shape)
    assert (kept != X).nnz == 0 and codes.tolist() == y.tolist() and names == ["0", "1", "2"]
    again = tmp_path / "again.safetensors"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("kind", [KNN, NaiveBayes, SiLA])
def test_names_that_look_made_up_come_back(kind, tmp_path):
    X, y = (IRIS[0] > 2).astype(float) + 1, IRIS[1]
    named = kind().fit(pd.DataFrame(X, columns=["x0", "x1", "x2", "x3"]), y)
    path = tmp_path / "model.safetensors"
    for copy in copies(named, path):
        assert copy.feature_names_in_.tolist() == ["x0", "x1", "x2", "x3"]
    for copy in copies(kind().fit(X, y), path):
        assert not hasattr(copy, "feature_names_in_")


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_a_pickle_brings_back_what_was_fitted(classifier, monkeypatch):
    fitted = quick(classifier).fit(*IRIS)
    kept = pickle.dumps(fitted)
    if not fitted._holds_similarities:
        # Nothing is fitted anew.
        monkeypatch.delattr(nearkin._core, "classify")
        monkeypatch.delattr(nearkin._core, "classify_labels")
    assert_same_answers(fitted, pickle.loads(kept), IRIS[0])
