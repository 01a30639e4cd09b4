"""Which features matter? Feature weights from nearest neighbours: the Relief family.

Every method is a scikit-learn selector: ``fit`` weighs the features, ``transform`` keeps
the heaviest. Each has a function of the same name in lower case that gives the weights
alone, for :class:`~sklearn.feature_selection.SelectKBest`.
"""

from nearkin.weigh._base import BaseWeigher
from nearkin.weigh._relieff import ReliefF, relieff

__all__ = ["BaseWeigher", "ReliefF", "relieff"]
