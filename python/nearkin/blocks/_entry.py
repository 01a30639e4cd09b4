"""From an estimator and blocks to what the estimator would have found."""

import numpy as np

from nearkin.blocks._weigh import weigh


def weigh_blocks(engine, blocks, estimator, like, *, plan="auto", say=None):
    """Weigh features of a table in blocks as an estimator of :mod:`nearkin.weigh` would.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    blocks : iterable of (X, y)
        Blocks of rows in order, arrays or data frames, or promises of them. ``Within`` in the
        place of y names the column of X that it is.
    estimator : BaseWeigher
        The method and its settings; it is not fitted.
    like : array or data frame
        No rows, or a few, of what X is: its columns and dtypes.
    plan : {'auto', 'broadcast', 'grid'}, default='auto'
        Whether every worker gets all rows, or nobody does; by size when left to the planner.
    say : callable or None, default=None
        Told in words which plan was chosen and why.

    Returns
    -------
    dict
        ``weights`` and what else the estimator wants, by the names of its attributes without
        the underscore; ``classes``, ``plan`` and ``size``.
    """
    return weigh(
        engine,
        blocks,
        how_to_read(like, estimator.categorical_features, estimator._explains_classes),
        **asked(estimator),
        names=feature_names(like),
        plan=plan,
        say=say,
    )


def asked(estimator):
    """The method, its settings and what else is wanted, as the core takes them."""
    seed = estimator._seed()
    if isinstance(getattr(estimator, "priors", None), dict):
        raise ValueError("priors: give them in the order of the classes; blocks come later")
    wanted = estimator._wanted(np.iinfo(np.int64).max, seed)
    permutations, bootstrap = wanted.pop("permutations"), wanted.pop("bootstrap")
    if permutations is not None:
        raise ValueError(
            "p_values: a permutation test weighs all rows again for each shuffle of y, which "
            "blocks do not see; use p_values='stir'"
        )
    if bootstrap is not None:
        raise ValueError(
            "interval: a bootstrap draws among the contributions of all rows, which no block has; "
            "leave it out, or weigh a sample on one machine"
        )
    method, parameters, wrap = estimator._plan(None, seed)
    if wrap:
        raise ValueError(f"{wrap[-1][0]} wraps methods on one machine; weigh without it in blocks")
    return {"method": method, "parameters": parameters, "wanted": wanted}


def how_to_read(like, categorical, classes):
    """How blocks like this are read: nominal features, dtype of numbers, order of categories."""
    from nearkin import _columns  # and scikit-learn with it, which tasks do without

    _columns._refuse_times(like)
    frame = _columns._is_frame(like)
    nominal = _columns._nominal_positions(like, categorical)
    if frame:
        kinds = [c.dtype for c in _columns._frame_columns(like)]
        kinds = [k for k, n in zip(kinds, nominal, strict=True) if not n]
    else:
        kinds = [like.dtype]
    single = bool(kinds) and all(kind == np.float32 for kind in kinds)
    in_order = not frame and like.dtype.kind in "fiub"
    mask = nominal if nominal.any() else None
    return mask, np.dtype(np.float32 if single else np.float64), classes, in_order


def feature_names(like):
    """The names of the features, made up where there are none."""
    if hasattr(like, "columns"):
        names = [str(name) for name in like.columns]
        if len(set(names)) == len(names):
            return names
    return [f"x{at}" for at in range(like.shape[1])]
