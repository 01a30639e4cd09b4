"""What all weighting selectors share: everything but their parameters."""

import inspect
from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from nearkin import _columns, _core, _parameters
from nearkin._progress import progress

_SHARED = """
n_features_to_select : int, float or None, default=10
    How many features ``transform`` keeps, the heaviest first: a number, at most all of
    them; a share of the features between 0 and 1; None for half of them. It may be
    changed after ``fit``.
categorical_features : array-like of int, str or bool, 'from_dtype' or None, default='from_dtype'
    Which columns hold categories, which either agree or differ: their indices, their
    names in a data frame, or a mask. With 'from_dtype', the columns of a data frame whose
    dtype is categorical, object or string; arrays have none. With None, no column.
per_class : bool, default=False
    Whether to work out weights for each class too.
n_jobs : int or None, default=None
    Number of threads, in scikit-learn's sense: None means 1 unless in a
    :obj:`joblib.parallel_config` context, -1 means all cores. The weights are the same,
    to the last bit, for any number.
verbose : int, default=0
    Whether to show progress.
"""

_ATTRIBUTES = """
feature_importances_ : ndarray of shape (n_features,)
    The weight of each feature.
scores_ : ndarray of shape (n_features,)
    The same weights, under the name scikit-learn's selectors use.
top_features_ : ndarray of shape (n_features,)
    Indices of all features, the heaviest first; equal weights in order of column.
classes_ : ndarray of shape (n_classes,)
    The classes.
class_weights_ : ndarray of shape (n_classes, n_features)
    The weight of each feature among the rows of each class. Only with ``per_class=True``.
notes_ : list of str
    What a reader of the weights should know, such as classes with few rows.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, when ``X`` has names that are all strings.
"""


class BaseWeigher(SelectorMixin, BaseEstimator):
    """Base class of the selectors that weigh features.

    A subclass names its method in ``_method`` and lists its parameters in ``__init__``,
    as scikit-learn needs; the rest of its parameters' description comes from the method's
    declaration.
    """

    _method = None
    # Whether the target is a class; False for methods of real targets.
    _explains_classes = True

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__dict__.get("_method") and cls.__doc__:
            cls.__doc__ = _with_sections(cls)

    def fit(self, X, y):
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples: an array, or a data frame that may hold categories. NaN marks a
            missing cell. Arrays of float32 or float64 in C or Fortran order are not copied
            on the way in.
        y : array-like of shape (n_samples,)
            What is to be explained about each sample.

        Returns
        -------
        self : object
            The fitted selector.
        """
        declared = _parameters.declarations()[self._method]["parameters"]
        n_jobs = effective_n_jobs(self.n_jobs)
        columns, y = _columns.read(
            self, X, y, self.categorical_features, classes=self._explains_classes
        )
        self._count_selected()
        if self._explains_classes:
            self.classes_, codes = np.unique(y, return_inverse=True)
            class_names = [str(name) for name in self.classes_]
            target = codes.astype(np.uint32)
        else:
            class_names, target = None, np.ascontiguousarray(y, dtype=np.float64)
        names = getattr(self, "feature_names_in_", None)
        with progress(type(self).__name__, self.verbose) as show:
            found = _core.weigh(
                self._method,
                columns.numbers,
                target,
                {p["python"]: _parameters.text(p, self._setting(p)) for p in declared},
                columns=columns.places,
                class_names=class_names,
                feature_names=None if names is None else list(names),
                threads=n_jobs,
                per_class=bool(self.per_class),
                progress=show,
            )
        self.feature_importances_ = found["weights"]
        self.top_features_ = np.argsort(-found["weights"], kind="stable")
        self.notes_ = found["notes"]
        if self.per_class:
            self.class_weights_ = found["class_weights"]
        elif hasattr(self, "class_weights_"):
            del self.class_weights_
        return self

    def _setting(self, parameter):
        """The user's setting of a declared parameter, as the core knows it."""
        name = parameter["python"]
        value = getattr(self, name)
        if name == "random_state" and not isinstance(value, Integral):
            return check_random_state(value).randint(np.iinfo(np.int32).max)
        if name == "priors" and isinstance(value, Mapping):
            classes = self.classes_.tolist()
            if set(value) != set(classes):
                raise ValueError(f"priors: classes {list(value)} given, y has {classes}")
            return [value[c] for c in classes]
        return value

    def transform(self, X):
        """Keep the selected features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples with the features seen in ``fit``.

        Returns
        -------
        array-like of shape (n_samples, n_selected_features)
            The samples with the selected features only, in order of column.
        """
        # scikit-learn lets columns of a pandas frame keep their types; here polars' do too.
        if _columns.is_polars(X) and _get_output_config("transform", self)["dense"] != "default":
            validate_data(self, X, skip_check_array=True, reset=False)
            return X[:, self.get_support(indices=True).tolist()]
        return super().transform(X)

    @property
    def scores_(self):
        """The weights, under the name scikit-learn's selectors use."""
        return self.feature_importances_

    def _count_selected(self):
        """How many features to keep."""
        wanted, features = self.n_features_to_select, self.n_features_in_
        whole = isinstance(wanted, Integral) and not isinstance(wanted, bool)
        if wanted is None:
            return max(1, features // 2)
        if whole and wanted >= 1:
            return min(int(wanted), features)
        if isinstance(wanted, Real) and not isinstance(wanted, Integral) and 0 < wanted <= 1:
            return max(1, int(wanted * features))
        error = ValueError if isinstance(wanted, Real) else TypeError
        raise error(
            "n_features_to_select: expected an int of at least 1, a float in (0, 1] or None, "
            f"got {wanted!r}"
        )

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.top_features_[: self._count_selected()]] = True
        return mask

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _with_sections(cls):
    """A class's docstring with its parameters and attributes before its other sections."""
    documented = inspect.cleandoc(cls.__doc__)
    declared = _parameters.declarations()[cls._method]["parameters"]
    entries = [_parameters.describe(parameter) for parameter in declared]
    parameters = "\n".join([*entries, _SHARED.strip()])
    sections = (
        f"Parameters\n----------\n{parameters}\n\nAttributes\n----------\n{_ATTRIBUTES.strip()}\n\n"
    )
    starts = [documented.find(f"\n{s}\n---") for s in ("References", "Examples")]
    at = min((start + 1 for start in starts if start >= 0), default=len(documented))
    return documented[:at] + sections + documented[at:]
