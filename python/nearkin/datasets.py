"""Tables for examples, tests and first steps, some real and some made, and genotypes from files.

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
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from nearkin import _core, _parameters
from nearkin._estimator import seed_of, sentences
from nearkin._genotypes import Genotypes
from nearkin._saved import classes

__all__ = ["Genotypes", "bundled", "load", "read_plink", "simulate", "simulators"]


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
    bunch.notes = sentences(found["notes"])
    return _as_asked(bunch, return_X_y)


def read_plink(
    path: str | PathLike[str],
    *,
    phenotype: Literal["auto", "classes", "real"] | None = "auto",
    skip_missing: bool = False,
    additive: bool = False,
) -> tuple[Genotypes, NDArray[Any] | None]:
    """Genotypes from PLINK's `.bed`, packed as they are in the file, and the phenotypes.

    Parameters
    ----------
    path : str or path-like
        The `.bed`, in variant order (SNP-major); its `.bim` and its `.fam` lie beside it.
    phenotype : {'auto', 'classes', 'real'} or None, default='auto'
        What the sixth column of the `.fam` is. With 'auto', classes where all are 1 (control),
        2 (case) or missing, or where some are texts, and real values else. -9 and NA stand for
        a missing phenotype, and beside cases and controls so does 0. With None it is not looked
        at, and ``y`` comes from elsewhere.
    skip_missing : bool, default=False
        Whether to leave out samples whose phenotype is missing, which is an error otherwise.
    additive : bool, default=False
        Whether two genotypes differ by half the copies they are apart, 0, ½ or 1. Otherwise
        they are the same or they are not.

    Returns
    -------
    X : Genotypes of shape (n_samples, n_variants)
        Copies of the `.bim`'s first allele (A1), two bits a cell.
    y : ndarray of shape (n_samples,) or None
        The phenotypes: classes, whole numbers where all of them read so and texts else; or real
        values. None with ``phenotype=None``.

    Raises
    ------
    FileNotFoundError
        One of the three files is not there.
    ValueError
        They are damaged, of another kind or do not belong together, or a phenotype is missing.

    Examples
    --------
    Four samples at one variant, the last of them not known:

    >>> import tempfile
    >>> from pathlib import Path
    >>> from nearkin import datasets
    >>> at = Path(tempfile.mkdtemp())
    >>> _ = (at / "few.bed").write_bytes(bytes([0x6C, 0x1B, 1, 0b01_11_10_00]))
    >>> _ = (at / "few.bim").write_text("1 rs7 0 1000 A G")
    >>> samples = [f"f i{one} 0 0 0 {1 + one % 2}" for one in range(4)]
    >>> _ = (at / "few.fam").write_text("\\n".join(samples))
    >>> X, y = datasets.read_plink(at / "few.bed")
    >>> X
    Genotypes(4 samples, 1 variants)
    >>> np.asarray(X)[:, 0].tolist(), y.tolist()
    ([2.0, 1.0, 0.0, nan], [1, 2, 1, 2])
    """
    found = _core.read_plink(
        path, phenotype=phenotype, skip_missing=skip_missing, additive=additive
    )
    genotypes = Genotypes(found["x"], np.array(found["sample_names"], dtype=object))
    y = found.get("y")
    if "class_names" in found:
        y = classes(found["class_names"], None)[y]
    return genotypes, y


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
