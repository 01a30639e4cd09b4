"""nearkin's native part: arrays in, arrays out. Use the estimators instead."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

__version__: str

class Parameter(TypedDict):
    """A parameter as the method declares it."""

    name: str
    """Its name in Rust and on the command line."""
    python: str
    """Its name in Python."""
    kind: str
    """``whole``, ``real``, ``flag``, ``choice`` or ``reals``."""
    min: NotRequired[float | None]
    max: NotRequired[float | None]
    choices: NotRequired[list[str]]
    optional: bool
    default: str | None
    """The default written out; None when unset."""
    help: str

class Method(TypedDict):
    """A weighting method."""

    id: str
    title: str
    summary: str
    reference: str
    parameters: list[Parameter]

class Found(TypedDict):
    """What a weighting method found, for p features and c classes."""

    weights: NDArray[np.float64]
    """Shape (p,)."""
    classes: list[str]
    class_weights: NotRequired[NDArray[np.float64]]
    """Shape (c, p); with ``per_class``."""
    pair_weights: NotRequired[NDArray[np.float64]]
    """Shape (c, c, p), class of the row before class of its neighbours; with ``pairs``."""
    rows: NotRequired[NDArray[np.uintp]]
    row_weights: NotRequired[NDArray[np.float64]]
    """Shape (len(rows), p); with ``rows``."""
    notes: list[str]

def methods() -> list[Method]:
    """Every weighting method with its parameters."""

def weigh(
    method: str,
    x: NDArray[np.float64] | NDArray[np.float32],
    y: NDArray[np.uint32] | NDArray[np.float64],
    parameters: Mapping[str, str],
    *,
    columns: Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None = None,
    class_names: Sequence[str] | None = None,
    feature_names: Sequence[str] | None = None,
    threads: int = 1,
    per_class: bool = False,
    pairs: bool = False,
    rows: Sequence[int] | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Found:
    """Weigh features.

    ``x`` is borrowed, so it must be contiguous, in C or Fortran order; nobody may write to
    it meanwhile. ``columns`` says where each feature's cells are: a column of ``x``, or codes
    (65535 where missing) with their categories; without it, features are the columns of
    ``x``. ``y`` holds codes into ``class_names``, or real values. ``threads=0`` means one a
    core. ``progress(done, total)`` is called a few times a second; what it raises stops
    the work, as Ctrl-C does.
    """
