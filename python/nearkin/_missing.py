"""Cells without a value. Apart from the rest, so that a worker of a cluster imports little."""

import numpy as np

MISSING = np.iinfo(np.uint16).max
"""The code of a category that is not known."""


def is_missing(cell):
    """True for None and for the various things that are not a number."""
    # pandas.NA refuses to say whether it equals itself, so it is known by its type.
    nan = isinstance(cell, float) and cell != cell
    return cell is None or nan or type(cell).__name__ == "NAType"
