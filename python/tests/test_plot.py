"""Pictures show the numbers they are about."""

import sys

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from nearkin import datasets, plot
from nearkin.classify import KNN, SDA, MixtureSDA
from nearkin.learn import SiLA
from nearkin.weigh import ReliefF

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

BUNCH = datasets.load("iris", as_frame=True)
X, Y = BUNCH.data, BUNCH.target


@pytest.fixture(autouse=True)
def close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_bars_are_the_weights_the_heaviest_on_top():
    selector = ReliefF(interval=0.9).fit(X, Y)
    ax = plot.weights(selector, n_features=3)
    widths = [bar.get_width() for bar in ax.patches]
    np.testing.assert_array_equal(widths, np.sort(selector.feature_importances_)[-3:])
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == [X.columns[at] for at in selector.top_features_[:3][::-1]]


def test_cells_are_the_weights_of_classes():
    selector = ReliefF(per_class=True).fit(X, Y)
    (image, *_) = plot.class_weights(selector).get_images()
    expected = selector.class_weights_[:, selector.top_features_].T
    np.testing.assert_array_equal(image.get_array(), expected)
    with pytest.raises(ValueError, match="fit it with per_class=True"):
        plot.class_weights(ReliefF().fit(X, Y))


def test_the_curve_has_a_point_a_count():
    ax = plot.accuracy_curve(ReliefF(), KNN(3), X, Y, counts=[1, 4], cv=2)
    x, accuracy = ax.lines[0].get_data()
    assert x.tolist() == [1, 4]
    assert (accuracy > 0.8).all()
    assert plot.accuracy_curve(ReliefF(), KNN(3), X, Y, cv=2).lines[0].get_xdata()[-1] == 4


def test_margins_are_in_order():
    learner = SiLA().fit(X, Y)
    before, after, _ = plot.margins(learner).lines
    np.testing.assert_array_equal(before.get_ydata(), np.sort(learner.margins_before_[0]))
    np.testing.assert_array_equal(after.get_ydata(), np.sort(learner.margins_after_[0]))


def test_the_heat_map_is_in_order_of_class():
    s, y = np.arange(9.0).reshape(3, 3), ["b", "a", "b"]
    (image,) = plot.similarity(s, y).get_images()
    np.testing.assert_array_equal(image.get_array(), s[np.ix_([1, 0, 2], [1, 0, 2])])
    (image,) = plot.similarity(s).get_images()
    np.testing.assert_array_equal(image.get_array(), s)
    for wrong in (lambda: plot.similarity(s[:2]), lambda: plot.similarity(s, y[:2])):
        with pytest.raises(ValueError, match="expected"):
            wrong()


def test_laws_lie_beside_the_samples():
    sda = SDA().fit(X, Y)
    ax = plot.laws(sda, statistic=1)
    assert len(ax.lines) == 6
    for seen, law in zip(ax.lines[::2], ax.lines[1::2], strict=True):
        assert seen.get_ydata()[-1] == pytest.approx(1)
        assert law.get_ydata()[-1] == pytest.approx(1)
        assert (np.diff(law.get_ydata()) >= 0).all()
    given = matplotlib.figure.Figure().subplots()
    assert plot.laws(sda, ax=given) is given


def test_without_matplotlib_there_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="plots need matplotlib.*pip install matplotlib"):
        plot.margins(SiLA().fit(X, Y))


@pytest.mark.parametrize(
    ("draw", "error", "sentence"),
    [
        (lambda: plot.weights(3), TypeError, "selector: expected a fitted estimator of nearkin.w"),
        (lambda: plot.weights(ReliefF()), NotFittedError, "not fitted yet"),
        (lambda: plot.weights(KNN(3).fit(X, Y)), TypeError, "nearkin.weigh, got a KNN"),
        (lambda: plot.weights(ReliefF().fit(X, Y), n_features=0), ValueError, "n_features: must"),
        (lambda: plot.weights(ReliefF().fit(X, Y), n_features="9"), TypeError, "n_features: exp"),
        (lambda: plot.class_weights(SDA().fit(X, Y)), TypeError, "nearkin.weigh, got a SDA"),
        (lambda: plot.accuracy_curve(KNN(3), KNN(3), X, Y), TypeError, "selector: expected an es"),
        (lambda: plot.accuracy_curve(ReliefF(), 3, X, Y), TypeError, "classifier: expected an est"),
        (lambda: plot.accuracy_curve(ReliefF(), KNN(), X, Y, counts=[]), ValueError, "counts: the"),
        (lambda: plot.accuracy_curve(ReliefF(), KNN(), X, Y, counts=[0]), ValueError, "counts: mu"),
        (lambda: plot.margins(ReliefF().fit(X, Y)), TypeError, "nearkin.learn, got a ReliefF"),
        (lambda: plot.margins(SiLA().fit(X, Y), which=1), ValueError, "similarities_ are 0 to 0"),
        (lambda: plot.similarity([["a"]]), ValueError, "could not convert string|s: "),
        (lambda: plot.similarity([1.0, 2.0]), ValueError, "s: expected as many rows as columns"),
        (lambda: plot.laws(MixtureSDA(2).fit(X, Y)), TypeError, "sda: expected a fitted SDA whose"),
        (lambda: plot.laws(SDA(statistics=["nearest"]).fit(X, Y)), TypeError, "to centroids, got"),
        (lambda: plot.laws(SDA().fit(X, Y), statistic=3), ValueError, "the classes are 0 to 2"),
        (lambda: plot.laws(SDA().fit(X, Y), statistic="a"), TypeError, "statistic: expected an i"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_a_sentence(draw, error, sentence):
    with pytest.raises(error, match=sentence):
        draw()
