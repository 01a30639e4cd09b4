"""Types of nearkin itself; its rooms are imported when they are first used."""

from os import PathLike
from typing import Any

from nearkin import classify, datasets, evaluate, learn, plot, weigh
from nearkin import dask as dask

__all__ = [
    "__version__",
    "classify",
    "datasets",
    "evaluate",
    "learn",
    "load",
    "plot",
    "weigh",
]

__version__: str

def load(path: str | PathLike[str]) -> Any: ...
