"""How blocks like some rows are read, for an estimator."""

import numpy as np

from nearkin.blocks._read import How


def how_to_read(like, categorical, classes=True, **more):
    """How blocks like this are read: nominal features, dtype of numbers, order of categories."""
    from nearkin import _columns, _tables  # and scikit-learn with them, which tasks do without

    _tables.check_table(like)
    frame = _tables.is_frame(like)
    nominal = _columns._nominal_positions(like, categorical)
    if frame:
        kinds = [c.dtype for c in _tables.frame_columns(like)]
        kinds = [k for k, n in zip(kinds, nominal, strict=True) if not n]
    else:
        kinds = [like.dtype]
    if any(getattr(kind, "kind", "") == "c" for kind in kinds):
        raise ValueError("Complex data not supported: X holds complex numbers, which have no order")
    single = bool(kinds) and all(kind == np.float32 for kind in kinds)
    by_dtype = _tables.frame_columns(like) if frame and isinstance(categorical, str) else []
    return How(
        names=feature_names(like),
        nominal=nominal if nominal.any() else None,
        dtype=np.dtype(np.float32 if single else np.float64),
        classes=classes,
        objects=tuple(at for at, column in enumerate(by_dtype) if column.dtype == object),
        in_order=not frame and like.dtype.kind in "fiub",
        **more,
    )


def feature_names(like):
    """The names of the features, made up where there are none."""
    if hasattr(like, "columns"):
        names = [str(name) for name in like.columns]
        if len(set(names)) == len(names):
            return names
    return [f"x{at}" for at in range(like.shape[1])]
