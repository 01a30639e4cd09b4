"""Genotypes as a value: many samples and variants, two bits a cell."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nearkin import _core


class Genotypes:
    """Genotypes of samples (rows) at variants (columns), two bits a cell.

    :func:`nearkin.datasets.read_plink` makes them. Estimators of :mod:`nearkin.weigh` fit on
    them as they are, and ``transform`` selects variants without unpacking them. Everything else
    takes ``np.asarray(X)``: how many copies of the first allele (A1) each sample has, NaN where
    that is missing, in ``float32``, sixteen times as large.

    Rows and columns are selected as in an array of two dimensions, by slices, lists of places
    and masks: ``X[:100]``, ``X[rows]``, ``X[:, columns]``. What is selected is packed, too, and
    a copy; nothing changes genotypes that are there.
    """

    ndim = 2
    # Rows are no values of their own; without this, iterating would find none of them.
    __iter__ = None

    def __init__(self, table: _core.Genotypes, sample_names: NDArray[Any]) -> None:
        self._table = table
        self._sample_names = sample_names

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of samples and of variants."""
        return self._table.shape

    @property
    def nbytes(self) -> int:
        """Bytes that the cells take: a quarter of the samples, rounded up, for each variant."""
        return self._table.nbytes

    @property
    def additive(self) -> bool:
        """Whether two genotypes differ by half the copies they are apart, not by all or nothing."""
        return self._table.additive

    @property
    def feature_names(self) -> NDArray[Any]:
        """Names of the variants, in a new array."""
        return np.array(self._table.feature_names, dtype=object)

    @property
    def sample_names(self) -> NDArray[Any]:
        """Names of the samples, in a new array."""
        return self._sample_names.copy()

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        rows, width = self.shape
        additive = ", additive" if self.additive else ""
        return f"Genotypes({rows} samples, {width} variants{additive})"

    def __getitem__(self, key: Any) -> "Genotypes":
        given = key if isinstance(key, tuple) else (key,)
        rows, columns, *more = (*given, ..., ...)[: max(2, len(given))]
        if more:
            raise IndexError(f"genotypes have 2 dimensions, and {2 + len(more)} were asked for")
        table, names = self._table, self._sample_names
        # Columns first: there are more of them, and rows are picked cell by cell.
        if not _is_all(columns):
            table = table.columns(_places(columns, self.shape[1], "columns"))
        if not _is_all(rows):
            places = _places(rows, self.shape[0], "rows")
            table, names = table.rows(places), names[places]
        return Genotypes(table, names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("genotypes are packed: there is no array of them without a copy")
        cells = np.empty(self.shape, dtype=np.float32, order="F")
        self._table.unpack(cells)
        kind = np.dtype(np.float32 if dtype is None else dtype)
        if kind.kind in "biu" and np.isnan(cells).any():
            raise ValueError(
                f"some genotypes are missing, which {kind} cannot say; ask for float32"
            )
        return cells.astype(kind, copy=False)


def _is_all(key: Any) -> bool:
    return key is ... or (isinstance(key, slice) and key == slice(None))


def _places(key: Any, length: int, what: str) -> NDArray[np.uintp]:
    """The places that a slice, a list or a mask selects, as NumPy understands them."""
    places = np.arange(length, dtype=np.uintp)[key]
    if places.ndim != 1:
        raise IndexError(f"{what} of genotypes are selected by a slice, a list of places or a mask")
    return places
