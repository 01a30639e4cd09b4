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


# Settings under which an estimator is of another kind, or does other work.
VARIANTS = [
    classify.KNN(3, metric="precomputed"),
    classify.PSVM(similarity="precomputed"),
    classify.KNN(3, measure=learn.SRBSPSD(epochs=3)),
    classify.KNN(3, measure="jaccard"),
    classify.NearestCentroid(centroid="unconstrained"),
    learn.ReliefPSD(matrix="symmetric"),
    learn.SiLA(matrix="full", epochs=3),
    learn.SRBSPSD(matrix="symmetric", epochs=3),
    learn.SRBS(mode="one-vs-rest", epochs=3),
    learn.RBSPSD(norm="jaccard"),
    weigh.ReliefF(per_class=True, p_values="stir", interval=0.9),
    weigh.TuRF(weigh.MultiSURF()),
    weigh.VLS(weigh.RReliefF()),
]


@parametrize_with_checks([estimator() for estimator in ESTIMATORS] + VARIANTS)
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
@pytest.mark.filterwarnings("ignore:.*rows are all zeros:UserWarning")
def test_estimator_follows_scikit_learns_conventions(estimator, check):
    check(estimator)
