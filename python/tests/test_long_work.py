"""Long work shows progress and can be stopped."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from nearkin import _core
from nearkin._progress import progress

# Far more work than the second or so after which it is stopped; light on memory.
ROWS, COLUMNS = 60_000, 400


def long_fit(**arguments):
    x = np.ones((ROWS, COLUMNS), dtype=np.float32)
    x[::2] = np.arange(COLUMNS)
    y = (np.arange(ROWS) % 2).astype(np.uint32)
    return _core.weigh("relieff", x, y, {}, class_names=["a", "b"], **arguments)


CHILD = """
import numpy as np
from nearkin.weigh import ReliefF
X = np.random.default_rng(0).random(({rows}, {columns}), dtype=np.float32)
print("fitting", flush=True)
try:
    ReliefF(n_jobs=2).fit(X, np.arange(len(X)) % 2)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def test_ctrl_c_stops_a_fit():
    code = CHILD.format(rows=ROWS, columns=COLUMNS)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "fitting\n"
        time.sleep(1.0)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=60)[0] == "stopped\n"
        assert child.returncode == 0
    finally:
        child.kill()


def test_what_the_progress_function_raises_stops_the_work():
    seen = []

    def impatient(done, total):
        seen.append((done, total))
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        long_fit(progress=impatient)
    [(done, total)] = seen
    assert 0 <= done <= total


def test_other_threads_run_while_features_are_weighed():
    ticks, over = [], threading.Event()

    def tick():
        while not over.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()

    def after_some_ticks(done, total):
        if len(ticks) > 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        long_fit(progress=after_some_ticks)
    over.set()
    thread.join()


def test_progress_is_a_line_on_stderr_without_tqdm(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with progress("ReliefF", 1) as show:
        show(1, 2)
        show(2, 2)
    assert capsys.readouterr().err == "\rReliefF: 50 %\rReliefF: 100 %\n"
    with progress("ReliefF", 1):
        pass
    assert capsys.readouterr().err == ""


def test_progress_is_a_bar_with_tqdm(capsys):
    pytest.importorskip("tqdm")
    with progress("ReliefF", 1) as show:
        show(1, 2)
    captured = capsys.readouterr().err
    assert "ReliefF" in captured
    assert "2/2" in captured


def test_nothing_is_shown_of_work_too_short_to_be_looked_at(capsys):
    pytest.importorskip("tqdm")
    with progress("ReliefF", 1):
        pass
    assert capsys.readouterr().err == ""


EIGENVALUES = """
import threading, time
import numpy as np
from nearkin.learn import Similarity
root = np.random.default_rng(0).normal(size=(900, 900))
similarity = Similarity(root @ root.T, norm="dot")
ticks, over = [], threading.Event()
def tick():
    while not over.wait(0.01):
        ticks.append(0)
thread = threading.Thread(target=tick)
thread.start()
print("working", flush=True)
try:
    similarity.{what}()
except KeyboardInterrupt:
    print("stopped" if len(ticks) > 3 else "nobody else ran", flush=True)
over.set()
thread.join()
"""


@pytest.mark.parametrize("what", ["factor", "is_psd"])
def test_ctrl_c_stops_eigenvalues_and_other_threads_run_meanwhile(what):
    command = [sys.executable, "-c", EIGENVALUES.format(what=what)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "working\n"
        time.sleep(1.0)
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=60)[0] == "stopped\n"
        assert child.returncode == 0 and time.monotonic() - begun < 5
    finally:
        child.kill()


def test_progress_is_silent_unless_verbose():
    with progress("ReliefF", 0) as show:
        assert show is None
