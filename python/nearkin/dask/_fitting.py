"""How every ``fit`` on a cluster begins."""

import logging

import numpy as np

from nearkin.dask._cluster import Cluster
from nearkin.dask._collections import is_frame, like

_log = logging.getLogger("nearkin.dask")


def begin(estimator, X, client):
    """The shape of X without rows, the cluster, and a function that announces the plan."""
    sample, name = like(X), type(estimator).__name__
    cluster = Cluster(client, title=name, verbose=estimator.verbose)

    def say(words):
        _log.info("%s: %s", name, words)
        cluster.say(words)

    estimator._forget()
    estimator.n_features_in_ = sample.shape[1]
    names = np.asarray(sample.columns, dtype=object) if is_frame(X) else None
    named = names is not None and all(isinstance(name, str) for name in names)
    estimator._keep_if_there("feature_names_in_", names if named else None)
    return sample, cluster, say
