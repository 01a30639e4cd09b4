"""Categories in tables: what is one, what was not seen, what is a mistake."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import nearkin
from nearkin._categories import codes_of, codes_of_array
from nearkin._core import small_categories
from nearkin.classify import KNN, SDA, NaiveBayes
from nearkin.weigh import ReliefF

TEXT = pd.DataFrame({"kind": ["a", "b", "c"] * 8, "size": np.arange(24.0)})
NUMBERS = pd.DataFrame({"kind": [1, 2, 3] * 8, "size": np.arange(24.0) % 4})
LABELS = [0, 1, 2] * 8


def fitted_on(classifier, frame, tmp_path):
    """A classifier fitted on a frame, and its copies by file and pickle."""
    frame = frame.assign(size=frame["size"] % 4)
    fitted = classifier.fit(frame, LABELS)
    path = tmp_path / "model.safetensors"
    fitted.save(path)
    return fitted, nearkin.load(path), pickle.loads(pickle.dumps(fitted))


@pytest.mark.parametrize("kind", [KNN, SDA, NaiveBayes])
def test_numbers_where_there_was_text_are_refused_with_the_column(kind, tmp_path):
    sentence = "^column `kind` held text when the estimator was fitted and holds numbers here"
    for fitted in fitted_on(kind(), TEXT, tmp_path):
        for wrong in (NUMBERS, NUMBERS.astype(object), pl.DataFrame(NUMBERS.to_dict("list"))):
            with pytest.raises(ValueError, match=sentence):
                fitted.predict(wrong)
        # What was not seen, and what is missing, is no mistake.
        unseen = TEXT.assign(kind="z", size=0.0)
        assert fitted.predict(unseen[:2]).shape == (2,)
        assert fitted.predict(TEXT.assign(kind=None, size=0.0)[:2]).shape == (2,)
        assert fitted.predict(TEXT.assign(kind="7", size=0.0)[:2]).shape == (2,)


@pytest.mark.parametrize("kind", [KNN, SDA, NaiveBayes])
def test_text_where_there_were_numbers_is_refused_with_the_column(kind, tmp_path):
    sentence = "^column `kind` held numbers when the estimator was fitted and holds text here"
    for fitted in fitted_on(kind(categorical_features=["kind"]), NUMBERS, tmp_path):
        with pytest.raises(ValueError, match=sentence):
            fitted.predict(TEXT)
        assert fitted.predict(NUMBERS.assign(kind=9)[:2]).shape == (2,)
        # A number is the same category as the text that reads so.
        by_text = NUMBERS.assign(kind=NUMBERS["kind"].astype(str))
        assert fitted.predict(by_text).tolist() == fitted.predict(NUMBERS).tolist()


def test_text_that_reads_as_numbers_goes_with_both(tmp_path):
    frame = NUMBERS.assign(kind=NUMBERS["kind"].astype(str))
    for fitted in fitted_on(KNN(1), frame, tmp_path):
        assert fitted.predict(NUMBERS).tolist() == fitted.predict(frame).tolist()
        assert fitted.predict(TEXT.assign(size=0.0)[:2]).shape == (2,)


def test_text_in_a_column_of_numbers_is_refused_with_the_column():
    sentence = "^column `{}` holds 'a', which is no number"
    plain = KNN(3).fit(TEXT.assign(kind=np.arange(24.0)), LABELS)
    with pytest.raises(ValueError, match=sentence.format("kind")):
        plain.predict(TEXT)
    with pytest.raises(ValueError, match=sentence.format("kind")):
        plain.predict(pl.DataFrame(TEXT.to_dict("list")))
    # Beside a column of categories, and one of numbers that are objects.
    mixed = KNN(3).fit(TEXT.assign(n=1.0), LABELS)
    with pytest.raises(ValueError, match=sentence.format("n")):
        mixed.predict(TEXT.assign(n="a", size=TEXT["size"].astype(object)))
    for estimator in (KNN(3, categorical_features=None), ReliefF(categorical_features=None)):
        with pytest.raises(ValueError, match=sentence.format("kind")):
            estimator.fit(TEXT, LABELS)


def test_mixed_columns_are_taken_as_they_are():
    mixed = TEXT.assign(kind=[1, "a", 2.5] * 8)
    fitted = KNN(1).fit(mixed, LABELS)
    assert fitted.predict(mixed).tolist() == LABELS
    assert fitted.predict(TEXT).shape == fitted.predict(NUMBERS).shape == (24,)


def test_arrays_of_objects_name_columns_by_their_place():
    table = np.array([["a", 1.0], ["b", 2.0], ["a", 3.0], ["b", 4.0]], dtype=object)
    fitted = KNN(1, categorical_features=[0]).fit(table, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="^column `x0` held text .* and holds numbers here"):
        fitted.predict(np.array([[1.0, 2.0]]))


@pytest.mark.parametrize("cells", [[1, "1", 2], [True, "True", "b"], [1.0, 1, "1"], [True, 1, "c"]])
@pytest.mark.parametrize("kind", [KNN, SDA, NaiveBayes])
def test_categories_of_one_name_are_one_in_every_batch(kind, cells):
    table = pd.DataFrame({"kind": pd.Series(cells * 8, dtype=object), "size": 0.0})
    fitted = kind().fit(table, LABELS)
    one_by_one = [fitted.predict(table[at : at + 1])[0] for at in range(len(table))]
    assert fitted.predict(table).tolist() == one_by_one
    if cells[0] is True and cells[1] == 1:
        # True equals 1, and is another category.
        assert one_by_one == LABELS


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "i2", "i1", "u1", "u2", ">f8", "?"])
def test_small_whole_numbers_are_the_categories_that_sorting_finds(dtype):
    columns = [[0, 1, 2, 1], [2, 0, 2, 7], [5, 5, 5, 5], [255, 0, 254, 1], [-1, 3, 300, 0]]
    if "f" in dtype:
        columns += [[0.5, 1, 2, 1], [np.nan, 2, np.nan, 0], [np.nan] * 4, [-0.0, 0, 1, np.inf], [-0.0, 2, np.nan, 0]]
    table = np.array(columns).T.astype(dtype)
    if dtype in ("f8", "f4", "i8", "i4", "u1"):
        counted = small_categories(table, [0, 1, 3])
        assert [list(categories) for _, categories in counted] == [[0, 1, 2], [0, 2, 7], [0, 1, 254, 255]]
    if dtype in ("f8", "f4"):
        # −0 is 0; a half, and what has no end, are for sorting.
        half, holes, nothing, endless, minus = small_categories(table, [5, 6, 7, 8, 9])
        assert half is None and endless is None
        assert [list(one[1]) for one in (holes, nothing, minus)] == [[0, 2], [], [0, 2]]
    assert table.flags.f_contiguous
    for x in (table, np.ascontiguousarray(table), table[::2], table[:0]):
        found = codes_of_array(x, [*range(x.shape[1])])
        for at, (codes, categories, kind) in found.items():
            sorted_codes, sorted_categories, sorted_kind = codes_of(x[:, at], "x")
            assert (categories, kind) == (sorted_categories, sorted_kind)
            assert codes.dtype == np.uint16 and codes.tolist() == sorted_codes.tolist()


def arrow_columns():
    pa = pytest.importorskip("pyarrow")
    words = ["a", "b", "c"] * 8
    yield "dictionary", pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())), words
    yield "large_string", pd.ArrowDtype(pa.large_string()), words
    yield "string", pd.ArrowDtype(pa.string()), words


@pytest.mark.parametrize("name, dtype, words", list(arrow_columns()))
def test_text_in_arrow_columns_is_nominal(name, dtype, words):
    table = TEXT.assign(kind=pd.Series(words, dtype=dtype))
    fitted = KNN(3).fit(table, LABELS)
    assert fitted._training.nominal.tolist() == [True, False]
    assert fitted.predict(table).tolist() == KNN(3).fit(TEXT, LABELS).predict(TEXT).tolist()


def test_objects_that_are_numbers_are_numbers():
    numbers = pd.DataFrame({"a": np.arange(24.0) % 5, "b": np.arange(24)})
    objects = numbers.astype(object)
    plain = KNN(3).fit(numbers, LABELS)
    for table in (objects, objects.astype({"a": float})):
        fitted = KNN(3).fit(table, LABELS)
        assert fitted._training.nominal is None
        assert fitted.predict(table).tolist() == plain.predict(numbers).tolist()
    objects.loc[3, "a"], numbers.loc[3, "a"] = pd.NA, np.nan
    objects.loc[4, "b"], numbers.loc[4, "b"] = None, np.nan
    weights = ReliefF().fit(numbers, LABELS).feature_importances_
    assert ReliefF().fit(objects, LABELS).feature_importances_.tolist() == weights.tolist()
    # Unless they are said to be categories; truth values are.
    named = KNN(3, categorical_features=["b"]).fit(objects, LABELS)
    assert named._training.nominal.tolist() == [False, True]
    truths = numbers.assign(a=pd.Series([True, False] * 12, dtype=object))
    assert KNN(3).fit(truths, LABELS)._training.nominal.tolist() == [True, False]
