"""Models in files: the bytes that the program writes and reads.

A file that ``nearkin learn`` or ``nearkin classify`` saved is a fitted estimator here, and the
other way round. Pickle keeps what was fitted as the same bytes.
"""

import errno
import json
import os
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import numpy as np

from nearkin import _core, _parameters

# What a model made here says of where its rows came from.
MADE_FROM = "a table in Python"

# Settings that are kept by other means, or change no result.
_ELSEWHERE = {"measure", "similarity", "metric", "n_jobs", "verbose"}


def load(path):
    """The fitted estimator in a file that ``save``, or the program, wrote.

    Parameters
    ----------
    path : str or path-like
        A model of ``nearkin learn``, ``nearkin classify`` or an estimator's ``save``.

    Returns
    -------
    estimator
        A learner of :mod:`nearkin.learn`, or a classifier of :mod:`nearkin.classify`, with the
        settings it had. ``n_jobs`` and ``verbose``, which change no result, have their defaults;
        a generator as ``random_state`` comes back as the seed that was drawn.

    Examples
    --------
    >>> import os, tempfile
    >>> import nearkin
    >>> from nearkin.learn import SiLA
    >>> X, y = nearkin.datasets.load("iris", return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.safetensors")
    >>> SiLA(epochs=3).fit(X, y).save(path)
    >>> nearkin.load(path)
    SiLA(epochs=3)
    """
    return restored(path, None)


class LoadMixin:
    """An estimator that files bring back."""

    @classmethod
    def load(cls, path):
        """The fitted estimator in a file that ``save`` or the program's ``-o`` wrote.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        estimator
            The estimator, fitted.
        """
        return restored(path, cls)


def restored(path, wanted):
    """The fitted estimator in a file, which is to be one of ``wanted``."""
    try:
        found = _core.read_model(Path(path).read_bytes())
    except ValueError as reason:
        raise ValueError(f"{os.fspath(path)}: {reason}") from None
    estimator = _estimator(found)
    if wanted is not None and not issubclass(estimator, wanted):
        raise ValueError(
            f"{os.fspath(path)}: this is a model of {estimator.__name__}, not of "
            f"{wanted.__name__}; nearkin.load reads any model"
        )
    return estimator._restored(found)


def write(path, model):
    """Put bytes into a file, whole or not at all."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "There is no such folder", str(path.parent))
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(model)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(beside, 0o666 & ~umask)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def named(room, method):
    """The estimator class of a room's method."""
    for one in vars(import_module(f"nearkin.{room}")).values():
        if getattr(one, "_method", None) == method:
            return one
    raise ValueError(f"the model was made by `{method}`, which this nearkin does not have")


def _estimator(found):
    return named("learn" if found["kind"] == "similarity" else "classify", found["method"])


def settings(room, method, texts, by="name"):
    """A method's settings, by Python's names; ``texts`` go by the core's, or by Python's."""
    declared = {p[by]: p for p in _parameters.declarations(room)[method]["parameters"]}
    known = [(declared[name], text) for name, text in texts if name in declared]
    return {p["python"]: _parameters.value(p, text) for p, text in known}


def unlike_defaults(room, method, texts):
    """A method's settings that are not its defaults; None where all are."""
    declared = {p["python"]: p for p in _parameters.declarations(room)[method]["parameters"]}
    given = settings(room, method, texts)
    changed = {k: v for k, v in given.items() if v != _parameters.default(declared[k])}
    return changed or None


def told(estimator, texts, **more):
    """An estimator's settings that the core does not know, or knows in another form."""
    known = settings(estimator._room, estimator._method, list(texts.items()), by="python")
    defaults = estimator._get_param_names_and_defaults()
    said = {}
    for name, value in estimator.get_params(deep=False).items():
        # What the core gives back, or else the default, need not be told.
        back = known.get(name, defaults[name])
        if name in _ELSEWHERE or _same(value, back) or _by_class(value):
            continue
        try:
            said[name] = json.loads(json.dumps(value, default=_plain))
        except (TypeError, ValueError):
            continue  # a generator, of which the core has the seed
    said |= {name: value for name, value in more.items() if value is not None}
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None and list(names) == _made_up(len(names)):
        said["named"] = True
    return json.dumps(said) if said else ""


def retold(text):
    """An estimator's own settings, by name, from their text in a model."""
    try:
        said = json.loads(text) if text else {}
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def tell(estimator, said):
    """Give an estimator the settings that the core did not know."""
    known = estimator._get_param_names()
    estimator.set_params(**{name: value for name, value in said.items() if name in known})


def _by_class(value):
    """True for numbers by class, which come back as a list in the order of the classes."""
    return isinstance(value, Mapping) and not all(isinstance(key, str) for key in value)


def _same(value, other):
    return type(value) is type(other) and not isinstance(value, np.ndarray) and value == other


def _plain(value):
    """Arrays and numbers of NumPy as Python's own."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError


def keep_names(estimator, names, said):
    """Number and names of features, as ``fit`` keeps them.

    Names that the core makes up are none, unless the model says that the features had them.
    """
    estimator.n_features_in_ = len(names)
    if names != _made_up(len(names)) or said.get("named"):
        estimator.feature_names_in_ = np.array(names, dtype=object)


def _made_up(width):
    """The names that the core gives features without any."""
    return [f"x{at}" for at in range(width)]


def words(y):
    """A model's words on its data: where they came from, and the target's name."""
    name = getattr(y, "name", None)
    return MADE_FROM, name if isinstance(name, str) and name else "class"


def kind_of(classes):
    """The type of the classes, since a model holds their names as texts."""
    match classes.dtype.kind:
        case "i" | "u" | "f" | "b":
            return classes.dtype.name
        case "O":
            return "object"
        case _:
            return "text"


def classes(names, kind):
    """The classes of these names. The program says no kind: whole numbers are read as such."""
    match kind:
        case "text":
            return np.array(names)
        case "object":
            return np.array(names, dtype=object)
        case "bool":
            return np.array([name == "True" for name in names])
        case str() if kind.startswith(("int", "uint")):
            return np.array([int(name) for name in names]).astype(kind)
        case str() if kind.startswith("float"):
            return np.array(names, dtype=np.float64).astype(kind)
        case _:
            try:
                numbers = [int(name) for name in names]
            except ValueError:
                return np.array(names)
            whole = [str(number) for number in numbers] == list(names)
            return np.array(numbers) if whole else np.array(names)
