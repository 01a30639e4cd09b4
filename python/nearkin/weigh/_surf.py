"""Neighbours within a radius: SURF and its successors."""

from nearkin.weigh._base import BaseWeigher, score_function


class SURF(BaseWeigher):
    """SURF: all rows nearer than the mean distance are neighbours.

    There is no number of neighbours to choose.

    References
    ----------
    C. S. Greene, N. M. Penrod, J. Kiralis and J. H. Moore, "Spatially uniform ReliefF
    (SURF) for computationally-efficient filtering of gene-gene interactions", BioData
    Mining 2, 2009.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.weigh import SURF
    >>> X, y = datasets.load("epistasis", as_frame=True, return_X_y=True)
    >>> sorted(SURF().fit(X, y).top_features_[:2].tolist())
    [0, 1]
    """

    _method = "surf"


surf = score_function(SURF, "surf")


class SURFStar(BaseWeigher):
    """SURF*: SURF, and far rows with the opposite sign.

    Finds interactions of two features better than SURF, and single effects worse.

    References
    ----------
    C. S. Greene, D. S. Himmelstein, J. Kiralis and J. H. Moore, "The informative extremes:
    using both nearest and farthest individuals can improve Relief algorithms in the domain
    of human genetics", EvoBIO 2010.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.weigh import SURFStar
    >>> X, y = datasets.load("epistasis", as_frame=True, return_X_y=True)
    >>> sorted(SURFStar().fit(X, y).top_features_[:2].tolist())
    [0, 1]
    """

    _method = "surf-star"


surf_star = score_function(SURFStar, "surf_star")


class MultiSURF(BaseWeigher):
    """MultiSURF: a radius for each row, half a deviation inside its mean distance.

    A good first choice where features interact, with nothing to tune.

    References
    ----------
    R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker and J. H. Moore, "Benchmarking
    relief-based feature selection methods for bioinformatics data mining", Journal of
    Biomedical Informatics 85, 2018.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.weigh import MultiSURF
    >>> X, y = datasets.load("epistasis", as_frame=True, return_X_y=True)
    >>> sorted(MultiSURF().fit(X, y).top_features_[:2].tolist())
    [0, 1]
    """

    _method = "multisurf"


multisurf = score_function(MultiSURF, "multisurf")


class MultiSURFStar(BaseWeigher):
    """MultiSURF*: MultiSURF, and equal values among far rows.

    A constant feature need not get weight 0: it is equal among far rows too.

    References
    ----------
    D. Granizo-Mackenzie and J. H. Moore, "Multiple threshold spatially uniform ReliefF for
    the genetic analysis of complex human diseases", EvoBIO 2013.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.weigh import MultiSURFStar
    >>> X, y = datasets.load("epistasis", as_frame=True, return_X_y=True)
    >>> sorted(MultiSURFStar().fit(X, y).top_features_[:2].tolist())
    [0, 1]
    """

    _method = "multisurf-star"


multisurf_star = score_function(MultiSURFStar, "multisurf_star")
