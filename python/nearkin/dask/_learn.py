"""The learners of a similarity over Dask arrays and data frames."""

import pickle
import warnings

import dask
import dask.array as da
import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import _saved, learn
from nearkin.blocks import learn_blocks
from nearkin.dask._collections import blocks, delayed_blocks, is_dask, is_frame, like, one_target
from nearkin.dask._fitting import begin


class DaskLearner:
    """``fit`` of a learner on Dask collections."""

    _in_blocks = True

    def fit(self, X, y, *, plan="auto", client=None):
        """Learn from labelled rows on a Dask cluster; the same bits as on one machine.

        Parameters
        ----------
        X : dask.array.Array or dask.dataframe.DataFrame of shape (n_samples, n_features)
            The samples: finite numbers, in blocks of rows of any length. What is no Dask
            collection is learned from here.
        y : Dask array or series, or array-like, of shape (n_samples,)
            Their classes.
        plan : {'auto', 'broadcast', 'grid'}, default='auto'
            Whether every worker gets all rows while neighbours are found, or blocks meet blocks
            and nobody holds all; by size when left to the planner. ``plan_`` says what was done
            and why.
        client : distributed.Client or None, default=None
            The cluster; the current client when not given.

        Returns
        -------
        self : object
            The fitted learner.
        """
        if not is_dask(X):
            return super().fit(X, y)
        sample, cluster, say = begin(self, X, client)
        target = one_target(y)
        pairs = blocks(X, target, cluster.client)
        found = learn_blocks(cluster, pairs, self, sample, plan=plan, say=say)
        self.classes_, self.plan_, self.size_ = found["classes"], found["plan"], found["size"]
        # The name of a Dask array is no word of the user's.
        self._keep_words(_saved.words(None if isinstance(target, da.Array) else target))
        if "reason" in found:
            warnings.warn(f"{found['reason']}. The plain similarity is used", stacklevel=2)
            found = self._plain(found["reason"], [str(name) for name in self.classes_])
        self._keep_found(found)
        self._note(found["notes"])
        return self


class DaskMapper(DaskLearner):
    """``transform`` of a learner on Dask collections."""

    @available_if(lambda self: self._maps())
    def transform(self, X):
        """Map rows to where the inner product is the learned similarity.

        Parameters
        ----------
        X : Dask array or data frame, or array-like, of shape (n_samples, n_features)
            Samples with the features seen in ``fit``.

        Returns
        -------
        Dask array, or array, of shape (n_samples, n_components)
            The mapped rows; of a Dask collection, computed block by block when asked for.
        """
        if not is_dask(X):
            return super().transform(X)
        check_is_fitted(self)
        # No rows, but their columns: scikit-learn compares names and numbers of them.
        rows = like(X)
        validate_data(self, rows, reset=False, skip_check_array=True)
        kinds = set(rows.dtypes) if is_frame(X) else {X.dtype}
        single = kinds == {np.dtype(np.float32)}
        dtype = np.dtype(np.float32 if single else np.float64)
        lengths = [np.nan] * X.npartitions if is_frame(X) else X.chunks[0]
        model, mapped = dask.delayed(pickle.dumps(self)), dask.delayed(_mapped)
        answers = [
            da.from_delayed(mapped(model, part, dtype), (length, self._n_features_out), dtype=dtype)
            for part, length in zip(delayed_blocks(X), lengths, strict=True)
        ]
        return da.concatenate(answers)


def _mapped(model, part, dtype):
    """A block of rows, mapped."""
    learner = pickle.loads(model)
    if not len(part):
        return np.empty((0, learner._n_features_out), dtype=dtype)
    return np.asarray(learner.transform(part), dtype=dtype)


class RBS(DaskLearner, learn.RBS):
    """:class:`nearkin.learn.RBS` over Dask arrays and data frames."""


class RBSPSD(DaskMapper, learn.RBSPSD):
    """:class:`nearkin.learn.RBSPSD` over Dask arrays and data frames."""


class SRBS(DaskLearner, learn.SRBS):
    """:class:`nearkin.learn.SRBS` over Dask arrays and data frames."""


class SRBSPSD(DaskMapper, learn.SRBSPSD):
    """:class:`nearkin.learn.SRBSPSD` over Dask arrays and data frames."""


class SiLA(DaskLearner, learn.SiLA):
    """Not on a cluster: ``fit`` says why."""
