"""Answers of classifiers whose training rows are in blocks."""

from dataclasses import dataclass

import numpy as np

from nearkin.blocks import _ask_work, _work


@dataclass(frozen=True)
class Training:
    """Promises of blocks of training rows, and the number of each one's first row."""

    rows: list
    starts: list


def answer_blocks(engine, rule, blocks, queries, lengths=None):
    """What a rule says of queries in blocks; nobody ever holds all training rows.

    Each block of queries meets each block of training rows; the most similar rows that each has
    are merged, and the rule decides on those.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    rule : Rule
        What :func:`rule_blocks` found.
    blocks : iterable of (X, y)
        The blocks of training rows that it was found in.
    queries : iterable
        Blocks of queries with the same features, arrays or data frames, or promises of them.
    lengths : list of (int or None), or None, default=None
        How many queries each block has, where that is known of promises.

    Returns
    -------
    list
        For each block of queries a promise of what the rule says of them: a dict with ``class``,
        codes into the rule's classes; ``scores``; and ``log_posteriors`` where it has any.
    """
    X, y = zip(*blocks, strict=True)
    starts = np.concatenate([[0], np.cumsum(rule.lengths)]).tolist()
    kept = [at for at, length in enumerate(rule.lengths) if length > 0 and rule.k > 0]
    parts = [X[at] for at in kept], [y[at] for at in kept]
    rows = engine.map(_work.read, *parts, [rule.how] * len(kept))
    seen = Training(rows, [starts[at] for at in kept])
    carried = engine.one(_work.as_is, rule)
    queries = list(queries)
    lengths = [_length(block) for block in queries] if lengths is None else lengths
    asked = engine.map(_ask_work.read_queries, queries, [rule.how] * len(queries))
    every = zip(asked, lengths, strict=True)
    return [rule.answered(engine, carried, seen, block, length) for block, length in every]


def _length(block):
    """How many rows a block has; None where it is a promise."""
    return len(block) if hasattr(type(block), "shape") else None
