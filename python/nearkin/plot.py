"""Pictures of what was found, by matplotlib.

Every function draws into ``ax``, or into a new figure, and returns the axes. matplotlib is
not installed with nearkin: ``pip install nearkin[plot]``.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from nearkin.classify import SDA

__all__ = ["accuracy_curve", "class_weights", "laws", "margins", "similarity", "weights"]


def _axes(ax: Any, **size: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "plots need matplotlib, which is not installed: pip install matplotlib"
        ) from error
    return plt.figure(**size).subplots()


def _check(fitted: Any, name: str, attribute: str, expected: str) -> None:
    """Refuse what is not fitted, and what lacks the numbers that a picture shows."""
    if not isinstance(fitted, BaseEstimator):
        raise TypeError(f"{name}: expected {expected}, got {fitted!r}")
    check_is_fitted(fitted)
    if not hasattr(fitted, attribute):
        raise TypeError(f"{name}: expected {expected}, got a {type(fitted).__name__}")


def _check_place(name: str, value: Any, count: int, what: str) -> None:
    """Refuse what is no place in a list."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name}: expected an int, got {value!r} of type {type(value).__name__}")
    if not 0 <= int(value) < count:
        raise ValueError(f"{name}: {what} are 0 to {count - 1}, got {value}")


def _check_count(name: str, value: Any) -> None:
    """Refuse what counts nothing."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name}: expected an int, got {value!r} of type {type(value).__name__}")
    if int(value) < 1:
        raise ValueError(f"{name}: must be at least 1, got {value}")


def _first_statistic(sda: Any) -> Any:
    statistics = sda.statistics
    return statistics.split(",")[0] if isinstance(statistics, str) else next(iter(statistics))


def _feature_names(fitted: Any) -> Any:
    width = fitted.n_features_in_
    return np.asarray(getattr(fitted, "feature_names_in_", [f"x{at}" for at in range(width)]))


def weights(selector: Any, *, n_features: int = 20, ax: Any = None) -> Any:
    """The weights of the heaviest features, with their intervals where there are some.

    Parameters
    ----------
    selector : estimator of :mod:`nearkin.weigh`
        A fitted one.
    n_features : int, default=20
        How many features to show.
    ax : matplotlib Axes or None, default=None
        Where to draw; a new figure when not given.

    Returns
    -------
    matplotlib Axes
        What was drawn into.
    """
    _check(selector, "selector", "top_features_", "a fitted estimator of nearkin.weigh")
    _check_count("n_features", n_features)
    top = selector.top_features_[:n_features][::-1]
    found, names = selector.feature_importances_, _feature_names(selector)
    ax = _axes(ax, layout="constrained")
    spread = None
    if hasattr(selector, "intervals_"):
        spread = np.abs(selector.intervals_[top].T - found[top])
    ax.barh(np.arange(len(top)), found[top], xerr=spread, color="tab:blue")
    ax.set_yticks(np.arange(len(top)), names[top])
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(f"weight ({type(selector).__name__})")
    return ax


def class_weights(selector: Any, *, n_features: int = 20, ax: Any = None) -> Any:
    """The weights of the heaviest features in each class.

    Parameters
    ----------
    selector : estimator of :mod:`nearkin.weigh`
        One that was fitted with ``per_class=True``.
    n_features : int, default=20
        How many features to show.
    ax : matplotlib Axes or None, default=None
        Where to draw; a new figure when not given.

    Returns
    -------
    matplotlib Axes
        What was drawn into.
    """
    _check(selector, "selector", "top_features_", "a fitted estimator of nearkin.weigh")
    _check_count("n_features", n_features)
    if not hasattr(selector, "class_weights_"):
        raise ValueError("selector: there are no weights of classes; fit it with per_class=True")
    top = selector.top_features_[:n_features]
    ax = _axes(ax, layout="constrained")
    cells = selector.class_weights_[:, top].T
    most = np.abs(cells).max() or 1.0
    image = ax.imshow(cells, aspect="auto", cmap="RdBu", vmin=-most, vmax=most)
    ax.set_xticks(np.arange(len(selector.classes_)), selector.classes_)
    ax.set_yticks(np.arange(len(top)), _feature_names(selector)[top])
    ax.set_xlabel("class")
    ax.figure.colorbar(image, ax=ax, label="weight")
    return ax


def accuracy_curve(
    selector: Any,
    classifier: Any,
    X: Any,
    y: ArrayLike,
    *,
    counts: Sequence[int] | None = None,
    cv: Any = None,
    ax: Any = None,
) -> Any:
    """Accuracy against the number of features kept, chosen anew in every training part.

    Parameters
    ----------
    selector : estimator of :mod:`nearkin.weigh`
        Which features to keep.
    classifier : estimator
        What is to do with them.
    X : array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        Their classes.
    counts : list of int or None, default=None
        Numbers of features to try; up to ten between 1 and all when not given.
    cv : int, splitter or None, default=None
        As everywhere in scikit-learn.
    ax : matplotlib Axes or None, default=None
        Where to draw; a new figure when not given.

    Returns
    -------
    matplotlib Axes
        What was drawn into.
    """
    if not hasattr(selector, "n_features_to_select"):
        raise TypeError(f"selector: expected an estimator of nearkin.weigh, got {selector!r}")
    if not hasattr(classifier, "fit"):
        raise TypeError(f"classifier: expected an estimator, got {classifier!r}")
    if counts is not None:
        counts = list(counts)
        for count in counts:
            _check_count("counts", count)
        if not counts:
            raise ValueError("counts: there is no number of features to try")
    if counts is None:
        counts = np.unique(np.geomspace(1, np.shape(X)[1], 10).round().astype(int)).tolist()
    pipelines = [
        make_pipeline(clone(selector).set_params(n_features_to_select=n), clone(classifier))
        for n in counts
    ]
    scores = np.array([cross_val_score(pipeline, X, y, cv=cv) for pipeline in pipelines])
    ax = _axes(ax, layout="constrained")
    error = scores.std(axis=1) / np.sqrt(scores.shape[1])
    ax.errorbar(counts, scores.mean(axis=1), yerr=error, marker="o", capsize=3)
    ax.set_xlabel("features kept")
    ax.set_ylabel("accuracy")
    return ax


def margins(learner: Any, *, which: int = 0, ax: Any = None) -> Any:
    """The margins of the training rows before and after learning, each in order of size.

    Parameters
    ----------
    learner : estimator of :mod:`nearkin.learn`
        A fitted one.
    which : int, default=0
        Which of its ``similarities_``, where there is one for each class.
    ax : matplotlib Axes or None, default=None
        Where to draw; a new figure when not given.

    Returns
    -------
    matplotlib Axes
        What was drawn into.
    """
    _check(learner, "learner", "margins_after_", "a fitted estimator of nearkin.learn")
    _check_place("which", which, len(learner.margins_after_), "similarities_")
    if len(learner.margins_after_[which]) == 0:
        raise ValueError("learner: it has no margins, since there was nothing to learn: see notes_")
    ax = _axes(ax, layout="constrained")
    for label, found in (("before", learner.margins_before_), ("after", learner.margins_after_)):
        ax.plot(np.sort(found[which]), label=label)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xlabel("rows, the worst first")
    ax.set_ylabel("margin")
    ax.legend()
    return ax


def similarity(s: Any, y: Any = None, *, ax: Any = None) -> Any:
    """A similarity matrix as a heat map, samples in order of class.

    Parameters
    ----------
    s : array-like of shape (n_samples, n_samples)
        The similarities.
    y : array-like of shape (n_samples,) or None, default=None
        The classes; samples stay as they are when not given.
    ax : matplotlib Axes or None, default=None
        Where to draw; a new figure when not given.

    Returns
    -------
    matplotlib Axes
        What was drawn into.
    """
    options = {"ensure_2d": False, "allow_nd": True, "ensure_all_finite": "allow-nan"}
    s = check_array(s, input_name="s", dtype=np.float64, **options)
    if s.ndim != 2 or s.shape[0] != s.shape[1]:
        raise ValueError(f"s: expected as many rows as columns, got {s.shape}")
    ax = _axes(ax, layout="constrained")
    if y is not None:
        y = np.asarray(y)
        if y.shape != (len(s),):
            raise ValueError(f"y: expected {len(s)} classes, got an array of shape {y.shape}")
        order = np.argsort(y, kind="stable")
        s = s[np.ix_(order, order)]
        names, counts = np.unique(y, return_counts=True)
        ends = np.cumsum(counts)
        for end in ends[:-1]:
            ax.axhline(end - 0.5, color="white", linewidth=0.8)
            ax.axvline(end - 0.5, color="white", linewidth=0.8)
        middles = ends - counts / 2 - 0.5
        ax.set_xticks(middles, names)
        ax.set_yticks(middles, names)
    image = ax.imshow(s, cmap="viridis")
    ax.figure.colorbar(image, ax=ax, label="similarity")
    return ax


def laws(sda: SDA, *, statistic: int = 0, ax: Any = None) -> Any:
    """The fitted laws of the similarity to a class's centroid, beside the training samples.

    Both are drawn as shares of samples up to each similarity, one colour a class: where the
    dashed law is far from the line, the law does not describe the class.

    Parameters
    ----------
    sda : SDA
        A fitted one, whose first statistic is the similarity to centroids.
    statistic : int, default=0
        The class, by its place in ``classes_``, whose centroid is looked at.
    ax : matplotlib Axes or None, default=None
        Where to draw; a new figure when not given.

    Returns
    -------
    matplotlib Axes
        What was drawn into.
    """
    _check(sda, "sda", "laws_", "a fitted SDA")
    if not isinstance(sda, SDA) or _first_statistic(sda) != "centroid":
        raise TypeError(
            "sda: expected a fitted SDA whose statistic is the similarity to centroids, got "
            f"{sda!r}"
        )
    _check_place("statistic", statistic, len(sda.classes_), "the classes")
    s = sda._training_similarities()
    (centroid,) = sda.prototypes_[statistic]
    support = np.unique(s)
    ax = _axes(ax, layout="constrained")
    for code, name in enumerate(sda.classes_):
        values = np.sort(s[sda._codes == code, centroid])
        (line,) = ax.step(
            values, np.arange(1, len(values) + 1) / len(values), where="post", label=str(name)
        )
        (law,) = (
            one for one in sda.laws_ if one["class"] == name and one["statistic"] == statistic
        )
        exponent = law["lambda"] * support
        p = np.exp(exponent - exponent.max())
        ax.plot(support, np.cumsum(p) / p.sum(), "--", color=line.get_color())
    ax.set_xlabel(f"similarity to the centroid of {sda.classes_[statistic]}")
    ax.set_ylabel("share of samples; laws dashed")
    ax.legend(title="class")
    return ax
