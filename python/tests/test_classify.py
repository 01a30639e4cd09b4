"""Classifiers over similarities: what they say beside plain definitions, and manners."""

import multiprocessing
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from test_sklearn_checks import CLASSIFIERS

from nearkin import datasets
from nearkin.classify import (
    KNN,
    NNSDA,
    PSVM,
    SDA,
    SKNN,
    AdjustedCentroid,
    BaseSimilarityClassifier,
    CondensedNN,
    LocalCentroid,
    LocalSDA,
    MixtureSDA,
    NaiveBayes,
    NearestCentroid,
    measures,
)
from nearkin.learn import SRBS, SiLA

IRIS = datasets.load("iris", return_X_y=True)
WINE = datasets.load("wine", return_X_y=True)
OVER_SIMILARITIES = [one for one in CLASSIFIERS if issubclass(one, BaseSimilarityClassifier)]
# Settings that spare the search for the best number of neighbours or prototypes.
QUICK = {
    KNN: {"n_neighbors": 3},
    SKNN: {"n_neighbors": 3},
    LocalSDA: {"n_neighbors": 10},
    LocalCentroid: {"n_neighbors": 10},
    MixtureSDA: {"n_prototypes": 2},
    CondensedNN: {"n_prototypes": 2},
    PSVM: {"tol": 1e-3},
}


def quick(classifier, **settings):
    return classifier(**(QUICK.get(classifier, {}) | settings))


def scaled(X):
    return (X - X.min(axis=0)) / np.ptp(X, axis=0)


def halves(X, y):
    return X[::2], y[::2], X[1::2], y[1::2]


def test_knn_says_what_scikit_learns_does_on_scaled_numbers():
    train, y, queries, _ = halves(scaled(WINE[0]), WINE[1])
    theirs = KNeighborsClassifier(5).fit(train, y)
    plain = {"measure": "euclidean", "measure_params": {"scaling": "none"}}
    ours = KNN(5, **plain).fit(train, y)
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(queries))
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries))
    for asked in (queries, None):
        distances, near = ours.kneighbors(asked, 4)
        expected, expected_near = theirs.kneighbors(asked, 4)
        np.testing.assert_allclose(distances, expected, atol=1e-12)
        np.testing.assert_array_equal(near, expected_near)


def test_distances_and_similarities_have_scikit_learns_meaning():
    train, y, queries, _ = halves(scaled(WINE[0]), WINE[1])
    d, d_queries = euclidean_distances(train), euclidean_distances(queries, train)
    theirs = KNeighborsClassifier(5, metric="precomputed").fit(d, y)
    by_distance = KNN(5, metric="precomputed").fit(d, y)
    by_similarity = KNN(5, similarity="precomputed").fit(-d, y)
    for ours, X in ((by_distance, d_queries), (by_similarity, -d_queries)):
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(d_queries))
        near = ours.kneighbors(X, return_distance=False)
        np.testing.assert_array_equal(near, theirs.kneighbors(d_queries, return_distance=False))
        np.testing.assert_allclose(ours.kneighbors(X)[0], theirs.kneighbors(d_queries)[0])


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_cross_validation_cuts_given_similarities_by_rows_and_columns(classifier):
    X, y = IRIS
    s = cosine_similarity(X)
    given = quick(classifier, similarity="precomputed")
    assert given.__sklearn_tags__().input_tags.pairwise
    measured = quick(classifier, measure="cosine")
    assert not measured.__sklearn_tags__().input_tags.pairwise
    said = cross_val_predict(given, s, y, cv=3)
    # Rounding differs between the two cosines, and with it who is nearest among equals.
    assert (said != cross_val_predict(measured, X, y, cv=3)).mean() < 0.03
    assert (said == y).mean() > 0.8
    d = euclidean_distances(X)
    assert cross_val_score(quick(classifier, metric="precomputed"), d, y, cv=3).mean() > 0.8


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_what_is_given_must_fit(classifier):
    X, y = IRIS
    s = cosine_similarity(X)
    fitted = quick(classifier, similarity="precomputed").fit(s, y)
    with pytest.raises(ValueError, match="149 features, but .* is expecting 150 features"):
        fitted.predict(s[:, :149])
    with pytest.raises(ValueError, match="NaN"):
        fitted.predict(np.full((1, 150), np.nan))
    for wrong in ({"similarity": "cosine"}, {"metric": "euclidean"}):
        with pytest.raises(ValueError, match="expected 'precomputed' or None.*by `measure`"):
            quick(classifier, **wrong).fit(X, y)
    with pytest.raises(ValueError, match="X cannot hold both"):
        quick(classifier, similarity="precomputed", metric="precomputed").fit(s, y)


