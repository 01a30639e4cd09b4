"""A similarity of rows as a value: learned, or made by hand."""

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_array

from nearkin import _columns, _core

_NUMBERS = {"dtype": [np.float64, np.float32], "order": "C"}


def _same(one, other):
    """Both none, or the same numbers."""
    return np.array_equal(one, other) if one is not None and other is not None else one is other


class Similarity:
    """How alike two rows of numbers are: xᵀAy over a norm of x and y.

    Parameters
    ----------
    matrix : array-like of shape (n_features,) or (n_features, n_features)
        A: a weight for each feature, or one for each pair of features. It need be neither
        symmetric nor positive.
    norm : {'dot', 'cosine', 'dice', 'jaccard'}, default='cosine'
        What xᵀAy is divided by: nothing, the product of the rows' lengths, the sum of their
        sums, or that less what they share. Where that is 0, for a row of zeros, so is the
        similarity.
    feature_names : list of str or None, default=None
        Names of the features; x0, x1 and so on when not given.
    form : {'diagonal', 'symmetric', 'full'} or None, default=None
        What the matrix is; what it looks like when not given.
    compare : {'similarity', 'squared-distance', 'absolute-distance'}, default='similarity'
        What the matrix is used for: xᵀAy, or minus the distance (x - y)ᵀA(x - y) or
        Σ A|x - y|. Distances go with the norm dot.
    scale : tuple of two array-likes of shape (n_features,) or None, default=None
        Shift and factor of each feature: rows are (x - shift) * factor before they are compared.
    whitening : array-like of shape (n_features, n_features) or None, default=None
        W: rows are turned into Wx after that.
    constant : float, default=0.0
        The value of a feature added to all rows after that, to which the last row and column of
        the matrix belong; 0 for none.

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

    def __init__(
        self,
        matrix,
        norm="cosine",
        *,
        feature_names=None,
        form=None,
        compare="similarity",
        scale=None,
        whitening=None,
        constant=0.0,
    ):
        cells = np.array(matrix, dtype=np.float64, order="C")
        if cells.ndim not in (1, 2) or len(set(cells.shape)) != 1 or cells.size == 0:
            raise ValueError(
                "matrix: expected as many numbers as features, or as many rows of them, got an "
                f"array of shape {cells.shape}"
            )
        if form is None:
            square = "symmetric" if (cells == cells.T).all() else "full"
            form = "diagonal" if cells.ndim == 1 else square
        own = len(cells) - (constant != 0)
        names = (f"x{at}" for at in range(own)) if feature_names is None else feature_names
        if scale is not None:
            scale = tuple(np.asarray(one, dtype=np.float64) for one in scale)
        if whitening is not None:
            whitening = np.array(whitening, dtype=np.float64)
            if whitening.shape != (own, own):
                raise ValueError(
                    f"whitening: expected an array of shape {(own, own)}, got {whitening.shape}"
                )
        self._inner = _core.Similarity(
            form,
            norm,
            cells.ravel(),
            list(names),
            compare=compare,
            scale=scale,
            whitening=whitening,
            constant=constant,
        )

    @classmethod
    def _of(cls, inner):
        """A similarity that the core learned."""
        made = cls.__new__(cls)
        made._inner = inner
        return made

    def __getstate__(self):
        inner = self._inner
        arguments = (inner.form, inner.norm, inner.cells.ravel(), inner.feature_names)
        words = ("compare", "scale", "whitening", "constant")
        named = {word: getattr(inner, word) for word in words}
        return arguments, named

    def __setstate__(self, state):
        arguments, named = state
        named["scale"] = named["scale"] and tuple(named["scale"])
        self._inner = _core.Similarity(*arguments, **named)

    def __repr__(self):
        compare = "" if self.compare == "similarity" else f", compare={self.compare!r}"
        count = len(self._inner.feature_names)
        return f"Similarity({self.form} of {count} features, norm={self.norm!r}{compare})"

    def __eq__(self, other):
        if not isinstance(other, Similarity):
            return NotImplemented
        words = ("form", "norm", "compare", "feature_names", "constant")
        return (
            all(getattr(self, word) == getattr(other, word) for word in words)
            and np.array_equal(self._inner.cells, other._inner.cells)
            and _same(self.scale, other.scale)
            and _same(self.whitening, other.whitening)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def form(self):
        """The form of the matrix: diagonal, symmetric or full."""
        return self._inner.form

    @property
    def norm(self):
        """The norm that xᵀAy is divided by."""
        return self._inner.norm

    @property
    def compare(self):
        """The use of the matrix: a similarity or a distance."""
        return self._inner.compare

    @property
    def constant(self):
        """The value of the feature added to all rows; 0 without one."""
        return self._inner.constant

    @property
    def scale(self):
        """Shift and factor of each feature, of shape (2, n_features); None without any."""
        scale = self._inner.scale
        return None if scale is None else np.array(scale)

    @property
    def whitening(self):
        """W, of shape (n_features, n_features): rows are Wx after scaling; None without any."""
        return self._inner.whitening

    @property
    def feature_names(self):
        """Names of what is weighed: the features, and last the constant where there is one."""
        return self._inner.feature_names + (["(constant)"] if self.constant else [])

    @property
    def matrix(self):
        """A, of shape (n_features, n_features); a row and a column more with a constant."""
        cells = self._inner.cells
        return np.diag(cells) if cells.ndim == 1 else cells

    @property
    def weights(self):
        """The weight of each feature by itself: the diagonal of A."""
        cells = self._inner.cells
        return cells if cells.ndim == 1 else np.diag(cells).copy()

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
        x, y = np.asarray(x), np.asarray(y)
        about = len(self._inner.feature_names)
        if x.shape != (about,) or y.shape != (about,):
            raise ValueError(
                f"x and y: expected rows of {about} numbers, got arrays of shape {x.shape} and "
                f"{y.shape}"
            )
        return float(self.pairs(np.stack([x, y])[np.newaxis])[0])

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
        return self._inner.pairs(left, right)

    def between(self, X, Y=None, *, n_jobs=None):
        """The similarities of the rows of X to those of Y.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            The rows that ask.
        Y : {array-like, sparse matrix} of shape (n_references, n_features) or None, default=None
            The rows that are asked about; those of ``X`` when not given.
        n_jobs : int or None, default=None
            Number of threads, in scikit-learn's sense.

        Returns
        -------
        ndarray of shape (n_queries, n_references)
            The similarity of each row of X to each row of Y.
        """
        return self._between(X, Y, effective_n_jobs(n_jobs))

    def _between(self, X, Y, threads, show=None):
        X = self._rows(X, "X")
        Y = None if Y is None else self._rows(Y, "Y")
        return self._inner.between(X, Y, threads=threads, progress=show)

    def _about(self, names):
        """The same about columns of these names; refused where it is about others."""
        own = self._inner.feature_names
        if names is None or names == own:
            return self
        if own != [f"x{at}" for at in range(len(own))]:
            raise ValueError(
                f"the similarity is about the columns {own} and X has {list(names)}; give them in "
                "the same order"
            )
        (form, norm, cells, _), named = self.__getstate__()
        made = type(self).__new__(type(self))
        made.__setstate__(((form, norm, cells, list(names)), named))
        return made

    def is_psd(self):
        """True when A is positive semi-definite, so that it has a factor."""
        return self._inner.is_psd()

    def factor(self):
        """L with A = LᵀL, so that xᵀAy is the inner product of Lx and Ly.

        Returns
        -------
        ndarray of shape (n_components, n_features)
            L. An index of inner products can use it: on rows as they are for the norm dot, on
            rows scaled to length 1 for the cosine, after ``scale`` and ``whitening``. Other norms
            have none. Of a squared distance, it serves an index of Euclidean distances.
        """
        return self._inner.factor()

    def _rows(self, X, name):
        X = check_array(X, input_name=name, accept_sparse="csr", **_NUMBERS)
        about = len(self._inner.feature_names)
        if X.shape[1] != about:
            raise ValueError(
                f"{name} has {X.shape[1]} features and the similarity is about {about}"
            )
        return _columns.rows_of(X)
