"""Genotypes stay packed, and are weighed as the program weighs them, to the last bit."""

import gzip
import json
import pickle
import shutil
import zlib

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cohort import FIXTURES as PLINK
from program import needs_program, run
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from test_classify import quick
from test_sklearn_checks import CLASSIFIERS, LEARNERS, WEIGHERS

from nearkin import _core, weigh
from nearkin.blocks._entry import how_to_read
from nearkin.classify import KNN
from nearkin.datasets import Genotypes, read_plink
from nearkin.learn import SRBS
from nearkin.weigh import VLS, Association, MultiSURF, ReliefF, RReliefF, TuRF

RECORDS = {path.stem: json.loads(path.read_text()) for path in sorted(PLINK.glob("*.json"))}
# Too many cells to list: counts of each variant and a checksum.
LARGE = RECORDS.pop("large")
METHODS = [one for one in WEIGHERS if not issubclass(one, weigh.BaseWrapper)]
COHORT = (150, 130)


def copies_of(shape, missing, seed=0):
    """Genotypes by sample and variant; two variants tell cases from controls together."""
    rng = np.random.default_rng(seed)
    copies = rng.integers(0, 3, shape).astype(np.float32)
    cases = ((copies[:, 3] + copies[:, 7]) % 2).astype(int)
    copies[rng.random(shape) < missing] = np.nan
    return copies, cases


