"""Learned similarities: what they are, beside plain definitions, and metric-learn's manners."""

import multiprocessing
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from test_sklearn_checks import LEARNERS

from nearkin import datasets
from nearkin.classify import KNN
from nearkin.learn import (
    RBS,
    RBSPSD,
    SRBS,
    SRBSPSD,
    BasePSDLearner,
    Relief,
    ReliefPSD,
    SiLA,
    Similarity,
)

IRIS = datasets.load("iris", return_X_y=True)
WINE = datasets.load("wine", return_X_y=True)
# RELIEF's weights are a distance unless told otherwise.
RELIEF = [Relief, ReliefPSD]
BILINEAR = [one for one in LEARNERS if one not in RELIEF]
PSD = [one for one in BILINEAR if issubclass(one, BasePSDLearner)]


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def closed_form(X, y, k):
    """RBS by its definition: the sum of x (targets - impostors), scaled to length 1."""
    X = unit(X)
    s = X @ X.T
    np.fill_diagonal(s, -np.inf)
    total = np.zeros(X.shape[1])
    for i in range(len(X)):
        order = np.argsort(-s[i], kind="stable")
        targets = [j for j in order if y[j] == y[i] and j != i][:k]
        impostors = [j for j in order if y[j] != y[i]][:k]
        total += X[i] * (X[targets].sum(axis=0) - X[impostors].sum(axis=0))
    return total / np.linalg.norm(total)


def test_rbs_is_its_closed_form():
    found = RBS(n_neighbors=2).fit(*WINE).similarity_.weights
    np.testing.assert_allclose(found, closed_form(*WINE, 2), atol=1e-12)


def as_similarity(learner, **settings):
    """The learner, whose matrix is to be that of xᵀAy, as general as it can be."""
    settings = {"matrix": "diagonal" if learner is Relief else "symmetric"} | settings
    return learner(**settings, **({"used_as": "similarity"} if learner in RELIEF else {}))


@pytest.mark.parametrize("learner", LEARNERS)
def test_pair_score_metric_and_similarity_agree(learner):
    X, y = WINE
    fitted = as_similarity(learner).fit(X, y)
    A, rows = fitted.similarity_.matrix, unit(X)
    expected = rows @ A @ rows.T
    np.testing.assert_allclose(fitted.similarity_.between(X), expected, atol=1e-9)
    pairs = np.stack([X[:20], X[50:70]], axis=1)
    scores = fitted.pair_score(pairs)
    np.testing.assert_allclose(scores, np.diag(expected[:20, 50:70]), atol=1e-9)
    np.testing.assert_array_equal(scores, fitted.similarity_.pairs(pairs))
    metric = pickle.loads(pickle.dumps(fitted.get_metric()))
    assert metric(X[0], X[50]) == -scores[0]
    assert fitted.similarity_.feature_names[:2] == ["x0", "x1"]


def test_scikit_learns_neighbours_under_the_metric_are_the_most_similar():
    X, y = IRIS
    learner = SiLA().fit(X, y)
    brute = KNeighborsClassifier(3, metric=learner.get_metric(), algorithm="brute").fit(X, y)
    near = brute.kneighbors(X[::10], return_distance=False)
    s = learner.similarity_.between(X[::10], X)
    np.testing.assert_allclose(
        np.take_along_axis(s, near, 1), -np.sort(-s, axis=1)[:, :3], atol=1e-15
    )


@pytest.mark.parametrize("learner", [*PSD, ReliefPSD])
@pytest.mark.parametrize("norm", ["cosine", "dot"])
def test_mapped_rows_have_the_similarity_as_inner_product(learner, norm):
    X, y = IRIS
    fitted = as_similarity(learner, norm=norm).fit(X, y)
    mapped = fitted.transform(X)
    np.testing.assert_allclose(mapped @ mapped.T, fitted.similarity_.between(X), rtol=1e-9)
    A = fitted.components_.T @ fitted.components_
    np.testing.assert_allclose(A, fitted.similarity_.matrix, atol=1e-12)
    assert fitted.transform(X.astype(np.float32)).dtype == np.float32
    names = fitted.get_feature_names_out()
    assert names[0] == f"{learner.__name__.lower()}0"
    frame = fitted.set_output(transform="pandas").transform(X)
    assert isinstance(frame, pd.DataFrame) and list(frame.columns) == list(names)


