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

from nearkin.dask._classify import KNN, NNSDA, SDA, SKNN, LocalSDA, MixtureSDA
from nearkin.dask._learn import RBS, RBSPSD, SRBS, SRBSPSD, SiLA
from nearkin.dask._weigh import (
    SURF,
    ClassDependentRelief,
    DReliefF,
    MultiSURF,
    MultiSURFStar,
    PDReliefF,
    ReliefF,
    RReliefF,
    SURFStar,
)

__all__ = [
    "KNN",
    "NNSDA",
    "RBS",
    "RBSPSD",
    "SDA",
    "SKNN",
    "SRBS",
    "SRBSPSD",
    "SURF",
    "ClassDependentRelief",
    "DReliefF",
    "LocalSDA",
    "MixtureSDA",
    "MultiSURF",
    "MultiSURFStar",
    "PDReliefF",
    "RReliefF",
    "ReliefF",
    "SURFStar",
    "SiLA",
]
