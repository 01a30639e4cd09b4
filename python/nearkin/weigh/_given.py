"""What stands beside the features: covariates that are adjusted for, and strata."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array

from nearkin._categories import _factorized, codes_of, reads_as_number
from nearkin._missing import MISSING, is_missing
from nearkin._tables import (
    cells_of,
    check_table,
    frame_columns,
    holds_categories,
    is_frame,
    numbers_as_such,
)


def covariates_of(covariates, rows):
    """Covariates as the core takes them: numbers, the place of each column, and the names."""
    if covariates is None:
        return None
    numbers, places, names = [], [], []
    for name, cells in _named_columns(covariates):
        if len(cells) != rows:
            raise ValueError(f"covariates: {len(cells)} rows were given for {rows} samples")
        codes = _codes(cells, name)
        if codes is None:
            cells = check_array(
                np.asarray(cells).reshape(-1, 1),
                dtype=np.float64,
                ensure_all_finite="allow-nan",
                ensure_min_samples=0,
                input_name="covariates",
            )
            _refuse_missing(np.isnan(cells[:, 0]), name)
            places.append(len(numbers))
            numbers.append(cells[:, 0])
        else:
            _refuse_missing(codes[0] == MISSING, name)
            places.append(codes)
        names.append(name)
    if not names:
        raise ValueError("covariates: there is no column; leave them out")
    matrix = np.asfortranarray(np.column_stack(numbers)) if numbers else np.empty((rows, 0))
    return matrix, places, names


def strata_of(strata, rows):
    """The stratum of each row as a code, in order of the labels."""
    if strata is None:
        return None
    labels = strata if hasattr(strata, "factorize") else np.asarray(strata)
    if np.ndim(labels) != 1:
        raise ValueError(
            f"strata: expected one label for each row, got an array of shape {np.shape(labels)}"
        )
    if len(labels) != rows:
        raise ValueError(f"strata: {len(labels)} labels were given for {rows} samples")
    codes, found = _factorized(labels, "strata")
    codes = np.asarray(codes)
    unknown = np.flatnonzero(codes < 0)
    if unknown.size:
        raise ValueError(
            f"strata: row {unknown[0]} has no label; give it one, or leave the row out"
        )
    # The order of rows is not to matter, so neither may the order of appearance.
    found = list(found)
    order = sorted(range(len(found)), key=lambda at: _rank(found[at]))
    place = np.empty(len(found), dtype=np.uint32)
    place[order] = np.arange(len(found), dtype=np.uint32)
    return place[codes]


def _rank(label):
    """Numbers in their order, before what else there is by name."""
    number = isinstance(label, int | float | np.number)
    return (not number, float(label) if number else 0.0, str(label))


def _named_columns(covariates):
    """Names and cells of the columns of whatever the user gave."""
    if issparse(covariates):
        raise TypeError("covariates: expected an array or a data frame, got a sparse matrix")
    if is_frame(covariates):
        check_table(covariates)
        covariates = numbers_as_such(covariates)
        names = [str(name) for name in covariates.columns]
        return list(zip(names, frame_columns(covariates), strict=True))
    if getattr(covariates, "name", None) is not None and np.ndim(covariates) == 1:
        return [(str(covariates.name), covariates)]
    cells = covariates if np.ndim(covariates) == 1 else np.asarray(covariates)
    if np.ndim(cells) == 1:
        return [("column 0", cells if hasattr(cells, "dtype") else np.asarray(cells))]
    if cells.ndim != 2:
        raise ValueError(
            "covariates: expected a row for each sample and a column for each covariate, got an "
            f"array of shape {cells.shape}"
        )
    return [(f"column {at}", column) for at, column in enumerate(cells.T)]


def _codes(cells, name):
    """Codes and categories of a column that holds some; None where it holds numbers."""
    if isinstance(cells, np.ndarray):
        if cells.dtype.kind in "fiub" or (
            cells.dtype.kind == "O" and all(map(_is_number_or_missing, cells))
        ):
            return None
    elif not holds_categories(cells.dtype):
        return None
    elif all(map(_is_number_or_missing, cells_of(cells))) and str(cells.dtype) == "object":
        return None
    codes, categories, _ = codes_of(cells, name)
    order = np.argsort(np.asarray(categories, dtype=str), kind="stable")
    place = np.full(MISSING + 1, MISSING, dtype=np.uint16)
    place[order] = np.arange(len(order), dtype=np.uint16)
    return place[codes], [categories[at] for at in order]


def _is_number_or_missing(cell):
    return is_missing(cell) or (not isinstance(cell, str) and reads_as_number(cell))


def _refuse_missing(missing, name):
    rows = np.flatnonzero(missing)
    if rows.size:
        raise ValueError(
            f"covariates: row {rows[0]} has no value of `{name}`; fill it in, or leave the row out"
        )
