"""Manners of a native package: arrays are borrowed, progress is shown, Ctrl-C works everywhere."""

import signal
import subprocess
import sys
import threading
import time
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.validation import check_is_fitted
from test_classify import quick
from test_sklearn_checks import CLASSIFIERS, ESTIMATORS

from nearkin import _core, datasets
from nearkin.classify import KNN, SDA, LocalSDA
from nearkin.learn import SRBS, SiLA
from nearkin.weigh import MultiSURF, ReliefF, RReliefF

ROOT = Path(__file__).parents[2]
WINE = datasets.load("wine", return_X_y=True)


def handed_over(monkeypatch, name):
    """A list that collects the rows which the core's function of this name is given."""
    seen, function = [], getattr(_core, name)

    def spy(method, x, *others, **named):
        seen.append(x)
        return function(method, x, *others, **named)

    monkeypatch.setattr(_core, name, spy)
    return seen


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_borrowed_and_not_copied(monkeypatch, dtype, order):
    X, y = np.asarray(WINE[0], dtype=dtype, order=order), WINE[1]
    for name, estimator in (("weigh", ReliefF()), ("learn", SRBS(epochs=1))):
        seen = handed_over(monkeypatch, name)
        estimator.fit(X, y)
        frame = pd.DataFrame(X, copy=False)
        estimator.fit(frame, y)
        for x in seen:
            assert x.dtype == dtype and np.shares_memory(x, X)


def unaligned(array):
    """The same numbers an odd number of bytes into a buffer, as messages bring them."""
    buffer = bytearray(array.nbytes + 1)
    made = np.frombuffer(buffer, dtype=array.dtype, count=array.size, offset=1)
    made = made.reshape(array.shape)
    made[...] = array
    assert not made.flags.aligned
    return made


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_that_are_not_aligned_are_as_good(dtype):
    X, y = WINE[0].astype(dtype), WINE[1]
    odd, labels = unaligned(X), unaligned(y)
    for estimator in (ReliefF(), RReliefF(), SRBS(epochs=2), KNN(3)):
        given, meant = clone(estimator).fit(odd, labels), clone(estimator).fit(X, y)
        for name, value in vars(meant).items():
            if isinstance(value, np.ndarray):
                np.testing.assert_array_equal(getattr(given, name), value)
        if hasattr(meant, "predict"):
            np.testing.assert_array_equal(given.predict(odd), meant.predict(X))
    s = np.exp(-euclidean_distances(X.astype(np.float64)))
    sda = SDA(similarity="precomputed").fit(unaligned(s), y)
    np.testing.assert_array_equal(sda.predict(unaligned(s)), sda.predict(s))


def test_single_precision_is_measured_in_single_precision(monkeypatch):
    X, y = WINE[0].astype(np.float32), WINE[1]
    fitted = KNN(3).fit(X, y)
    # The one copy is that of the training rows, which a caller may change later.
    assert fitted._training.numbers.dtype == np.float32
    assert fitted._training.numbers.nbytes == X.nbytes


@pytest.mark.parametrize(
    "estimator",
    [
        MultiSURF(),
        SiLA(matrix="full", epochs=30),
        SRBS(matrix="full", epochs=300),
        LocalSDA(k_candidates=[20, 40, 80]),
    ],
)
def test_verbose_shows_progress_and_changes_nothing(estimator, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    rng = np.random.default_rng(0)
    X, y = rng.random((450, 40)), np.arange(450) % 3
    begun = time.monotonic()
    quiet = clone(estimator).fit(X, y)
    short = time.monotonic() - begun < 0.2
    assert capsys.readouterr().err == ""
    loud = clone(estimator).set_params(verbose=True).fit(X, y)
    shown = capsys.readouterr().err
    # A fit that is over before one could look shows nothing.
    assert shown.startswith(f"\r{type(estimator).__name__}: ") or (short and shown == "")
    for name, value in vars(quiet).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(loud, name), value)


CHILD = """
import numpy as np
from nearkin.classify import PSVM
from nearkin.learn import SiLA, SRBS
rng = np.random.default_rng(0)
X, y = rng.random((1500, 60)), np.arange(1500) % 2
print("fitting", flush=True)
try:
    {fit}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize(
    "fit",
    [
        "SiLA(matrix='full', epochs=100000).fit(X, y)",
        "SRBS(matrix='full', epochs=100000, gamma=0.0).fit(X, y)",
        "PSVM(C=1e9, epsilon=1e-9, tol=1e-300, sweeps=10**9).fit(X, y)",
    ],
)
def test_ctrl_c_stops_learning_and_classifying(fit):
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", CHILD.format(fit=fit)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout.readline() == "fitting\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=60)[0] == "stopped\n"
        assert child.returncode == 0
    finally:
        child.kill()


def test_other_threads_run_while_a_similarity_is_learned():
    rng = np.random.default_rng(0)
    x, y = rng.random((1500, 60)), (np.arange(1500) % 2).astype(np.uint32)
    ticks, over = [], threading.Event()

    def tick():
        while not over.wait(0.01):
            ticks.append(time.monotonic())

    def after_some_ticks(done, total):
        if len(ticks) > 3:
            raise RuntimeError("enough")

    thread = threading.Thread(target=tick)
    thread.start()
    settings = {"epochs": "100000", "matrix": "full"}
    with pytest.raises(RuntimeError, match="enough"):
        _core.learn("sila", x, settings, y=y, class_names=["a", "b"], progress=after_some_ticks)
    over.set()
    thread.join()


def test_importing_takes_less_than_200_ms_of_processor_time():
    path = ROOT / "bench" / "import_time.py"
    loader = SourceFileLoader("import_time", str(path))
    bench = module_from_spec(spec_from_loader("import_time", loader))
    loader.exec_module(bench)
    assert bench.milliseconds(bench.WHAT["every room"], runs=2) < bench.LIMIT


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_refused_fit_leaves_nothing_fitted(estimator):
    X, y = np.round(WINE[0][::4]) % 5 + 1, WINE[1][::4]
    made = quick(estimator) if estimator in CLASSIFIERS else estimator()
    made.set_params(verbose=0).fit(X, y)
    check_is_fitted(made)
    with pytest.raises(ValueError):
        made.fit(np.full_like(X, np.inf), y)
    with pytest.raises(NotFittedError):
        check_is_fitted(made)


def test_an_exception_says_what_happened_without_words():
    with pytest.raises(ValueError) as refused:
        ReliefF(metric="taxi").fit(*WINE)
    assert (refused.value.kind, refused.value.variant) == ("parameter", "NotOneOf")


def test_very_many_numbers_as_classes_are_one_warning():
    X, y = WINE
    with pytest.warns(UserWarning) as warned:
        fitted = ReliefF().fit(X, np.minimum(np.arange(len(y)), 80))
    assert len(warned) == 1 and "use a method such as RReliefF" in str(warned[0].message)
    assert len(fitted.notes_) >= 80


def test_dask_is_imported_when_it_is_asked_for():
    pytest.importorskip("distributed")
    code = "import nearkin; nearkin.dask.KNN"
    subprocess.run([sys.executable, "-c", code], check=True)
