"""The guide for users of skrebate: its code runs, and what it says of numbers is so.

Where skrebate is installed both libraries run side by side; else its numbers are those that
fixtures/make_skrebate.py recorded.
"""

import doctest
import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine

from nearkin import weigh

GUIDE = Path(__file__).parents[2] / "docs" / "coming-from-skrebate.md"
RECORDED = json.loads((Path(__file__).parent / "fixtures" / "skrebate.json").read_text())
# Name in skrebate, and the nearkin estimator that is to give its scores.
PAIRS = {
    "ReliefF": weigh.ReliefF(n_neighbors=RECORDED["n_neighbors"]),
    "SURF": weigh.SURF(),
    "SURFstar": weigh.SURFStar(),
    "MultiSURF": weigh.MultiSURF(),
    "MultiSURFstar": weigh.MultiSURFStar(),
}
SAME = ["ReliefF", "MultiSURF", "MultiSURFstar"]


@pytest.fixture(scope="module")
def skrebate():
    return pytest.importorskip("skrebate")


def test_code_of_the_guide_runs():
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(blocks) >= 3
    code = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, GUIDE.name, str(GUIDE), 0)
    said = []
    failed, tried = doctest.DocTestRunner().run(code, out=said.append)
    assert tried > 10
    assert not failed, "".join(said)


def test_guide_names_every_public_class_and_parameter_of_skrebate(skrebate):
    text = GUIDE.read_text()
    for name in ("ReliefF", "SURF", "SURFstar", "MultiSURF", "MultiSURFstar", "TURF", "VLS"):
        assert f"`{name}" in text
        for parameter in getattr(skrebate, name).__init__.__code__.co_varnames:
            assert parameter in ("self", "relief_object") or f"{parameter}" in text


@pytest.mark.parametrize("name", PAIRS)
def test_weights_equal_recorded_ones_where_the_definitions_agree(name):
    X, y = np.array(RECORDED["X"]), RECORDED["y"]
    weights = PAIRS[name].fit(X, y).feature_importances_
    # skrebate's radius of SURF and SURF* counts the distance of each row to itself.
    tolerance = 1e-12 if name in SAME else 0.01
    np.testing.assert_allclose(weights, RECORDED["scores"][name], rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", SAME)
def test_weights_equal_skrebates_side_by_side(skrebate, name):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 6))
    y = (X[:, 0] * X[:, 1] + 0.2 * X[:, 2] > 0).astype(int)
    options = {"n_neighbors": RECORDED["n_neighbors"]} if name == "ReliefF" else {}
    expected = getattr(skrebate, name)(n_jobs=1, **options).fit(X, y)
    found = PAIRS[name].fit(X, y)
    scores = expected.feature_importances_
    np.testing.assert_allclose(found.feature_importances_, scores, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.top_features_, expected.top_features_)


def test_equal_priors_give_recorded_weights_of_many_classes():
    X, y = load_wine(return_X_y=True)
    recorded = RECORDED["wine"]
    equal = weigh.relieff(X, y, priors=[1, 1, 1])
    np.testing.assert_allclose(equal, recorded, rtol=0, atol=1e-12)
    assert 0.018 < np.abs(weigh.relieff(X, y) - recorded).max() < 0.0195


def test_transform_keeps_the_columns_of_skrebate_in_order_of_column(skrebate):
    X, y = load_wine(return_X_y=True)
    theirs = skrebate.ReliefF(n_neighbors=10, n_features_to_select=3, n_jobs=1).fit(X, y)
    ours = weigh.ReliefF(n_features_to_select=3, priors=[1, 1, 1]).fit(X, y)
    kept = theirs.top_features_[:3]
    np.testing.assert_array_equal(theirs.transform(X), X[:, kept])
    np.testing.assert_array_equal(ours.transform(X), X[:, np.sort(kept)])


def test_whole_numbers_and_constant_columns_do_not_change_the_weights(skrebate):
    rng = np.random.default_rng(0)
    whole = rng.integers(0, 100, (100, 4))
    y = (whole[:, 0] > 50).astype(int)
    X = whole.astype(float)
    with_constant = np.c_[X, np.ones(len(X))]
    np.testing.assert_array_equal(weigh.relieff(whole, y), weigh.relieff(X, y))
    np.testing.assert_allclose(weigh.relieff(with_constant, y)[:4], weigh.relieff(X, y), atol=1e-15)

    def theirs(X):
        return skrebate.ReliefF(n_neighbors=10, n_jobs=1).fit(X, y).feature_importances_

    # If skrebate mends these, the guide is to say so.
    assert np.abs(theirs(whole) - theirs(X)).max() > 0.01
    assert np.abs(theirs(with_constant)[:4] - theirs(X)).max() > 0.01
