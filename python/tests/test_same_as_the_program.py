"""Python's numbers are the program's, to the last bit, and so are the bytes of its models."""

import csv
import io
import json

import numpy as np
import pytest
from program import needs_program, run
from test_classify import OVER_SIMILARITIES, QUICK, quick
from test_sklearn_checks import CLASSIFIERS, LEARNERS, WEIGHERS

import nearkin
from nearkin import datasets, weigh
from nearkin.classify import KNN, SDA, AdjustedCentroid, NaiveBayes, NearestCentroid
from nearkin.learn import SRBS, SiLA

METHODS = {one._method: one for one in WEIGHERS if not issubclass(one, weigh.BaseWrapper)}


def table(name):
    """A bundled set with the names that the program gives its classes."""
    bunch = datasets.load(name, as_frame=True)
    return bunch.data, bunch.target_names[bunch.target]


@needs_program
def test_every_method_of_the_program_is_there():
    told = json.loads(run("methods", "--json"))
    rooms = {"learn": LEARNERS, "classify": CLASSIFIERS, "weigh": WEIGHERS}
    for room, estimators in rooms.items():
        there = {one["id"] for one in told if one["question"] == room}
        assert there <= {one._method for one in estimators}, room


@needs_program
@pytest.mark.parametrize("name", ["iris", "house-votes-84"])
@pytest.mark.parametrize("method", sorted(set(METHODS) - {"rrelieff"}))
def test_weights_are_those_of_the_program(method, name):
    said = json.loads(run("weigh", f"@{name}", "--method", method, "--format", "json"))
    found = METHODS[method]().fit(*table(name))
    whole = [one for one in said["weights"] if not one.get("class")]
    expected = {one["feature"]: one["weight"] for one in whole}
    theirs = [expected[name] for name in found.feature_names_in_]
    np.testing.assert_array_equal(found.feature_importances_, theirs)


@needs_program
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("mode", ["multi-class", "one-vs-rest"])
def test_a_learners_model_is_the_programs_to_the_byte(learner, mode, tmp_path):
    X, y = table("wine")
    theirs, ours = tmp_path / "theirs.safetensors", tmp_path / "ours.safetensors"
    words = ["--mode", mode, "--test", "0", "-o", theirs, "--quiet"]
    run("learn", "@wine", "-m", learner._method, *words)
    fitted = learner(mode=mode).fit(X, y)
    fitted._about["words"] = ("@wine", "class", "", "")
    fitted.save(ours, rows=(X, y))
    assert ours.read_bytes() == theirs.read_bytes()
    read = nearkin.load(theirs)
    assert type(read) is learner and read.get_params() == fitted.get_params()
    assert read.similarities_ == fitted.similarities_
    # The program's classes are texts; 1, 2 and 3 are read as numbers.
    assert read.classes_.astype(str).tolist() == fitted.classes_.tolist()
    read.save(ours)
    assert ours.read_bytes() == theirs.read_bytes()


@needs_program
def test_the_program_answers_from_a_learner_saved_here(tmp_path):
    X, y = table("iris")
    path = tmp_path / "iris.safetensors"
    learner = SRBS(matrix="symmetric").fit(X, y)
    learner.save(path, rows=(X, y))
    said = csv.DictReader(io.StringIO(run("predict", path, "@iris", "--format", "csv")))
    knn = KNN(3, measure=learner).fit(X, y)
    assert [row["predicted"] for row in said] == knn.predict(X).tolist()
    assert "learned from a table in Python" in run("model", path)


@needs_program
@pytest.mark.parametrize("classifier", OVER_SIMILARITIES)
def test_a_classifiers_model_is_the_programs_to_the_byte(classifier, tmp_path):
    X, y = table("iris")
    theirs, ours = tmp_path / "theirs.safetensors", tmp_path / "ours.safetensors"
    words = ["--measure", "cosine", "--test", "0", "-o", theirs, "--quiet"]
    flags = {p["python"]: "--" + p["name"].replace("_", "-") for p in classifier._declared()}
    for name, value in QUICK.get(classifier, {}).items():
        words += [flags[name], value]
    run("classify", "@iris", "-m", classifier._method, *words)
    fitted = quick(classifier, measure="cosine").fit(X, y)
    fitted._words = ("@iris", "class", "", "")
    fitted.save(ours)
    assert ours.read_bytes() == theirs.read_bytes()
    read = classifier.load(theirs)
    assert read.get_params() == fitted.get_params()
    np.testing.assert_array_equal(read.predict(X), fitted.predict(X))
    said = csv.DictReader(io.StringIO(run("predict", ours, "@iris", "--format", "csv")))
    assert [row["predicted"] for row in said] == fitted.predict(X).tolist()


@needs_program
def test_naive_bayes_and_free_centroids_are_the_programs_to_the_byte(tmp_path):
    X, y = table("house-votes-84")
    theirs, ours = tmp_path / "theirs.safetensors", tmp_path / "ours.safetensors"
    ends = ["--test", "0", "-o", theirs, "--quiet"]
    run("classify", "@house-votes-84", "-m", "naive-bayes", *ends)
    read = nearkin.load(theirs)
    read.save(ours)
    assert ours.read_bytes() == theirs.read_bytes()
    np.testing.assert_array_equal(read.predict(X), NaiveBayes().fit(X, y).predict(X))
    free = ["--centroid", "unconstrained", "--measure", "counting"]
    run("classify", "@house-votes-84", "-m", "nearest-centroid", *free, *ends)
    fitted = NearestCentroid(centroid="unconstrained", measure="counting").fit(X, y)
    said = run("predict", theirs, "@house-votes-84", "--format", "csv")
    said = [row["predicted"] for row in csv.DictReader(io.StringIO(said))]
    assert fitted.predict(X).tolist() == said == nearkin.load(theirs).predict(X).tolist()


