"""The weighting selectors over Dask arrays and data frames."""

import numpy as np
from sklearn.utils.validation import validate_data

from nearkin import weigh
from nearkin.blocks import weigh_blocks
from nearkin.dask._collections import blocks, is_dask, is_frame, like
from nearkin.dask._fitting import begin


class DaskWeigher:
    """``fit`` and ``transform`` of a weighting selector on Dask collections."""

    def fit(self, X, y, *, plan="auto", client=None):
        """Weigh the features on a Dask cluster; the same bits as on one machine.

        Parameters
        ----------
        X : dask.array.Array or dask.dataframe.DataFrame of shape (n_samples, n_features)
            The samples, in blocks of rows of any length.
        y : Dask array or series, or array-like, of shape (n_samples,)
            What is to be explained about each sample.
        plan : {'auto', 'broadcast', 'grid'}, default='auto'
            Whether every worker gets all rows, or blocks meet blocks and no worker holds all;
            by size when left to the planner. ``plan_`` says what was done and why.
        client : distributed.Client or None, default=None
            The cluster; the current client when not given.

        Returns
        -------
        self : object
            The fitted selector.
        """
        sample, cluster, say = begin(self, X, client)
        self._count_selected()
        pairs = blocks(X, y, cluster.client)
        found = weigh_blocks(cluster, pairs, self, sample, plan=plan, say=say)
        self.plan_, self.size_ = found["plan"], found["size"]
        if self._explains_classes:
            self.classes_ = found["classes"]
        self._keep_found(found)
        return self

    def transform(self, X):
        """Keep the selected features.

        Parameters
        ----------
        X : Dask array or data frame, or array-like, of shape (n_samples, n_features)
            Samples with the features seen in ``fit``.

        Returns
        -------
        collection or array of shape (n_samples, n_selected_features)
            The samples with the selected features only, as lazy as X.
        """
        if not is_dask(X):
            return super().transform(X)
        kept = np.flatnonzero(self.get_support())
        # No rows, but their columns: scikit-learn compares names and numbers of them.
        validate_data(self, like(X), reset=False, skip_check_array=True)
        return X[list(X.columns[kept])] if is_frame(X) else X[:, kept]


class ReliefF(DaskWeigher, weigh.ReliefF):
    """:class:`nearkin.weigh.ReliefF` over Dask arrays and data frames."""


class ClassDependentRelief(DaskWeigher, weigh.ClassDependentRelief):
    """:class:`nearkin.weigh.ClassDependentRelief` over Dask arrays and data frames."""


class RReliefF(DaskWeigher, weigh.RReliefF):
    """:class:`nearkin.weigh.RReliefF` over Dask arrays and data frames."""


class SURF(DaskWeigher, weigh.SURF):
    """:class:`nearkin.weigh.SURF` over Dask arrays and data frames."""


class SURFStar(DaskWeigher, weigh.SURFStar):
    """:class:`nearkin.weigh.SURFStar` over Dask arrays and data frames."""


class MultiSURF(DaskWeigher, weigh.MultiSURF):
    """:class:`nearkin.weigh.MultiSURF` over Dask arrays and data frames."""


class MultiSURFStar(DaskWeigher, weigh.MultiSURFStar):
    """:class:`nearkin.weigh.MultiSURFStar` over Dask arrays and data frames."""


class DReliefF(DaskWeigher, weigh.DReliefF):
    """Not on a cluster: ``fit`` says why."""


class PDReliefF(DaskWeigher, weigh.PDReliefF):
    """Not on a cluster: ``fit`` says why."""
