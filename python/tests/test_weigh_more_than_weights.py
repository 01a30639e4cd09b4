"""What comes beside the weights: classes, pairs, rows, tests, intervals; and who refuses."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.feature_selection import SelectFdr

from nearkin import datasets
from nearkin.weigh import (
    SURF,
    VLS,
    ClassDependentRelief,
    DReliefF,
    IRelief,
    MultiSURF,
    MultiSURFStar,
    MyopicReliefF,
    PDReliefF,
    Relief,
    ReliefF,
    ReliefPSD,
    ReliefSeq,
    Relieved,
    RReliefF,
    SURFStar,
    TuRF,
    multisurf,
    relieff,
    rrelieff,
)

# Methods whose weights are means over rows, so that everything can be told of them.
MEANS = [Relieved(), ReliefF(), SURF(), MultiSURF(), PDReliefF(), Relief(squared=False)]


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@pytest.mark.parametrize("selector", [*MEANS, Relief(), SURFStar(), MultiSURFStar()])
def test_weights_are_the_mean_over_rows_and_the_sum_over_pairs(wine, selector):
    X, y = wine
    selector = clone(selector).set_params(per_class=True, pairs=True)
    selector.set_params(explain_rows=range(len(X))).fit(X, y)
    np.testing.assert_allclose(selector.row_weights_.mean(axis=0), selector.scores_, atol=1e-12)
    share = np.bincount(y) / len(y)
    np.testing.assert_allclose(share @ selector.class_weights_, selector.scores_, atol=1e-12)
    # Hits count against a feature, misses for it.
    signs = 1 - 2 * np.eye(3)
    by_pair = np.einsum("c,cd,cdf->f", share, signs, selector.pair_weights_)
    np.testing.assert_allclose(by_pair, selector.scores_, atol=1e-12)


@pytest.mark.parametrize("selector", MEANS)
def test_intervals_hold_the_weights_and_grow_with_their_level(wine, selector):
    selector = clone(selector)
    narrow = selector.set_params(interval=0.5, n_bootstrap=200).fit(*wine).intervals_
    wide = selector.set_params(interval=0.99).fit(*wine).intervals_
    assert wide.shape == (13, 2)
    assert (wide[:, 0] <= narrow[:, 0]).all() and (narrow[:, 1] <= wide[:, 1]).all()
    assert (wide[:, 0] <= selector.scores_).all() and (selector.scores_ <= wide[:, 1]).all()


# Not the methods that feed weights back: there the same few rows are neighbours of all
# others, and STIR, which takes pairs for independent, finds too much.
@pytest.mark.parametrize("selector", [one for one in MEANS if not isinstance(one, PDReliefF)])
def test_stir_tells_noise_from_what_matters(selector):
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = np.c_[y + 0.3 * rng.random(120), rng.random((120, 5))]
    selector = clone(selector).set_params(p_values="stir", per_class=True).fit(X, y)
    assert selector.p_values_[0] < 1e-6 and (selector.p_values_[1:] > 0.001).all()
    assert (selector.q_values_ >= selector.p_values_).all()
    assert selector.t_values_.argmax() == selector.effects_.argmax() == 0
    for by_class in (selector.class_p_values_, selector.class_q_values_):
        assert by_class.shape == (2, 6) and (by_class[:, 0] < 1e-3).all()


PERMUTED = [ReliefF(), MyopicReliefF(), ReliefSeq(k_max=5), IRelief(), RReliefF(), ReliefPSD()]


@pytest.mark.parametrize("selector", [*PERMUTED, VLS(subsets=3, share=1.0), TuRF(keep=4)])
def test_permutation_p_values_are_shares_of_shuffles(selector):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = np.c_[y + 0.2 * rng.random(60), rng.random((60, 3))]
    selector = clone(selector).set_params(p_values="permutation", n_permutations=19)
    p_values = selector.fit(X, y).p_values_
    np.testing.assert_allclose(p_values * 20, (p_values * 20).round(), atol=1e-12)
    assert p_values[0] == 1 / 20 and p_values[1:].max() > 0.1
    assert (selector.q_values_ >= p_values).all()
    assert not hasattr(selector, "t_values_")
    np.testing.assert_array_equal(selector.set_params(n_jobs=2).fit(X, y).p_values_, p_values)


def test_random_state_decides_shuffles_and_draws(wine):
    def found(state):
        return ReliefF(random_state=state, **asked).fit(*wine)

    for asked in ({"p_values": "permutation", "n_permutations": 30}, {"interval": 0.9}):
        name = "p_values_" if "p_values" in asked else "intervals_"
        one, same, other = (getattr(found(state), name) for state in (1, np.int64(1), 2))
        np.testing.assert_array_equal(one, same)
        assert name == "p_values_" or (one != other).any()


def test_a_feature_that_turf_dropped_has_no_p_value(wine):
    # Its weight is but a place below the others, and lay above all shuffled weights.
    X, y = wine
    selector = TuRF(keep=5, p_values="permutation", n_permutations=9).fit(X, y)
    np.testing.assert_array_equal(np.isnan(selector.p_values_), selector.removed_in_ > 0)


def test_score_functions_give_p_values_to_the_selectors_that_need_them(wine):
    X, y = wine
    X, y = X[:118], y[:118]  # two classes of 59 rows
    weights, p_values = relieff(X, y, p_values="stir")
    np.testing.assert_allclose(weights, relieff(X, y), rtol=0, atol=1e-15)
    assert p_values.shape == weights.shape
    chosen = SelectFdr(lambda X, y: multisurf(X, y, p_values="stir"), alpha=1e-9).fit(X, y)
    assert 0 < chosen.get_support().sum() < 13
    assert rrelieff(X, X[:, 0]).argmax() == 0


def test_rows_come_in_the_order_asked_and_nan_where_not_drawn(wine):
    X, y = wine
    every = ReliefF(explain_rows=range(len(X))).fit(X, y).row_weights_
    some = ReliefF(explain_rows=np.array([5, 170, 5, 0])).fit(X, y).row_weights_
    np.testing.assert_array_equal(some, every[[5, 170, 5, 0]])
    drawn = ReliefF(sample=20, explain_rows=range(len(X))).fit(X, y).row_weights_
    known = ~np.isnan(drawn).any(axis=1)
    assert known.sum() == 20
    np.testing.assert_array_equal(drawn[known], every[known])
    assert ReliefF(explain_rows=[]).fit(X, y).row_weights_.shape == (0, 13)


def test_what_an_earlier_fit_found_is_forgotten(wine):
    asked = {"per_class": True, "pairs": True, "explain_rows": [0], "interval": 0.9}
    selector = ReliefF(p_values="stir", **asked).fit(*wine)
    names = {"class_weights_", "pair_weights_", "row_weights_", "intervals_", "p_values_"}
    names |= {"q_values_", "t_values_", "effects_", "class_p_values_"}
    assert names <= set(vars(selector))
    nothing = {"per_class": False, "pairs": False, "explain_rows": None, "interval": None}
    selector.set_params(p_values=None, **nothing).fit(*wine)
    assert not names & set(vars(selector))


def test_classes_are_forgotten_once_real_values_are_explained(wine):
    X, y = wine
    wrapper = TuRF(ReliefF()).fit(X, y)
    assert wrapper.classes_.tolist() == [0, 1, 2]
    wrapper.set_params(estimator=RReliefF()).fit(X, X[:, 0])
    assert not hasattr(wrapper, "classes_")


def test_classes_named_as_numbers_keep_their_priors_when_shuffled(wine):
    # Shuffling once put classes in order of number, and so gave them each other's priors.
    _, y = wine
    X = np.random.default_rng(0).random((len(y), 10))
    asked = {"priors": [0.8, 0.15, 0.05], "p_values": "permutation", "n_permutations": 50}
    by_letter = ReliefF(**asked).fit(X, np.array(["a", "b", "c"])[y])
    # As texts, "10" comes before "9".
    by_number = ReliefF(**asked).fit(X, np.array(["1", "10", "9"])[y])
    np.testing.assert_array_equal(by_number.p_values_, by_letter.p_values_)


def test_methods_tell_what_only_they_know(wine):
    X, y = wine
    assert Relief(tau=0.1).fit(X, y).threshold_ == 0.1
    assert Relief(alpha=0.04, sample=100).fit(X, y).threshold_ == 0.5
    assert not hasattr(Relief().fit(X, y), "threshold_")
    best = ReliefSeq(k_min=3, k_max=6).fit(X, y)
    assert best.best_k_.min() >= 3 and best.best_k_.max() <= 6
    fits = [relieff(X, y, n_neighbors=k) for k in range(3, 7)]
    np.testing.assert_allclose(best.scores_, np.max(fits, axis=0), atol=1e-12)
    assert DReliefF(orders=2).fit(X, y).order_deviation_.shape == (13,)
    assert ClassDependentRelief().fit(X, y).class_weights_.shape == (3, 13)
    same = ClassDependentRelief(metric="manhattan").fit(X, y)
    np.testing.assert_allclose(same.scores_, relieff(X, y), atol=1e-12)


def test_steps_are_counted_where_weights_come_to_rest(wine):
    rested = IRelief().fit(*wine).n_iter_
    assert 1 < rested < 100
    assert IRelief(iterations=2).fit(*wine).n_iter_ == 2
    assert IRelief(iterations=rested).fit(*wine).n_iter_ == rested
    assert IRelief(online=True, passes=3).fit(*wine).n_iter_ == 3
    assert not hasattr(ReliefF().fit(*wine), "n_iter_")


def test_more_neighbours_than_rows_are_all_rows(wine):
    # Memory for as many neighbours as asked for was once set aside, and the process died.
    X, y = wine
    huge = 10**15
    for selector in (ReliefF(huge), ReliefF(huge, sample=9), ReliefF(huge, ramp=True)):
        all_rows = clone(selector).set_params(n_neighbors=len(X)).fit(X, y)
        np.testing.assert_array_equal(selector.fit(X, y).scores_, all_rows.scores_)
    np.testing.assert_array_equal(rrelieff(X, y, n_neighbors=huge), rrelieff(X, y, n_neighbors=178))
    most = ReliefSeq(k_max=huge).fit(X, y)
    np.testing.assert_array_equal(most.scores_, ReliefSeq(k_max=178).fit(X, y).scores_)


def test_wrappers_find_what_interacts_and_say_what_they_dropped():
    made = datasets.simulate("xor", irrelevant=40, as_frame=True)
    selector = TuRF(ReliefF(20), fraction=0.3, keep=5, n_features_to_select=5)
    selector.fit(made.data, made.target)
    assert set(made.relevant) <= set(selector.get_support(indices=True))
    rounds = selector.removed_in_
    assert (rounds == 0).sum() == 5
    # The longer a feature stayed, the higher it ranks.
    stayed = np.where(rounds == 0, rounds.max() + 1, rounds)[selector.top_features_]
    assert (np.diff(stayed) <= 0).all()
    again = TuRF(VLS(ReliefF(20), subsets=20, share=0.5), keep=5).fit(made.data, made.target)
    assert set(made.relevant) == set(again.top_features_[:2])


def test_wrappers_take_what_they_wrap_as_it_is(wine):
    X, y = wine
    whole = VLS(ReliefF(7), subsets=1, share=1.0).fit(X, y)
    np.testing.assert_array_equal(whole.scores_, relieff(X, y, n_neighbors=7))
    assert TuRF().fit(X, y).scores_.tolist() == TuRF(ReliefF()).fit(X, y).scores_.tolist()
    real = TuRF(RReliefF(), keep=13).fit(X, X[:, 3])
    np.testing.assert_array_equal(real.scores_, rrelieff(X, X[:, 3]))
    assert not hasattr(real, "classes_") and not hasattr(real.estimator, "scores_")
    priors = VLS(ReliefF(priors={2: 1, 1: 1, 0: 2}), subsets=1, share=1.0).fit(X, y)
    np.testing.assert_array_equal(priors.scores_, relieff(X, y, priors=[2, 1, 1]))


@pytest.mark.parametrize(
    ("selector", "error", "sentence"),
    [
        (MyopicReliefF(per_class=True), ValueError, "myopic-relieff has no neighbours"),
        (IRelief(interval=0.9), ValueError, "i-relief's weights are a fixed point"),
        (ReliefSeq(pairs=True), ValueError, "relief-seq takes a maximum over k"),
        (ReliefSeq(k_min=9, k_max=3), ValueError, "k_min: must be at most k_max = 3, got 9"),
        (RReliefF(p_values="stir"), ValueError, "a real target has no classes"),
        (ReliefPSD(interval=0.9), ValueError, "interval: clipped weights are no means"),
        (Relief(p_values="stir"), ValueError, "p_values: stir needs plain differences"),
        (SURFStar(p_values="stir"), ValueError, "p_values: stir is about near rows"),
        (ClassDependentRelief(class_scale="sum", p_values="stir"), ValueError, "p_values: stir needs means"),
        (TuRF(p_values="stir"), ValueError, "turf weighs features in different tables"),
        (TuRF(fraction=1.5), ValueError, "fraction: must be from 0 to 0.99, got 1.5"),
        (TuRF(keep=0), ValueError, "keep: must be at least 1, got 0"),
        (VLS(share="half"), TypeError, "share: expected a float, got 'half' of type str"),
        (VLS("relieff"), TypeError, "estimator: expected an estimator of nearkin.weigh or None"),
        (TuRF(ReliefF(per_class=True)), ValueError, "per_class=True of the wrapped ReliefF would"),
        (TuRF(ReliefF(0)), ValueError, "n_neighbors: must be at least 1, got 0"),
        (ReliefF(p_values="t"), ValueError, "p_values: expected 'association', 'stir', 'permu"),
        (ReliefF(n_permutations=0), ValueError, "n_permutations: must be at least 1, got 0"),
        (ReliefF(n_bootstrap=2.5), TypeError, "n_bootstrap: expected an int, got 2.5"),
        (ReliefF(interval=95), ValueError, "interval: expected a float between 0 and 1 or None"),
        (ReliefF(interval="wide"), ValueError, "interval: expected a float between 0 and 1"),
        (ReliefF(explain_rows=[150]), ValueError, "row 150 does not exist; rows are 0 to 149"),
        (ReliefF(explain_rows=[-1]), ValueError, "explain_rows: row -1 does not exist"),
        (ReliefF(explain_rows=[0.5]), ValueError, "explain_rows: expected a list of row numbers"),
        (ReliefF(explain_rows=3), ValueError, "explain_rows: expected a list of row numbers"),
    ],
)
def test_what_cannot_be_served_is_refused_in_a_sentence(selector, error, sentence):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(error) as refused:
        selector.fit(X, y)
    assert sentence in str(refused.value)
