"""Classifiers by nearest neighbours."""

from nearkin.classify._insides import NeighboursMixin
from nearkin.classify._similarities import BaseSimilarityClassifier


class KNN(NeighboursMixin, BaseSimilarityClassifier):
    """k nearest neighbours: the class most frequent among the k most similar samples.

    Attributes
    ----------
    n_neighbors_ : int
        The number of neighbours in use.

    References
    ----------
    E. Fix and J. L. Hodges, "Discriminatory analysis", 1951.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import KNN
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> knn = KNN().fit(X, y)
    >>> knn.predict(X[[0, 60, 140]])
    array([0, 1, 2])
    >>> distances, rows = knn.kneighbors(X[:1], 3)
    >>> rows
    array([[ 0, 27, 17]])

    Any similarity will do, one that is learned for the purpose too:

    >>> from nearkin.learn import SiLA
    >>> KNN(3, measure=SiLA(epochs=5)).fit(X, y).score(X, y) > 0.9
    True
    """

    _method = "knn"
    _asks_neighbours = True
    _gives = frozenset({"probabilities"})


class SKNN(NeighboursMixin, BaseSimilarityClassifier):
    """Symmetric k nearest neighbours: the class whose k most similar samples are so the most.

    Attributes
    ----------
    n_neighbors_ : int
        The number of neighbours of each class in use.

    References
    ----------
    A. M. Qamar, E. Gaussier, J.-P. Chevallet and J. H. Lim, "Similarity learning for nearest
    neighbor classification", ICDM 2008.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import SKNN
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> SKNN(3).fit(X, y).predict(X[[0, 60, 140]])
    array([0, 1, 2])
    """

    _method = "sknn"
    _asks_neighbours = True
    _gives = frozenset({"scores"})