def test_one_class_is_refused_in_a_sentence():
    for classifier in CLASSIFIERS:
        with pytest.raises(ValueError, match="a classifier needs at least two classes"):
            quick(classifier).fit(np.round(IRIS[0]), np.zeros(150))
    with pytest.raises(TypeError, match="^n_neighbors: expected an int or None, got '3' of type"):
        KNN(3).fit(*IRIS).kneighbors(IRIS[0], "3")
    with pytest.raises(TypeError, match="^n_neighbors: expected an int or None, got 1.5 of type"):
        KNN(3).fit(*IRIS).kneighbors(IRIS[0], 1.5)


def test_a_training_matrix_must_be_square():
    s = cosine_similarity(IRIS[0])
    for classifier in OVER_SIMILARITIES:
        for given in ("similarity", "metric"):
            refused = quick(classifier, **{given: "precomputed"})
            words = f"150 × 100; {classifier._method} needs .* as many rows as columns"
            with pytest.raises(ValueError, match=words):
                refused.fit(s[:, :100], IRIS[1])


def test_the_laws_of_sda_have_the_means_that_were_seen():
    s = np.array([[4.0, 3, 1, 0], [3, 4, 0, 1], [1, 0, 4, 2], [0, 1, 2, 4]])
    sda = SDA(similarity="precomputed", boundary="clamp").fit(s, ["cat", "cat", "dog", "dog"])
    assert [one.tolist() for one in sda.prototypes_] == [[0], [2]]
    assert [(one["class"], one["statistic"]) for one in sda.laws_] == [
        ("cat", 0),
        ("cat", 1),
        ("dog", 0),
        ("dog", 1),
    ]
    values = np.arange(5.0)
    for law, mean in zip(sda.laws_, [3.5, 0.5, 0.5, 3.0], strict=True):
        p = np.exp(law["lambda"] * values - law["log_z"])
        np.testing.assert_allclose([p.sum(), p @ values], [1, mean], atol=1e-9)
    np.testing.assert_allclose(sda.predict_proba(s).sum(axis=1), 1)


@pytest.mark.parametrize("classifier", [SDA, NNSDA, MixtureSDA])
def test_strange_samples_have_a_low_score(classifier):
    X, y = IRIS
    fitted = quick(classifier).fit(X, y)
    usual, strange = fitted.score_samples(X), fitted.score_samples(X + 20)
    assert strange.max() < np.median(usual)


def test_rules_of_scores_have_probabilities_where_they_are_asked_for():
    X, y = datasets.load("iris", return_X_y=True)
    for classifier in (NearestCentroid, AdjustedCentroid, LocalCentroid, CondensedNN, SKNN, PSVM):
        plain, probable = classifier().fit(X, y), classifier(probabilities=True).fit(X, y)
        # As of scikit-learn's SVC, the class said is the rule's and not the likeliest.
        np.testing.assert_array_equal(plain.predict(X), probable.predict(X))
        np.testing.assert_array_equal(
            probable.predict(X), probable.decision_function(X).argmax(axis=1)
        )
        p = probable.predict_proba(X)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        assert -np.log(p[np.arange(len(y)), y]).mean() < 0.6
        assert np.argmax(p, axis=1)[y == 0].max() == 0
        costs = [[0, 1, 1000], [1, 0, 1000], [1, 1, 0]]
        careful = classifier(costs=costs).fit(X, y)
        expected = careful.predict_proba(X) @ np.transpose(costs)
        np.testing.assert_array_equal(careful.predict(X), expected.argmin(axis=1))
        assert hasattr(careful, "predict_proba") and not hasattr(plain, "predict_proba")
        assert (careful.predict(X) == 2).sum() > (plain.predict(X) == 2).sum()


