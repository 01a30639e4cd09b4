"""The declaration in Rust is the one truth about methods and parameters."""

import inspect

import pytest
from test_sklearn_checks import ESTIMATORS

import nearkin
from nearkin import _core, _parameters

SHARED = {
    "n_features_to_select": 10,
    "categorical_features": "from_dtype",
    "per_class": False,
    "n_jobs": None,
    "verbose": 0,
}
METHODS = {method["id"]: method for method in _core.methods()}


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_signature_is_that_of_the_declaration(estimator):
    declared = METHODS[estimator._method]["parameters"]
    expected = {p["python"]: _parameters.default(p) for p in declared} | SHARED
    signature = inspect.signature(estimator)
    assert {name: p.default for name, p in signature.parameters.items()} == expected


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_docstring_describes_every_parameter_with_its_declared_help(estimator):
    words = " ".join(estimator.__doc__.split())
    for parameter in METHODS[estimator._method]["parameters"]:
        assert parameter["help"] in words
    for name in inspect.signature(estimator).parameters:
        assert f"\n{name} : " in estimator.__doc__


def test_every_method_has_an_estimator_and_a_score_function():
    assert {estimator._method for estimator in ESTIMATORS} == set(METHODS)
    for method in METHODS:
        assert callable(getattr(nearkin.weigh, method))


def test_version_and_submodules_are_found_from_the_package():
    assert nearkin.__version__ == _core.__version__
    assert nearkin.weigh.ReliefF in ESTIMATORS
    misspelt = "wiegh"
    with pytest.raises(AttributeError, match="no attribute 'wiegh'"):
        getattr(nearkin, misspelt)


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("whole", 3, "3"),
        ("real", 3, "3.0"),
        ("real", 0.1, "0.1"),
        ("flag", True, "true"),
        ("choice", "d", "d"),
        ("reals", (0.5, 1), "0.5,1.0"),
    ],
)
def test_values_become_texts_the_core_reads(kind, value, text):
    parameter = {"python": "p", "kind": kind, "optional": True, "choices": ["d"]}
    assert _parameters.text(parameter, value) == text
    assert _parameters.text(parameter, None) == "none"
    with pytest.raises(TypeError, match="p: expected .* or None, got"):
        _parameters.text(parameter, {"a": 1})
