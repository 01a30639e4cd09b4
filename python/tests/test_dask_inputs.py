"""What users hand to nearkin.dask: X and y belong together row by row, however they were made."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("distributed")

import dask
import dask.array as da

import nearkin.dask as kin
from nearkin import weigh
from nearkin.blocks import Engine, Within, weigh_blocks
from nearkin.dask._collections import blocks, like

dd = pytest.importorskip("dask.dataframe", exc_type=ImportError)
NAMES = list("abcd")


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.random((150, 4)), columns=NAMES)
    return X.assign(y=np.where(X["a"] + 0.3 * X["b"] > 0.7, "p", "q"))


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    """Parquet files of the table, and of its features and its target apart."""
    path = tmp_path_factory.mktemp("files")
    for name, part in (("table", table), ("x", table[NAMES]), ("y", table[["y"]])):
        dd.from_pandas(part, npartitions=3).to_parquet(path / name)
    return path


def cut(frame, places=(50, 100)):
    """A Dask collection whose divisions nobody knows."""
    ends = [0, *places, len(frame)]
    parts = [frame.iloc[a:b] for a, b in zip(ends, ends[1:], strict=False)]
    return dd.from_delayed([dask.delayed(part) for part in parts], meta=frame.iloc[:0])


def same(X, y, table):
    """Whether blocks hold the table's rows with their targets, in order, and weigh the same."""
    read = []
    for part, target in blocks(X, y):
        part, target = dask.compute(part, target)
        read.append((part, target))
        if isinstance(target, Within):
            part, target = part.drop(columns=target.column), part[target.column]
        assert list(part.columns) == list(like(X).columns)
        assert len(part) == len(target)
    method = weigh.ReliefF(sample=64, random_state=1)
    found = weigh_blocks(Engine(map), read, method, like(X), plan="grid")
    local = method.fit(table[list(like(X).columns)], table["y"])
    np.testing.assert_array_equal(found["weights"], local.feature_importances_)


def test_features_and_target_of_one_table_are_read_together(table, folder):
    far = dd.read_parquet(folder / "table")
    same(far[NAMES], far["y"], table)
    same(far[NAMES], far[["y"]], table)
    same(far[NAMES], far["y"].map_partitions(lambda y: y), table)
    kept = far[far["a"] > 0.2]
    same(kept[NAMES], kept["y"], table[table["a"] > 0.2])
    there = far.persist()
    same(there[NAMES], there["y"], table)


def test_features_and_target_made_apart_are_paired_by_position(table, folder):
    same(cut(table[NAMES]), cut(table["y"]), table)
    same(dd.read_parquet(folder / "x"), dd.read_parquet(folder / "y")["y"], table)
    same(*(dd.from_pandas(table[of], npartitions=3) for of in (NAMES, "y")), table)
    far = cut(table)
    same(*dask.persist(far[NAMES], far["y"]), table)
    same(far[NAMES], da.from_array(table["y"].to_numpy(), chunks=50), table)
    same(far[NAMES], table["y"].to_numpy(), table)
    same(dd.read_parquet(folder / "table")[NAMES], table["y"].to_numpy(), table)


def test_an_index_plays_no_part(table):
    random = np.random.default_rng(1)
    y = table["y"].copy()
    y.index = random.permutation(len(y))
    same(cut(table[NAMES]), cut(y), table)
    # Of one table, too, where partitions were shuffled by their index alone.
    whole = cut(table)

    def elsewhere(part):
        return part.set_axis(part.index[::-1])

    same(whole[NAMES], whole["y"].map_partitions(elsewhere, meta=whole["y"]._meta), table)


def test_columns_may_have_any_name(table):
    for names in (["__target__", "y0", "b", "c"], [0, 1, 2, 3]):
        renamed = table.set_axis([*names, "y"], axis=1)
        for far in (cut(renamed), dd.from_pandas(renamed, npartitions=2)):
            same(far[names], far["y"], renamed)


def test_what_may_not_belong_together_is_refused(table, folder):
    far = dd.read_parquet(folder / "table")
    with pytest.raises(ValueError, match="table = table.persist"):
        blocks(cut(table[NAMES]), cut(table["y"], [30, 60, 90]))
    for target in (far["y"][far["a"] > 0.2], far["y"].persist()[:100]):
        with pytest.raises(ValueError, match="cut both at the same rows"):
            same(far[NAMES], target, table)
    with pytest.raises(ValueError, match="expected one column, got a data frame of 2"):
        blocks(far[NAMES], far[["y", "a"]])
    X = da.from_array(table[NAMES].to_numpy(), chunks=50)
    with pytest.raises(ValueError, match="expected one dimension"):
        blocks(X, X[:, :2])
    with pytest.raises(TypeError, match="from_delayed"):
        blocks(X, dask.delayed(table["y"]))
    with pytest.raises(TypeError, match="X: expected"):
        like(far["a"])


def test_transform_compares_columns_as_on_one_machine(table):
    selector = kin.ReliefF(n_features_to_select=2)
    selector.n_features_in_, selector.feature_names_in_ = 4, np.array(NAMES, dtype=object)
    selector.top_features_, selector.notes_ = np.arange(4), []
    far = cut(table[NAMES])
    assert list(selector.transform(far).columns) == ["a", "b"]
    for wrong in (far[NAMES[::-1]], far[NAMES[:3]], cut(table.rename(columns={"y": "e"}))):
        with pytest.raises(ValueError, match="feature names should match"):
            selector.transform(wrong)
    del selector.feature_names_in_
    for wide in (3, 5):
        with pytest.raises(ValueError, match="expecting 4 features"):
            selector.transform(da.zeros((10, wide), chunks=5))
