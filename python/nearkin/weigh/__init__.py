"""Which features matter? Feature weights from nearest neighbours: the Relief family.

Every method is a scikit-learn selector: ``fit`` weighs the features, ``transform`` keeps
the heaviest. Each has a function, named in lower case, that gives the weights alone, for
:class:`~sklearn.feature_selection.SelectKBest`. :class:`TuRF` and :class:`VLS` run any of
them on fewer features at a time.

Weights rank features; their sign decides nothing. Where classes differ in size, features that
do not matter have weights above 0 too, and beside a strong feature they have weights below 0.
Whether a feature matters is a question for a test: ``q=0.05`` keeps the features that pass, and
:class:`Association` is that test by itself, with covariates, strata and real targets.
:class:`~sklearn.feature_selection.SelectFromModel` looks at the size of weights alone, whatever
their sign: rather let these selectors select by themselves.

Where to start: :class:`Association` where p-values are wanted; to rank, :class:`MultiSURF` for up
to some thousand rows, :class:`ReliefF` beyond; :class:`RReliefF` for a real target;
:class:`TuRF` around them when features are many.
"""

from nearkin.weigh._association import Association, association
from nearkin.weigh._base import BaseWeigher
from nearkin.weigh._feedback import DReliefF, PDReliefF, drelieff, pdrelieff
from nearkin.weigh._relief import (
    IRelief,
    Relief,
    ReliefPSD,
    Relieved,
    i_relief,
    relief,
    relief_psd,
    relieved,
)
from nearkin.weigh._relieff import (
    ClassDependentRelief,
    MyopicReliefF,
    ReliefF,
    ReliefSeq,
    class_dependent,
    myopic_relieff,
    relief_seq,
    relieff,
)
from nearkin.weigh._rrelieff import RReliefF, rrelieff
from nearkin.weigh._surf import (
    SURF,
    MultiSURF,
    MultiSURFStar,
    SURFStar,
    multisurf,
    multisurf_star,
    surf,
    surf_star,
)
from nearkin.weigh._wrappers import VLS, BaseWrapper, TuRF

__all__ = [
    "Association",
    "BaseWeigher",
    "BaseWrapper",
    "ClassDependentRelief",
    "DReliefF",
    "IRelief",
    "MultiSURF",
    "MultiSURFStar",
    "MyopicReliefF",
    "PDReliefF",
    "RReliefF",
    "Relief",
    "ReliefF",
    "ReliefPSD",
    "ReliefSeq",
    "Relieved",
    "SURF",
    "SURFStar",
    "TuRF",
    "VLS",
    "association",
    "class_dependent",
    "drelieff",
    "i_relief",
    "multisurf",
    "multisurf_star",
    "myopic_relieff",
    "pdrelieff",
    "relief",
    "relief_psd",
    "relief_seq",
    "relieff",
    "relieved",
    "rrelieff",
    "surf",
    "surf_star",
]
