"""Weighting selectors at home in scikit-learn: pipelines, searches, frames, processes."""

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
from sklearn.datasets import load_iris, make_classification
from sklearn.feature_selection import SelectFromModel, SelectKBest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from test_sklearn_checks import WEIGHERS

from nearkin import _columns
from nearkin.weigh import VLS, IRelief, MultiSURF, ReliefF, RReliefF, TuRF, relieff

TREE = DecisionTreeClassifier(random_state=0)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


def mixed_columns():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    return y, {
        "noise": rng.random(60).tolist(),
        "colour": [None if i == 7 else "red" if c else "blue" for i, c in enumerate(y)],
        "size": [None if i == 3 else c + rng.random() for i, c in enumerate(y)],
        "shape": rng.choice(["round", "long", "flat"], 60).tolist(),
    }


# One of each kind, with a parameter to search over and values for it.
SOME = {
    "ReliefF": (ReliefF(), {"n_neighbors": [3, 10]}),
    "MultiSURF": (MultiSURF(), {"metric": ["manhattan", "euclidean"]}),
    "IRelief": (IRelief(), {"sigma": [1.0, 2.0]}),
    "RReliefF": (RReliefF(), {"sigma": [5.0, 20.0]}),
    "TuRF": (TuRF(ReliefF()), {"estimator__n_neighbors": [3, 10]}),
    "VLS": (VLS(MultiSURF(), subsets=5, share=0.8), {"estimator": [ReliefF(), MultiSURF()]}),
}


@pytest.mark.parametrize(("selector", "grid"), SOME.values(), ids=SOME)
def test_pipeline_search_and_cross_validation(iris, selector, grid):
    X, y = iris
    pipeline = make_pipeline(clone(selector).set_params(n_features_to_select=2), TREE)
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    step = type(selector).__name__.lower()
    grid = {f"{step}__{name}": values for name, values in grid.items()}
    grid[f"{step}__n_features_to_select"] = [1, 0.5]
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, y)
    assert search.best_score_ > 0.9


def test_search_in_processes(iris):
    grid = {"relieff__n_neighbors": [3, 10]}
    pipeline = make_pipeline(ReliefF(n_features_to_select=2), TREE)
    assert GridSearchCV(pipeline, grid, cv=2, n_jobs=2).fit(*iris).best_score_ > 0.9


def positive_weights(fitted):
    """For SelectFromModel, which would take a weight far below 0 for a large one."""
    return np.maximum(fitted.feature_importances_, 0)


@pytest.mark.parametrize("selector", [one for one, _ in SOME.values()], ids=SOME)
def test_column_transformer_and_select_from_model(iris, selector):
    X, y = iris
    last = clone(selector).set_params(n_features_to_select=1)
    both = ColumnTransformer([("chosen", last, list(X.columns[[0, 3]]))])
    assert both.fit_transform(X, y).shape == (150, 1)
    assert both.get_feature_names_out().tolist() == ["chosen__petal width (cm)"]
    options = {"max_features": 2, "threshold": -np.inf, "importance_getter": positive_weights}
    chosen = SelectFromModel(selector, **options).fit(X, y)
    assert chosen.get_support().tolist() == [False, False, True, True]


def test_score_functions_serve_select_k_best(iris):
    X, y = iris
    chosen = SelectKBest(relieff, k=1).fit(X, y)
    assert pickle.loads(pickle.dumps(chosen)).get_support(indices=True).tolist() == [3]


@pytest.mark.parametrize("estimator", WEIGHERS)
def test_clone_and_pickle_keep_what_they_should(iris, estimator):
    X, y = iris
    selector = estimator(n_features_to_select=3).fit(X, y)
    assert not hasattr(clone(selector), "feature_importances_")
    assert clone(selector).get_params() == selector.get_params()
    again = pickle.loads(pickle.dumps(selector))
    np.testing.assert_array_equal(again.scores_, selector.feature_importances_)
    assert again.get_feature_names_out().tolist() == selector.get_feature_names_out().tolist()


@pytest.mark.parametrize("estimator", WEIGHERS)
def test_sparse_tables_are_refused_in_a_sentence(iris, estimator):
    X, y = iris
    for sparse in (scipy.sparse.csr_array(X), scipy.sparse.coo_matrix(X)):
        with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is req"):
            estimator().fit(sparse, y)


def test_nested_parameters_are_found_and_set():
    selector = TuRF(VLS(ReliefF(5)))
    assert selector.get_params()["estimator__estimator__n_neighbors"] == 5
    copy = clone(selector).set_params(estimator__estimator__n_neighbors=7, fraction=0.3)
    assert copy.estimator.estimator.n_neighbors == 7
    assert selector.estimator.estimator.n_neighbors == 5


