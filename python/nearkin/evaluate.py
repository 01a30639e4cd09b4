"""How well? Methods compared under one protocol, and tests of whether one is better.

:func:`compare` cross-validates any of scikit-learn's and nearkin's classifiers on the same
splits and marks what beats, or is beaten by, the first of them. The tests are functions of
their own, for results that come from elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import _safe_split

from nearkin import _core

Alternative = Literal["two-sided", "greater", "less"]
Floats = NDArray[np.float64]

__all__ = [
    "Comparison",
    "compare",
    "corrected_t",
    "friedman",
    "mark",
    "mcnemar",
    "nemenyi_difference",
    "sign_test",
    "wilcoxon",
]


def mark(p_value: float, difference: float) -> str:
    """The sign the papers put between two methods.

    Parameters
    ----------
    p_value : float
        Of a test of the difference.
    difference : float
        How much better the first method is than the second.

    Returns
    -------
    str
        '≫' or '≪' where p is at most 0.01, '>' or '<' where it is at most 0.05, else '='.

    Examples
    --------
    >>> from nearkin.evaluate import mark
    >>> mark(0.003, 0.1), mark(0.03, -0.1), mark(0.3, 0.1)
    ('≫', '<', '=')
    """
    if not p_value <= 0.05 or difference == 0:
        return "="
    strong = p_value <= 0.01
    return ("≫" if strong else ">") if difference > 0 else ("≪" if strong else "<")


def _pairs(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    first, second = (np.ascontiguousarray(one, dtype=np.float64) for one in (a, b))
    return np.atleast_1d(first), np.atleast_1d(second)


def _count(name: str, value: Any) -> int:
    """A number of things, of which there is at least one."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name}: expected an int, got {value!r} of type {type(value).__name__}")
    if not 1 <= int(value) < 1 << 63:
        raise ValueError(f"{name}: must be at least 1 and below 2**63, got {value}")
    return int(value)


def sign_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided"
) -> dict[str, float]:
    """The sign test: how often is a above b? Equal pairs are left out.

    With 1 for right and 0 for wrong decisions of two classifiers on the same samples, it is the
    micro sign test, or s-test, of Yang and Liu.

    Parameters
    ----------
    a, b : array-like of shape (n_pairs,)
        The numbers to compare.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        What is asked of ``a``.

    Returns
    -------
    dict
        ``wins`` and ``losses`` of ``a``, and ``p``, exact.

    Examples
    --------
    >>> from nearkin.evaluate import sign_test
    >>> round(sign_test([1, 1, 1, 0, 1], [0, 0, 1, 0, 0])["p"], 6)
    0.25
    """
    found: Any = _core.sign_test(*_pairs(a, b), alternative)
    return {**found, **{key: int(found[key]) for key in ("wins", "losses")}}


def wilcoxon(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided"
) -> dict[str, float] | None:
    """Wilcoxon's signed rank test, exact up to 50 pairs, with ties.

    Parameters
    ----------
    a, b : array-like of shape (n_pairs,)
        The numbers to compare, such as the accuracies of two methods on several data sets.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        What is asked of ``a``.

    Returns
    -------
    dict or None
        The sums of ranks ``w_plus`` and ``w_minus``, and ``p``; None when no pair differs.

    Examples
    --------
    >>> from nearkin.evaluate import wilcoxon
    >>> wilcoxon([0.9, 0.8, 0.7, 0.95], [0.8, 0.75, 0.6, 0.9])["p"]
    0.125
    """
    found: Any = _core.wilcoxon(*_pairs(a, b), alternative)
    return found


def mcnemar(right_a: ArrayLike, right_b: ArrayLike) -> float:
    """McNemar's exact test of two classifiers on the same samples.

    Parameters
    ----------
    right_a, right_b : array-like of bool of shape (n_samples,)
        Where each of them was right.

    Returns
    -------
    float
        The p-value, two-sided.

    Examples
    --------
    >>> from nearkin.evaluate import mcnemar
    >>> round(mcnemar([True, True, True, False], [False, False, True, False]), 6)
    0.5
    """
    a, b = np.asarray(right_a), np.asarray(right_b)
    if a.dtype.kind not in "biuf" or b.dtype.kind not in "biuf":
        raise TypeError(
            "right_a and right_b: expected whether each decision was right, as booleans"
        )
    for one in (a, b):
        if not np.isin(one, (0, 1)).all():
            other = one[~np.isin(one, (0, 1))].flat[0]
            raise ValueError(
                "right_a and right_b: expected whether each decision was right, as booleans, got "
                f"{other}; compare scores with wilcoxon or corrected_t"
            )
    a, b = a.astype(bool), b.astype(bool)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(
            f"both must have decided on the same samples, got {a.shape} and {b.shape} decisions"
        )
    return _core.mcnemar(int((a & ~b).sum()), int((b & ~a).sum()))


