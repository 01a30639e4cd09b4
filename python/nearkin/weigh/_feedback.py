"""Methods whose running weights enter the distance."""

from nearkin.weigh._base import BaseWeigher, score_function


class DReliefF(BaseWeigher):
    """dReliefF: ReliefF whose running weights enter the distance (double ReliefF).

    A historical option: early weights rest on few rows and bias what follows, so the
    weights depend on the order of rows; ``orders`` measures how much.
    :class:`PDReliefF` is the better choice.

    P-values say little here: once one strong feature rules the distance, the same few rows
    are the nearest misses of all others, and features without any effect get weights that
    neither STIR nor shuffled ``y`` accounts for.

    Attributes
    ----------
    order_deviation_ : ndarray of shape (n_features,)
        Standard deviation of each weight over orders of rows. With ``orders`` above 0.

    References
    ----------
    "Double Relief with progressive weighting function", arXiv 1509.04265.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nearkin.weigh import DReliefF
    >>> X, y = load_iris(return_X_y=True)
    >>> DReliefF(orders=3).fit(X, y).order_deviation_ < 0.01
    array([ True,  True,  True,  True])
    """

    _method = "drelieff"


drelieff = score_function(DReliefF, "drelieff")


class PDReliefF(BaseWeigher):
    """pdReliefF: ReliefF whose running weights enter the distance progressively.

    Starts as ReliefF and ends as double ReliefF: irrelevant features leave the distance as
    evidence against them grows. The published weighting function is lost; the default
    schedule is a reconstruction that has every property the paper states.

    P-values say little here: once one strong feature rules the distance, the same few rows
    are the nearest misses of all others, and features without any effect get weights that
    neither STIR nor shuffled ``y`` accounts for.

    Attributes
    ----------
    order_deviation_ : ndarray of shape (n_features,)
        Standard deviation of each weight over orders of rows. With ``orders`` above 0.

    References
    ----------
    "Double Relief with progressive weighting function", arXiv 1509.04265.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.weigh import PDReliefF
    >>> made = datasets.simulate("parity", relevant=3, irrelevant=20, as_frame=True)
    >>> sorted(PDReliefF().fit(made.data, made.target).top_features_[:3].tolist())
    [0, 1, 2]
    """

    _method = "pdrelieff"


pdrelieff = score_function(PDReliefF, "pdrelieff")
