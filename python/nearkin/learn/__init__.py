"""Which similarity should I use? Similarities learned from labelled rows.

Every method learns the matrix A of s(x, y) = xᵀAy / N(x, y), so that rows are more similar to
their own class than to others. The learners keep metric-learn's words: ``fit``,
``pair_score``, ``get_metric`` and, where A is positive semi-definite, ``components_`` and
``transform``. To classify by what is learned, hand a learner to a classifier:
``KNN(measure=SiLA())``, see :mod:`nearkin.classify`.

A similarity may also be a distance with its sign turned, as those of :class:`Relief` and
:class:`ReliefPSD` are.

Where to start: :class:`SiLA`; :class:`SRBSPSD` where a vector index is to use the result.
"""

from nearkin.learn._base import BaseLearner, BasePSDLearner
from nearkin.learn._rbs import RBS, RBSPSD, SRBS, SRBSPSD
from nearkin.learn._relief import Relief, ReliefPSD
from nearkin.learn._sila import SiLA
from nearkin.learn._similarity import Similarity

__all__ = [
    "BaseLearner",
    "BasePSDLearner",
    "RBS",
    "RBSPSD",
    "Relief",
    "ReliefPSD",
    "SRBS",
    "SRBSPSD",
    "SiLA",
    "Similarity",
]
