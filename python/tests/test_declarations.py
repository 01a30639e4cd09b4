"""The declaration in Rust is the one truth about methods and parameters."""

import ast
import inspect
import pickle
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import numpy as np
import pytest
from test_sklearn_checks import ESTIMATORS

import nearkin
from nearkin import _core, _parameters

WORKERS = {"n_jobs": None, "verbose": 0}
OF_WEIGHERS = {
    "n_features_to_select": 10,
    "categorical_features": "from_dtype",
    "per_class": False,
    "pairs": False,
    "explain_rows": None,
    "q": None,
    "p": None,
    "p_values": None,
    "n_permutations": 200,
    "interval": None,
    "n_bootstrap": 1000,
    "random_state": 0,
    **WORKERS,
}
OF_CLASSIFIERS = {
    "measure": "heom",
    "measure_params": None,
    "similarity": None,
    "metric": None,
    "categorical_features": "from_dtype",
    **WORKERS,
}
SHARED = {"weigh": OF_WEIGHERS, "learn": WORKERS, "classify": OF_CLASSIFIERS}
# What makes no sense for a classifier that reads tables alone.
OF_SIMILARITIES = {"measure", "measure_params", "similarity", "metric"}
# What makes no sense around a wrapper, whose weights come from different tables.
OF_ONE_TABLE = {"per_class", "pairs", "explain_rows", "interval", "n_bootstrap"}
# What makes no sense beside a method that is a test itself.
OF_WEIGHTS = OF_ONE_TABLE | {"p_values", "n_permutations"}
WRAPPERS = {wrapper["id"] for wrapper in _core.wrappers()}


def declared(estimator):
    return _parameters.declarations(estimator._room)[estimator._method]["parameters"]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_signature_is_that_of_the_declaration(estimator):
    expected = {p["python"]: _parameters.default(p) for p in declared(estimator)}
    expected |= SHARED[estimator._room]
    if issubclass(estimator, nearkin.weigh.BaseWrapper):
        expected = {name: expected[name] for name in expected if name not in OF_ONE_TABLE}
        expected["estimator"] = None
    if estimator is nearkin.weigh.Association:
        expected = {name: expected[name] for name in expected if name not in OF_WEIGHTS}
        expected["target"] = "auto"
    if estimator is nearkin.classify.NaiveBayes:
        expected = {name: expected[name] for name in expected if name not in OF_SIMILARITIES}
    signature = inspect.signature(estimator)
    assert {name: p.default for name, p in signature.parameters.items()} == expected


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_docstring_describes_every_parameter_with_its_declared_help(estimator):
    words = " ".join(estimator.__doc__.split())
    for parameter in declared(estimator):
        assert parameter["help"] in words
    for name in inspect.signature(estimator).parameters:
        assert f"\n{name} : " in estimator.__doc__


def test_every_public_class_has_an_example():
    # Examples are run as doctests; base classes are for those who write estimators.
    for room in (nearkin.weigh, nearkin.learn, nearkin.classify, nearkin.evaluate):
        for name in room.__all__:
            one = getattr(room, name)
            if inspect.isclass(one) and not name.startswith("Base"):
                assert "\n>>> " in inspect.cleandoc(one.__doc__), name


@pytest.mark.parametrize("room", SHARED)
def test_every_method_has_an_estimator(room):
    there = sorted(estimator._method for estimator in ESTIMATORS if estimator._room == room)
    assert there == sorted(_parameters.declarations(room))


def test_every_weighting_method_has_a_score_function():
    for method in _core.methods():
        function = getattr(nearkin.weigh, method["id"].replace("-", "_"))
        assert pickle.loads(pickle.dumps(function)) is function


def test_stub_lists_the_functions_of_the_module_with_their_arguments():
    stub = Path(nearkin.__file__).with_name("_core.pyi").read_text()
    stated = {node.name: node for node in ast.parse(stub).body if hasattr(node, "name")}
    there = {name: getattr(_core, name) for name in dir(_core) if not name.startswith("_")}
    assert set(there) == {name for name in stated if not _is_typed_dict(stated[name])}
    for name, one in there.items():
        if inspect.isclass(one):
            methods = {node.name: node for node in stated[name].body if hasattr(node, "args")}
            made = methods.pop("__new__", None)
            assert set(methods) == {key for key in vars(one) if not key.startswith("_")}
            assert made is None or _arguments(made)[1:] == list(inspect.signature(one).parameters)
            for key, node in methods.items():
                if not node.decorator_list:  # properties have none
                    there_is = list(inspect.signature(getattr(one, key)).parameters)
                    assert _arguments(node) == there_is
        else:
            assert _arguments(stated[name]) == list(inspect.signature(one).parameters)


def _is_typed_dict(node):
    return isinstance(node, ast.ClassDef) and any(
        getattr(base, "id", "") == "TypedDict" for base in node.bases
    )


def _arguments(node):
    return [argument.arg for argument in node.args.args + node.args.kwonlyargs]


def test_wrapper_parameters_go_by_their_own_names():
    x, y = np.arange(8.0).reshape(4, 2), np.array([0, 0, 1, 1], dtype=np.uint32)
    with pytest.raises(ValueError, match="^fraction: must be from 0 to 0.99, got 2$"):
        _core.weigh("relieff", x, y, {}, wrap=[("turf", {"fraction": "2"})], class_names=["a", "b"])
    with pytest.raises(ValueError, match="^fractoin: turf has no such parameter; it has turf_f"):
        _core.weigh("relieff", x, y, {}, wrap=[("turf", {"fractoin": "2"})], class_names=["a", "b"])
    with pytest.raises(ValueError, match="`tuft` is not a wrapper; there are turf, vls"):
        _core.weigh("relieff", x, y, {}, wrap=[("tuft", {})], class_names=["a", "b"])


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
        ("words", ["d", "e"], "d,e"),
    ],
)
def test_values_become_texts_the_core_reads(kind, value, text):
    parameter = {"python": "p", "kind": kind, "optional": True, "choices": ["d"], "min": 0}
    assert _parameters.text(parameter, value) == text
    assert _parameters.text(parameter, None) == "none"
    with pytest.raises(TypeError, match="p: expected .* or None, got"):
        _parameters.text(parameter, {"a": 1})


def test_stubs_are_those_that_the_script_writes():
    path = Path(__file__).parents[2] / "scripts" / "stubs"
    loader = SourceFileLoader("stubs", str(path))
    stubs = module_from_spec(spec_from_loader("stubs", loader))
    loader.exec_module(stubs)
    for room in stubs.ROOMS:
        there = Path(room.__file__).with_suffix(".pyi").read_text()
        assert there == stubs.stub(room), "run scripts/stubs"
        ast.parse(there)
    dask = Path(nearkin.__file__).with_name("dask") / "__init__.pyi"
    assert dask.read_text() == stubs.dask_stub(), "run scripts/stubs"
