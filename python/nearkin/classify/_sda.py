"""Similarity discriminant analysis and its relatives."""

from nearkin.classify._insides import (
    EvidenceMixin,
    LawsMixin,
    NeighboursMixin,
    PrototypesMixin,
)
from nearkin.classify._similarities import BaseSimilarityClassifier

_LAWS = frozenset({"probabilities", "likelihoods", "scores"})


class SDA(LawsMixin, PrototypesMixin, BaseSimilarityClassifier):
    """Similarity discriminant analysis: laws of the similarity to each class's centroid.

    Each class has, for the similarity of its samples to each class's most typical sample, the
    law of largest entropy with the mean that was seen; a query goes to the class under which
    its similarities are likeliest.

    Attributes
    ----------
    laws_ : list of dict
        The laws: ``class``, ``statistic`` (the class whose centroid is looked at), ``mean``,
        ``lambda`` and ``log_z``, of log p(s) = lambda * s - log_z.
    law_tables_ : list of dict
        For each statistic, laws against what was observed: ``statistic`` and ``support`` in words,
        ``edges`` of bins, and for each class and bin the training samples ``observed`` there and
        those its law has there (``fitted``).
    prototypes_ : list of ndarray
        For each class the training samples that stand for it.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import SDA
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> sda = SDA().fit(X, y)
    >>> sda.predict(X[[0, 60, 140]])
    array([0, 1, 2])
    >>> [prototype.tolist() for prototype in sda.prototypes_]
    [[7], [99], [147]]

    Similarities alone will do, asymmetric ones too:

    >>> import numpy as np
    >>> s = np.array([[4.0, 3, 1, 0], [3, 4, 0, 1], [1, 0, 4, 2], [0, 1, 2, 4]])
    >>> sda = SDA(similarity="precomputed").fit(s, ["cat", "cat", "dog", "dog"])
    >>> sda.predict([[3.0, 3, 0, 1]])
    array(['cat'], dtype='<U3')
    """

    _method = "sda"
    _gives = _LAWS


class NNSDA(LawsMixin, BaseSimilarityClassifier):
    """nnSDA: laws of the similarity to the nearest neighbour in each class.

    Attributes
    ----------
    laws_ : list of dict
        The laws: ``class``, ``statistic`` (the class whose nearest sample is looked at),
        ``mean``, ``lambda`` and ``log_z``, of log p(s) = lambda * s - log_z.
    law_tables_ : list of dict
        For each statistic, laws against what was observed: ``statistic`` and ``support`` in words,
        ``edges`` of bins, and for each class and bin the training samples ``observed`` there and
        those its law has there (``fitted``).

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import NNSDA
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> NNSDA().fit(X, y).score(X, y) > 0.9
    True
    """

    _method = "nn-sda"
    _gives = _LAWS


class LocalSDA(EvidenceMixin, NeighboursMixin, BaseSimilarityClassifier):
    """Local SDA: similarity discriminant analysis among the neighbours of the query.

    Where some class among the neighbours has fewer than ``n_min`` of them, there is too little for
    laws and the nearest local centroid decides (:meth:`fell_back`). ``predict_proba`` gives the
    classes' shares of the neighbours there: the likeliest class need not be the one that is said,
    and ``costs`` have no say.

    Attributes
    ----------
    n_neighbors_ : int or None
        The number of neighbours in use; None where a radius decides.
    alpha_ : float
        That of the radius in use. With ``neighbourhood='radius'``.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import LocalSDA
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> local = LocalSDA(k_candidates=[5, 10, 20]).fit(X, y)
    >>> local.n_neighbors_ in (5, 10, 20)
    True
    """

    _method = "local-sda"
    _holds_similarities = True
    # Where a neighbourhood holds too little for laws, the nearest centroid has no likelihood.
    _gives = frozenset({"probabilities"})

    def fell_back(self, X):
        """Whether each query was left to the nearest local centroid, for want of neighbours.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_queries,)
            True where some class among the neighbours has fewer than ``n_min`` of them.
        """
        return self._said(X, "fallback")


class MixtureSDA(LawsMixin, PrototypesMixin, BaseSimilarityClassifier):
    """Mixture SDA: several prototypes a class, each with laws of its own, by EM.

    Attributes
    ----------
    laws_ : list of dict
        The laws: ``class``, ``statistic`` (the class whose prototype is looked at),
        ``component`` and ``weight`` of the mixture's part, ``mean``, ``lambda`` and ``log_z``.
    law_tables_ : list of dict
        For each statistic, laws against what was observed: ``statistic`` and ``support`` in words,
        ``edges`` of bins, and for each class and bin the training samples ``observed`` there and
        those its law has there (``fitted``).
    prototypes_ : list of ndarray
        For each class the training samples that stand for it.
    n_iter_ : int
        The rounds of EM that were gone through; of several mixtures, the most.

    References
    ----------
    L. Cazzanti, "Similarity discriminant analysis", 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import MixtureSDA
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> mixture = MixtureSDA(n_prototypes=2).fit(X, y)
    >>> [len(prototypes) for prototypes in mixture.prototypes_]
    [2, 2, 2]

    How much each part of a mixture has to say of a sample:

    >>> first = [one for one in mixture.evidence(X[:1])[0] if one["class"] == 0]
    >>> round(sum(one["responsibility"] for one in first if one["statistic"] == 0), 9)
    1.0
    """

    _method = "mixture-sda"
    _gives = _LAWS
