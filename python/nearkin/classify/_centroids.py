"""Classifiers by samples that stand for their classes."""

from nearkin.classify._insides import NeighboursMixin, PrototypesMixin
from nearkin.classify._similarities import BaseSimilarityClassifier

_SCORES = frozenset({"scores"})


class NearestCentroid(PrototypesMixin, BaseSimilarityClassifier):
    """Nearest centroid: the class whose most typical sample is most similar.

    Attributes
    ----------
    prototypes_ : list of ndarray
        For each class the training sample that stands for it.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import NearestCentroid
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> centroids = NearestCentroid().fit(X, y)
    >>> centroids.predict(X[[0, 60, 140]])
    array([0, 1, 2])
    >>> centroids.decision_function(X[:1]).shape
    (1, 3)
    """

    _method = "nearest-centroid"
    _gives = _SCORES


class AdjustedCentroid(PrototypesMixin, BaseSimilarityClassifier):
    """Adjusted nearest centroid: similarities over what is usual in the class.

    The rule divides by similarities, which must not be negative. Distances, whose negatives
    other classifiers take for similarities, enter here as exp(-d/σ), σ the mean
    training distance: so do all similarities where none of the training samples' is above 0.

    Attributes
    ----------
    prototypes_ : list of ndarray
        For each class the training sample that stands for it.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import AdjustedCentroid
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> AdjustedCentroid(measure="cosine").fit(X, y).predict(X[[0, 60, 140]])
    array([0, 1, 2])
    """

    _method = "adjusted-centroid"
    _gives = _SCORES

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Similarities are divided by their means.
        tags.input_tags.positive_only |= tags.input_tags.pairwise
        return tags


class LocalCentroid(NeighboursMixin, BaseSimilarityClassifier):
    """Local nearest centroid: centroids among the neighbours of the query.

    Attributes
    ----------
    n_neighbors_ : int or None
        The number of neighbours in use; None where a radius decides.
    alpha_ : float
        That of the radius in use. With ``neighbourhood='radius'``.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Y. Mitani and Y. Hamamoto, "A local mean-based nonparametric classifier", Pattern
    Recognition Letters 27, 2006.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import LocalCentroid
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> LocalCentroid(10).fit(X, y).predict(X[[0, 60, 140]])
    array([0, 1, 2])
    """

    _method = "local-centroid"
    _holds_similarities = True
    _gives = _SCORES


class CondensedNN(PrototypesMixin, BaseSimilarityClassifier):
    """Condensed nearest neighbour: the class of the nearest of a few prototypes.

    Attributes
    ----------
    prototypes_ : list of ndarray
        For each class the training samples that stand for it.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import CondensedNN
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> condensed = CondensedNN(n_prototypes=3).fit(X, y)
    >>> sum(len(prototypes) for prototypes in condensed.prototypes_)
    9
    """

    _method = "condensed-nn"
    _gives = _SCORES
