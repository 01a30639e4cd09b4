"""Single precision: tables are not copied to double, and answers are those of the same numbers."""

import inspect
import json
import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.metrics.pairwise import euclidean_distances
from test_classify import OVER_SIMILARITIES, quick
from test_sklearn_checks import CLASSIFIERS, LEARNERS, WEIGHERS

from nearkin import _core, datasets
from nearkin.classify import KNN, NaiveBayes
from nearkin.learn import RBS, SRBS, Relief, SiLA

X, Y = (part[::3] for part in datasets.load("wine", return_X_y=True))
X = X.astype(np.float32)

# What a fit takes beyond the table, in tables of single precision. Each runs in a child of its
# own, whose peak begins at what its parent holds.
MEMORY = """
import json, os, resource, sys
import numpy as np
from nearkin.classify import KNN
from nearkin.learn import RBS, SRBS, Relief, SiLA
from nearkin.weigh import ReliefF
X = np.random.default_rng(0).random((1000, 5000), dtype=np.float32)
y = np.arange(len(X)) % 2
def used(estimator, X, y):
    estimator.fit(X, y)
    if hasattr(estimator, "predict"):
        estimator.predict(X[:50])
for what in json.loads(sys.argv[1]):
    child = os.fork()
    if child == 0:
        used(eval(what), X[:50, :50], y[:50])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        used(eval(what), X, y)
        taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(1024 * taken / X.nbytes, flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""

# The most that each may take. Rows of length 1 are in double precision, twice the table, and so
# is what RBS and its kin make of every row and its neighbours; filters are single or less. A copy
# of the table in double would take another two.
MOST = {
    # The rows, and what filters them.
    "ReliefF(sample=1)": 2.9,
    # The rows as they are kept, once more as they are compared, and what filters them.
    "KNN(3)": 4.0,
    # Rows of length 1 in place of the second of these.
    "KNN(3, measure='cosine')": 5.3,
    # Rows of length 1, and products with the neighbours; with the norm dot rows stay as they are.
    "RBS()": 5.2,
    "SRBS(epochs=2)": 5.2,
    "SRBS(epochs=2, norm='dot')": 4.2,
    # Rows of length 1, a filter, and a projection of each row, both in single precision.
    "SiLA(epochs=1)": 5.7,
    # Rows as they are, twice, and an update of each in double.
    "Relief()": 6.2,
}


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has another unit elsewhere")
def test_single_precision_is_not_copied_to_double():
    command = [sys.executable, "-P", "-c", MEMORY, json.dumps(list(MOST))]
    said = subprocess.check_output(command, text=True).split()
    taken = dict(zip(MOST, map(float, said), strict=True))
    assert all(taken[what] < most for what, most in MOST.items()), taken


def variants():
    """Every estimator, and learners under every norm and form of matrix."""
    yield from (weigher() for weigher in WEIGHERS)
    yield from (quick(one) for one in CLASSIFIERS if one is not NaiveBayes)
    for learner in LEARNERS:
        if "epochs" in inspect.signature(learner).parameters:
            yield from (learner(norm=norm, epochs=3) for norm in ("dot", "cosine", "jaccard"))
            yield from (learner(matrix=form, epochs=3) for form in ("symmetric", "full"))
    yield from (RBS(norm="dot"), RBS(norm="dot", matrix="full"), RBS(constant=2.0))
    yield from (Relief(norm="dot"), Relief(used_as="similarity", norm="dice"))
    yield SiLA(norm="dot", mode="one-vs-rest", epochs=2)
    yield KNN(3, measure="cosine")
    yield KNN(3, measure=SRBS(norm="dot", epochs=3))


def everything(estimator, X):
    """What there is to see of a fitted estimator, and what it says of rows."""
    estimator.fit(X, Y)
    seen = {name: value for name, value in vars(estimator).items() if name.endswith("_")}
    seen.pop("measure_", None)
    for method in ("predict", "predict_proba", "decision_function", "kneighbors"):
        if hasattr(estimator, method):
            seen[method] = getattr(estimator, method)(X[::2])
    return seen


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("estimator", list(variants()), ids=lambda one: repr(one)[:60])
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_answers_are_those_of_the_same_numbers_in_double(estimator, order):
    single = everything(estimator, np.asarray(X, order=order))
    double = everything(estimator, X.astype(np.float64))
    np.testing.assert_equal(single, double)


def test_tiny_numbers_are_no_zeros():
    # Their squares are none of single precision.
    tiny = np.ldexp(X, -120)
    assert not (tiny * tiny).any()
    meant = SRBS(epochs=2).fit(np.ldexp(X.astype(np.float64), -120), Y)
    assert SRBS(epochs=2).fit(tiny, Y).similarity_ == meant.similarity_


# The same of matrices that are given: what a fit and answers take, in matrices of single
# precision. Each keeps a copy, as its caller may write to theirs; distances are turned round once
# more. A copy in double would take another two.
MATRICES = {
    "KNN(3, similarity='precomputed')": 1.5,
    "KNN(similarity='precomputed')": 1.5,
    "SKNN(3, metric='precomputed')": 1.5,
    "NearestCentroid(similarity='precomputed')": 1.5,
    "SDA(similarity='precomputed', support='interval', support_values=[-2, 2])": 1.5,
    "SDA(metric='precomputed', support='interval', support_values=[-2, 2])": 2.5,
    # All values in order, as they are.
    "SDA(similarity='precomputed')": 2.5,
    "MixtureSDA(2, similarity='precomputed')": 2.5,
    "CondensedNN(n_prototypes=2, similarity='precomputed')": 1.5,
    "MixtureSDA(2, similarity='precomputed', support='interval', support_values=[-2, 2])": 1.5,
    # Whoever asks neighbours about each other holds the matrix once more.
    "LocalCentroid(5, similarity='precomputed')": 2.5,
}


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has another unit elsewhere")
def test_given_matrices_of_single_precision_are_not_copied_to_double():
    of_matrices = MEMORY.replace("(1000, 5000)", "(2500, 2500)").replace(
        "from nearkin.classify import KNN", "from nearkin.classify import *"
    )
    command = [sys.executable, "-P", "-c", of_matrices, json.dumps(list(MATRICES))]
    said = subprocess.check_output(command, text=True).split()
    taken = dict(zip(MATRICES, map(float, said), strict=True))
    assert all(taken[what] < most for what, most in MATRICES.items()), taken


@pytest.mark.parametrize("given", ["similarity", "metric"])
@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_given_matrices_say_the_same_in_both_precisions(classifier, given):
    d = euclidean_distances(X / X.max(axis=0)).astype(np.float32)
    matrix = d if given == "metric" else np.exp(-d)
    made = quick(classifier).set_params(**{given: "precomputed"})

    def said(matrix):
        fitted = clone(made).fit(matrix, Y)
        seen = {name: value for name, value in vars(fitted).items() if name.endswith("_")}
        for method in ("predict", "predict_proba", "decision_function", "evidence", "kneighbors"):
            if hasattr(fitted, method):
                seen[method] = getattr(fitted, method)(matrix[::2])
        if hasattr(fitted, "kneighbors"):
            seen["own"] = fitted.kneighbors()
        return seen

    single, double = said(matrix), said(matrix.astype(np.float64))
    np.testing.assert_equal(single, double)
    assert clone(made).fit(matrix, Y)._training.dtype == np.float32
    np.testing.assert_equal(said(np.asfortranarray(matrix)), double)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("norm", ["dot", "cosine"])
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
def test_sparse_rows_stay_in_single_precision(learner, norm, monkeypatch):
    if not learner._takes_sparse:
        pytest.skip("takes no sparse rows")
    rows = csr_matrix(X * (X > np.median(X)))
    seen, learn = [], _core.learn
    monkeypatch.setattr(
        _core, "learn", lambda method, x, *a, **k: seen.append(x) or learn(method, x, *a, **k)
    )
    made = learner(norm=norm)
    single = clone(made).fit(rows, Y)
    assert seen[0][2].dtype == np.float32 and np.shares_memory(seen[0][2], rows.data)
    double = clone(made).fit(rows.astype(np.float64), Y)
    assert single.similarity_ == double.similarity_
    between = single.similarity_.between(rows[:9], rows)
    np.testing.assert_array_equal(between, single.similarity_.between(rows[:9].astype(float), rows))