def test_probabilities_scores_and_likelihoods_are_there_where_the_rule_has_them():
    for classifier in CLASSIFIERS:
        probable = classifier in (KNN, SDA, NNSDA, LocalSDA, MixtureSDA, NaiveBayes)
        assert hasattr(classifier(), "predict_proba") == probable
        assert hasattr(classifier(), "predict_log_proba") == probable
        scored = classifier not in (KNN, LocalSDA, NaiveBayes)
        assert hasattr(classifier(), "decision_function") == scored
        likely = classifier in (SDA, NNSDA, MixtureSDA, NaiveBayes)
        assert hasattr(classifier(), "score_samples") == likely
        near = classifier in (KNN, SKNN, LocalSDA, LocalCentroid)
        assert hasattr(classifier(), "kneighbors") == near


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_scorers_of_scikit_learn_can_use_what_is_said(classifier):
    X, y = make_classification(n_samples=120, class_sep=2, random_state=0)
    fitted = quick(classifier).fit(X, y)
    if hasattr(fitted, "predict_proba"):
        scores = fitted.predict_proba(X)[:, 1]
    else:
        scores = fitted.decision_function(X)
        np.testing.assert_array_equal(fitted.predict(X), fitted.classes_[(scores > 0).astype(int)])
    assert roc_auc_score(y, scores) > 0.8


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_frames_with_categories_and_holes(classifier):
    bunch = datasets.load("house-votes-84", as_frame=True)
    X, y = bunch.data, bunch.target_names[bunch.target]
    fitted = quick(classifier).fit(X[::3], y[::3])
    assert fitted.score(X, y) > 0.8
    assert fitted.predict(X.iloc[[5]]) in (["democrat"], ["republican"])
    # The order of categories in a frame, and rows asked one by one, change nothing.
    turned = X.apply(lambda column: column.cat.reorder_categories(column.cat.categories[::-1]))
    np.testing.assert_array_equal(fitted.predict(turned), fitted.predict(X))
    strings = X.astype(object).where(X.notna(), None)
    np.testing.assert_array_equal(
        fitted.predict(pl.DataFrame(strings.to_dict("list"))), fitted.predict(X)
    )
    unseen = strings.copy()
    unseen.iloc[0, 0] = "shrug"
    assert fitted.predict(unseen).shape == (435,)


@pytest.mark.parametrize("name", measures())
def test_every_measure_serves(name):
    bunch = datasets.load("house-votes-84", as_frame=True)
    X, y = bunch.data, bunch.target
    assert KNN(5, measure=name).fit(X[::3], y[::3]).score(X, y) > 0.85


def test_settings_of_a_measure_reach_it():
    X, y = IRIS
    plain = KNN(1, measure="euclidean", measure_params={"scaling": "none"}).fit(X, y)
    np.testing.assert_allclose(
        plain.kneighbors(X[:3], 9)[0], np.sort(euclidean_distances(X[:3], X))[:, :9], atol=1e-7
    )
    with pytest.raises(ValueError, match="^scaling: expected one of .*got `huge`"):
        KNN(measure="euclidean", measure_params={"scaling": "huge"}).fit(X, y)
    with pytest.raises(ValueError, match="^scalling: euclidean has no such parameter"):
        KNN(measure="euclidean", measure_params={"scalling": "none"}).fit(X, y)
    with pytest.raises(ValueError, match="`euclid` is not a measure; there are counting"):
        KNN(measure="euclid").fit(X, y)
    with pytest.raises(TypeError, match="^measure: expected the name of a measure, an estim"):
        KNN(measure=3).fit(X, y)
    with pytest.raises(TypeError, match="^measure_params: expected a dict"):
        KNN(measure_params=[1]).fit(X, y)


@pytest.mark.parametrize("classifier", [KNN, SKNN, SDA, PSVM])
def test_a_learned_similarity_is_a_measure(classifier):
    X, y = WINE
    classifier = quick(classifier, measure=SiLA(epochs=3))
    assert cross_val_score(classifier, X, y, cv=3).mean() > 0.6
    fitted = clone(classifier).fit(X, y)
    s = fitted.measure_.similarity_.between(X)
    given = clone(classifier).set_params(similarity="precomputed").fit(s, y)
    np.testing.assert_array_equal(fitted.predict(X), given.predict(s))
    search = GridSearchCV(classifier, {"measure__epochs": [1, 2]}, cv=2).fit(X, y)
    assert search.best_params_["measure__epochs"] in (1, 2)
    with pytest.raises(ValueError, match="learn with mode='multi-class'"):
        clone(classifier).set_params(measure=SRBS(mode="one-vs-rest")).fit(X, y)