def write_plink(path, copies, phenotypes):
    """Three files as PLINK writes them."""
    samples, variants = copies.shape
    codes = np.array([3, 2, 0, 1])[np.where(np.isnan(copies), 3, copies).astype(int)]
    padded = np.zeros((variants, -(-samples // 4) * 4), dtype=int)
    padded[:, :samples] = codes.T
    packed = (padded.reshape(variants, -1, 4) << np.array([0, 2, 4, 6])).sum(axis=2)
    path.write_bytes(bytes([0x6C, 0x1B, 1]) + packed.astype(np.uint8).tobytes())
    bim = [f"1 rs{at} 0 {at} A G" for at in range(variants)]
    fam = [f"f i{at} 0 0 0 {phenotype}" for at, phenotype in enumerate(phenotypes)]
    path.with_suffix(".bim").write_text("\n".join(bim))
    path.with_suffix(".fam").write_text("\n".join(fam))
    return path


@pytest.fixture(scope="module", params=["complete", "holes"])
def cohort(request, tmp_path_factory):
    """Files of a study, and what is in them."""
    copies, cases = copies_of(COHORT, 0.03 if request.param == "holes" else 0.0)
    heights = np.round(1.5 + 0.1 * np.nan_to_num(copies[:, 3]) + 0.01 * np.arange(len(cases)), 2)
    at = tmp_path_factory.mktemp(request.param)
    of_classes = write_plink(at / "cases.bed", copies, cases + 1)
    return of_classes, write_plink(at / "heights.bed", copies, heights), copies


def read_for(estimator, cohort):
    """The file whose phenotypes an estimator explains, and what is read from it."""
    path = cohort[0] if estimator._explains_classes else cohort[1]
    return path, *read_plink(path)


def fit_categories(selector, X, y):
    """A fit on the same cells as an array of categories, which are in the order of numbers."""
    return clone(selector).set_params(categorical_features=range(X.shape[1])).fit(np.asarray(X), y)


def weights_of_the_program(path, *words):
    """The weights that the program prints of the whole table, by variant."""
    said = json.loads(run("weigh", path, *words, "--format", "json", "--quiet"))
    return {one["feature"]: one["weight"] for one in said["weights"] if not one.get("class")}


def same_fits(one, other):
    """Every number that two fits found is the same to the bit."""
    found = [name for name, value in vars(one).items() if isinstance(value, np.ndarray)]
    assert {"feature_importances_", "top_features_"} <= set(found)
    for name in found:
        if name != "feature_names_in_":
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("name", RECORDS)
def test_genotypes_are_those_bed_reader_reads(name):
    X, y = read_plink(PLINK / f"{name}.bed", phenotype=None)
    record = RECORDS[name]
    expected = np.array(record["copies"], dtype=np.float32).T
    assert y is None and X.shape == expected.shape and len(X) == len(expected)
    assert X.feature_names.tolist() == record["variants"]
    assert X.sample_names.tolist() == record["samples"]
    assert np.asarray(X).dtype == np.float32
    np.testing.assert_array_equal(np.asarray(X), expected)
    np.testing.assert_array_equal(np.asarray(X, dtype=np.float64), expected)


def test_half_a_million_genotypes_are_those_bed_reader_reads(tmp_path):
    for ending in ("bed", "bim", "fam"):
        packed = PLINK / f"large.{ending}.gz"
        (tmp_path / f"large.{ending}").write_bytes(gzip.decompress(packed.read_bytes()))
    X, _ = read_plink(tmp_path / "large.bed", phenotype=None)
    codes = np.nan_to_num(np.asarray(X), nan=3).astype(np.uint8)
    assert len(X) == LARGE["samples"]
    assert [np.bincount(column, minlength=4).tolist() for column in codes.T] == LARGE["counts"]
    assert zlib.crc32(codes.T.tobytes()) == LARGE["crc32"]


@pytest.mark.parametrize("name", RECORDS)
def test_phenotypes_are_those_bed_reader_reads(name):
    X, y = read_plink(PLINK / f"{name}.bed", skip_missing=True)
    record = RECORDS[name]
    numbers = pd.to_numeric(pd.Series(record["phenotypes"]), errors="coerce")
    coded = set(numbers.dropna()) <= {-9, 0, 1, 2}
    assert y.dtype.kind == ("i" if coded else "f")
    known = numbers.isin([1, 2]) if coded else numbers.notna()
    assert y.tolist() == numbers[known].tolist()
    assert X.sample_names.tolist() == np.array(record["samples"])[known].tolist()
    whole, _ = read_plink(PLINK / f"{name}.bed", phenotype=None)
    np.testing.assert_array_equal(np.asarray(X), np.asarray(whole)[known])


def test_phenotypes_are_classes_or_real_as_asked(tmp_path):
    copies, _ = copies_of((6, 10), 0)
    path = write_plink(tmp_path / "a.bed", copies, [3, 4, 5, 3, 4, 5])
    assert read_plink(path)[1].dtype == np.float64
    assert read_plink(path, phenotype="classes")[1].tolist() == [3, 4, 5, 3, 4, 5]
    write_plink(path, copies, ["ill", "well"] * 3)
    assert read_plink(str(path))[1].tolist() == ["ill", "well"] * 3
    write_plink(path, copies, [1, 2] * 3)
    real = read_plink(path, phenotype="real")[1]
    assert real.dtype == np.float64 and real.tolist() == [1, 2] * 3


@needs_program
@pytest.mark.parametrize("estimator", METHODS)
def test_weights_are_those_of_the_program(estimator, cohort):
    path, X, y = read_for(estimator, cohort)
    weights = weights_of_the_program(path, "--method", estimator._method)
    found = estimator().fit(X, y)
    theirs = [weights[name] for name in found.feature_names_in_]
    np.testing.assert_array_equal(found.feature_importances_, theirs)


@needs_program
@pytest.mark.parametrize("wrapper", [TuRF, VLS])
@pytest.mark.parametrize("additive", [False, True])
def test_wrapped_weights_are_those_of_the_program(wrapper, additive, cohort):
    X, y = read_plink(cohort[0], additive=additive)
    words = ["--wrap", wrapper._method, *(["--additive"] if additive else [])]
    weights = weights_of_the_program(cohort[0], "--method", "multisurf", *words)
    found = wrapper(MultiSURF()).fit(X, y)
    theirs = [weights[name] for name in found.feature_names_in_]
    np.testing.assert_array_equal(found.feature_importances_, theirs)


@pytest.mark.parametrize("estimator", WEIGHERS)
def test_everything_found_is_that_of_the_same_categories(estimator, cohort):
    _, X, y = read_for(estimator(), cohort)
    # Genotypes may be linked to other columns; categories without an order never are.
    settings = {"linked": 1.0} if estimator is Association else {}
    same_fits(estimator(**settings).fit(X, y), fit_categories(estimator(**settings), X, y))


@pytest.mark.parametrize("estimator", [one for one in METHODS if one is not RReliefF])
def test_additive_genotypes_are_numbers_of_copies(estimator, cohort):
    X, y = read_plink(cohort[0], additive=True)
    assert X.additive and X[:5, :4].additive
    numbers = estimator().fit(np.asarray(X), y).feature_importances_
    np.testing.assert_array_equal(estimator().fit(X, y).feature_importances_, numbers)


def test_tests_intervals_and_parts_are_those_of_the_same_categories(cohort):
    X, y = read_plink(cohort[0])
    more = {"per_class": True, "pairs": True, "explain_rows": [3, 149], "interval": 0.9}
    for selector in (
        ReliefF(p_values="stir", n_bootstrap=50, **more),
        ReliefF(p_values="permutation", n_permutations=20, random_state=3, **more),
        TuRF(MultiSURF(), p_values="permutation", n_permutations=5),
    ):
        same_fits(clone(selector).fit(X, y), fit_categories(selector, X, y))


@pytest.mark.parametrize("estimator", WEIGHERS)
def test_threads_change_no_bit(estimator, cohort):
    _, X, y = read_for(estimator(), cohort)
    same_fits(estimator(n_jobs=1).fit(X, y), estimator(n_jobs=2).fit(X, y))


def test_score_functions_take_them(cohort):
    X, y = read_plink(cohort[0])
    np.testing.assert_array_equal(weigh.relieff(X, y), ReliefF().fit(X, y).scores_)


def test_a_cell_takes_two_bits(cohort, monkeypatch):
    X, y = read_plink(cohort[0])
    samples, variants = COHORT
    assert X.nbytes == variants * -(-samples // 4)
    assert len(pickle.dumps(X)) < X.nbytes + 40 * (samples + variants)
    # No array of all cells is made on the way to the weights, nor of those selected.
    monkeypatch.setattr(Genotypes, "__array__", None)
    selector = ReliefF().fit(X, y)
    assert selector.transform(X).nbytes == 10 * -(-samples // 4)


KEYS = {
    "all": slice(None),
    "some": slice(2, 9),
    "backwards": slice(None, None, -3),
    "list": [4, 0, -1],
    "small places": np.array([3, 5], dtype=np.uint8),
    "mask": np.arange(10) % 3 == 0,
    "series": pd.Series(np.arange(10) % 3 == 0),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_rows_and_columns_are_selected_as_in_arrays(key):
    X, _ = read_plink(PLINK / "wide.bed")
    X = X[:, ::20]
    cells = np.asarray(X)
    rows, columns, both = X[key], X[:, key], X[2:, key]
    np.testing.assert_array_equal(np.asarray(rows), cells[key])
    np.testing.assert_array_equal(np.asarray(X[key, ...]), cells[key])
    np.testing.assert_array_equal(np.asarray(columns), cells[:, key])
    np.testing.assert_array_equal(np.asarray(both), cells[2:, key])
    assert rows.sample_names.tolist() == X.sample_names[key].tolist()
    assert columns.sample_names.tolist() == X.sample_names.tolist()
    assert rows.feature_names.tolist() == X.feature_names.tolist()
    assert columns.feature_names.tolist() == X.feature_names[key].tolist()


def test_rows_may_repeat_or_be_none_and_columns_may_not():
    X, _ = read_plink(PLINK / "wide.bed")
    np.testing.assert_array_equal(np.asarray(X[[1, 1, 0]]), np.asarray(X)[[1, 1, 0]])
    assert X[[]].shape == (0, 200) and X[3:3].nbytes == 0
    with pytest.raises(ValueError, match="two columns are named `rs101`"):
        X[:, [1, 1]]
    with pytest.raises(ValueError, match="no feature columns"):
        X[:, []]


def test_what_selects_nothing_that_is_there_is_refused():
    X, _ = read_plink(PLINK / "wide.bed")
    for key in (3, (slice(None), 2), [[1, 2]], (..., [[1]])):
        with pytest.raises(IndexError, match="a slice, a list of places or a mask"):
            X[key]
    with pytest.raises(IndexError, match="out of bounds for axis 0 with size 10"):
        X[[10]]
    with pytest.raises(IndexError, match="2 dimensions, and 3"):
        X[1:, 1:, 1:]
    with pytest.raises(IndexError):
        X[:, ["rs101"]]
    with pytest.raises(TypeError):
        iter(X)
    with pytest.raises(IndexError, match="10 is beyond the last of 10"):
        X._table.rows(np.array([10], dtype=np.uintp))


def test_arrays_are_copies_in_the_type_asked_for(cohort):
    X, _ = read_plink(cohort[0])
    one, other = np.asarray(X), np.asarray(X)
    one[:] = 5
    assert (other != 5).all() and (np.asarray(X) != 5).all()
    with pytest.raises(ValueError, match="no array of them without a copy"):
        np.array(X, copy=False)
    if np.isnan(other).any():
        with pytest.raises(ValueError, match="missing, which int8 cannot say; ask for float32"):
            np.asarray(X, dtype=np.int8)
    else:
        np.testing.assert_array_equal(np.asarray(X, dtype=np.int8), other)
    X.feature_names[:] = "changed"
    X.sample_names[:] = "changed"
    assert X.feature_names[0] == "rs0" and X.sample_names[0] == "i0"
    with pytest.raises(AttributeError):
        X.shape = (1, 1)


def test_pickle_keeps_everything(cohort):
    X, y = read_plink(cohort[0], additive=True)
    again = pickle.loads(pickle.dumps(X[10:]))
    assert repr(again) == "Genotypes(140 samples, 130 variants, additive)"
    assert again.feature_names.tolist() == X.feature_names.tolist()
    assert again.sample_names.tolist() == X.sample_names[10:].tolist()
    np.testing.assert_array_equal(np.asarray(again), np.asarray(X)[10:])
    with pytest.raises(ValueError, match="3 bytes do not hold 4 genotypes of 2 variants"):
        _core.Genotypes(b"abc", 4, ["a", "b"], False)


def test_selectors_remember_the_variants_and_keep_genotypes_packed(cohort):
    X, y = read_plink(cohort[0])
    selector = MultiSURF(n_features_to_select=3).fit(X, y)
    assert selector.n_features_in_ == 130
    assert selector.feature_names_in_.tolist() == X.feature_names.tolist()
    kept = selector.transform(X[:20])
    assert kept.feature_names.tolist() == selector.get_feature_names_out().tolist()
    np.testing.assert_array_equal(np.asarray(kept), np.asarray(X)[:20][:, selector.get_support()])
    np.testing.assert_array_equal(np.asarray(selector.fit_transform(X, y)[:20]), kept)
    for frame, kind in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        table = clone(selector).set_output(transform=frame).fit(X, y).transform(X[:20])
        assert isinstance(table, kind)
        assert list(table.columns) == kept.feature_names.tolist()
        np.testing.assert_array_equal(table.to_numpy(), kept)
    other = X[:, [1, 0, *range(2, 130)]]
    with pytest.raises(ValueError, match="variant 0 is `rs1` and was `rs0` when the estimator"):
        selector.transform(other)
    with pytest.raises(ValueError, match="X has 129 features, but MultiSURF is expecting 130"):
        selector.transform(X[:, 1:])
    # Whoever was fitted on another table forgets the names.
    selector.fit(np.asarray(X), y)
    assert not hasattr(selector, "feature_names_in_")
    assert selector.transform(X).shape == (150, 3)


def test_pipelines_splits_and_searches_take_them(cohort):
    X, y = read_plink(cohort[0])
    kept, held, of_kept, _ = train_test_split(X, y, random_state=0)
    assert isinstance(kept, Genotypes) and len(kept) + len(held) == 150 and len(of_kept) == 112
    last = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=3)
    model = make_pipeline(ReliefF(n_features_to_select=4), last)
    found = cross_val_score(model, X, y, cv=3, n_jobs=2)
    codes = make_pipeline(ReliefF(n_features_to_select=4, categorical_features=range(130)), last)
    np.testing.assert_array_equal(found, cross_val_score(codes, np.asarray(X), y, cv=3))
    search = GridSearchCV(model, {"relieff__n_neighbors": [5, 20]}, cv=2).fit(X, y)
    assert search.predict(X).shape == (150,)


def test_what_else_there_is_refuses_them_with_a_way_out(cohort):
    X, y = read_plink(cohort[0])
    said = (
        r"packed genotypes, which the estimators of nearkin.weigh take; hand over np.asarray\(X\)"
    )
    for estimator in LEARNERS:
        with pytest.raises(TypeError, match=said):
            estimator().fit(X, y)
    for estimator in CLASSIFIERS:
        with pytest.raises(TypeError, match=said):
            quick(estimator).fit(X, y)
    with pytest.raises(TypeError, match=said):
        SRBS().fit_triplets([[0, 1, 2]], X)
    complete = np.nan_to_num(np.asarray(X))
    with pytest.raises(TypeError, match=said):
        KNN(3).fit(complete, y).predict(X)
    with pytest.raises(TypeError, match=said):
        how_to_read(X, "from_dtype")
    # What asks for an array has them as numbers.
    if not np.isnan(np.asarray(X)).any():
        scores = SelectKBest(weigh.relieff, k=2).fit(X, y).scores_
        np.testing.assert_array_equal(scores, ReliefF().fit(np.asarray(X), y).feature_importances_)


def test_mistakes_about_genotypes_are_told_with_what_to_do(cohort):
    X, y = read_plink(cohort[0])
    for given in (None, [0, 1], "all"):
        with pytest.raises(ValueError, match="categorical_features: genotypes say .*additive=True"):
            ReliefF(categorical_features=given).fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ReliefF().fit(X, y[1:])
    with pytest.raises(ValueError, match="minimum of 2 is required by ReliefF"):
        ReliefF().fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="ReliefF needs classes and y holds real numbers"):
        ReliefF().fit(X, y + 0.5)
    with pytest.raises(ValueError, match="y cannot be None|requires y"):
        ReliefF().fit(X, None)
    with pytest.raises(ValueError, match="phenotype: expected 'auto', .* got 'class'"):
        read_plink(cohort[0], phenotype="class")


def copied(tmp_path, name="gaps"):
    for ending in ("bed", "bim", "fam"):
        shutil.copy(PLINK / f"{name}.{ending}", tmp_path)
    return tmp_path / f"{name}.bed"


def test_files_that_are_not_there_are_named(tmp_path):
    path = copied(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"none\.bed: there is no such file; check"):
        read_plink(tmp_path / "none.bed")
    path.with_suffix(".bim").unlink()
    with pytest.raises(FileNotFoundError, match=r"gaps\.bim: there is no such file; a \.bed needs"):
        read_plink(path)
    with pytest.raises(IsADirectoryError, match="this is a directory"):
        read_plink(tmp_path)


def test_damaged_files_are_refused_in_the_programs_words(tmp_path):
    path = copied(tmp_path)
    with pytest.raises(ValueError, match=r"gaps.fam: line 3: .* missing .* \(skip_missing=True\)"):
        read_plink(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="gaps.bed: it is cut short"):
        read_plink(path, phenotype=None)
    copies, _ = copies_of((4, 10), 0)
    write_plink(path, copies, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="if 0 and 1 are the classes, .*phenotype='classes'"):
        read_plink(path)
    assert read_plink(path, phenotype="classes")[1].tolist() == [0, 1, 0, 1]
    write_plink(path, copies, [-9] * 4)
    with pytest.raises(ValueError, match="phenotype=None and bring y from elsewhere"):
        read_plink(path)
