"""More rows than one machine holds: the estimators of nearkin on a Dask cluster.

Estimators have the names and parameters of their like in :mod:`nearkin.weigh`,
:mod:`nearkin.learn` and :mod:`nearkin.classify`; they take Dask arrays and data frames, and give
the same answers to the last bit, however rows are cut into blocks. Install with
``pip install 'nearkin[dask]'``. The guide's page on Dask says what costs what.
"""

try:
    import distributed  # noqa: F401
except ImportError as missing:
    raise ImportError("nearkin.dask needs Dask: pip install 'nearkin[dask]'") from missing

from importlib import import_module

# Found when asked for: a worker that runs tasks needs none of them, nor scikit-learn.
_HOMES = {
    "_classify": ("KNN", "NNSDA", "SDA", "SKNN", "LocalSDA", "MixtureSDA"),
    "_learn": ("RBS", "RBSPSD", "SRBS", "SRBSPSD", "SiLA"),
    "_weigh": (
        "SURF",
        "ClassDependentRelief",
        "DReliefF",
        "MultiSURF",
        "MultiSURFStar",
        "PDReliefF",
        "RReliefF",
        "ReliefF",
        "SURFStar",
    ),
}

__all__ = sorted(name for names in _HOMES.values() for name in names)


def __getattr__(name):
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"nearkin.dask.{home}"), name)
    raise AttributeError(f"module 'nearkin.dask' has no attribute {name!r}")


def __dir__():
    return __all__