def test_pipelines_and_searches():
    X, y = WINE
    pipeline = make_pipeline(StandardScaler(), KNN(measure="cosine", ties="nearest"))
    grid = {"knn__n_neighbors": [1, 5, None], "knn__measure": ["euclidean", "manhattan"]}
    assert GridSearchCV(pipeline, grid, cv=3).fit(X, y).best_score_ > 0.9
    frame = datasets.load("iris", as_frame=True)
    columns = ColumnTransformer([("kept", "passthrough", ["petal_length", "petal_width"])])
    assert cross_val_score(make_pipeline(columns, SDA()), frame.data, frame.target).mean() > 0.85


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_threads_copies_and_later_changes_change_nothing(classifier):
    X, y = IRIS
    X = np.round(X) if classifier is NaiveBayes else X.copy()
    fitted = quick(classifier).fit(X, y)
    said = fitted._ask(X)
    again = pickle.loads(pickle.dumps(fitted))
    two = quick(classifier, n_jobs=2).fit(X, y)
    for other in (again, two):
        found = other._ask(X)
        for key in said:
            np.testing.assert_array_equal(found[key], said[key])
    queries = X.copy()
    X[:] = 7
    np.testing.assert_array_equal(fitted.predict(queries), fitted.classes_[said["class"]])
    one_by_one = np.concatenate([fitted.predict(row[np.newaxis]) for row in queries[::10]])
    np.testing.assert_array_equal(one_by_one, fitted.classes_[said["class"]][::10])


def test_blocks_of_queries_change_nothing(monkeypatch):
    X, y = IRIS
    whole = SDA().fit(X, y).predict_proba(X)
    monkeypatch.setattr("nearkin.classify._similarities._HELD", 1000)
    np.testing.assert_array_equal(SDA().fit(X, y).predict_proba(X), whole)
    monkeypatch.setattr("nearkin.classify._similarities._HELD", 1)
    distances, near = KNN(3).fit(X, y).kneighbors(X[:7])
    assert near[:, 0].tolist() == list(range(7)) and distances.shape == (7, 3)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_sparse_tables_are_refused_in_a_sentence(classifier):
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is req"):
        classifier().fit(scipy.sparse.csr_array(IRIS[0]), IRIS[1])


@pytest.mark.parametrize("classifier", [KNN, SKNN, SDA, LocalSDA, PSVM])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_sparse_rows_are_compared_by_what_was_learned(classifier, kind):
    X, y = WINE
    X = np.where(X > np.median(X, axis=0), X, 0).astype(kind)
    sparse = scipy.sparse.csr_matrix(X)
    for measure in (SiLA(epochs=3), SiLA(epochs=3).fit(X, y).similarity_):
        dense = quick(classifier, measure=measure).fit(X, y)
        fitted = quick(classifier, measure=measure).fit(sparse, y)
        for queries in (sparse, X, sparse[:1], scipy.sparse.coo_array(X)):
            said = fitted.predict(queries)
            np.testing.assert_array_equal(said, dense.predict(queries))
        read = pickle.loads(pickle.dumps(fitted))
        np.testing.assert_array_equal(read.predict(sparse), fitted.predict(sparse))
        with pytest.raises(ValueError, match="a file holds every cell of the training rows"):
            fitted.save("no.safetensors")
    # The fitted rule keeps a copy, so that changes of the caller do not reach it.
    before = fitted.predict(sparse)
    kept, sparse.data[:] = sparse.copy(), 1
    np.testing.assert_array_equal(fitted.predict(kept), before)


def test_neighbours_among_sparse_rows():
    X, y = WINE
    sparse = scipy.sparse.csr_array(X)
    found, rows = KNN(3, measure=SRBS(epochs=2)).fit(sparse, y).kneighbors(sparse[:4], 2)
    expected, same = KNN(3, measure=SRBS(epochs=2)).fit(X, y).kneighbors(X[:4], 2)
    np.testing.assert_array_equal(rows, same)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_learner_that_takes_no_sparse_rows_is_no_measure_of_them():
    sparse, y = scipy.sparse.csr_array(IRIS[0]), IRIS[1]
    for measure in (SiLA(matrix="full"), lambda a, b: 1.0, "cosine"):
        with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is req"):
            KNN(measure=measure).fit(sparse, y)