@pytest.mark.parametrize("learner", PSD)
@pytest.mark.parametrize("by", ["classes", "targets"])
@pytest.mark.parametrize("norm, constant", [("cosine", 0.0), ("cosine", 2.0), ("dot", 0.0)])
def test_whitened_rows_are_mapped_as_they_are_compared(learner, by, norm, constant):
    X, y = IRIS
    fitted = learner(norm=norm, constant=constant, whiten=0.9, whiten_by=by).fit(X, y)
    similarity = fitted.similarity_
    assert similarity.whitening.shape == (4, 4)
    mapped = fitted.transform(X)
    np.testing.assert_allclose(mapped @ mapped.T, similarity.between(X), rtol=1e-9)
    # The same by hand, of rows that were whitened before.
    how = {"norm": norm, "constant": constant}
    by_hand = Similarity(similarity.matrix, **how).between(X @ similarity.whitening.T)
    np.testing.assert_allclose(by_hand, similarity.between(X), rtol=1e-9)
    again = pickle.loads(pickle.dumps(similarity))
    assert again == similarity != Similarity(similarity.matrix, **how)
    np.testing.assert_array_equal(again.between(X), similarity.between(X))


def test_whitening_makes_rows_of_a_class_differ_alike_in_all_directions():
    X, y = IRIS
    W = SiLA(whiten=1.0).fit(X, y).similarity_.whitening
    mapped = (X - np.array([X[y == c].mean(axis=0) for c in np.unique(y)])[y]) @ W.T
    within = mapped.T @ mapped / len(X)
    np.testing.assert_allclose(within, np.eye(4) * within[0, 0], atol=1e-9)
    with pytest.raises(ValueError, match="^whiten: .*sparse"):
        SRBS(whiten=0.5).fit(scipy.sparse.csr_matrix(X), y)
    with pytest.raises(ValueError, match="^whiten: "):
        SRBS(whiten=1.5).fit(X, y)
    assert not SRBS(whiten=0.5).__sklearn_tags__().input_tags.sparse
    with pytest.raises(ValueError, match=r"^whitening: expected an array of shape \(2, 2\)"):
        Similarity([1, 1], whitening=[1, 2, 3, 4])
    # W is of the order of 1e39, beyond single precision; what it makes of rows is not.
    small = (X * 1e-39).astype(np.float32)
    mapped = SRBSPSD(whiten=0.9).fit(small, y).transform(small)
    assert mapped.dtype == np.float32 and np.isfinite(mapped).all()


@pytest.mark.parametrize("learner", BILINEAR)
def test_transform_is_there_for_positive_forms_only(learner):
    assert hasattr(learner(), "transform") == (learner in PSD)
    assert not hasattr(learner(norm="jaccard"), "transform")
    assert not hasattr(learner(mode="one-vs-rest"), "transform")
    binary = (WINE[0] > np.median(WINE[0], axis=0)).astype(float)
    fitted = learner(norm="jaccard").fit(binary, WINE[1])
    assert not hasattr(fitted, "components_")
    assert fitted.pair_score([[binary[0], binary[1]]]).shape == (1,)


@pytest.mark.parametrize("learner", RELIEF)
def test_relief_as_a_distance(learner):
    X, y = WINE
    fitted = learner().fit(X, y)
    assert fitted.similarity_.compare == "absolute-distance"
    apart = np.abs(X[:5] - X[5:10]) @ fitted.similarity_.weights
    pairs = np.stack([X[:5], X[5:10]], axis=1)
    np.testing.assert_allclose(-fitted.pair_score(pairs), apart, rtol=1e-12)
    np.testing.assert_allclose([fitted.get_metric()(*pair) for pair in pairs], apart, rtol=1e-12)
    assert not hasattr(fitted, "transform")
    assert KNN(3, measure=learner()).fit(X, y).score(X, y) > 0.9


def test_the_metric_of_relief_psd_is_euclidean_between_mapped_rows():
    X, y = WINE
    fitted = ReliefPSD(matrix="symmetric").fit(X, y)
    mapped = fitted.transform(X)
    np.testing.assert_allclose(
        -fitted.similarity_.between(X[:9], X),
        euclidean_distances(mapped[:9], mapped) ** 2,
        atol=1e-9,
    )
    assert not hasattr(ReliefPSD(), "transform")
    with pytest.raises(ValueError, match="relief weighs single features; relief-psd also"):
        Relief(matrix="symmetric").fit(X, y)


