"""The learners of a similarity over Dask arrays and data frames."""

import warnings

import dask.array as da

from nearkin import _saved, learn
from nearkin.blocks import learn_blocks
from nearkin.dask._collections import blocks, is_dask, one_target
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


class RBS(DaskLearner, learn.RBS):
    """:class:`nearkin.learn.RBS` over Dask arrays and data frames."""


class RBSPSD(DaskLearner, learn.RBSPSD):
    """:class:`nearkin.learn.RBSPSD` over Dask arrays and data frames."""


class SRBS(DaskLearner, learn.SRBS):
    """:class:`nearkin.learn.SRBS` over Dask arrays and data frames."""


class SRBSPSD(DaskLearner, learn.SRBSPSD):
    """:class:`nearkin.learn.SRBSPSD` over Dask arrays and data frames."""


class SiLA(DaskLearner, learn.SiLA):
    """Not on a cluster: ``fit`` says why."""
