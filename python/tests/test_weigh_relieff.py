"""ReliefF: its numbers, against the definition."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_iris, make_classification

from nearkin.weigh import ReliefF, relieff


def definition(X, y, k, nominal=()):
    """ReliefF as figure 2 of Robnik-Šikonja & Kononenko 2003, over all rows.

    Range scaling, Manhattan distance, and a difference of 1 to a missing cell.
    """
    y = np.asarray(y)
    rows, features = X.shape
    span = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
    classes, counts = np.unique(y, return_counts=True)
    prior = dict(zip(classes, counts / rows, strict=True))
    weights = np.zeros(features)
    for i in range(rows):
        diff = np.abs(X - X[i]) / span
        for a in nominal:
            diff[:, a] = X[:, a] != X[i, a]
        diff[np.isnan(X) | np.isnan(X[i])] = 1.0
        distance = diff.sum(axis=1)
        distance[i] = np.inf
        for c in classes:
            members = np.flatnonzero((y == c) & (np.arange(rows) != i))
            near = members[np.argsort(distance[members], kind="stable")[:k]]
            mean = diff[near].mean(axis=0)
            weights += -mean if c == y[i] else prior[c] / (1 - prior[y[i]]) * mean
    return weights / rows


def three_classes(seed=0):
    shares = [0.5, 0.3]
    return make_classification(
        150, 7, n_informative=4, n_classes=3, weights=shares, random_state=seed
    )


@pytest.mark.parametrize("k", [1, 5, 30])
def test_weights_of_many_classes_equal_the_definition(k):
    X, y = three_classes()
    np.testing.assert_allclose(relieff(X, y, n_neighbors=k), definition(X, y, k), atol=1e-12)


def test_nominal_and_missing_cells_equal_the_definition():
    X, y = three_classes()
    rng = np.random.default_rng(0)
    X[:, 2] = rng.integers(0, 4, len(X))
    X[:, 5] = y * (rng.random(len(X)) < 0.7)
    X[rng.random(X.shape) < 0.05] = np.nan
    weights = relieff(X, y, n_neighbors=4, categorical_features=[2, 5], missing="one")
    np.testing.assert_allclose(weights, definition(X, y, 4, nominal=[2, 5]), atol=1e-12)


def test_single_precision_gives_the_weights_of_double_precision():
    X, y = three_classes()
    single = X.astype(np.float32)
    weights = relieff(single, y)
    np.testing.assert_allclose(weights, relieff(single.astype(float), y), atol=1e-12)
    np.testing.assert_allclose(weights, relieff(X, y), atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_memory_order_does_not_change_a_bit(dtype, tmp_path):
    X, y = three_classes()
    X = X.astype(dtype)
    expected = relieff(X, y)
    wide = np.zeros((len(X), 2 * X.shape[1]), dtype=dtype)
    wide[:, ::2] = X
    mapped = []
    for name, array in {"rows": X, "columns": np.asfortranarray(X)}.items():
        np.save(tmp_path / f"{name}.npy", array)
        mapped.append(np.load(tmp_path / f"{name}.npy", mmap_mode="r"))
    for other in (np.asfortranarray(X), wide[:, ::2], X[::-1][::-1], *mapped):
        np.testing.assert_array_equal(relieff(other, y), expected)


def test_number_of_threads_does_not_change_a_bit():
    X, y = make_classification(n_samples=700, n_features=20, random_state=0)
    one, two, all_cores = (
        ReliefF(n_jobs=n_jobs, per_class=True).fit(X, y) for n_jobs in (None, 2, -1)
    )
    for other in (two, all_cores):
        np.testing.assert_array_equal(one.feature_importances_, other.feature_importances_)
        np.testing.assert_array_equal(one.class_weights_, other.class_weights_)


def test_class_weights_average_to_the_weights():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    selector = ReliefF(per_class=True).fit(X[::-1], names[::-1])
    assert selector.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert selector.class_weights_.shape == (3, 4)
    mean = selector.class_weights_.mean(axis=0)
    np.testing.assert_allclose(mean, selector.feature_importances_, atol=1e-15)
    selector.set_params(per_class=False).fit(X, y)
    assert not hasattr(selector, "class_weights_")


def test_fit_leaves_parameters_and_data_unchanged():
    X, y = load_iris(return_X_y=True)
    X[0, 0] = np.nan
    before, selector = X.copy(), ReliefF(n_neighbors=1000, priors=[1, 1, 2])
    parameters = selector.get_params()
    assert selector.fit(X, y).get_params() == parameters
    np.testing.assert_array_equal(X, before)
    assert selector.notes_


def test_priors_are_given_in_order_or_by_class():
    X, y = three_classes()
    listed = relieff(X, y, priors=[0.2, 0.3, 0.5])
    np.testing.assert_array_equal(listed, relieff(X, y, priors={2: 0.5, 0: 0.2, 1: 0.3}))
    np.testing.assert_array_equal(listed, relieff(X, y, priors=np.array([0.2, 0.3, 0.5])))
    assert (listed != relieff(X, y)).all()
    with pytest.raises(ValueError, match=r"priors: classes \[0, 7\] given, y has \[0, 1, 2\]"):
        relieff(X, y, priors={0: 0.5, 7: 0.5})


def test_random_state_decides_the_sample():
    X, y = three_classes()

    def drawn(state):
        return relieff(X, y, sample=20, random_state=state)

    np.testing.assert_array_equal(drawn(3), drawn(np.int64(3)))
    assert (drawn(3) != drawn(4)).any()
    states = [np.random.RandomState(5), np.random.RandomState(5)]
    np.testing.assert_array_equal(*map(drawn, states))
    assert (drawn(states[0]) != drawn(np.random.RandomState(5))).any()
    assert (drawn(None) != drawn(None)).any()


@pytest.mark.parametrize(
    ("parameters", "error", "sentence"),
    [
        ({"n_neighbors": 0}, ValueError, "n_neighbors: must be at least 1, got 0"),
        ({"n_neighbors": 2.5}, TypeError, "n_neighbors: expected an int, got 2.5 of type float"),
        ({"n_neighbors": True}, TypeError, "n_neighbors: expected an int"),
        ({"metric": "taxi"}, ValueError, "metric: expected one of manhattan, euclidean"),
        ({"metric": None}, TypeError, "metric: expected one of 'manhattan'"),
        ({"sample": 151}, ValueError, "sample: must be at most the number of rows, 150"),
        ({"priors": [1, 2]}, ValueError, "priors: 2 given for 3 classes"),
        ({"priors": "even"}, TypeError, "priors: expected a list of floats or None"),
        ({"random_state": -1}, ValueError, "random_state: expected a whole number"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"n_features_to_select": 0}, ValueError, "n_features_to_select: expected an int"),
        ({"n_features_to_select": 1.5}, ValueError, "n_features_to_select: expected an int"),
        ({"n_features_to_select": "all"}, TypeError, "n_features_to_select: expected an int"),
        ({"categorical_features": "all"}, ValueError, "categorical_features: expected 'from_d"),
        ({"categorical_features": [9]}, ValueError, "there is no column 9; X has 4"),
        ({"categorical_features": [0.5]}, ValueError, "expected column indices"),
        ({"categorical_features": [True]}, ValueError, "a mask of 1 booleans was given for 4"),
        ({"categorical_features": ["a"]}, ValueError, "need X to be a data frame"),
    ],
)
def test_a_wrong_parameter_is_named_in_a_sentence(parameters, error, sentence):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(error, match=sentence.replace("(", r"\(")):
        ReliefF(**parameters).fit(X, y)


def test_data_that_cannot_be_used_is_refused_in_a_sentence():
    X, y = load_iris(return_X_y=True)

    def refused(X, y):
        return pytest.raises((ValueError, TypeError), ReliefF().fit, X, y)

    assert "requires y" in str(refused(X, None).value)
    assert "every row is of class `0`" in str(refused(X, 0 * y).value)
    assert "RReliefF" in str(refused(X, y + 0.5 * X[:, 0]).value)
    assert "Sparse data was passed" in str(refused(scipy.sparse.csr_array(X), y).value)
    assert "infinity" in str(refused(np.where(X == X[0, 0], np.inf, X), y).value)
    assert "holds 'a', which is no number" in str(refused(np.full((150, 2), "a"), y).value)
    assert "inconsistent numbers of samples" in str(refused(X, y[:9]).value)
