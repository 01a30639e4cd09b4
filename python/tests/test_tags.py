"""What estimators say of themselves by scikit-learn's tags is how they behave."""

import inspect
import re

import numpy as np
import pytest
import scipy.sparse
from test_classify import OVER_SIMILARITIES, quick
from test_sklearn_checks import CLASSIFIERS, ESTIMATORS, LEARNERS

from nearkin import datasets
from nearkin.classify import KNN, SDA, measures
from nearkin.learn import SiLA, Similarity
from nearkin.weigh import RReliefF, TuRF

# Few whole numbers, so that every measure and naive Bayes can count them.
X, Y = datasets.load("iris", return_X_y=True)
X, Y = np.round(X[::3]), Y[::3]


def alike(x, z):
    return float(x @ z)


def variants():
    """Every estimator as it is, and under settings that its tags depend on."""
    yield from (estimator() for estimator in ESTIMATORS if estimator not in CLASSIFIERS)
    yield from (quick(classifier) for classifier in CLASSIFIERS)
    for learner in LEARNERS:
        forms = ("diagonal",) if "Relief" in learner.__name__ else ("diagonal", "symmetric", "full")
        yield from (learner(matrix=form) for form in forms)
        if "used_as" in inspect.signature(learner).parameters:
            yield learner(used_as="similarity")
            yield from (learner(used_as="similarity", norm=norm) for norm in ("dice", "jaccard"))
        else:
            yield from (learner(norm=norm) for norm in ("dot", "dice", "jaccard"))
        yield learner(mode="one-vs-rest")
    yield from (KNN(3, measure=name) for name in measures())
    for measure in (SiLA(epochs=2), Similarity([1, 1, 1, 1]), alike):
        yield KNN(3, measure=measure)
        yield SDA(measure=measure)
    yield TuRF(RReliefF())


def shown(estimator):
    """A name that is the same in every process: without the addresses of functions."""
    return re.sub(r" at 0x[0-9a-f]+|\s", "", repr(estimator))


def accepts(estimator, X):
    """Whether fit and what follows take X; what is refused is told in a sentence."""
    try:
        estimator.fit(X, Y)
        for method in ("predict", "transform"):
            if hasattr(estimator, method):
                getattr(estimator, method)(X)
    except (TypeError, ValueError) as refused:
        assert len(str(refused).split()) > 4
        return False
    return True


@pytest.mark.parametrize("estimator", list(variants()), ids=shown)
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
@pytest.mark.filterwarnings("ignore:.*rows are all zeros:UserWarning")
def test_input_is_taken_where_the_tags_say_so(estimator):
    tags = estimator.__sklearn_tags__().input_tags
    holes = X.copy()
    holes[3, 1] = np.nan
    assert accepts(estimator, X)
    assert accepts(estimator, holes) == tags.allow_nan
    assert accepts(estimator, scipy.sparse.csr_array(X)) == tags.sparse
    assert accepts(estimator, X - 3) != tags.positive_only


@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
@pytest.mark.parametrize("given", ["similarity", "metric"])
def test_given_similarities_have_tags_of_their_own(classifier, given):
    tags = quick(classifier, **{given: "precomputed"}).__sklearn_tags__().input_tags
    assert tags.pairwise and not tags.allow_nan and not tags.sparse
    d = np.abs(X[:, :1] - X[:, 0])
    d[3, 1] = np.nan
    for wrong in (d, scipy.sparse.csr_array(np.nan_to_num(d))):
        with pytest.raises((TypeError, ValueError), match="contains NaN|Sparse data was passed"):
            quick(classifier, **{given: "precomputed"}).fit(wrong, Y)
