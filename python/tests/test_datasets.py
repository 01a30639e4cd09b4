"""Bundled and simulated tables, as arrays and as frames."""

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets

from nearkin import _core, datasets
from nearkin.weigh import ReliefF, RReliefF


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_bundled_sets_are_those_of_scikit_learn(name):
    bunch = datasets.load(name)
    theirs = getattr(sklearn.datasets, f"load_{name}")()
    np.testing.assert_array_equal(bunch.data, theirs.data)
    np.testing.assert_array_equal(bunch.target, theirs.target)
    assert bunch.categorical_features == [] and bunch.frame is None


@pytest.mark.parametrize("about", _core.bundled(), ids=lambda about: about["name"])
def test_every_bundled_set_can_be_weighed_as_array_and_as_frame(about):
    bunch = datasets.load(about["name"])
    assert bunch.data.shape == (about["rows"], about["columns"])
    assert about["source"] in bunch.DESCR
    X, y = datasets.load(about["name"], as_frame=True, return_X_y=True)
    assert isinstance(X, pd.DataFrame) and isinstance(y, pd.Series)
    by_dtype = ReliefF().fit(X, y)
    by_index = ReliefF(categorical_features=bunch.categorical_features)
    by_index.fit(bunch.data, bunch.target_names[bunch.target])
    np.testing.assert_array_equal(by_index.scores_, by_dtype.scores_)


def test_categories_and_missing_cells_are_kept():
    votes = datasets.load("house-votes-84", as_frame=True)
    assert votes.frame.shape == (435, 17)
    column = votes.feature_names[0]
    assert votes.data[column].cat.categories.tolist() == votes.categories[column] == ["n", "y"]
    codes = datasets.load("house-votes-84").data
    np.testing.assert_array_equal(np.isnan(codes), votes.data.isna())


@pytest.mark.parametrize("name", datasets.simulators())
def test_every_simulator_makes_a_table_with_its_truth(name):
    made = datasets.simulate(name, as_frame=True, random_state=3)
    assert len(made.data) == len(made.target)
    assert 0 < len(made.relevant) <= made.data.shape[1]
    again = datasets.simulate(name, as_frame=True, random_state=3)
    pd.testing.assert_frame_equal(made.frame, again.frame)
    selector = ReliefF() if hasattr(made, "target_names") else RReliefF()
    assert selector.fit(made.data, made.target).scores_.shape == (made.data.shape[1],)


def test_wrong_names_are_answered_with_the_right_ones():
    with pytest.raises(ValueError, match="`irisses` is not a bundled data set; there are iris"):
        datasets.load("irisses")
    with pytest.raises(ValueError, match="`xnor` is not a generator; there are decision-list"):
        datasets.simulate("xnor", rows=3)
    for name in ("seed", "foo"):
        with pytest.raises(ValueError, match=f"{name}: xor has no such .*random_state"):
            datasets.simulate("xor", **{name: 1})
    with pytest.raises(ValueError, match="n_rows: xor has no such parameter; it has rows, order"):
        datasets.simulate("xor", n_rows=3)
    with pytest.raises(TypeError, match="rows: expected an int, got 'ten' of type str"):
        datasets.simulate("xor", rows="ten")
    with pytest.raises(ValueError, match="rows: must be at least 2, got 1"):
        datasets.simulate("xor", rows=1)


def test_a_random_state_is_what_it_is_for_estimators():
    one, other = (datasets.simulate("xor", random_state=None).data for _ in range(2))
    assert (one != other).any()
    drawn = [datasets.simulate("xor", random_state=np.random.RandomState(1)).data for _ in range(2)]
    np.testing.assert_array_equal(*drawn)
