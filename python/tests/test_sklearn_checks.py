"""scikit-learn's own checks, over every estimator, with no expected failures."""

import inspect

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from nearkin import classify, learn, weigh


def estimators(room):
    """The estimator classes of a room, base classes left out."""
    classes = [one for one in vars(room).values() if inspect.isclass(one) and hasattr(one, "fit")]
    return [one for one in classes if not one.__name__.startswith("Base")]


WEIGHERS = estimators(weigh)
LEARNERS = estimators(learn)
CLASSIFIERS = estimators(classify)
ESTIMATORS = WEIGHERS + LEARNERS + CLASSIFIERS


@parametrize_with_checks([estimator() for estimator in ESTIMATORS])
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
@pytest.mark.filterwarnings("ignore:.*rows are all zeros:UserWarning")
def test_estimator_follows_scikit_learns_conventions(estimator, check):
    check(estimator)
