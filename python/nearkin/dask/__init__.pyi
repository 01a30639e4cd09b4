"""Types of nearkin.dask; written by scripts/stubs."""

from nearkin.dask._classify import (
    KNN as KNN,
    NNSDA as NNSDA,
    SDA as SDA,
    SKNN as SKNN,
    LocalSDA as LocalSDA,
    MixtureSDA as MixtureSDA,
)
from nearkin.dask._learn import (
    RBS as RBS,
    RBSPSD as RBSPSD,
    SRBS as SRBS,
    SRBSPSD as SRBSPSD,
    SiLA as SiLA,
)
from nearkin.dask._weigh import (
    SURF as SURF,
    ClassDependentRelief as ClassDependentRelief,
    DReliefF as DReliefF,
    MultiSURF as MultiSURF,
    MultiSURFStar as MultiSURFStar,
    PDReliefF as PDReliefF,
    RReliefF as RReliefF,
    ReliefF as ReliefF,
    SURFStar as SURFStar,
)

__all__ = [
    "ClassDependentRelief",
    "DReliefF",
    "KNN",
    "LocalSDA",
    "MixtureSDA",
    "MultiSURF",
    "MultiSURFStar",
    "NNSDA",
    "PDReliefF",
    "RBS",
    "RBSPSD",
    "RReliefF",
    "ReliefF",
    "SDA",
    "SKNN",
    "SRBS",
    "SRBSPSD",
    "SURF",
    "SURFStar",
    "SiLA",
]
