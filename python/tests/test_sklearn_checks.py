"""scikit-learn's own checks, over every estimator, with no expected failures."""

import inspect

from sklearn.utils.estimator_checks import parametrize_with_checks

from nearkin import weigh

ESTIMATORS = [
    value
    for name in weigh.__all__
    if inspect.isclass(value := getattr(weigh, name)) and value is not weigh.BaseWeigher
]


@parametrize_with_checks([estimator() for estimator in ESTIMATORS])
def test_estimator_follows_scikit_learns_conventions(estimator, check):
    check(estimator)