def test_number_of_selected_features(iris):
    X, y = iris
    selector = ReliefF().fit(X, y)
    assert selector.top_features_.tolist() == [3, 2, 0, 1]
    for wanted, kept in ((10, 4), (3, 3), (0.5, 2), (0.01, 1), (1.0, 4), (None, 2)):
        selector.set_params(n_features_to_select=wanted)
        assert selector.get_support(indices=True).tolist() == sorted([3, 2, 0, 1][:kept])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_output_is_the_frame_asked_for(iris, frame):
    X, y = iris
    data = frame({name: X[name].to_numpy() for name in X})
    names = ["petal length (cm)", "petal width (cm)"]
    for word, kind in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        for selector, _ in SOME.values():
            selector = clone(selector).set_params(n_features_to_select=2)
            found = selector.set_output(transform=word).fit(data, y).transform(data)
            assert isinstance(found, kind)
            assert list(found.columns) == names
    assert isinstance(ReliefF().fit(data, y).transform(data), np.ndarray)


def test_polars_columns_keep_their_types():
    y, columns = mixed_columns()
    data = pl.DataFrame(columns)
    selector = ReliefF(n_features_to_select=2).set_output(transform="polars")
    assert selector.fit_transform(data, y).schema == data[["colour", "size"]].schema
    with pytest.raises(ValueError, match="feature names"):
        selector.transform(data[["size", "colour", "noise", "shape"]])


def categorical(frame):
    return frame.astype({"colour": "category", "shape": "category"})


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        lambda columns: pd.DataFrame(columns).astype({"colour": object, "shape": object}),
        lambda columns: pd.DataFrame(columns).convert_dtypes(),
        lambda columns: categorical(pd.DataFrame(columns)),
        pl.DataFrame,
        lambda columns: pl.DataFrame(columns).with_columns(pl.col("shape").cast(pl.Categorical)),
    ],
)
def test_categories_of_a_frame_are_nominal_by_default(make):
    y, columns = mixed_columns()
    expected = np.array(list(columns.values()), dtype=object).T
    by_index = ReliefF(categorical_features=[1, 3]).fit(expected, y)
    by_dtype = ReliefF().fit(make(columns), y)
    np.testing.assert_array_equal(by_dtype.feature_importances_, by_index.feature_importances_)
    assert by_dtype.feature_names_in_.tolist() == list(columns)
    assert by_dtype.top_features_[0] == 1
    assert by_dtype.transform(make(columns)).shape == (60, 4)


def test_categorical_features_by_index_name_and_mask_agree():
    X, y = make_classification(n_samples=80, n_features=5, random_state=0)
    X[:, 1] = np.round(X[:, 1])
    X[:, 4] = np.round(X[:, 4])
    X[3, 4] = np.nan
    frame = pd.DataFrame(X, columns=list("abcde"))
    expected = relieff(X, y, categorical_features=[1, 4])
    assert (expected != relieff(X, y)).any()
    for chosen in ([1, -1], [False, True, False, False, True], np.array([4, 1])):
        np.testing.assert_array_equal(relieff(X, y, categorical_features=chosen), expected)
    for chosen in (["b", "e"], [1, 4]):
        np.testing.assert_array_equal(relieff(frame, y, categorical_features=chosen), expected)
    np.testing.assert_array_equal(relieff(X, y, categorical_features=[]), relieff(X, y))
    with pytest.raises(ValueError, match="X has no column 'z'"):
        relieff(frame, y, categorical_features=["z"])


def test_a_table_may_be_all_nominal():
    y, columns = mixed_columns()
    frame = pd.DataFrame(columns)[["colour", "shape"]]
    assert ReliefF(n_features_to_select=1).fit(frame, y).get_support().tolist() == [True, False]


def test_an_identifier_is_refused_as_a_category():
    frame = pd.DataFrame({"id": [f"row {i}" for i in range(65535)], "x": 1.0})
    with pytest.raises(ValueError, match="column `id` has 65535 different values"):
        relieff(frame, np.arange(65535) % 2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_borrowed_as_they_are(dtype, order):
    X = np.asarray(np.random.default_rng(0).random((20, 3)), dtype=dtype, order=order)
    y = np.arange(20) % 2
    for categorical_features in (None, [1]):
        columns, _ = _columns.read(ReliefF(), X, y, categorical_features, classes=True)
        assert np.shares_memory(columns.numbers, X)
        assert columns.numbers.dtype == dtype


def weights_of(seed):
    X, y = make_classification(n_samples=200, random_state=seed)
    return relieff(X, y, n_jobs=2)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_can_fit_after_its_parent():
    expected = weights_of(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(weights_of, [0, 0]).get(timeout=120)
    for weights in found:
        np.testing.assert_array_equal(weights, expected)


def test_processes_and_threads_of_joblib_can_fit_after_their_parent():
    expected = weights_of(0)
    for backend in ("loky", "threading"):
        with joblib.parallel_config(backend=backend):
            found = joblib.Parallel(n_jobs=2)(joblib.delayed(weights_of)(0) for _ in range(4))
        for weights in found:
            np.testing.assert_array_equal(weights, expected)
