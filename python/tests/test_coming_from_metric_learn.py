"""The guide for users of metric-learn: its code runs, and what it says of names is so.

metric-learn runs beside nearkin where it is installed, in a process of its own; in any case it is
held to what fixtures/make_metric_learn.py recorded.
"""

import doctest
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from nearkin.learn import SRBSPSD, Similarity

GUIDE = Path(__file__).parents[2] / "docs" / "coming-from-metric-learn.md"
MAKE = Path(__file__).parent / "fixtures" / "make_metric_learn.py"
RECORDED = json.loads(MAKE.with_name("metric_learn.json").read_text())
X, Y = load_iris(return_X_y=True)
PAIRS = np.stack([X[:5], X[100:105]], axis=1)


@pytest.fixture(scope="module", params=["recorded", "live"])
def theirs(request):
    if request.param == "recorded":
        return RECORDED
    if find_spec("metric_learn") is None:
        pytest.skip("metric-learn is not installed")
    command = [sys.executable, "-P", str(MAKE)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def test_code_of_the_guide_runs():
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    code = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, GUIDE.name, str(GUIDE), 0)
    said = []
    failed, tried = doctest.DocTestRunner().run(code, out=said.append)
    assert tried > 10
    assert not failed, "".join(said)


def test_guide_names_every_class_and_method(theirs):
    text = GUIDE.read_text("utf-8")
    for name in theirs["classes"]:
        assert f"`{name}" in text
    # What any estimator of scikit-learn has, and settings of the one learner looked at.
    plain = {"fit_transform", "get_metadata_routing", "get_params", "set_params", "set_output"}
    plain |= {"labels_", "n_features_in_", "preprocessor_", "k", "max_iter", "min_iter", "verbose"}
    plain |= {"n_neighbors"}
    for name in set(theirs["methods"]) - plain:
        assert f"`{name}" in text


def test_a_metric_of_theirs_is_a_similarity_here(theirs):
    L = np.array(theirs["components"])
    s = Similarity(L.T @ L, norm="dot")
    left, right = PAIRS[:, 0], PAIRS[:, 1]
    own = [np.diag(s.between(side)) for side in (left, right)]
    distances = np.sqrt(own[0] + own[1] - 2 * s.pairs(PAIRS))
    np.testing.assert_allclose(distances, theirs["metric"], rtol=1e-6)
    np.testing.assert_allclose(-distances, theirs["pair_score"], rtol=1e-6)
    assert s.is_psd()


def test_transform_and_components_mean_the_same(theirs):
    L = np.array(theirs["components"])
    np.testing.assert_allclose(X[:3] @ L.T, theirs["transformed"], rtol=1e-9)
    ours = SRBSPSD(norm="dot").fit(X, Y)
    np.testing.assert_allclose(ours.transform(X[:3]), X[:3] @ ours.components_.T, rtol=1e-12)


def test_both_call_the_more_alike_pair_larger_and_the_smaller_metric_nearer(theirs):
    ours = SRBSPSD(norm="dot").fit(X, Y)
    metric = ours.get_metric()
    np.testing.assert_array_equal([metric(*pair) for pair in PAIRS], -ours.pair_score(PAIRS))
    np.testing.assert_allclose(theirs["metric"], -np.array(theirs["pair_score"]))
