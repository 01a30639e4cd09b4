"""Neighbourhood association: a test of each feature."""

import numpy as np
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import column_or_1d

from nearkin import _columns
from nearkin._categories import is_number
from nearkin._estimator import class_codes
from nearkin._missing import is_missing
from nearkin._tables import cells_of, frame_columns, is_frame
from nearkin.weigh._base import SHARED, BaseWeigher, score_function

_TARGET = """
target : {'auto', 'classes', 'real'}, default='auto'
    What ``y`` holds. With 'auto', whole numbers of at most ten different values, and
    whatever is no number, are classes; other numbers are real."""

# What makes sense beside a test that has no weights per class or row.
_OF_TESTS = ("n_features_to_select", "q", "p", "categorical_features")

# More different whole numbers than this are no classes, unless the user says so.
_FEW = 10

_ATTRIBUTES = """
feature_importances_ : ndarray of shape (n_features,)
    z of each feature: how many deviations the statistic lies above its mean under the
    exchange whose p-value is published. It is what features are ranked by.
scores_ : ndarray of shape (n_features,)
    The same, under the name scikit-learn's selectors use.
z_ : ndarray of shape (n_features,)
    The same again.
top_features_ : ndarray of shape (n_features,)
    Indices of all features, the largest z first; equal ones in order of column.
p_values_ : ndarray of shape (n_features,)
    The greater of ``p_target_`` and ``p_column_``.
q_values_ : ndarray of shape (n_features,)
    The same adjusted for the number of features (Benjamini and Hochberg).
p_family_ : ndarray of shape (n_features,)
    The same adjusted so that any false call among all features is as rare as it says.
p_target_, p_column_ : ndarray of shape (n_features,)
    p-values from exchanges of the target, and of the feature's own cells.
statistics_, deviations_ : ndarray of shape (n_features,)
    The statistic T, and its deviation under the exchange whose p-value is published.
extrapolated_ : ndarray of shape (n_features,)
    True where the p-value is smaller than the exchanges alone can tell: it follows from a law
    that was fitted to them.
directions_ : list of dict or None
    For each feature which way it goes with the target when taken by itself: ``level`` is the
    category or genotype, None where higher values do; ``class`` the class that is more
    frequent there, None for a real target; ``more`` is False where the target is lower there;
    ``z`` counts deviations from no relation. None for a feature without a way of its own,
    which may matter together with others all the same, and for several targets.
classes_ : ndarray of shape (n_classes,)
    The classes, unless the target is real; of several targets a list, with None for real ones.
notes_ : list of str
    What a reader of the tests should know, such as samples that cannot be exchanged.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the features, when ``X`` has names that are all strings.
"""


class Association(BaseWeigher):
    """Neighbourhood association: a test of each feature, with p-values that hold.

    Does a feature go with the target among samples that are alike in all other features? The
    neighbours of a sample are found without the target and without the feature under test.
    Two neighbours with unlike targets speak for a feature in which they differ, two with like
    targets against it. Features that matter only together are found too.

    The p-values hold for classes of unequal size, for real targets, beside features that
    matter, and given covariates or strata: see :meth:`fit`. This method is nearkin's own; it
    is not from a paper. Its page in the guide says what was measured.

    Examples
    --------
    The table has 20 loci, of which two matter, and only together:

    >>> from nearkin import datasets
    >>> from nearkin.weigh import Association
    >>> X, y = datasets.load("epistasis", as_frame=True, return_X_y=True)
    >>> test = Association(q=0.01).fit(X, y)
    >>> [str(name) for name in test.get_feature_names_out()]
    ['M0P0', 'M0P1']
    >>> test.p_values_[:2] < 1e-4
    array([ True,  True])

    A real target, adjusted for a covariate, which is no feature:

    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> test = Association(q=0.01)
    >>> test = test.fit(X.drop(columns=["age", "sex"]), y, covariates=X[["age", "sex"]])
    >>> [str(name) for name in test.get_feature_names_out()][:2]
    ['bmi', 'bp']
    >>> test.directions_[0]["more"]
    True
    """

    _method = "association"
    _shared = {**{name: SHARED[name] for name in _OF_TESTS}, "target": ("auto", _TARGET)}
    _attributes = _ATTRIBUTES
    # It depends on y, see ``_takes_classes``.
    _explains_classes = None
    # Always tested, by itself.
    p_values = None

    def fit(self, X, y, *, covariates=None, strata=None):
        """Test the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples: an array, or a data frame that may hold categories. NaN marks a
            missing cell. Arrays of float32 or float64 in C or Fortran order are not copied
            on the way in. :class:`~nearkin.datasets.Genotypes` stay packed.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            What is to be explained about each sample; several targets are tested together.
        covariates : array-like or data frame of shape (n_samples, n_covariates) or None, \
                default=None
            What is known to act on ``y``, such as age or the place of measurement; its effect
            on ``y`` is taken out. Columns of categories in a data frame are taken as such.
            They are no features; leave them out of ``X``.
        strata : array-like of shape (n_samples,) or None, default=None
            The group of each sample, such as its family or cage: samples are exchanged
            within groups only.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._weigh(X, _targets(y), covariates=covariates, strata=strata)

    def _takes_classes(self, y):
        kinds = ("auto", "classes", "real")
        if not (isinstance(self.target, str) and self.target in kinds):
            raise ValueError(
                f"target: expected 'auto', 'classes' or 'real', got {self.target!r}"
            )
        return _are_classes(y) if self.target == "auto" else self.target == "classes"

    def _further_targets(self, ys, rows):
        targets, classes = [], [getattr(self, "classes_", None)]
        for y in ys:
            explains_classes = self._takes_classes(y)
            _columns.check_target(self, y, explains_classes)
            y = column_or_1d(y)
            if explains_classes:
                y = check_array(y, dtype=None, ensure_2d=False, input_name="y")
                found, codes, names = class_codes(_columns.checked_target(self, y, True))
                targets.append((codes, names))
            else:
                found = None
                y = check_array(y, dtype=np.float64, ensure_2d=False, input_name="y")
                targets.append((np.ascontiguousarray(y), None))
            classes.append(found)
            check_consistent_length(np.empty(rows), y)
        if ys:
            self.classes_ = classes
        return targets

    def _wanted(self, rows, seed):
        return {}

    def _test(self):
        return "association"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _targets(y):
    """The columns of y."""
    if y is None:
        return [y]
    if is_frame(y):
        return [cells_of(column) for column in frame_columns(y)]
    cells = y if hasattr(y, "ndim") else np.asarray(y)
    if getattr(cells, "ndim", 1) != 2 or not hasattr(cells, "T"):
        return [y]
    return list(np.asarray(cells).T) if isinstance(cells, np.ndarray) else [y]


def _are_classes(y):
    """Text and the like, and few whole numbers of which one repeats, as the program has it."""
    if y is None:
        return True
    cells = np.asarray(y)
    if cells.dtype.kind not in "fiuO" or cells.ndim == 0:
        return True
    if cells.dtype.kind == "O" and not all(is_number(c) or is_missing(c) for c in cells.ravel()):
        return True
    numbers = cells.astype(np.float64).ravel()
    if not (np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all()):
        return False
    different = len(np.unique(numbers))
    return different <= _FEW and different < len(numbers)


association = score_function(Association, "association")
