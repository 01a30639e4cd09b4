"""scikit-learn's own checks, over every estimator, with no failures but those of its own kind."""

import inspect

import pytest
from sklearn.svm import SVC, NuSVC
from sklearn.utils.estimator_checks import (
    check_classifiers_train,
    check_decision_proba_consistency,
    parametrize_with_checks,
)

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
PRECOMPUTED = [
    classify.KNN(3, metric="precomputed"),
    classify.KNN(3, similarity="precomputed"),
    classify.SKNN(3, similarity="precomputed"),
    classify.NearestCentroid(similarity="precomputed"),
    classify.AdjustedCentroid(metric="precomputed"),
    classify.LocalCentroid(5, metric="precomputed"),
    classify.CondensedNN(n_prototypes=2, metric="precomputed"),
    classify.SDA(similarity="precomputed"),
    classify.SDA(metric="precomputed"),
    classify.NNSDA(similarity="precomputed"),
    # Without the nearest local centroid, which decides where its page says, whatever is likeliest.
    classify.LocalSDA(30, n_min=0, similarity="precomputed"),
    classify.MixtureSDA(n_prototypes=2, similarity="precomputed"),
    classify.PSVM(similarity="precomputed", tol=1e-3),
]
# The rules whose probabilities are fitted to scores.
PROBABLE = [
    classify.NearestCentroid(probabilities=True),
    classify.AdjustedCentroid(probabilities=True),
    classify.LocalCentroid(5, probabilities=True),
    classify.CondensedNN(n_prototypes=2, probabilities=True),
    classify.SKNN(3, probabilities=True),
    classify.PSVM(tol=1e-3, probabilities=True),
]
VARIANTS = PRECOMPUTED + PROBABLE + [
    classify.KNN(3, measure=learn.SRBSPSD(epochs=3)),
    classify.KNN(3, measure="jaccard"),
    classify.LocalSDA(neighbourhood="radius", alpha=0.5),
    classify.NearestCentroid(centroid="unconstrained"),
    learn.ReliefPSD(matrix="symmetric"),
    learn.SiLA(matrix="full", epochs=3),
    learn.SRBSPSD(matrix="symmetric", epochs=3),
    learn.SRBS(mode="one-vs-rest", epochs=3),
    learn.SiLA(mode="one-vs-rest", epochs=3),
    learn.RBS(mode="one-vs-rest", norm="dot"),
    learn.RBSPSD(norm="jaccard"),
    weigh.ReliefF(per_class=True, p_values="stir", interval=0.9),
    weigh.ReliefF(q=0.5),
    weigh.TuRF(weigh.MultiSURF()),
    weigh.TuRF(weigh.RReliefF()),
    weigh.VLS(weigh.RReliefF()),
]


# Those among them where it is not the class of the scores on the rows of scikit-learn's check.
OTHER_CLASS = [one for one in PROBABLE if not isinstance(one, classify.CondensedNN)]


# Ten and fifteen rows, of which some are in a class of their own: nothing could be told.
FEW_ROWS = ("check_fit2d_1feature", "check_n_features_in_after_fitting")


def of_its_kind(estimator):
    """Checks that fail for what the estimator is, as they do for scikit-learn's own of its kind."""
    failed = {}
    if isinstance(estimator, weigh.Association) or getattr(estimator, "q", None) is not None:
        failed |= dict.fromkeys(FEW_ROWS, "a test needs 20 rows that can be exchanged")
    if estimator in OTHER_CLASS:
        failed["check_classifiers_train"] = "the likeliest class need not be the one of the scores"
    both = hasattr(estimator, "decision_function") and hasattr(estimator, "predict_proba")
    if both and estimator.__sklearn_tags__().input_tags.pairwise:
        failed["check_decision_proba_consistency"] = "it gives features, and no pairs of samples"
    return failed


# Probabilities fitted to scores, of rows of a table; and pairs of samples in place of rows.
@pytest.mark.parametrize(
    "estimator, check, said",
    [
        (SVC(kernel="linear", probability=True), check_classifiers_train, "Arrays are not equal"),
        (NuSVC(probability=True), check_classifiers_train, "Arrays are not equal"),
        (
            SVC(kernel="precomputed", probability=True),
            check_decision_proba_consistency,
            "must be a square matrix",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_scikit_learns_own_fail_where_ours_may(estimator, check, said):
    with pytest.raises((AssertionError, ValueError), match=said):
        check(type(estimator).__name__, estimator)


# Older scikit-learns cannot be told that a check must fail where it may.
STRICT = {"xfail_strict": True}
if "xfail_strict" not in inspect.signature(parametrize_with_checks).parameters:
    STRICT = {}


@parametrize_with_checks(
    [estimator() for estimator in ESTIMATORS] + VARIANTS,
    expected_failed_checks=of_its_kind,
    **STRICT,
)
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
@pytest.mark.filterwarnings("ignore:.*rows are all zeros:UserWarning")
def test_estimator_follows_scikit_learns_conventions(estimator, check):
    check(estimator)
