"""Parameters between Python and the declaration in Rust, which is the one truth.

Each method declares its parameters, defaults and help once, in Rust; here those become
default values, docstring entries, and the texts a value is handed over as.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from numbers import Integral, Real
from textwrap import fill, indent

from nearkin import _core

# The core counts in whole numbers below this.
_TOO_LARGE = 1 << 63


@cache
def declarations(room):
    """The declaration of every method of a room by its id; wrappers are methods of weigh."""
    match room:
        case "weigh":
            declared = _core.methods() + _core.wrappers()
        case "learn":
            declared = _core.learners()
        case "classify":
            declared = _core.classifiers()
        case "measure":
            declared = _core.measures()
    return {one["id"]: one for one in declared}


def default(parameter):
    """A declared default as a Python value."""
    return value(parameter, parameter["default"])


def value(parameter, text):
    """A text of the core as a Python value."""
    if text is None or (text in ("", "none") and parameter["optional"]):
        return None
    match parameter["kind"]:
        case "whole":
            return int(text)
        case "real":
            return float(text)
        case "flag":
            return text == "true"
        case "reals":
            return [float(part) for part in text.split(",")]
        case "words":
            return tuple(text.split(","))
        case _:
            return text


def text(parameter, value):
    """A user's value as the text the core reads; TypeError when it is of another type."""
    kind, name = parameter["kind"], parameter["python"]
    if value is None and parameter["optional"]:
        return "none"
    if kind == "whole" and isinstance(value, Integral) and not _is_flag(value):
        if not parameter["min"] <= value < _TOO_LARGE:
            bound = "below 2**63" if value >= _TOO_LARGE else f"at least {parameter['min']}"
            raise ValueError(f"{name}: must be {bound}, got {value}")
        return str(int(value))
    if kind == "real" and isinstance(value, Real) and not _is_flag(value):
        return repr(float(value))
    if kind == "flag" and _is_flag(value):
        return str(bool(value)).lower()
    if kind == "choice" and isinstance(value, str):
        return value
    if kind == "reals" and isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        values = _some(name, value)
        if all(isinstance(v, Real) and not _is_flag(v) for v in values):
            return ",".join(repr(float(v)) for v in values)
    if kind == "words" and isinstance(value, str):
        return value
    if kind == "words" and isinstance(value, Iterable) and not isinstance(value, Mapping):
        values = _some(name, value)
        if all(isinstance(v, str) for v in values):
            return ",".join(values)
    expected = _expected(parameter)
    raise TypeError(f"{name}: expected {expected}, got {value!r} of type {type(value).__name__}")


def _some(name, values):
    values = list(values)
    if not values:
        raise ValueError(f"{name}: needs at least one value")
    return values


def _is_flag(value):
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _expected(parameter):
    words = {
        "whole": "an int",
        "real": "a float",
        "flag": "True or False",
        "choice": "one of " + ", ".join(map(repr, parameter.get("choices", []))),
        "reals": "a list of floats",
        "words": "a list of " + ", ".join(map(repr, parameter.get("choices", []))),
    }
    return words[parameter["kind"]] + (" or None" if parameter["optional"] else "")


def describe(parameter):
    """The entry of a parameter in a docstring's Parameters section."""
    types = {"whole": "int", "real": "float", "flag": "bool", "reals": "array-like of float"}
    if parameter["kind"] in ("choice", "words"):
        kind = "{" + ", ".join(repr(word) for word in parameter["choices"]) + "}"
        kind = kind if parameter["kind"] == "choice" else f"list of {kind}"
    else:
        kind = types[parameter["kind"]]
    if parameter["optional"]:
        kind += " or None"
    if parameter["python"] == "random_state":
        kind = "int, RandomState instance or None"
    head = f"{parameter['python']} : {kind}, default={default(parameter)!r}"
    return head + "\n" + indent(fill(parameter["help"], width=80), "    ")
