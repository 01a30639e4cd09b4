"""Which class is this? Classifiers over similarities of samples.

The samples may be rows of a table, compared by a ``measure``: numbers, categories, missing
cells. Or nothing is known of them but how alike they are: with ``similarity="precomputed"`` or
``metric="precomputed"``, ``X`` holds that, as scikit-learn's own estimators take distances.

Where to start: :class:`KNN`, which chooses the number of neighbours by itself; :class:`SDA`
and :class:`LocalSDA`, which also give the laws of similarity in each class and tell samples
that no class explains; :class:`PSVM` for accuracy.
"""

from nearkin.classify._base import BaseClassifier
from nearkin.classify._centroids import (
    AdjustedCentroid,
    CondensedNN,
    LocalCentroid,
    NearestCentroid,
)
from nearkin.classify._measures import measures
from nearkin.classify._naive_bayes import NaiveBayes
from nearkin.classify._neighbours import KNN, SKNN
from nearkin.classify._psvm import PSVM
from nearkin.classify._sda import NNSDA, SDA, LocalSDA, MixtureSDA
from nearkin.classify._similarities import BaseSimilarityClassifier

__all__ = [
    "AdjustedCentroid",
    "BaseClassifier",
    "BaseSimilarityClassifier",
    "CondensedNN",
    "KNN",
    "LocalCentroid",
    "LocalSDA",
    "MixtureSDA",
    "NNSDA",
    "NaiveBayes",
    "NearestCentroid",
    "PSVM",
    "SDA",
    "SKNN",
    "measures",
]
