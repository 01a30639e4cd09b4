"""Base of the estimators of every room: their parameters, their notes, their threads.

A method declares its parameters once, in Rust. An estimator gets from here an ``__init__`` that
lists them, as scikit-learn needs, the docstring that describes them, and the way of its settings
to the core.
"""

import inspect
import warnings
from collections.abc import Mapping
from numbers import Integral

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from nearkin import _parameters

# What estimators of every room have beside declared parameters: defaults, and entries of the
# docstring's Parameters section.
_EVERYWHERE = {
    "n_jobs": (
        None,
        """
n_jobs : int or None, default=None
    Number of threads, in scikit-learn's sense: None means 1 unless in a
    :obj:`joblib.parallel_config` context, -1 means all cores. The results are the same,
    to the last bit, for any number.""",
    ),
    "verbose": (
        0,
        """
verbose : int, default=0
    Whether to show progress.""",
    ),
}

# Parameters that may be given by position, as the first; all others go by name.
_FIRST = ("n_neighbors", "n_prototypes", "C", "estimator")

# Severities of notes that are worth a warning.
_WARNINGS = {"warning": UserWarning, "not-converged": ConvergenceWarning}

# As many warnings of one kind are shown one by one.
_FEW = 3


class Declared(BaseEstimator):
    """Base class of the estimators whose parameters the core declares.

    A room's base class names the room and says in ``_shared`` and ``_attributes`` what its
    estimators have in common; an estimator names its ``_method``. That makes its signature: the
    method's declared parameters, then those of ``_shared``.
    """

    _room: str | None = None
    _method: str | None = None
    # Defaults and docstring entries of parameters that are not declared in Rust.
    _shared: dict[str, tuple[object, str]] = {}
    _attributes = ""
    # What a fit keeps beside public attributes.
    _hidden: tuple[str, ...] = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "_method" not in vars(cls):
            return
        if "__init__" not in vars(cls):
            cls.__init__ = _initializer(cls)
        if cls.__doc__:
            cls.__doc__ = _with_sections(cls)

    @classmethod
    def _get_param_names_and_defaults(cls):
        parameters = inspect.signature(cls.__init__).parameters
        return {name: p.default for name, p in parameters.items() if name != "self"}

    @classmethod
    def _declared(cls):
        return _parameters.declarations(cls._room)[cls._method]["parameters"]

    def _settings(self, classes, seed):
        """The user's settings of the declared parameters, as texts."""
        return {
            p["python"]: _parameters.text(p, self._setting(p["python"], classes, seed))
            for p in self._declared()
        }

    def _setting(self, name, classes, seed):
        """The user's setting of a declared parameter, as the core knows it."""
        if name == "random_state":
            return seed
        value = getattr(self, name)
        if name == "priors" and isinstance(value, Mapping) and classes is not None:
            classes = classes.tolist()
            if set(value) != set(classes):
                raise ValueError(f"priors: classes {list(value)} given, y has {classes}")
            return [value[c] for c in classes]
        if name == "costs" and value is not None:
            return _row_by_row(value)
        return value

    def _seed(self):
        """The seed of a fit; drawn anew from a generator, so ask once a fit."""
        return seed_of(getattr(self, "random_state", 0))

    def _threads(self):
        """The number of threads that ``n_jobs`` asks for."""
        n_jobs = self.n_jobs
        whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
        if n_jobs is not None and not whole:
            kind = type(n_jobs).__name__
            raise TypeError(f"n_jobs: expected an int or None, got {n_jobs!r} of type {kind}")
        if n_jobs == 0:
            raise ValueError("n_jobs: 0 threads can do nothing; -1 means all cores, None means 1")
        return effective_n_jobs(n_jobs)

    def _keep_if_there(self, name, value):
        """Set an attribute, unless there is nothing to keep."""
        if value is not None:
            setattr(self, name, value)

    def _note(self, notes):
        """Keep notes, which end a fit, and warn of those that are more than information."""
        self.notes_ = sentences(notes)
        for severity, category in _WARNINGS.items():
            found = sentences(note for note in notes if note[0] == severity)
            for sentence in found if len(found) <= _FEW else [self._in_short(found)]:
                warnings.warn(sentence, category, stacklevel=3)

    def _in_short(self, found):
        """One warning in place of many."""
        return f"{found[0]}; {len(found) - 1} more such notes are in notes_"

    def __sklearn_is_fitted__(self):
        # Set last by every fit: notes, and the plan where blocks of rows were planned.
        return "notes_" in vars(self) or "plan_" in vars(self)

    def _forget(self):
        """Remove what an earlier fit left, so that nothing is fitted when this one fails."""
        # What scikit-learn itself sets on an estimator has to stay.
        fitted = [name for name in vars(self) if name.endswith("_") and name[0] != "_"]
        for name in (*fitted, *self._hidden):
            vars(self).pop(name, None)

    def _names(self):
        """The feature names for the core; None where it is to make them up."""
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else list(names)