def test_one_similarity_for_each_class_is_refused_before_it_is_learned():
    with pytest.raises(ValueError, match="learn with mode='multi-class'"):
        KNN(measure=SiLA(mode="one-vs-rest", epochs=10**9)).fit(*WINE)


def test_single_precision_is_measured_as_it_is():
    X, y = IRIS
    single = X.astype(np.float32)
    fitted = KNN(3).fit(single, y)
    assert fitted._training.numbers.dtype == np.float32
    wide = KNN(3).fit(single.astype(np.float64), y)
    np.testing.assert_array_equal(fitted.kneighbors(single)[1], wide.kneighbors(single)[1])


def test_costs_and_priors_move_decisions():
    X, y = IRIS
    y = (y == 2).astype(int)
    plain = SDA().fit(X, y).predict(X)
    careful = SDA(costs=[0, 1000, 1, 0]).fit(X, y).predict(X)
    assert careful.sum() > plain.sum()
    by_name = SDA(priors={1: 0.999, 0: 0.001}).fit(X, y)
    np.testing.assert_array_equal(
        by_name.predict_proba(X), SDA(priors=[0.001, 0.999]).fit(X, y).predict_proba(X)
    )
    assert by_name.predict(X).sum() > plain.sum()
    for square in ([[0, 1000], [1, 0]], np.array([[0, 1000], [1, 0]])):
        np.testing.assert_array_equal(SDA(costs=square).fit(X, y).predict(X), careful)
    with pytest.raises(ValueError, match="^costs: 3 given; 2 classes"):
        SDA(costs=[0, 1, 1]).fit(X, y)
    with pytest.raises(ValueError, match=r"^costs: expected a row for each.*shape \(1, 2\)"):
        SDA(costs=[[0, 1]]).fit(X, y)
    with pytest.raises(ValueError, match="^costs: 9 given; 2 classes"):
        SDA(costs=np.ones((3, 3))).fit(X, y)
    with pytest.raises(TypeError, match="^costs: expected a list of floats"):
        SDA(costs=[[0, 1], [2]]).fit(X, y)


def test_what_a_reader_must_know_is_a_warning():
    X, y = IRIS
    with pytest.warns(ConvergenceWarning, match="had not come to rest"):
        PSVM(sweeps=1).fit(X, y)
    y = y.copy()
    y[0] = 9
    with pytest.warns(UserWarning, match="class `9` has one row"):
        fitted = NNSDA().fit(X, y)
    assert any("`9`" in note for note in fitted.notes_)


def test_neighbours_that_do_not_exist_are_refused():
    X, y = IRIS
    fitted = KNN(3).fit(X, y)
    for k, most in ((0, 150), (151, 150)):
        with pytest.raises(ValueError, match=f"^n_neighbors: must be from 1 to {most}, got {k}"):
            fitted.kneighbors(X, k)
    with pytest.raises(ValueError, match="from 1 to 149"):
        fitted.kneighbors(n_neighbors=150)
    by_radius = LocalCentroid(neighbourhood="radius", alpha=1.0).fit(X, y)
    with pytest.raises(ValueError, match="chosen by radius"):
        by_radius.kneighbors(X)


def test_adjusted_centroids_need_similarities_that_are_not_negative():
    X, y = IRIS
    d = euclidean_distances(X)
    near = np.exp(-d / d[d > 0].mean())
    turned = AdjustedCentroid(similarity="precomputed").fit(near, y)
    given = AdjustedCentroid(metric="precomputed").fit(d, y)
    np.testing.assert_array_equal(given.predict(d), turned.predict(near))
    # None is above 0: distances with their sign turned.
    below = AdjustedCentroid(similarity="precomputed").fit(-d, y)
    np.testing.assert_array_equal(below.predict(-d), given.predict(d))
    with pytest.raises(ValueError, match="needs them not negative"):
        AdjustedCentroid(similarity="precomputed").fit(1 - d, y)