@needs_program
def test_the_program_answers_from_a_table_of_categories_saved_here(tmp_path):
    X, y = table("house-votes-84")
    path = tmp_path / "votes.safetensors"
    fitted = KNN(5, measure="vdm").fit(X, y)
    fitted.save(path)
    said = csv.DictReader(io.StringIO(run("predict", path, "@house-votes-84", "--format", "csv")))
    assert [row["predicted"] for row in said] == fitted.predict(X).tolist()
    run("classify", "@house-votes-84", "-m", "knn", "--k", "5", "--measure", "vdm", "-o", path)
    read = nearkin.load(path)
    assert read.get_params() == fitted.get_params()
    np.testing.assert_array_equal(read.predict(X), fitted.predict(X))


@needs_program
def test_similarities_alone_go_both_ways(tmp_path):
    X, y = table("iris")
    s = KNN(measure="cosine").fit(X, y)._training_similarities()
    matrix, labels = tmp_path / "s.npy", tmp_path / "y.txt"
    np.save(matrix, s)
    labels.write_text("\n".join(y))
    for flag, given, name in (("similarity", s, "sda"), ("dissimilarity", 1 - s, "knn")):
        np.save(matrix, given)
        path = tmp_path / "model.safetensors"
        run("classify", f"--{flag}", matrix, "--labels", labels, "-m", name, "-o", path, "--quiet")
        read = nearkin.load(path)
        assert "precomputed" in (read.similarity, read.metric)
        said = run("predict", path, f"--{flag}", matrix, "--format", "csv")
        said = [row["predicted"] for row in csv.DictReader(io.StringIO(said))]
        assert read.predict(given).tolist() == said
        again = tmp_path / "again.safetensors"
        read.save(again)
        assert again.read_bytes() == path.read_bytes()


@needs_program
def test_scaling_that_the_program_learned_is_used(tmp_path):
    X, y = table("wine")
    path = tmp_path / "wine.safetensors"
    run("learn", "@wine", "-m", "srbs-psd", "--scale", "minmax", "-o", path, "--quiet")
    read = nearkin.load(path)
    scaled = (X - X.min()) / (X.max() - X.min())
    plain = nearkin.learn.SRBSPSD().fit(scaled, y)
    np.testing.assert_allclose(read.similarity_.weights, plain.similarity_.weights, rtol=1e-9)
    np.testing.assert_allclose(read.transform(X), plain.transform(scaled), rtol=1e-9, atol=1e-12)


@needs_program
def test_adjusted_centroids_of_distances_go_both_ways(tmp_path):
    X, y = table("iris")
    path = tmp_path / "model.safetensors"
    fitted = AdjustedCentroid().fit(X, y)
    fitted.save(path)
    said = csv.DictReader(io.StringIO(run("predict", path, "@iris", "--format", "csv")))
    assert [row["predicted"] for row in said] == fitted.predict(X).tolist()


@needs_program
def test_a_similarity_learned_before_goes_both_ways(tmp_path):
    X, y = table("iris")
    learned, path = tmp_path / "srbs.safetensors", tmp_path / "knn.safetensors"
    run("learn", "@iris", "-m", "srbs", "--test", "0", "-o", learned, "--quiet")
    run("classify", "@iris", "-m", "sda", "--measure", learned, "--test", "0", "-o", path)
    read = nearkin.load(path)
    assert read.measure == nearkin.load(learned).similarity_
    ours = SDA(measure=nearkin.load(learned).similarity_).fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), read.predict_proba(X))
    ours.save(path)
    said = csv.DictReader(io.StringIO(run("predict", path, "@iris", "--format", "csv")))
    assert [row["predicted"] for row in said] == ours.predict(X).tolist()


def test_a_model_of_another_method_is_refused(tmp_path):
    X, y = table("iris")
    with pytest.raises(ValueError, match="this is a model of SiLA, not of SRBS; nearkin.load"):
        SiLA().fit(X, y).save(tmp_path / "sila.safetensors")
        SRBS.load(tmp_path / "sila.safetensors")


@needs_program
def test_models_without_an_estimator_are_refused_with_a_way_out(tmp_path):
    path = tmp_path / "model.safetensors"
    several = ["--measure", "euclidean", "--measure", "cosine"]
    run("classify", "@iris", "-m", "sda", *several, "--test", "0", "-o", path, "--quiet")
    with pytest.raises(ValueError, match="several ways.*ask it by `nearkin predict`"):
        nearkin.load(path)


@needs_program
def test_sparse_rows_that_the_program_learned_from_come_back(tmp_path):
    from sklearn.datasets import load_svmlight_file

    rows, path = tmp_path / "rows.svm", tmp_path / "model.safetensors"
    rows.write_text("\n".join(f"{i % 2} {1 + i % 5}:{1 + i} 7:{2 + i % 3}" for i in range(20)))
    run("learn", rows, "-m", "srbs", "--test", "0", "-o", path, "--quiet")
    X, y = load_svmlight_file(rows)
    read, ours = nearkin.load(path), SRBS().fit(X, y)
    np.testing.assert_array_equal(read.similarity_.between(X, X), ours.similarity_.between(X, X))