def corrected_t(
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    alternative: Alternative = "two-sided",
) -> dict[str, float] | None:
    """The corrected resampled t-test of Nadeau and Bengio, for scores over splits.

    Splits share rows, so that their scores vary less than those of new data would; the test
    makes up for it.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,)
        Scores of two methods on the same splits.
    n_train, n_test : int
        Rows of a split.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        What is asked of ``a``.

    Returns
    -------
    dict or None
        ``t``, ``df`` and ``p``; None when the scores are the same everywhere.

    Examples
    --------
    >>> from nearkin.evaluate import corrected_t
    >>> found = corrected_t([0.9, 0.8, 0.85], [0.7, 0.75, 0.7], n_train=80, n_test=20)
    >>> round(found["p"], 3)
    0.15
    """
    a, b = _pairs(a, b)
    if a.shape != b.shape:
        raise ValueError(f"both need the same splits, got {len(a)} and {len(b)} scores")
    n_train, n_test = _count("n_train", n_train), _count("n_test", n_test)
    found: Any = _core.corrected_t(a - b, n_train, n_test, alternative)
    return found


def friedman(scores: ArrayLike) -> dict[str, Any] | None:
    """Friedman's test: do methods differ over several data sets?

    Parameters
    ----------
    scores : array-like of shape (n_sets, n_methods)
        The larger, the better.

    Returns
    -------
    dict or None
        ``mean_ranks``, 1 for the best; ``chi_square`` with ``p``, and Iman and Davenport's ``f``
        with ``f_p``. None when every method ranks alike everywhere.

    Examples
    --------
    >>> from nearkin.evaluate import friedman
    >>> friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.6, 0.7, 0.5]])["mean_ranks"]
    [1.3333333333333333, 1.6666666666666667, 3.0]
    """
    found: Any = _core.friedman(np.array(scores, dtype=np.float64, ndmin=2))
    return found


def nemenyi_difference(n_methods: int, n_sets: int, *, alpha: float = 0.05) -> float:
    """The difference of mean ranks that tells two methods apart, after :func:`friedman`.

    Parameters
    ----------
    n_methods, n_sets : int
        How many methods were compared, on how many data sets.
    alpha : float, default=0.05
        The risk of finding a difference where there is none.

    Returns
    -------
    float
        Nemenyi's critical difference.

    Examples
    --------
    >>> from nearkin.evaluate import nemenyi_difference
    >>> round(nemenyi_difference(4, 14), 2)
    1.25
    """
    n_methods, n_sets = _count("n_methods", n_methods), _count("n_sets", n_sets)
    return _core.nemenyi_difference(alpha, n_methods, n_sets)