def test_a_zero_row_has_no_cosine_and_is_left_out():
    X, y = IRIS
    with_zero = np.vstack([X, np.zeros((2, 4))])
    labels = np.append(y, [0, 1])
    with pytest.warns(UserWarning, match="^2 rows are all zeros and have no cosine"):
        fitted = RBSPSD().fit(with_zero, labels)
    assert fitted.similarity_ == RBSPSD().fit(X, y).similarity_
    with pytest.warns(UserWarning, match="^2 rows are all zeros"):
        sparse = RBSPSD().fit(scipy.sparse.csr_array(with_zero), labels)
    np.testing.assert_allclose(sparse.similarity_.weights, fitted.similarity_.weights, rtol=1e-12)
    assert not fitted.transform([[0, 0, 0, 0]]).any()
    # It has similarity 0 to all rows, as under the plain cosine.
    assert fitted.pair_score([[[0, 0, 0, 0], [1, 2, 3, 4]]]).tolist() == [0]
    assert not fitted.similarity_.between(with_zero[-2:], X).any()
    by_sparse = fitted.similarity_.between(scipy.sparse.csr_array(with_zero))
    np.testing.assert_allclose(by_sparse, fitted.similarity_.between(with_zero), atol=1e-15)


def words_of(rows, seed=0):
    """Rows of mostly zeros, two classes of words."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    X = rng.poisson(0.3, (rows, 30)).astype(float)
    X[:, :10] += rng.poisson(1.0, (rows, 10)) * (y == 0)[:, np.newaxis]
    # No two rows are equally near, so that rounding does not choose between neighbours.
    return scipy.sparse.csr_array(X * rng.random(X.shape)), y


@pytest.mark.parametrize("learner", BILINEAR)
def test_sparse_rows_teach_what_dense_ones_do(learner):
    X, y = words_of(90)
    dense = X.toarray()
    fitted, plain = learner().fit(X, y), learner().fit(dense, y)
    weights = plain.similarity_.weights
    np.testing.assert_allclose(fitted.similarity_.weights, weights, rtol=1e-6, atol=1e-9)
    s = fitted.similarity_
    np.testing.assert_allclose(s.between(X[:9], X), s.between(dense[:9], dense), rtol=1e-12)
    single = X.astype(np.float32)
    exact = learner().fit(single.astype(np.float64), y)
    assert learner().fit(single, y).similarity_ == exact.similarity_
    assert learner().fit(X.tocoo(), y).similarity_ == fitted.similarity_
    repeated = scipy.sparse.csr_array((np.append(X.data, 0.0), *unsorted(X)), shape=X.shape)
    assert learner().fit(repeated, y).similarity_ == fitted.similarity_
    if learner in PSD:
        np.testing.assert_allclose(fitted.transform(X), fitted.transform(dense), atol=1e-12)
    triplets = [[0, 2, 1], [3, 5, 4], [10, 20, 31]]
    by_sparse = learner(norm="dot").fit_triplets(triplets, X)
    by_dense = learner(norm="dot").fit_triplets(triplets, dense)
    np.testing.assert_allclose(
        by_sparse.similarity_.weights, by_dense.similarity_.weights, rtol=1e-6, atol=1e-9
    )


def unsorted(X):
    """Columns and row starts with a stored zero in the last row that is there twice."""
    starts = X.indptr.copy()
    starts[-1] += 1
    return np.append(X.indices, X.indices[-1]), starts


@pytest.mark.parametrize("learner", RELIEF)
def test_methods_that_look_at_every_cell_refuse_sparse_rows(learner):
    X, y = words_of(20)
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is req"):
        learner().fit(X, y)


def test_one_similarity_a_class():
    X, y = IRIS
    fitted = SiLA(mode="one-vs-rest").fit(X, y)
    assert len(fitted.similarities_) == len(fitted.margins_after_) == 3
    with pytest.raises(AttributeError, match="one similarity for each of 3 classes"):
        fitted.pair_score([[X[0], X[1]]])
    assert not hasattr(fitted, "similarity_")
    assert hasattr(fitted.set_params(mode="multi-class").fit(X, y), "similarity_")


def test_sila_reports_the_bound_of_the_theorems():
    X, y = IRIS
    (bound,) = SiLA(start="null", n_neighbors=1, epochs=1).fit(X, y).bounds_
    assert bound["mistakes"] <= bound["bound"]
    assert SiLA().fit(X, y).bounds_ == [None]


def test_nothing_to_learn_is_a_warning_and_the_plain_similarity():
    X = np.ones((12, 2))
    with pytest.warns(UserWarning, match="no matrix has a positive sum of margins.*plain simil"):
        fitted = RBS().fit(X, np.arange(12) % 3)
    np.testing.assert_array_equal(fitted.similarity_.weights, [1, 1])
    with pytest.warns(UserWarning, match="against the rest.*plain similarity"):
        fitted = RBS(mode="one-vs-rest", norm="dice").fit(X, np.arange(12) % 3)
    assert [one.weights.tolist() for one in fitted.similarities_] == [[2, 2]] * 3


@pytest.mark.parametrize("learner", LEARNERS)
def test_threads_copies_and_precisions_change_nothing(learner):
    X, y = WINE
    one = learner().fit(X, y)
    assert learner(n_jobs=2).fit(X, y).similarity_ == one.similarity_
    assert pickle.loads(pickle.dumps(one)).similarity_ == one.similarity_
    assert not hasattr(clone(one), "similarity_")
    exact = X.astype(np.float32)
    wide = learner().fit(exact.astype(np.float64), y).similarity_
    assert learner().fit(np.asfortranarray(exact), y).similarity_ == wide


def test_pipelines_and_searches():
    X, y = IRIS
    pipeline = make_pipeline(SRBSPSD(), KNeighborsClassifier(3))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    search = GridSearchCV(pipeline, {"srbspsd__n_neighbors": [1, 3]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.9


def test_names_of_a_frame_are_those_of_the_similarity():
    bunch = datasets.load("iris", as_frame=True)
    fitted = SRBS().fit(bunch.data, bunch.target)
    assert fitted.similarity_.feature_names == list(bunch.data.columns)


def test_tables_that_have_no_inner_product_are_refused():
    y = np.arange(10) % 2
    frame = pd.DataFrame({"size": np.arange(10.0), "colour": ["red", "blue"] * 5})
    with pytest.raises(ValueError, match="column `colour` is nominal, and inner products need num"):
        SiLA().fit(frame, y)
    with pytest.raises(ValueError, match="holds real numbers"):
        SiLA().fit(*(IRIS[0], IRIS[0][:, 0]))
    dates = pd.DataFrame({"size": np.arange(10.0), "day": pd.date_range("2020-01-01", periods=10)})
    with pytest.raises(TypeError, match=r"column `day` holds times \(datetime64.*days since"):
        SiLA().fit(dates, y)


def test_bad_settings_are_told_with_their_name():
    with pytest.raises(TypeError, match="^n_jobs: expected an int or None, got '2' of type str"):
        SiLA(n_jobs="2").fit(*IRIS)
    with pytest.raises(ValueError, match="^n_jobs: 0 threads"):
        SiLA(n_jobs=0).fit(*IRIS)
    with pytest.raises(ValueError, match="^n_neighbors: must be at least 1, got 0"):
        SiLA(n_neighbors=0).fit(*IRIS)
    with pytest.raises(ValueError, match="^norm: expected one of .*got `manhattan`"):
        SRBS(norm="manhattan").fit(*IRIS)


def test_similarities_made_by_hand():
    full = Similarity([[1, 2], [0, 1]], norm="dot")
    assert (full.form, full([1, 0], [0, 1]), full([0, 1], [1, 0])) == ("full", 2.0, 0.0)
    assert Similarity([1, 2]) == Similarity([1, 2]) != Similarity([1, 3])
    np.testing.assert_array_equal(Similarity([1, 2]).matrix, [[1, 0], [0, 2]])
    np.testing.assert_array_equal(full.weights, [1, 1])
    with pytest.raises(ValueError, match="array of shape \\(2, 3\\)"):
        Similarity(np.ones((2, 3)))
    with pytest.raises(ValueError, match="finite"):
        Similarity([1, np.nan])
    with pytest.raises(ValueError, match="^norm: "):
        Similarity([1, 2], norm="cos")
    with pytest.raises(ValueError, match="X has 3 features and the similarity is about 2"):
        full.between([[1, 2, 3]])
    with pytest.raises(ValueError, match=r"expected an array of shape \(n_pairs, 2, n_features\)"):
        full.pairs([[1, 2]])
    with pytest.raises(ValueError, match="not positive semi-definite"):
        Similarity([1, -1]).factor()
    apart = Similarity([1, 2], norm="dot", compare="squared-distance", scale=([1, 1], [2, 1]))
    assert apart([1, 1], [2, 3]) == pytest.approx(-(2**2 + 2 * 2**2))
    assert repr(apart).endswith("norm='dot', compare='squared-distance')")
    again = pickle.loads(pickle.dumps(apart))
    assert again == apart != Similarity([1, 2], norm="dot", compare="squared-distance")
    with pytest.raises(ValueError, match="it makes no distance"):
        Similarity([1, -1], norm="dot", compare="squared-distance")


@pytest.mark.parametrize("learner", LEARNERS)
def test_triplets_teach_what_they_say(learner):
    matrix = "diagonal" if learner is Relief else "symmetric"
    rng = np.random.default_rng(0)
    X = rng.random((60, 4)) + 0.1
    # Only the last feature matters: the positive is nearer to the anchor there.
    chosen = np.array([rng.choice(60, 3, replace=False) for _ in range(200)])
    gap = np.abs(X[chosen, 3] - X[chosen[:, :1], 3])
    turned = gap[:, 1] > gap[:, 2]
    chosen[turned, 1:] = chosen[turned, :0:-1]
    fitted = learner(matrix=matrix, norm="dot").fit_triplets(chosen, X)
    assert not hasattr(fitted, "classes_")
    by_rows = learner(matrix=matrix, norm="dot").fit(X[chosen])
    np.testing.assert_allclose(
        fitted.similarity_.matrix, by_rows.similarity_.matrix, rtol=1e-6, atol=1e-9
    )
    with pytest.raises(ValueError, match=r"expected shape \(n_triplets, 3\) beside X"):
        learner().fit_triplets(X[chosen], X)
    with pytest.raises(ValueError, match="triplet 0 is about row 99"):
        learner().fit_triplets([[99, 1, 2]], X)
    with pytest.raises(ValueError, match="row numbers start at 0, got -1"):
        learner().fit_triplets([[-1, 1, 2]], X)


def taught(seed):
    X, y = words_of(60, seed)
    return SiLA(epochs=3, n_jobs=2).fit(X, y).similarity_.weights


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_children_and_processes_of_joblib_can_learn_after_their_parent():
    expected = taught(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(taught, [0, 0]).get(timeout=120)
    with joblib.parallel_config(backend="loky"):
        found += joblib.Parallel(n_jobs=2)(joblib.delayed(taught)(0) for _ in range(2))
    for one in found:
        np.testing.assert_array_equal(one, expected)


def test_a_triplet_turns_the_similarity_its_way():
    X = np.array([[1.0, 0.2], [0.1, 0.3], [1.0, 1.2]])
    similarity = SiLA(epochs=100).fit_triplets([[0, 1, 2]], X).similarity_
    assert similarity(X[0], X[1]) > similarity(X[0], X[2])


def test_settings_without_an_effect_are_refused_or_told_of():
    for learner in RELIEF:
        with pytest.raises(ValueError, match="^norm: a distance is divided by no norm"):
            learner(norm="jaccard").fit(*IRIS)
        with pytest.raises(ValueError, match="^constant: rows do not differ in a constant"):
            learner(constant=2.0).fit(*IRIS)
        assert learner(used_as="similarity", constant=2.0).fit(*IRIS).similarity_.constant == 2
    for learner in (RBSPSD, SRBSPSD, ReliefPSD):
        assert "`full` learns what `symmetric` does" in learner(matrix="full").fit(*IRIS).notes_[0]


def test_a_constant_has_a_name_beside_its_weight():
    learned = SiLA(constant=1.5).fit(*IRIS).similarity_
    assert learned.feature_names == ["x0", "x1", "x2", "x3", "(constant)"]
    assert learned.weights.shape == (5,) and learned.matrix.shape == (5, 5)
    assert repr(learned).startswith("Similarity(diagonal of 4 features")
    assert learned.between(IRIS[0][:2]).shape == (2, 2)
    assert pickle.loads(pickle.dumps(learned)) == learned
    assert Similarity([1, 2]).feature_names == ["x0", "x1"]


def test_epochs_gone_through_are_counted():
    assert SiLA(epochs=4).fit(*IRIS).n_iter_ == 4
    stopped = SRBS(epochs=5000).fit(*IRIS)
    assert 0 < stopped.n_iter_ <= 5000
    assert pickle.loads(pickle.dumps(stopped)).n_iter_ == stopped.n_iter_
    assert not hasattr(RBS().fit(*IRIS), "n_iter_")
