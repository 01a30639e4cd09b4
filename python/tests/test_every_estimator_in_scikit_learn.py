"""Every estimator in scikit-learn's compositions: pipelines, searches, columns, frames, clones."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from test_classify import quick
from test_sklearn_checks import CLASSIFIERS, ESTIMATORS, LEARNERS, WEIGHERS

from nearkin import datasets
from nearkin.classify import KNN, NaiveBayes
from nearkin.learn import RBS, BasePSDLearner, ReliefPSD

# Every third flower, in whole numbers, which naive Bayes can count.
X, Y = (part[::3] for part in datasets.load("iris", return_X_y=True, as_frame=True))
X, Y = X.round().reset_index(drop=True), Y.to_numpy()
MAPS = [one for one in LEARNERS if issubclass(one, BasePSDLearner)]
TRANSFORMERS = WEIGHERS + MAPS


def transformer(estimator):
    """One that keeps, or makes, few columns."""
    if estimator in WEIGHERS:
        return estimator(n_features_to_select=2)
    return estimator(matrix="symmetric") if estimator is ReliefPSD else estimator()


def at_work(estimator):
    """A model with the estimator in it, and settings of it to search over."""
    if estimator in TRANSFORMERS:
        step = estimator.__name__.lower()
        setting = "n_features_to_select" if estimator in WEIGHERS else "n_neighbors"
        model = make_pipeline(transformer(estimator), KNeighborsClassifier(3))
        return model, {f"{step}__{setting}": [1, 2]}
    if estimator in LEARNERS:
        model = make_pipeline(FunctionTransformer(), KNN(3, measure=estimator()))
        return model, {"knn__measure__n_neighbors": [1, 2]}
    step = estimator.__name__.lower()
    setting = ("alpha", [0.5, 1.0]) if estimator is NaiveBayes else ("measure", ["heom", "cosine"])
    model = make_pipeline(FunctionTransformer(), quick(estimator))
    return model, {f"{step}__{setting[0]}": setting[1]}


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
def test_pipelines_and_searches(estimator):
    model, grid = at_work(estimator)
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(X, Y)
    # RBS says one class of everything here, as its page warns.
    assert search.best_score_ > (0.3 if estimator is RBS else 0.5)
    assert search.predict(X).shape == Y.shape


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_clones_have_the_same_settings_and_nothing_else(estimator):
    made = clone(at_work(estimator)[0]).fit(X, Y)
    (found,) = (one for one in nested(made) if type(one) is estimator)
    copy = clone(found)
    assert copy.get_params() == found.get_params()
    names = set(inspect.signature(estimator).parameters)
    # Nothing but settings: scikit-learn's own notes of output and routing aside.
    assert {name for name in vars(copy) if not name.startswith("_sklearn")} == names


def nested(model):
    for _, step in model.steps:
        yield step
        yield from (v for v in step.get_params(deep=False).values() if hasattr(v, "fit"))


@pytest.mark.parametrize("estimator", TRANSFORMERS)
@pytest.mark.parametrize(
    ("word", "kind", "given"),
    [("pandas", pd.DataFrame, X), ("polars", pl.DataFrame, pl.DataFrame(X.to_dict("list")))],
)
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
def test_frames_come_out_with_their_names(estimator, word, kind, given):
    fitted = transformer(estimator).set_output(transform=word).fit(given, Y)
    found = fitted.transform(given)
    names = fitted.get_feature_names_out()
    assert isinstance(found, kind) and list(found.columns) == names.tolist()
    plain = fitted.set_output(transform="default").transform(given)
    assert isinstance(plain, np.ndarray)
    np.testing.assert_allclose(found.to_numpy(), plain)
    if estimator in WEIGHERS:
        assert set(names) <= set(X.columns) and len(names) == 2
        with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
            fitted.get_feature_names_out(["a", "b", "c", "d"])


@pytest.mark.parametrize("estimator", TRANSFORMERS)
@pytest.mark.filterwarnings("ignore:.*The plain similarity is used:UserWarning")
def test_columns_are_transformed_apart(estimator):
    first, rest = list(X.columns[:1]), list(X.columns[1:])
    both = ColumnTransformer(
        [("ours", transformer(estimator), rest), ("kept", "passthrough", first)]
    )
    made = both.set_output(transform="pandas").fit_transform(X, Y)
    assert made.columns.tolist() == both.get_feature_names_out().tolist()
    assert made.columns[-1] == f"kept__{first[0]}"
    assert all(name.startswith("ours__") for name in made.columns[:-1])


@pytest.mark.parametrize("estimator", WEIGHERS)
def test_select_from_model_takes_the_heaviest(estimator):
    chosen = SelectFromModel(estimator(), max_features=2, threshold=-np.inf).fit(X, Y)
    sizes = np.abs(chosen.estimator_.feature_importances_)
    assert sizes[chosen.get_support()].min() >= sizes[~chosen.get_support()].max()
    assert chosen.get_feature_names_out().shape == (2,)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_what_is_said_has_the_shape_scikit_learn_expects(classifier):
    for labels in (Y, Y > 0, np.array(["ape", "bat", "cat"])[Y]):
        fitted = quick(classifier).fit(X, labels)
        count = len(np.unique(labels))
        assert fitted.classes_.tolist() == np.unique(labels).tolist()
        said = fitted.predict(X)
        assert said.shape == Y.shape and said.dtype == fitted.classes_.dtype
        if hasattr(fitted, "predict_proba"):
            assert fitted.predict_proba(X).shape == (50, count)
            np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1)
        if hasattr(fitted, "decision_function"):
            assert fitted.decision_function(X).shape == ((50, count) if count > 2 else (50,))
        if hasattr(fitted, "kneighbors"):
            distances, near = fitted.kneighbors(X[:5], 3)
            assert distances.shape == near.shape == (5, 3)
            assert (np.diff(distances) >= 0).all() and near.dtype == np.intp