def _initializer(cls):
    """The ``__init__`` of an estimator, which sets what it is given, or else defaults."""
    declared = {p["python"]: _parameters.default(p) for p in cls._declared()}
    defaults = declared | {name: default for name, (default, _) in cls._shared.items()}
    if "random_state" in defaults:
        defaults["random_state"] = defaults.pop("random_state")  # last but for those of every room
    defaults |= {name: default for name, (default, _) in _EVERYWHERE.items()}
    first = [name for name in _FIRST if name in defaults]
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name in [*first, *(name for name in defaults if name not in first)]:
        kind = inspect.Parameter.KEYWORD_ONLY
        if name in first:
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(inspect.Parameter(name, kind, default=defaults[name]))
    signature = inspect.Signature(parameters)

    def __init__(self, *args, **kwargs):
        try:
            given = signature.bind(self, *args, **kwargs).arguments
        except TypeError as reason:
            raise TypeError(f"{cls.__name__}: {reason}") from None
        for name in defaults:
            setattr(self, name, given.get(name, defaults[name]))

    __init__.__signature__ = signature
    __init__.__module__, __init__.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return __init__


def sentences(notes):
    """Notes of the core, pairs of a severity and a sentence, as sentences."""
    return [sentence for _, sentence in notes]


def seed_of(state):
    """The seed that a ``random_state`` stands for; drawn from a generator, or anew for None."""
    if isinstance(state, Integral) and not isinstance(state, bool):
        if not 0 <= state < 1 << 63:
            raise ValueError(
                f"random_state: expected a whole number of at least 0 and below 2**63, got {state}"
            )
        return int(state)
    return int(check_random_state(state).randint(np.iinfo(np.int32).max))


def _row_by_row(costs):
    """A square of costs as its rows one after another; a list of numbers stays as it is."""
    try:
        square = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        return costs
    if square.ndim == 2 and square.shape[0] != square.shape[1]:
        raise ValueError(
            "costs: expected a row for each class said and a column for each true class, got an "
            f"array of shape {square.shape}"
        )
    return square.ravel().tolist() if square.ndim == 2 else costs


def _with_sections(cls):
    """A class's docstring with its parameters and attributes before its other sections.

    The class may write sections of its own; their entries come first.
    """
    documented = inspect.cleandoc(cls.__doc__)
    own = dict.fromkeys(("Parameters", "Attributes"), "")
    for section in own:
        heading = f"\n{section}\n{'-' * len(section)}\n"
        before, found, after = documented.partition(heading)
        if found:
            own[section], _, rest = after.partition("\n\n")
            documented = before + "\n" + rest
    declared = {p["python"]: p for p in cls._declared()}
    shared = cls._shared | _EVERYWHERE
    entries = [own["Parameters"]]
    for name in cls._get_param_names_and_defaults():
        if name in declared:
            entries.append(_parameters.describe(declared[name]))
        elif name in shared:
            entries.append(shared[name][1].strip())
    attributes = "\n".join(filter(None, [own["Attributes"], cls._attributes.strip()]))
    sections = (
        "Parameters\n----------\n" + "\n".join(filter(None, entries)) + "\n\n"
        f"Attributes\n----------\n{attributes}\n\n"
    )
    starts = [documented.find(f"\n{s}\n---") for s in ("References", "Examples")]
    at = min((start + 1 for start in starts if start >= 0), default=len(documented))
    return documented[:at] + sections + documented[at:]


def class_codes(y):
    """The classes of y in order, codes into them, and their names for the core."""
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.uint32), [str(name) for name in classes]
