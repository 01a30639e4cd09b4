"""A similarity of rows as a value: learned, or made by hand."""

import numpy as np
from sklearn.utils import check_array

from nearkin import _core

_NUMBERS = {"dtype": [np.float64, np.float32], "order": "C"}


class Similarity:
    """How alike two rows of numbers are: xᵀAy over a norm of x and y.

    Parameters
    ----------
    matrix : array-like of shape (n_features,) or (n_features, n_features)
        A: a weight for each feature, or one for each pair of features. It need be neither
        symmetric nor positive.
    norm : {'dot', 'cosine', 'dice', 'jaccard'}, default='cosine'
        What xᵀAy is divided by: nothing, the product of the rows' lengths, the sum of their
        sums, or that less what they share.
    feature_names : list of str or None, default=None
        Names of the features; x0, x1 and so on when not given.
    form : {'diagonal', 'symmetric', 'full'} or None, default=None
        What the matrix is; what it looks like when not given.

    Examples
    --------
    >>> from nearkin.learn import Similarity
    >>> dot = Similarity([1.0, 0.0, 2.0], norm="dot")
    >>> dot([1, 2, 3], [4, 5, 6])
    40.0
    >>> dot.between([[1, 2, 3], [0, 1, 0]], [[4, 5, 6]]).tolist()
    [[40.0], [0.0]]
    >>> dot.is_psd(), Similarity([[0, 1], [1, 0]]).is_psd()
    (True, False)
    """

    def __init__(self, matrix, norm="cosine", *, feature_names=None, form=None):
        cells = np.array(matrix, dtype=np.float64, order="C")
        if cells.ndim not in (1, 2) or len(set(cells.shape)) != 1 or cells.size == 0:
            raise ValueError(
                "matrix: expected as many numbers as features, or as many rows of them, got an "
                f"array of shape {cells.shape}"
            )
        if form is None:
            square = "symmetric" if (cells == cells.T).all() else "full"
            form = "diagonal" if cells.ndim == 1 else square
        self._cells, self.form, self.norm = cells, form, norm
        names = (f"x{at}" for at in range(len(cells))) if feature_names is None else feature_names
        self.feature_names = list(names)
        self.is_psd()  # the core looks at every part

    def __repr__(self):
        return f"Similarity({self.form} of {len(self._cells)} features, norm={self.norm!r})"

    def __eq__(self, other):
        return isinstance(other, Similarity) and all(
            (
                (self.form, self.norm) == (other.form, other.norm),
                self.feature_names == other.feature_names,
                np.array_equal(self._cells, other._cells),
            )
        )

    __hash__ = None

    @property
    def matrix(self):
        """A, of shape (n_features, n_features)."""
        return np.diag(self._cells) if self.form == "diagonal" else self._cells.copy()

    @property
    def weights(self):
        """The weight of each feature by itself: the diagonal of A."""
        return self._cells.copy() if self.form == "diagonal" else np.diag(self._cells).copy()

    def __call__(self, x, y):
        """The similarity of two rows.

        Parameters
        ----------
        x, y : array-like of shape (n_features,)
            The rows.

        Returns
        -------
        float
            How alike they are: the larger, the more.
        """
        return float(self.pairs(np.asarray([x, y])[np.newaxis])[0])

    def pairs(self, pairs):
        """The similarity of each pair of rows.

        Parameters
        ----------
        pairs : array-like of shape (n_pairs, 2, n_features)
            The pairs.

        Returns
        -------
        ndarray of shape (n_pairs,)
            How alike the two rows of each pair are.
        """
        pairs = check_array(pairs, allow_nd=True, ensure_2d=False, input_name="pairs", **_NUMBERS)
        if pairs.ndim != 3 or pairs.shape[1] != 2:
            raise ValueError(
                f"pairs: expected an array of shape (n_pairs, 2, n_features), got {pairs.shape}"
            )
        left, right = (self._rows(pairs[:, side], "pairs") for side in (0, 1))
        return _core.pair_similarities(self._parts(), self.feature_names, left, right)

    def between(self, X, Y=None, *, n_jobs=1):
        """The similarities of the rows of X to those of Y.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            The rows that ask.
        Y : array-like of shape (n_references, n_features) or None, default=None
            The rows that are asked about; those of ``X`` when not given.
        n_jobs : int, default=1
            Number of threads; 0 means one a core.

        Returns
        -------
        ndarray of shape (n_queries, n_references)
            The similarity of each row of X to each row of Y.
        """
        X = self._rows(X, "X")
        Y = None if Y is None else self._rows(Y, "Y")
        return _core.similarities(self._parts(), self.feature_names, X, Y, threads=n_jobs)

    def is_psd(self):
        """True when A is positive semi-definite, so that it has a factor."""
        return _core.is_psd(self._parts(), self.feature_names)

    def factor(self):
        """L with A = LᵀL, so that xᵀAy is the inner product of Lx and Ly.

        Returns
        -------
        ndarray of shape (n_components, n_features)
            L. An index of inner products can use it: on rows as they are for the norm dot, on
            rows scaled to length 1 for the cosine. Other norms have none.
        """
        return _core.factor(self._parts(), self.feature_names)

    def _parts(self):
        return self.form, self.norm, self._cells.ravel()

    def _rows(self, X, name):
        X = check_array(X, input_name=name, **_NUMBERS)
        if X.shape[1] != len(self._cells):
            raise ValueError(
                f"{name} has {X.shape[1]} features and the similarity is about {len(self._cells)}"
            )
        return X
