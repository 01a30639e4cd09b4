"""Tables for examples, tests and first steps: some real ones, and made ones of known truth.

>>> from nearkin import datasets
>>> for name, title in datasets.bundled().items():
...     print(f"{name}: {title}")
iris: Iris flowers of three species, by four lengths
wine: Italian wines of three cultivars, by chemical analysis
house-votes-84: Party of US representatives, by sixteen votes of 1984
balance-scale: To which side a scale tips, by weights and distances
epistasis: Simulated cases and controls; loci M0P0 and M0P1 matter, and only together
"""

from functools import cache
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from nearkin import _core, _parameters
from nearkin._estimator import seed_of

__all__ = ["bundled", "load", "simulate", "simulators"]


def bundled() -> dict[str, str]:
    """Names and titles of the data sets that come with nearkin.

    Returns
    -------
    dict of str to str
        For each name that :func:`load` takes, what the set is.

    Examples
    --------
    >>> from nearkin import datasets
    >>> "iris" in datasets.bundled()
    True
    """
    return {one["name"]: one["title"] for one in _core.bundled()}


def simulators() -> dict[str, str]:
    """Names and summaries of the simulators.

    Returns
    -------
    dict of str to str
        For each name that :func:`simulate` takes, what it makes.

    Examples
    --------
    >>> from nearkin import datasets
    >>> datasets.simulators()["xor"]
    'The class is the parity of the number of heterozygous loci.'
    """
    return {name: one["summary"] for name, one in _simulators().items()}


@cache
def _simulators() -> dict[str, Any]:
    return {one["id"]: one for one in _core.simulators()}


def load(name: str, *, as_frame: bool = False, return_X_y: bool = False) -> Any:
    """A data set that comes with nearkin.

    Parameters
    ----------
    name : str
        One of :func:`bundled`.
    as_frame : bool, default=False
        Whether the data are a pandas data frame, categories as such, and the target a series;
        else arrays, categories as codes.
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        With ``data``; ``target``, classes as codes into ``target_names``; ``frame``, both
        together if ``as_frame``; ``feature_names``; ``categorical_features``, the indices of
        nominal columns, to hand to an estimator beside an array; ``categories``, what their
        codes stand for, by name of column; ``DESCR``, what the set is and where it is from.
        Missing cells are NaN.
    (data, target) : tuple
        If ``return_X_y``.

    Examples
    --------
    >>> from nearkin import datasets
    >>> votes = datasets.load("house-votes-84")
    >>> votes.data.shape, votes.target_names.tolist()
    ((435, 16), ['democrat', 'republican'])
    >>> datasets.load("iris", as_frame=True).data.columns[0]
    'sepal_length'
    """
    found = _core.load(name)
    [about] = [one for one in _core.bundled() if one["name"] == name]
    text = (
        f"{about['title']}\n\n{about['rows']} rows, {about['columns']} features: {about['kind']}\n"
        f"Source: {about['source']}\nLicence: {about['licence']}\n"
    )
    return _as_asked(_bunch(found, text, as_frame), return_X_y)


def simulate(
    name: str, *, as_frame: bool = False, return_X_y: bool = False, **parameters: Any
) -> Any:
    """Make a table whose right answer is known.

    Parameters
    ----------
    name : str
        One of :func:`simulators`.
    as_frame, return_X_y : bool, default=False
        As for :func:`load`.
    **parameters
        The simulator's own, such as ``rows``, ``irrelevant`` and ``random_state``, which is an
        int, a RandomState instance or None, as for estimators. A name that it does not have is
        answered with those it has. The same parameters always make the same table, unless
        ``random_state`` is no number.

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        As from :func:`load`, and ``relevant``, the indices of the features that matter, and
        ``notes``, what else is known of the truth.
    (data, target) : tuple
        If ``return_X_y``.

    Examples
    --------
    >>> from nearkin import datasets
    >>> made = datasets.simulate("random-rbf", rows=50, relevant=2, irrelevant=3)
    >>> made.data.shape, made.relevant.tolist(), made.feature_names
    ((50, 5), [0, 1], ['R0', 'R1', 'N0', 'N1', 'N2'])
    """
    about = _simulators().get(name, {"parameters": []})
    declared = {p["python"]: p for p in about["parameters"]}
    unknown = next((key for key in parameters if key not in declared), None)
    if not declared:
        _core.simulate(name, {})  # which says what simulators there are
    if unknown is not None:
        raise ValueError(f"{unknown}: {name} has no such parameter; it has {', '.join(declared)}")
    if "random_state" in parameters:
        parameters["random_state"] = seed_of(parameters["random_state"])
    texts = {key: _parameters.text(declared[key], value) for key, value in parameters.items()}
    found = _core.simulate(name, texts)
    text = f"{about['title']}\n\n{about['summary']}\nReference: {about['reference']}\n"
    bunch = _bunch(found, text, as_frame)
    bunch.relevant = np.array(found["relevant"], dtype=np.intp)
    bunch.notes = found["notes"]
    return _as_asked(bunch, return_X_y)


def _bunch(found: Any, text: str, as_frame: bool) -> Bunch:
    names, categories = found["feature_names"], found["categories"]
    bunch = Bunch(
        data=found["x"],
        target=found["y"],
        frame=None,
        feature_names=names,
        categorical_features=[at for at, of in enumerate(categories) if of is not None],
        categories={name: of for name, of in zip(names, categories, strict=True) if of is not None},
        DESCR=text,
    )
    if "class_names" in found:
        bunch.target_names = np.array(found["class_names"])
    if as_frame:
        _make_frame(bunch)
    return bunch


def _make_frame(bunch: Bunch) -> None:
    import pandas as pd

    columns = {
        name: _category(pd, cells, bunch.categories[name]) if name in bunch.categories else cells
        for name, cells in zip(bunch.feature_names, bunch.data.T, strict=True)
    }
    bunch.data = pd.DataFrame(columns)
    bunch.target = pd.Series(bunch.target, name="target")
    bunch.frame = pd.concat([bunch.data, bunch.target], axis=1)


def _category(pd: Any, cells: Any, categories: Any) -> Any:
    codes = np.where(np.isnan(cells), -1, cells).astype(np.int64)
    return pd.Categorical.from_codes(codes, categories)


def _as_asked(bunch: Bunch, return_X_y: bool) -> Any:
    return (bunch.data, bunch.target) if return_X_y else bunch
