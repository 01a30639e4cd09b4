"""Learning from nearest neighbours.

nearkin answers three questions from a table of examples, fast and as the papers define
them: which features matter (:mod:`nearkin.weigh`), which similarity to use
(:mod:`nearkin.learn`), and which class something is (:mod:`nearkin.classify`). Its estimators
work in scikit-learn's pipelines and searches; :func:`load` reads what they, or the program, saved.

Examples
--------
>>> from sklearn.datasets import load_iris
>>> from nearkin.weigh import ReliefF
>>> X, y = load_iris(return_X_y=True)
>>> ReliefF(n_features_to_select=2).fit_transform(X, y).shape
(150, 2)
"""

from importlib import import_module

from nearkin._core import __version__

_SUBMODULES = ("classify", "datasets", "evaluate", "learn", "plot", "weigh")

__all__ = ["__version__", "load", *_SUBMODULES]


def __getattr__(name):
    if name == "load":
        return import_module("nearkin._saved").load
    # Not among __all__: it needs Dask, and says so where there is none.
    if name in (*_SUBMODULES, "dask"):
        return import_module(f"nearkin.{name}")
    raise AttributeError(f"module 'nearkin' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
