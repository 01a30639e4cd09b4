"""Prediction over Dask arrays and data frames: a fitted model on every worker, or none."""

import pickle
import uuid
from functools import lru_cache, partial

import dask
import dask.array as da
import numpy as np
from distributed import default_client
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import classify
from nearkin.blocks import Engine, Plan, answer_blocks, rule_blocks
from nearkin.blocks._entry import how_to_read
from nearkin.dask._cluster import worker_threads
from nearkin.dask._collections import blocks, delayed_blocks, is_dask, is_frame, like
from nearkin.dask._fitting import begin
from nearkin.dask._learn import DaskLearner

# What is asked of each query, and whether the answer has a column for each class.
_QUESTIONS = {
    "predict": False,
    "predict_proba": True,
    "predict_log_proba": True,
    "decision_function": None,
}


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
            client = _current_client()
        if not is_dask(X) or client is None:
            if plan == "grid":
                raise ValueError("plan: a grid needs X as a Dask collection, and a cluster")
            self.plan_ = Plan("broadcast", "the training rows are here", 0)
            return super().fit(*dask.compute(X, y))
        sample, cluster, say = begin(self, X, client)
        pairs = blocks(X, y)
        ways = {
            "learn": partial(self._learn_in_blocks, X, y, client),
            "fit": partial(self._fit_here, X, y),
        }
        found = rule_blocks(cluster, pairs, self, sample, plan=plan, say=say, **ways)
        if found["rule"] is None:
            self._fit_here(X, y)
        else:
            self._rule, self._pairs = found["rule"], pairs
            self.classes_ = found["classes"]
            if self._asks_neighbours:
                self.n_neighbors_ = self._rule.k
                self._note(found["notes"])
        self.plan_, self.size_ = found["plan"], found["size"]
        return self

    def _fit_here(self, X, y):
        """Fit in this process, with all training rows."""
        return super().fit(*dask.compute(X, y))

    def _forget(self):
        """What an earlier fit may have left."""
        for name in ("_rule", "_pairs", "_training", "_classifier", "_measure", "size_"):
            vars(self).pop(name, None)

    def _learn_in_blocks(self, X, y, client):
        """What a learner among the parameters learns from blocks; None where there is none."""
        self._keep_or_drop("measure_", None)
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
            promised = self._by_grid(parts, like(X), question)
        else:
            promised = self._by_model(parts, question, tail, dtype)
        answers = [
            da.from_delayed(answer, shape=(length, *tail), dtype=dtype)
            for answer, length in zip(promised, lengths, strict=True)
        ]
        return da.concatenate(answers)

    def _by_model(self, parts, question, tail, dtype):
        """Answers of a model that goes to every worker."""
        # As bytes: arrays that travel by themselves may arrive where the core cannot read them,
        # and a worker puts a model together once, not once a task.
        model = dask.delayed(pickle.dumps(self), pure=False, name=f"model-{_token()}")
        every = [[value] * len(parts) for value in (question, tail, dtype)]
        engine = Lazy(type(self).__name__)
        return engine.map_as(question, _ask, [model] * len(parts), parts, *every)

    def _by_grid(self, parts, sample, question):
        """Answers from the neighbours that blocks of training rows have found."""
        engine, mask = Lazy(type(self).__name__), self._rule.how[0]
        _, precision, *_ = how_to_read(sample, mask, True)
        said = answer_blocks(engine, self._rule, self._pairs, parts, (mask, precision, False))
        shell = clone(self), self.classes_
        return engine.map_as(
            question, _tell, [shell] * len(said), said, [question] * len(said)
        )

    def _here(self, X, question):
        """Answers about queries that are in this process, from blocks that are not."""
        X = X if hasattr(X, "iloc") else np.asarray(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        [answer] = self._by_grid([X], X, question)
        return answer.compute()

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


class Lazy(Engine):
    """Tasks that nobody runs until their results are asked for."""

    def __init__(self, title):
        super().__init__(threads=worker_threads)
        self.title = title.lower()

    def map(self, function, *iterables):
        """Tasks not computed yet, named by what they do."""
        return self.map_as(function.__name__, function, *iterables)

    def map_as(self, name, function, *iterables):
        """The same under another name."""
        task = dask.delayed(function, pure=False)
        calls = zip(*iterables, strict=True)
        return [task(*call, dask_key_name=f"{self.title}-{name}-{_token()}") for call in calls]


def _current_client():
    try:
        return default_client()
    except ValueError:
        return None


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


def _tell(shell, said, question):
    """The answer to a question, from what the rule says."""
    estimator, classes = shell
    estimator = clone(estimator)  # other tasks of this process may have the same one
    estimator.classes_, estimator._ask = classes, lambda _: said
    return getattr(super(DaskClassifier, estimator), question)(None)


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
