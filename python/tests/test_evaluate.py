"""Comparisons under one protocol, and tests beside SciPy's."""

import numpy as np
import pytest
import scipy.stats
from sklearn.dummy import DummyClassifier
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB

from nearkin import datasets, evaluate
from nearkin.classify import KNN, SDA

X, Y = datasets.load("iris", return_X_y=True)
RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(2, 20))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_paired_tests_agree_with_scipy(alternative):
    expected = scipy.stats.wilcoxon(A, B, alternative=alternative)
    found = evaluate.wilcoxon(A, B, alternative=alternative)
    assert found["p"] == pytest.approx(expected.pvalue, rel=1e-9)
    wins = int((A > B).sum())
    expected = scipy.stats.binomtest(wins, 20, alternative=alternative).pvalue
    found = evaluate.sign_test(A, B, alternative=alternative)
    assert (found["wins"], found["losses"]) == (wins, 20 - wins)
    assert found["p"] == pytest.approx(expected, rel=1e-9)
    # With no test rows to speak of, the corrected test is the paired one.
    t = evaluate.corrected_t(A, B, n_train=10**9, n_test=1, alternative=alternative)
    paired = scipy.stats.ttest_rel(A, B, alternative=alternative)
    assert t["p"] == pytest.approx(paired.pvalue, rel=1e-6)


def test_the_corrected_test_widens_by_the_share_of_test_rows():
    plain = evaluate.corrected_t(A, B, n_train=10**9, n_test=1)["t"]
    found = evaluate.corrected_t(A, B, n_train=80, n_test=20)["t"]
    assert found == pytest.approx(plain * np.sqrt((1 / 20) / (1 / 20 + 20 / 80)), rel=1e-6)
    assert evaluate.corrected_t(A, A, n_train=80, n_test=20) is None


def test_friedman_agrees_with_scipy():
    scores = RNG.normal(size=(12, 4))
    expected = scipy.stats.friedmanchisquare(*scores.T)
    found = evaluate.friedman(scores)
    assert found["chi_square"] == pytest.approx(expected.statistic)
    assert found["p"] == pytest.approx(expected.pvalue)
    np.testing.assert_allclose(
        found["mean_ranks"], scipy.stats.rankdata(-scores, axis=1).mean(axis=0)
    )


def test_mcnemar_looks_at_those_that_one_alone_got_right():
    a, b = RNG.random((2, 50)) < 0.7
    expected = scipy.stats.binomtest(int((a & ~b).sum()), int((a != b).sum())).pvalue
    assert evaluate.mcnemar(a, b) == pytest.approx(expected)
    with pytest.raises(ValueError, match="the same samples"):
        evaluate.mcnemar(a, b[:-1])


def test_marks_are_those_of_the_papers():
    assert [evaluate.mark(p, 1) for p in (0.01, 0.05, 0.051, np.nan)] == ["≫", ">", "=", "="]
    assert [evaluate.mark(p, -1) for p in (0.01, 0.05, 0.051)] == ["≪", "<", "="]


def test_scores_are_those_of_cross_validation():
    methods = {"majority": DummyClassifier(), "bayes": GaussianNB(), "SDA": SDA()}
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    found = evaluate.compare(methods, X, Y, cv=cv)
    for scores, method in zip(found.scores, methods.values(), strict=True):
        np.testing.assert_allclose(scores, cross_val_score(method, X, Y, cv=cv))
    assert found.right.shape == (3, 300)
    assert found.marks == ["=", "≫", "≫"]
    frame = found.to_frame()
    assert frame.index.tolist() == list(methods)
    assert frame.loc["majority", "accuracy"] == found.scores[0].mean() < 0.34
    # What is printed is what the frame says.
    for name, line in zip(methods, str(found).splitlines(), strict=True):
        row = frame.loc[name]
        assert line.split() == [
            name,
            f"{row.accuracy:.3f}",
            "±",
            f"{row.deviation:.3f}",
            row.against_first,
        ]
    two = evaluate.compare(methods, X, Y, cv=cv, n_jobs=2)
    np.testing.assert_array_equal(two.right, found.right)


def test_similarities_are_compared_like_tables():
    s = cosine_similarity(X)
    methods = {"1": KNN(1, similarity="precomputed"), "9": KNN(9, similarity="precomputed")}
    found = evaluate.compare(methods, s, Y, cv=3)
    np.testing.assert_allclose(found.scores[1], cross_val_score(methods["9"], s, Y, cv=3))


def test_one_split_has_a_sign_test_alone():
    cv = ShuffleSplit(1, test_size=0.5, random_state=0)
    found = evaluate.compare({"bayes": GaussianNB(), "again": GaussianNB()}, X, Y, cv=cv)
    assert np.isnan(found.p_values).all()
    assert found.sign_p_values[1] == 1
    assert "again  0.9" in str(found)
    with pytest.raises(ValueError, match="nothing to compare"):
        evaluate.compare({}, X, Y)


def test_decisions_are_booleans():
    with pytest.raises(TypeError, match="whether each decision was right"):
        evaluate.mcnemar([True, False], ["a", "b"])
    with pytest.raises(ValueError, match="the same samples"):
        evaluate.mcnemar([True, False], [True])


def test_words_that_are_no_tail_are_refused():
    with pytest.raises(ValueError, match="^alternative: expected one of two-sided, greater, less"):
        evaluate.sign_test(A, B, alternative="both")
    with pytest.raises(ValueError, match="the same splits, got 20 and 19"):
        evaluate.corrected_t(A, B[:-1], n_train=80, n_test=20)


def test_counts_and_decisions_that_are_none():
    scores = [0.9, 0.8, 0.7]
    for n_train in (-1, 0, 2**70):
        with pytest.raises(ValueError, match="n_train: must be at least 1 and below"):
            evaluate.corrected_t(scores, scores[::-1], n_train=n_train, n_test=10)
    with pytest.raises(ValueError, match="n_methods: must be at least 1"):
        evaluate.nemenyi_difference(-1, 3)
    with pytest.raises(TypeError, match="n_sets: expected an int, got 3.5"):
        evaluate.nemenyi_difference(2, 3.5)
    with pytest.raises(ValueError, match=r"as booleans, got 0\.3; compare scores with wilcoxon"):
        evaluate.mcnemar([0.3, 0.2], [0.1, 0.0])
    assert evaluate.mcnemar([1.0, 0.0], [0, 0]) == evaluate.mcnemar([True, False], [False, False])
