"""Prediction over Dask arrays and data frames: a fitted model on every worker."""

import pickle
import uuid
from functools import lru_cache

import dask
import dask.array as da
import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from nearkin import classify
from nearkin.dask._cluster import worker_threads
from nearkin.dask._collections import delayed_blocks, is_dask, is_frame

# What is asked of each query, and whether the answer has a column for each class.
_QUESTIONS = {
    "predict": False,
    "predict_proba": True,
    "predict_log_proba": True,
    "decision_function": None,
}


class DaskClassifier:
    """A classifier that is fitted in one place and asked everywhere.

    Training rows must fit in memory: the rules of this family compare a query with all of them.
    Queries may be as many as there are; each block is asked by itself.
    """

    def fit(self, X, y):
        """Keep and look through the training samples.

        Parameters
        ----------
        X : array-like or Dask collection of shape (n_samples, n_features)
            The training samples, as for the classifier on one machine; a Dask collection is
            computed first.
        y : array-like or Dask collection of shape (n_samples,)
            Their classes.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        X, y = dask.compute(X, y)
        return super().fit(X, y)

    def _everywhere(self, X, question):
        check_is_fitted(self)
        if not is_frame(X) and X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        columns = _QUESTIONS[question]
        # Two classes have one score.
        wide = columns or (columns is None and len(self.classes_) > 2)
        tail = (len(self.classes_),) if wide else ()
        dtype = self.classes_.dtype if question == "predict" else np.dtype(float)
        lengths = [np.nan] * X.npartitions if is_frame(X) else X.chunks[0]
        # As bytes: arrays that travel by themselves may arrive where the core cannot read them,
        # and a worker puts a model together once, not once a task.
        model = dask.delayed(pickle.dumps(self), pure=False, name=f"model-{_token()}")
        name = f"{type(self).__name__.lower()}-{question}"
        ask = dask.delayed(_ask, pure=False)
        answers = [
            da.from_delayed(
                ask(model, block, question, tail, dtype, dask_key_name=f"{name}-{_token()}"),
                shape=(length, *tail),
                dtype=dtype,
            )
            for block, length in zip(delayed_blocks(X), lengths, strict=True)
        ]
        return da.concatenate(answers)


def _token():
    return uuid.uuid4().hex


@lru_cache(maxsize=2)
def _model(pickled, threads):
    model = pickle.loads(pickled)
    model.n_jobs = threads
    return model


def _ask(pickled, X, question, tail, dtype):
    """The model's answers about one block."""
    if len(X) == 0:
        return np.empty((0, *tail), dtype=dtype)
    return getattr(_model(pickled, worker_threads()), question)(X)


def _lifted(question):
    def on_one_machine(self):
        return getattr(super(DaskClassifier, self), question)

    def method(self, X):
        if not is_dask(X):
            return on_one_machine(self)(X)
        return self._everywhere(X, question)

    method.__name__ = question
    method.__doc__ = f"""``{question}`` of the queries, as lazy as they are.

        Parameters
        ----------
        X : array-like or Dask collection of shape (n_queries, n_features)
            The queries.

        Returns
        -------
        array or dask.array.Array
            What ``{question}`` on one machine gives, to the bit.
        """
    return available_if(on_one_machine)(method)


for _question in _QUESTIONS:
    setattr(DaskClassifier, _question, _lifted(_question))


class KNN(DaskClassifier, classify.KNN):
    """:class:`nearkin.classify.KNN` asked over Dask arrays and data frames."""


class SKNN(DaskClassifier, classify.SKNN):
    """:class:`nearkin.classify.SKNN` asked over Dask arrays and data frames."""


class SDA(DaskClassifier, classify.SDA):
    """:class:`nearkin.classify.SDA` asked over Dask arrays and data frames."""


class NNSDA(DaskClassifier, classify.NNSDA):
    """:class:`nearkin.classify.NNSDA` asked over Dask arrays and data frames."""


class LocalSDA(DaskClassifier, classify.LocalSDA):
    """:class:`nearkin.classify.LocalSDA` asked over Dask arrays and data frames."""


class MixtureSDA(DaskClassifier, classify.MixtureSDA):
    """:class:`nearkin.classify.MixtureSDA` asked over Dask arrays and data frames."""
