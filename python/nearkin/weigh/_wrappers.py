"""Methods that run another method on fewer features at a time."""

from nearkin.weigh._base import SHARED, BaseWeigher
from nearkin.weigh._relieff import ReliefF

# What a wrapped estimator is not asked for: the wrapper has settings of its own, or none.
_NOT_OF_THE_INNER = {
    "categorical_features": "from_dtype",
    "per_class": False,
    "pairs": False,
    "explain_rows": None,
    "q": None,
    "p": None,
    "p_values": None,
    "interval": None,
}


_ESTIMATOR = """
estimator : estimator of :mod:`nearkin.weigh` or None, default=None
    The method to run; None for :class:`ReliefF` with its defaults. Of the parameters below its own
    are not used, and it is not fitted itself."""

# What makes sense for weights that come from several tables.
_OF_WRAPPERS = (
    "n_features_to_select",
    "categorical_features",
    "q",
    "p",
    "p_values",
    "n_permutations",
    "random_state",
)


class BaseWrapper(BaseWeigher):
    """Base class of the selectors that run another one, their ``estimator``."""

    _shared = {"estimator": (None, _ESTIMATOR), **{name: SHARED[name] for name in _OF_WRAPPERS}}

    @property
    def _explains_classes(self):
        return self._inner()._explains_classes

    def _takes_classes(self, y):
        return self._inner()._takes_classes(y)

    def _tested(self):
        inner = self._inner()
        return inner._tested() if isinstance(inner, BaseWrapper) else inner

    def _inner(self):
        if self.estimator is None:
            return ReliefF()
        if not isinstance(self.estimator, BaseWeigher):
            raise TypeError(
                f"estimator: expected an estimator of nearkin.weigh or None, got {self.estimator!r}"
            )
        return self.estimator

    def _plan(self, classes, seed):
        inner = self._inner()
        for name, unset in _NOT_OF_THE_INNER.items():
            value = getattr(inner, name, unset)
            if not (value is unset or (isinstance(value, str) and value == unset)):
                raise ValueError(
                    f"estimator: {name}={value!r} of the wrapped {type(inner).__name__} would have "
                    f"no effect; {type(self).__name__} has its own, or cannot serve it"
                )
        method, parameters, wrap = inner._plan(classes, inner._seed())
        return method, parameters, [*wrap, (self._method, self._settings(classes, seed))]

    def _wanted(self, rows, seed):
        return self._tests(seed)


class TuRF(BaseWrapper):
    """TuRF: weigh, drop the worst features, weigh the others again.

    Noise leaves the distance round by round. Dropped features rank below all that stay, the
    last dropped first: their weights say no more than that.

    Attributes
    ----------
    removed_in_ : ndarray of shape (n_features,)
        The round in which each feature was dropped, from 1 on; 0 for those that stayed.

    References
    ----------
    J. H. Moore and B. C. White, "Tuning ReliefF for genome-wide genetic analysis", EvoBIO
    2007.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.weigh import MultiSURF, TuRF
    >>> made = datasets.simulate("xor", irrelevant=60, as_frame=True)
    >>> selector = TuRF(MultiSURF(), fraction=0.2, n_features_to_select=2)
    >>> selector.fit(made.data, made.target).get_feature_names_out().tolist()
    ['M0P0', 'M0P1']
    >>> TuRF(ReliefF()).set_params(estimator__n_neighbors=5)
    TuRF(estimator=ReliefF(n_neighbors=5))
    """

    _method = "turf"


class VLS(BaseWrapper):
    """VLS: the best weight of each feature over random subsets of the features.

    For very many features: in a small subset, those that interact stand out from the noise,
    if they are in it together. All q of them meet in a subset of share s with probability near
    s to the power q, so that about log(1 - P) / log(1 - s**q) subsets are needed to succeed
    with probability P.

    References
    ----------
    M. J. Eppstein and P. Haake, "Very large scale ReliefF for genome-wide association
    analysis", CIBCB 2008.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.weigh import ReliefF, VLS
    >>> made = datasets.simulate("xor", irrelevant=60, as_frame=True)
    >>> selector = VLS(ReliefF(n_neighbors=20), share=0.3, n_features_to_select=2)
    >>> selector.fit(made.data, made.target).get_feature_names_out().tolist()
    ['M0P0', 'M0P1']
    """

    _method = "vls"
