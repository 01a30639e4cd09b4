"""How rows of a table are compared, for classifiers that know no more of samples."""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone

from nearkin import _core, _parameters
from nearkin.learn import BaseLearner, Similarity
from nearkin.learn._base import Dissimilarity


def measures():
    """Names and summaries of the measures that compare rows of a table.

    Returns
    -------
    dict of str to str
        For each name that ``measure`` takes, what it is.

    Examples
    --------
    >>> from nearkin.classify import measures
    >>> measures()["counting"]
    'the number of columns that agree'
    """
    return {name: one["summary"] for name, one in _parameters.declarations("measure").items()}


class MeasureMixin:
    """The measure of a classifier: one by name, a learner, a similarity, or a function."""

    def _learn_measure(self, X, y):
        """Fit the learner that is to say how alike rows are, if there is one."""
        learner = isinstance(self.measure, BaseLearner)
        function = callable(self.measure) and not isinstance(self.measure, type)
        if not (learner or isinstance(self.measure, str | Similarity) or function):
            raise TypeError(
                "measure: expected the name of a measure, an estimator of nearkin.learn, a "
                "Similarity or a function of two rows, got "
                f"{self.measure!r} of type {type(self.measure).__name__}"
            )
        learner = learner and self._given() is None
        if learner and getattr(self.measure, "mode", None) == "one-vs-rest":
            raise ValueError(
                "measure: a classifier needs one similarity and mode='one-vs-rest' learns one for "
                "each class; learn with mode='multi-class'"
            )
        self._check_measure_params({} if self.measure_params is None else self.measure_params)
        self._known = self._function = None
        if self._given() is None:
            self._take_ready_measure()
        if learner:
            self.measure_ = clone(self.measure).fit(X, y)

    def _take_ready_measure(self):
        """Keep the similarity, or the function, that was given as the measure."""
        measure = self.measure
        if isinstance(measure, Dissimilarity):
            measure = measure.similarity
        ready = isinstance(measure, Similarity)
        if not ready and (isinstance(measure, str | BaseLearner)):
            return
        if self._training.nominal is not None:
            at = int(np.argmax(self._training.nominal))
            name = (self._names() or [f"x{at}" for at in range(self.n_features_in_)])[at]
            raise ValueError(
                f"measure: column `{name}` is nominal, and this measure compares rows of numbers; "
                "encode or drop it, or use a measure of categories such as 'heom'"
            )
        if not ready:
            self._function = measure
            return
        measure._rows(self._training.numbers, "X")
        self._known = measure._about(self._names())

    def _takes_sparse(self):
        """Whether the measure compares rows of a sparse matrix."""
        if isinstance(self.measure, BaseLearner):
            return self.measure.__sklearn_tags__().input_tags.sparse
        return isinstance(self.measure, Similarity | Dissimilarity)

    def _is_sparse(self):
        """Whether the training rows are sparse."""
        return self._given() is None and issparse(self._training.numbers)

    def _similarity(self):
        """The similarity that compares rows: learned by ``measure_``, or given; else None."""
        return self.measure_.similarity_ if hasattr(self, "measure_") else self._known

    def _measure_settings(self):
        """The user's settings of the measure's parameters, as texts."""
        declared = _parameters.declarations("measure")
        given = {} if self.measure_params is None else self.measure_params
        self._check_measure_params(given)
        if self.measure not in declared:
            return {}  # the core says which measures there are
        known = {p["python"]: p for p in declared[self.measure]["parameters"]}
        for name in given:
            if name not in known:
                there = ", ".join(known) or "none"
                raise ValueError(f"{name}: {self.measure} has no such parameter; it has {there}")
        return {name: _parameters.text(known[name], value) for name, value in given.items()}

    def _check_measure_params(self, given):
        if not isinstance(given, Mapping):
            raise TypeError(f"measure_params: expected a dict or None, got {given!r}")
        if given and not isinstance(self.measure, str):
            raise ValueError(
                "measure_params: they are settings of a measure that goes by its name, and "
                f"measure is a {type(self.measure).__name__}; give it what it needs itself"
            )

    def _fit_measure(self):
        if self._function is not None:
            return
        if self._similarity() is not None:
            self._measure = self._similarity()._inner.measure()
            return
        self._measure = _core.measure(
            self.measure,
            self._training.rows(),
            self._measure_settings(),
            y=self._codes,
            class_names=self._class_names,
            feature_names=self._names(),
        )

    def _compared(self, queries, references, threads, show):
        if self._function is not None:
            return called_for_all(self._function, queries.numbers, references.numbers)
        if self._is_sparse():
            return self._similarity()._between(queries.numbers, references.numbers, threads, show)
        names = self._compared_names()
        options = {"feature_names": names, "threads": threads, "progress": show}
        return self._measure.between(queries.rows(), references.rows(), **options)

    def _measures_itself(self):
        """True where the core compares rows of a table, and no function, or nobody any more."""
        return self._given() is None and self._function is None and not self._is_sparse()

    def _compared_names(self):
        """What the core is to call the columns: a similarity may know them by names of its own."""
        similarity = self._similarity()
        return self._names() if similarity is None else similarity._inner.feature_names


def called_for_all(function, queries, references):
    """The values of a function of two rows for every pair."""
    s = np.array([[function(x, z) for z in references] for x in queries], dtype=np.float64)
    if s.shape != (len(queries), len(references)) or not np.isfinite(s).all():
        raise ValueError("measure: the function must give a finite number for every two rows")
    return s