def said_of(seed):
    X, y = make_classification(n_samples=100, random_state=seed)
    return SDA(n_jobs=2).fit(X, y).predict_proba(X)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_children_and_processes_of_joblib_can_classify_after_their_parent():
    expected = said_of(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(said_of, [0, 0]).get(timeout=120)
    with joblib.parallel_config(backend="loky"):
        found += joblib.Parallel(n_jobs=2)(joblib.delayed(said_of)(0) for _ in range(2))
    for one in found:
        np.testing.assert_array_equal(one, expected)


def test_nearest_centroids_by_hand():
    # In one dimension: class a at 0, 1, 2 and b at 10, 11, 12; the middle ones are typical.
    X = np.array([[0.0], [1], [2], [10], [11], [12]])
    fitted = NearestCentroid(measure="manhattan", measure_params={"scaling": "none"})
    fitted.fit(X, list("aaabbb"))
    assert [one.tolist() for one in fitted.prototypes_] == [[1], [4]]
    np.testing.assert_allclose(fitted.decision_function([[5.0], [8.0]]), [4 - 6, 7 - 3])
    assert fitted.predict([[5.0], [8.0]]).tolist() == ["a", "b"]


def test_object_arrays_and_times_are_told_what_to_do():
    X, y = IRIS
    with pytest.raises(ValueError, match="column `x0` holds .a., which is no number"):
        KNN().fit(np.array([["a", 1], ["b", 2]], dtype=object), [0, 1])
    with pytest.raises(TypeError, match="X holds times"):
        KNN().fit(X.astype("datetime64[s]"), y)
    with pytest.raises(TypeError, match="^n_jobs: expected an int or None"):
        KNN(n_jobs="2").fit(X, y)
    frame = pd.DataFrame({"a": X[:, 0], "when": pd.to_timedelta(X[:, 1], "D")})
    with pytest.raises(TypeError, match="column `when` holds times"):
        KNN().fit(frame, y)


def test_several_statistics_describe_a_sample():
    X, y = IRIS
    one, both = SDA().fit(X, y), SDA(statistics=["centroid", "nearest"]).fit(X, y)
    assert len(both.laws_) == 2 * len(one.laws_)
    assert (both.predict_proba(X) != one.predict_proba(X)).any()
    with pytest.raises(TypeError, match="^statistics: expected a list of 'centroid'"):
        SDA(statistics=3).fit(X, y)


@pytest.mark.parametrize("measure", ["heom", "euclidean", "manhattan", "cosine", "counting"])
@pytest.mark.parametrize("kind", [KNN, SKNN])
def test_neighbours_found_by_an_engine_are_those_of_all_similarities(kind, measure):
    rng = np.random.default_rng(0)
    # Few values, so that distances tie.
    X, y = rng.integers(1, 5, (150, 4)).astype(float), rng.integers(0, 3, 150)
    queries = rng.integers(1, 5, (40, 4)).astype(np.float32)
    quick = kind(4, measure=measure).fit(X, y)
    plain = kind(4, similarity="precomputed")
    plain.fit(quick._measure.between((X, None), (X, None)), y)
    s = quick._measure.between((queries, None), (X, None))
    np.testing.assert_array_equal(quick.predict(queries), plain.predict(s))
    for asked, given in ((queries, s), (None, None)):
        both = zip(quick.kneighbors(asked, 5), plain.kneighbors(given, 5), strict=True)
        for found, meant in both:
            np.testing.assert_array_equal(found, meant)


@pytest.mark.parametrize("classifier", [SDA, NNSDA, LocalSDA, MixtureSDA])
def test_evidence_adds_up_to_what_is_said(classifier):
    X, y = IRIS
    fitted = classifier(**QUICK.get(classifier, {})).fit(X, y)
    queries = X[[0, 60, 140]]
    logs = fitted.predict_log_proba(queries)
    for at, laws in enumerate(fitted.evidence(queries)):
        assert {one["class"] for one in laws} <= set(fitted.classes_)
        # A class's log-likelihood: the sum over its statistics, of a mixture's parts together.
        likelihood = []
        for name in fitted.classes_:
            of = [one for one in laws if one["class"] == name]
            sums = {}
            for one in of:
                part = one["weight"] * np.exp(one["log_p"])
                sums[one["statistic"]] = sums.get(one["statistic"], 0.0) + part
            likelihood.append(sum(map(np.log, sums.values())))
            for statistic in sums:
                shares = [o["responsibility"] for o in of if o["statistic"] == statistic]
                assert sum(shares) == pytest.approx(1.0)
        if classifier is not LocalSDA:  # whose priors are those of the neighbourhood
            said = np.array(likelihood) + np.log(np.bincount(y) / len(y))
            np.testing.assert_allclose(said - np.logaddexp.reduce(said), logs[at], atol=1e-9)


@pytest.mark.parametrize("classifier", [*OVER_SIMILARITIES, NaiveBayes])
def test_priors_move_the_odds_of_every_classifier(classifier):
    X, y = IRIS
    X, y = X[40:140], y[40:140]  # 10, 50 and 40 of the classes
    settings = {"probabilities": True} if "probabilities" in classifier().get_params() else {}
    if classifier is AdjustedCentroid:
        settings["measure"] = "cosine"
    if classifier is NaiveBayes:
        X = np.round(X)
    plain = quick(classifier, **settings).fit(X, y).predict_proba(X[::7])
    moved = quick(classifier, priors={0: 2, 1: 1, 2: 7}, **settings).fit(X, y)
    moved = moved.predict_proba(X[::7])
    meant = plain * (np.array([0.2, 0.1, 0.7]) / np.array([0.1, 0.5, 0.4]))
    meant /= meant.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(moved, meant, atol=1e-9)


def test_tables_of_laws_count_every_training_sample():
    X, y = IRIS
    sda = SDA().fit(X, y)
    assert len(sda.law_tables_) == 3
    for table in sda.law_tables_:
        assert table["observed"].shape == table["fitted"].shape == (3, len(table["edges"]) - 1)
        np.testing.assert_array_equal(table["observed"].sum(axis=1), np.bincount(y))
        np.testing.assert_allclose(table["fitted"].sum(axis=1), 50, rtol=0.2)


def test_the_machine_says_what_was_chosen_and_which_samples_count():
    X, y = IRIS
    chosen = PSVM(c_candidates=[0.1, 1.0], epsilon_candidates=[0.05, 0.5]).fit(X, y)
    assert chosen.C_ in (0.1, 1.0) and chosen.epsilon_ in (0.05, 0.5)
    assert chosen.dual_coef_.shape == (3, 150)
    assert np.abs(chosen.dual_coef_).max() <= chosen.C_
    used = np.count_nonzero(chosen.dual_coef_)
    assert f"{used} of 450 weights are not 0" in chosen.notes_[0]
    assert PSVM(2.0).fit(X, y % 2).C_ == 2.0


def test_rounds_gone_through_are_counted():
    X, y = IRIS
    assert MixtureSDA(2, rounds=4, tol=0.0).fit(X, y).n_iter_ == 4
    rested = PSVM().fit(X, y)
    assert 1 < rested.n_iter_ < 10000
    assert PSVM(probabilities=True).fit(X, y).n_iter_ == rested.n_iter_
    assert pickle.loads(pickle.dumps(rested)).n_iter_ == rested.n_iter_
    with pytest.warns(ConvergenceWarning):
        assert PSVM(sweeps=3).fit(X, y).n_iter_ == 3
    assert not hasattr(SDA().fit(X, y), "n_iter_")


def test_whole_numbers_are_the_same_categories_as_floats():
    train = pd.DataFrame({"g": [0, 1, 2] * 20})
    labels = [0, 1, 2] * 20
    for classifier in (KNN(1, categorical_features=["g"]), NaiveBayes(categorical_features=["g"])):
        fitted = classifier.fit(train, labels)
        said = fitted.predict(pd.DataFrame({"g": [0, 1, 2, None]}))
        assert said[:3].tolist() == [0, 1, 2]
        said = classifier.fit(train.astype(float), labels).predict(train[:3])
        assert said.tolist() == [0, 1, 2]


def test_distances_too_large_for_a_number_are_refused():
    X, y = IRIS
    plain = {"measure": "euclidean", "measure_params": {"scaling": "none"}}
    for kind in (KNN, SKNN):
        with pytest.raises(ValueError, match="too large for a number"):
            kind(3, **plain).fit(X * 1e200, y).predict(X * 1e200)
