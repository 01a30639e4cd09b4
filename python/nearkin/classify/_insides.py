"""Insides of fitted classifiers: neighbours, prototypes and laws."""

from numbers import Integral

import numpy as np
from sklearn.utils.validation import check_is_fitted


class NeighboursMixin:
    """The neighbours of a query, for classifiers that ask them."""

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """The most similar training samples of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features) or None, default=None
            As for ``predict``; the training samples when not given, none its own neighbour.
        n_neighbors : int or None, default=None
            How many; as many as the classifier asks when not given.
        return_distance : bool, default=True
            Whether to return how far they are, too.

        Returns
        -------
        neigh_dist : ndarray of shape (n_queries, n_neighbors)
            Their distances: minus the similarity where that is what was measured.
        neigh_ind : ndarray of shape (n_queries, n_neighbors)
            Their places among the training samples, the most similar first; equal ones in order.
        """
        check_is_fitted(self)
        k = self.n_neighbors_ if n_neighbors is None else n_neighbors
        if not isinstance(k, Integral | None) or isinstance(k, bool):
            raise TypeError(
                f"n_neighbors: expected an int or None, got {k!r} of type {type(k).__name__}"
            )
        if k is None:
            raise ValueError("n_neighbors: neighbours are chosen by radius here; say how many")
        samples = len(self._codes)
        most = samples - (X is None)
        if not 1 <= k <= most:
            raise ValueError(f"n_neighbors: must be from 1 to {most}, got {k}")
        found = self._nearest(X, k)
        if found is not None:
            return found if return_distance else found[1]
        found = []
        for first, s in self._training_blocks() if X is None else enumerate(self._blocks(X)):
            if X is None:
                itself = np.arange(len(s))
                s[itself, first + itself] = -np.inf
            near = np.argsort(-s, axis=1, kind="stable")[:, :k]
            found.append((0 - np.take_along_axis(s, near, axis=1).astype(np.float64), near))
        distances, near = (np.concatenate(part) for part in zip(*found, strict=True))
        return (distances, near) if return_distance else near

    def _nearest(self, X, k):
        """The neighbours, where an engine finds them without the similarities of all pairs."""
        if not self._measures_itself():
            return None
        queries = None if X is None else self._queries(X).rows()
        options = {"feature_names": self._compared_names(), "threads": self._threads()}
        return self._measure.nearest(queries, self._training.rows(), k, **options)

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.n_neighbors_ = inside["k"]
        if inside["alpha"] is not None:
            self.alpha_ = inside["alpha"]


class PrototypesMixin:
    """The samples that stand for classes, for classifiers that have some."""

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.prototypes_ = [np.array(one, dtype=np.intp) for one in inside["prototypes"]]


class EvidenceMixin:
    """Evidence of laws about queries, for classifiers that have laws once fitted."""

    def evidence(self, X):
        """The evidence of each law about each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        list of list of dict
            For each query its laws: ``class``, ``what`` is measured and its ``value`` there,
            ``prototype`` (the training sample it is the similarity to, or None), ``log_p`` of the
            value, ``mean``, ``lambda`` and ``log_z``; of a mixture's part also ``component``, its
            ``weight`` and its ``responsibility``, the part's share in what the mixture says.
        """
        check_is_fitted(self)
        said = [self._classifier.evidence(np.ascontiguousarray(s)) for s in self._blocks(X)]
        return [[self._with_class(one) for one in of] for block in said for of in block]

    def outside_support(self, X):
        """Whether a similarity of each query lies where the laws were told that none can.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_queries,)
            True where a query is outside the support that was declared; nobody is where it is that
            of the training samples.
        """
        return self._said(X, "outside")

    def _with_class(self, law):
        return law | {"class": self.classes_[law["class"]]}


class LawsMixin(EvidenceMixin):
    """The laws of similarities, for classifiers that fit some before they see a query."""

    def _look_inside(self, inside):
        super()._look_inside(inside)
        self.laws_ = [self._with_class(one) for one in inside["laws"]]
        self.law_tables_ = inside["law_tables"]
