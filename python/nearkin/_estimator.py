"""What estimators of every room share: their parameters, their words, their threads.

A method declares its parameters once, in Rust. An estimator lists them in ``__init__``, as
scikit-learn needs, and has from here the way of its settings to the core and the docstring
that says what they are.
"""

import inspect
import re
import warnings
from collections.abc import Mapping
from contextlib import contextmanager
from numbers import Integral

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from nearkin import _parameters

# Entries of the Parameters section for what estimators of every room have.
_EVERYWHERE = {
    "random_state": """
random_state : int, RandomState instance or None, default=0
    Seed of every random choice.""",
    "n_jobs": """
n_jobs : int or None, default=None
    Number of threads, in scikit-learn's sense: None means 1 unless in a
    :obj:`joblib.parallel_config` context, -1 means all cores. The results are the same,
    to the last bit, for any number.""",
    "verbose": """
verbose : int, default=0
    Whether to show progress.""",
}


class Declared(BaseEstimator):
    """Base class of the estimators whose parameters the core declares.

    A room's base class names the room and says in ``_shared`` and ``_attributes`` what its
    estimators have in common; an estimator names its ``_method``.
    """

    _room: str | None = None
    _method: str | None = None
    _shared: dict[str, str] = {}
    _attributes = ""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__dict__.get("_method") and cls.__doc__:
            cls.__doc__ = _with_sections(cls)

    def _keep(self, arguments):
        """Set what ``__init__`` was given, as scikit-learn needs it: unchanged, by name."""
        for name, value in arguments.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    @classmethod
    def _get_param_names_and_defaults(cls):
        parameters = inspect.signature(cls.__init__).parameters
        return {name: p.default for name, p in parameters.items() if name != "self"}

    @classmethod
    def _declared(cls):
        return _parameters.declarations(cls._room)[cls._method]["parameters"]

    def _settings(self, classes, seed):
        """What the user set of the declared parameters, as texts."""
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

    def _keep_or_drop(self, name, value):
        """Set an attribute, or remove what an earlier fit left there."""
        if value is not None:
            setattr(self, name, value)
        elif name in vars(self):
            delattr(self, name)

    def _note(self, notes):
        """Keep what a reader should know, and warn of what they must."""
        self.notes_ = notes
        for note in notes:
            if "not come to rest" in note:
                warnings.warn(note, ConvergenceWarning, stacklevel=3)
            elif "has one row" in note:
                warnings.warn(note, stacklevel=3)

    def _names(self):
        """The feature names for the core; None where it is to make them up."""
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else list(names)


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
    shared = _EVERYWHERE | cls._shared
    entries = [own["Parameters"]]
    for name in inspect.signature(cls.__init__).parameters:
        if name in declared:
            entries.append(_parameters.describe(declared[name]))
        elif name in shared:
            entries.append(shared[name].strip())
    attributes = "\n".join(filter(None, [own["Attributes"], cls._attributes.strip()]))
    sections = (
        "Parameters\n----------\n" + "\n".join(filter(None, entries)) + "\n\n"
        f"Attributes\n----------\n{attributes}\n\n"
    )
    starts = [documented.find(f"\n{s}\n---") for s in ("References", "Examples")]
    at = min((start + 1 for start in starts if start >= 0), default=len(documented))
    return documented[:at] + sections + documented[at:]


@contextmanager
def in_scikit_learns_words():
    """Put what scikit-learn says of numbers below 0 before what the core does, with their place."""
    try:
        yield
    except ValueError as reason:
        if not re.search(" is negative, and | not negative: ", str(reason)):
            raise
        raise ValueError(f"Negative values in data: {reason}") from None


def class_codes(y):
    """The classes of y in order, codes into them, and their names for the core."""
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.uint32), [str(name) for name in classes]
