"""Prediction over Dask arrays and data frames: a fitted model on every worker, or none."""

from functools import partial

import dask.array as da
import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import classify
from nearkin.blocks import Plan, answer_blocks, rule_blocks
from nearkin.dask._asking import Lazy, ask, current_client, is_there, sent, tell
from nearkin.dask._collections import (
    blocks,
    computed,
    delayed_blocks,
    is_dask,
    is_frame,
    like,
    one_target,
)
from nearkin.dask._fitting import begin
from nearkin.dask._learn import DaskLearner

# What is asked of each query, and whether the answer has a column for each class.
_QUESTIONS = {
    "predict": False,
    "predict_proba": True,
    "predict_log_proba": True,
    "decision_function": None,
}

# What belongs to this process and its cluster, and is not pickled.
_HERE = "_client", "_sent"


class DaskClassifier:
    """A classifier that is asked everywhere, whose training rows are everywhere or nowhere.

    By *broadcast* it is fitted in one place and goes to every worker with its training rows. By
    *grid* training rows stay in their blocks, and each block of queries meets each of them:
    ``fit`` of :class:`KNN` and :class:`SKNN` looks through them for what the measure has to know;
    the SDA family is fitted in one place, since that takes all pairs of training rows, and goes to
    workers without them. Queries may be as many as there are.

    ``plan_`` says what was done and why.
    """

    def fit(self, X, y, *, plan="auto", client=None):
        """Keep the training samples, or remember where they are.

        Parameters
        ----------
        X : array-like or Dask collection of shape (n_samples, n_features)
            The training samples, as for the classifier on one machine.
        y : array-like or Dask collection of shape (n_samples,)
            Their classes.
        plan : {'auto', 'broadcast', 'grid'}, default='auto'
            Whether every worker gets all training rows, or nobody does and blocks of queries meet
            blocks of training rows, which are read again when queries are asked: persist X to
            keep them in the workers' memory. By size when left to the planner.
        client : distributed.Client or None, default=None
            The cluster; the current client when not given. Without any, training rows are
            collected here.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._forget()
        if client is None:
            client = current_client()
        if not is_dask(X) or client is None:
            if plan == "grid":
                raise ValueError("plan: a grid needs X as a Dask collection, and a cluster")
            self._fit_here(X, y, client)
            self.plan_ = Plan("broadcast", "the training rows are here", 0)
            return self
        sample, cluster, say = begin(self, X, client)
        pairs = blocks(X, y, client)
        ways = {
            "learn": partial(self._learn_in_blocks, X, y, client),
            "fit": partial(self._fit_here, X, y, client),
        }
        found = rule_blocks(cluster, pairs, self, sample, plan=plan, say=say, **ways)
        if found["rule"] is None:
            self._fit_here(X, y, client)
        else:
            self._client = client
            self._rule, self._pairs = found["rule"], pairs
            self.classes_ = found["classes"]
            if self._asks_neighbours:
                self.n_neighbors_ = self._rule.k
                self._note(found["notes"])
        self.plan_, self.size_ = found["plan"], found["size"]
        return self

    def _fit_here(self, X, y, client):
        """Fit in this process, with all training rows."""
        super().fit(*computed(client, X, one_target(y)))
        self._client = client
        return self

    @property
    def _hidden(self):
        return (*super()._hidden, "_rule", "_pairs", *_HERE)

    def __getstate__(self):
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in _HERE}

    def _asked_client(self):
        """The client that computes answers: that of ``fit`` while it runs, or the current one."""
        client = vars(self).get("_client")
        return client if getattr(client, "status", None) == "running" else current_client()

    def _learn_in_blocks(self, X, y, client):
        """The similarity that a learner among the parameters learns from blocks, or None."""
        if not isinstance(self.measure, DaskLearner):
            return None
        self.measure_ = clone(self.measure).fit(X, y, client=client)
        return self.measure_.similarity_

    def _everywhere(self, X, question):
        check_is_fitted(self)
        if is_frame(X) or self._given() is None:
            # No rows, but their columns: scikit-learn compares names and numbers of them.
            validate_data(self, like(X), reset=False, skip_check_array=True)
        elif X.shape[1] != self.n_features_in_:
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
        parts = delayed_blocks(X)
        if hasattr(self, "_rule"):
            known = [None if np.isnan(length) else int(length) for length in lengths]
            promised = self._by_grid(parts, known, question)
        else:
            promised = self._by_model(parts, question, tail, dtype)
        answers = [
            da.from_delayed(answer, shape=(length, *tail), dtype=dtype)
            for answer, length in zip(promised, lengths, strict=True)
        ]
        return da.concatenate(answers)

    def _by_model(self, parts, question, tail, dtype):
        """Answers of a model that goes to every worker."""
        engine, client = Lazy(type(self).__name__), self._asked_client()
        whose, model = vars(self).get("_sent", (None, None))
        if model is None or whose is not client or not is_there(model):
            model = sent(engine, self, client)
            self._sent = client, model
        every = [[value] * len(parts) for value in (question, tail, dtype)]
        return engine.map_as(question, ask, [model] * len(parts), parts, *every)

    def _by_grid(self, parts, lengths, question):
        """Answers from the neighbours that blocks of training rows have found."""
        engine = Lazy(type(self).__name__)
        said = answer_blocks(engine, self._rule, self._pairs, parts, lengths)
        every = [[value] * len(said) for value in ((clone(self), self.classes_), DaskClassifier)]
        return engine.map_as(question, tell, *every, said, [question] * len(said))

    def _here(self, X, question):
        """Answers about queries that are in this process, from blocks that are not."""
        X = X if hasattr(X, "iloc") else np.asarray(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        [answer] = self._by_grid([X], [len(X)], question)
        return computed(self._asked_client(), answer)[0]

    def save(self, path):
        """Write the classifier to a file, where its training rows are in one place.

        Parameters
        ----------
        path : str or path-like
            The file.
        """
        self._refuse_grid("a file holds the training rows")
        super().save(path)

    @available_if(lambda self: hasattr(super(), "kneighbors"))
    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """The most similar training samples of each query, where those are in one place.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features) or None, default=None
            The queries, in this process.
        n_neighbors : int or None, default=None
            How many; as many as the classifier asks when not given.
        return_distance : bool, default=True
            Whether to return how far they are, too.

        Returns
        -------
        tuple of ndarray, or ndarray
            As on one machine.
        """
        self._refuse_grid("their numbers say nothing without the training rows")
        return super().kneighbors(X, n_neighbors, return_distance)

    def _left_rows(self):
        """Whether training rows are in their blocks and nowhere else."""
        return hasattr(self, "_rule") and "_training" not in vars(self)

    def _refuse_grid(self, why):
        if self._left_rows():
            raise ValueError(f"{why}, and this classifier left them in their blocks (plan grid)")


def _lifted(question):
    def on_one_machine(self):
        return getattr(super(DaskClassifier, self), question)

    def method(self, X):
        if is_dask(X):
            return self._everywhere(X, question)
        return self._here(X, question) if self._left_rows() else on_one_machine(self)(X)

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
    """:class:`nearkin.classify.KNN` over Dask arrays and data frames, by either plan."""


class SKNN(DaskClassifier, classify.SKNN):
    """:class:`nearkin.classify.SKNN` over Dask arrays and data frames, by either plan."""


class SDA(DaskClassifier, classify.SDA):
    """:class:`nearkin.classify.SDA` asked over Dask arrays and data frames."""


class NNSDA(DaskClassifier, classify.NNSDA):
    """:class:`nearkin.classify.NNSDA` asked over Dask arrays and data frames."""


class LocalSDA(DaskClassifier, classify.LocalSDA):
    """:class:`nearkin.classify.LocalSDA` asked over Dask arrays and data frames."""


class MixtureSDA(DaskClassifier, classify.MixtureSDA):
    """:class:`nearkin.classify.MixtureSDA` asked over Dask arrays and data frames."""
