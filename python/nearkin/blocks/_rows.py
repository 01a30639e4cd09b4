"""Rows of one block, as the core takes them, and how they are picked and joined."""

from dataclasses import dataclass

import numpy as np

from nearkin._missing import MISSING


@dataclass
class Rows:
    """Some rows of a table with their target."""

    numbers: np.ndarray
    """Numeric columns, and perhaps others that ``places`` does not point at."""
    places: list | None
    """For each feature its column in ``numbers``, or codes and categories; None for all."""
    y: np.ndarray
    """Labels as the user gave them, or real values."""
    ids: np.ndarray | None = None
    """Their numbers in the table, where they were gathered from it."""
    kinds: list | None = None
    """For each feature whether its categories are 'text' or 'number', where a block was read."""
    dropped: int = 0
    """How many were left out of the block."""
    flaw: ValueError | None = None
    """The fault of the block; there are no cells then."""

    def __len__(self):
        return len(self.numbers)

    @property
    def nbytes(self):
        """Bytes of all cells."""
        coded = [place[0].nbytes for place in self.places or () if not isinstance(place, int)]
        ids = 0 if self.ids is None else self.ids.nbytes
        return self.numbers.nbytes + sum(coded) + self.y.nbytes + ids

    def __sizeof__(self):
        # By this engines tell what moving a block costs, and when memory is full.
        return object.__sizeof__(self) + self.nbytes

    def take(self, at):
        """The rows at these places."""
        places = self.places
        if places is not None:
            places = [p if isinstance(p, int) else (p[0][at], p[1]) for p in places]
        ids = None if self.ids is None else self.ids[at]
        return Rows(np.ascontiguousarray(self.numbers[at]), places, self.y[at], ids)


def join(*parts):
    """Rows one after another."""
    if len(parts) == 1:
        return parts[0]
    numbers = np.concatenate([part.numbers for part in parts])
    y = np.concatenate([part.y for part in parts])
    places = parts[0].places
    if places is not None:
        places = [
            place if isinstance(place, int) else _join_codes([part.places[at] for part in parts])
            for at, place in enumerate(places)
        ]
    return Rows(numbers, places, y)


def _join_codes(parts):
    """Codes of several blocks as codes into the categories of all, in order of appearance."""
    found = {}
    renumbered = []
    for codes, categories in parts:
        table = np.full(MISSING + 1, MISSING, dtype=np.uint16)
        table[: len(categories)] = [found.setdefault(name, len(found)) for name in categories]
        renumbered.append(table[codes])
    return np.concatenate(renumbered), list(found)