@dataclass
class Comparison:
    """The result of :func:`compare`.

    Attributes
    ----------
    names : list of str
        The methods.
    scores : ndarray of shape (n_methods, n_splits)
        The share of test samples each method was right about.
    right : ndarray of bool of shape (n_methods, n_decisions)
        Whether each method was right, split after split.
    p_values : ndarray of shape (n_methods,)
        Of each method against the first, by the corrected resampled t-test; NaN where the two
        never differ, and for the first itself.
    sign_p_values : ndarray of shape (n_methods,)
        The same by the micro sign test. Where samples are tested more than once, it claims too
        much.

    Examples
    --------
    >>> from nearkin import datasets
    >>> from nearkin.classify import KNN, NearestCentroid
    >>> from nearkin.evaluate import compare
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> found = compare({"1-NN": KNN(1), "centroid": NearestCentroid()}, X, y, cv=3)
    >>> found.marks[0], found.scores.shape
    ('=', (2, 3))
    """

    names: list[str]
    scores: Floats
    right: NDArray[np.bool_]
    p_values: Floats
    sign_p_values: Floats

    @property
    def marks(self) -> list[str]:
        """How each method stands to the first, by the corrected test: see :func:`mark`."""
        gains = self.scores.mean(axis=1) - self.scores[0].mean()
        return [mark(p, gain) for p, gain in zip(self.p_values, gains, strict=True)]

    def _deviations(self) -> Any:
        """Of each method's scores over splits, as of a sample; 0 where there is one split."""
        return self.scores.std(axis=1, ddof=1 if self.scores.shape[1] > 1 else 0)

    def to_frame(self) -> Any:
        """The comparison as a pandas data frame, a row a method."""
        import pandas as pd

        columns = {
            "accuracy": self.scores.mean(axis=1),
            "deviation": self._deviations(),
            "against_first": self.marks,
            "p": self.p_values,
            "sign_p": self.sign_p_values,
        }
        return pd.DataFrame(columns, index=pd.Index(self.names, name="method"))

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        rows = zip(self.names, self.scores, self._deviations(), self.marks, strict=True)
        lines = [
            f"{name:<{width}}  {scores.mean():.3f} ± {deviation:.3f}  {sign}"
            for name, scores, deviation, sign in rows
        ]
        return "\n".join(lines)


def compare(
    estimators: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = None,
    n_jobs: int | None = None,
) -> Comparison:
    """Cross-validate classifiers on the same splits, and test them against the first.

    Parameters
    ----------
    estimators : dict of str to estimator
        The classifiers by name, perhaps pipelines or searches, which then choose inside each
        training part. The first is what the others are compared with.
    X : array-like of shape (n_samples, n_features)
        The samples; or their similarities, where the classifiers take those.
    y : array-like of shape (n_samples,)
        Their classes.
    cv : int, splitter or None, default=None
        As everywhere in scikit-learn: None for five stratified folds.
    n_jobs : int or None, default=None
        Number of processes, as everywhere in scikit-learn.

    Returns
    -------
    Comparison
        Scores, decisions and tests; ``print`` shows a table.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from nearkin import datasets
    >>> from nearkin.classify import KNN, SDA
    >>> from nearkin.evaluate import compare
    >>> X, y = datasets.load("iris", return_X_y=True)
    >>> found = compare({"majority": DummyClassifier(), "k-NN": KNN(5), "SDA": SDA()}, X, y)
    >>> print(found)
    majority  0.333 ± 0.000  =
    k-NN      0.960 ± 0.037  ≫
    SDA       0.920 ± 0.038  ≫
    """
    if not isinstance(estimators, Mapping):
        raise TypeError(
            "estimators: expected a dict of names and estimators, such as {'k-NN': KNN(5)}, got "
            f"{type(estimators).__name__}"
        )
    if not estimators:
        raise ValueError("estimators: there is nothing to compare")
    y = np.asarray(y)
    splits = list(check_cv(cv, y, classifier=True).split(X, y))
    work = [(one, train, test) for one in estimators.values() for train, test in splits]
    done = Parallel(n_jobs=n_jobs)(
        delayed(_right)(clone(one), X, y, train, test) for one, train, test in work
    )
    by_method = [done[at : at + len(splits)] for at in range(0, len(done), len(splits))]
    scores = np.array([[right.mean() for right in one] for one in by_method])
    right = np.array([np.concatenate(one) for one in by_method])
    n_train, n_test = (int(np.mean([len(split[part]) for split in splits])) for part in (0, 1))
    p_values, sign_p_values = np.full((2, len(scores)), np.nan)
    for at in range(1, len(scores)):
        if len(splits) > 1:
            found = corrected_t(scores[at], scores[0], n_train=n_train, n_test=n_test)
            p_values[at] = np.nan if found is None else found["p"]
        sign_p_values[at] = sign_test(right[at], right[0])["p"]
    return Comparison(list(estimators), scores, right, p_values, sign_p_values)


def _right(estimator: Any, X: Any, y: Any, train: Any, test: Any) -> Any:
    """Where a classifier is right on the test part, having seen the training part."""
    X_train, y_train = _safe_split(estimator, X, y, train)
    X_test, y_test = _safe_split(estimator, X, y, test, train)
    return np.asarray(estimator.fit(X_train, y_train).predict(X_test)) == y_test
