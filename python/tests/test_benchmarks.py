"""What the benchmarks report of a program that fails, passes its limit or is not there."""

import importlib.util
import sys
import time
from pathlib import Path

import pytest

COMMON = Path(__file__).parents[2] / "bench" / "common.py"

pytestmark = pytest.mark.skipif(not COMMON.exists(), reason="the benchmarks are not here")


@pytest.fixture(scope="module")
def common():
    spec = importlib.util.spec_from_file_location("bench_common", COMMON)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(text):
    return [sys.executable, "-c", text]


def test_the_last_line_is_what_a_program_found(common):
    found = common.told(program("print('warming up'); print('{\"seconds\": 0.25}')"), 60)
    assert found == {"seconds": 0.25}


def test_a_program_past_its_limit_ends_with_all_that_it_started(common):
    begun = time.perf_counter()
    # The sleeper holds the output open: who waits for it alone waits a minute.
    found = common.told(["sh", "-c", "sleep 60 & wait"], 0.3)
    assert time.perf_counter() - begun < 30
    assert found == {"failed": "more than 0.3 s"}
    own = {"seconds": 0.1}
    assert common.too_long(found)
    assert common.times(found, own) == pytest.approx(3)
    assert common.ratio(found, own) == "> 3 ×"
    assert common.seconds(found) == "more than 0.3 s"


def test_a_program_that_fails_is_told_of_by_its_last_line(common):
    for text, told in {
        "import sys; sys.exit('first\\nno | memory')": "no / memory",
        "raise ValueError('too wide')": "ValueError: too wide",
        "import sys; sys.exit('x' * 200)": "x" * 80,
        "import sys; sys.exit(3)": "exit status 3",
    }.items():
        assert common.told(program(text), 60) == {"failed": told}


def test_a_program_ended_by_a_signal_names_it(common):
    # What it said before is not why it ended.
    text = "import os; os.write(2, b'a warning'); os.kill(os.getpid(), 9)"
    assert common.told(program(text), 60) == {"failed": "ended by SIGKILL"}
    assert common.ended(-63) == "ended by signal 63"


def test_a_program_that_is_not_there_is_unavailable(common):
    there_is_none = "unavailable: No such file or directory"
    assert common.told(["/nowhere/at/all"], 60) == {"failed": there_is_none}
    missing = common.told(program("import nowhere_at_all"), 60)
    assert missing == {"failed": "unavailable: No module named 'nowhere_at_all'"}


def test_programs_take_turns_and_the_least_seconds_and_most_memory_count(common):
    rounds = {
        "quick": [{"seconds": 2.0, "megabytes": 30.0}, {"seconds": 1.0, "megabytes": 20.0}],
        "slow": [{"seconds": 5.0}, {"seconds": 6.0}],
    }
    order = []

    def ask(name):
        order.append(name)
        return rounds[name][len(order) > 2]

    best = common.in_turns(rounds, ask, 2)
    assert order == ["quick", "slow", "quick", "slow"]
    assert best == {
        "quick": {"seconds": 1.0, "megabytes": 30.0, "asked": 2},
        "slow": {"seconds": 5.0, "asked": 2},
    }
    assert common.ratio(best["slow"], best["quick"]) == "5.0 ×"


def test_few_and_all_count_by_their_own_least(common):
    before = {"seconds": 2.0, "few": 0.3, "asked": 1}
    kept = common.better(before, {"seconds": 1.0, "few": 0.4})
    assert kept == {"seconds": 1.0, "few": 0.3, "asked": 2}


def test_a_program_that_failed_is_not_asked_again_and_its_times_do_not_count(common):
    rounds = {"first": [{"failed": "x"}], "later": [{"seconds": 1.0}, {"failed": "y"}]}
    best = common.in_turns(rounds, lambda name: rounds[name].pop(0), 3)
    assert best == {"first": {"failed": "x", "asked": 1}, "later": {"failed": "y", "asked": 2}}


def test_a_bar_is_met_missed_or_not_told(common):
    peer, own, failed = {"seconds": 4.0}, {"seconds": 1.0}, {"failed": "x"}
    assert common.met(common.times(peer, own), least=4) == "yes"
    assert common.met(common.times(peer, own), least=5) == "no"
    assert common.met(120, most=100) == "no"
    # Without a peer nothing is known; without an answer of our own the bar is missed.
    assert common.ratio(failed, own) == common.ratio(peer, failed) == ""
    assert common.met(common.times(failed, own), least=1) == ""
    assert common.met(common.times(peer, failed), least=1) == "no"
    assert common.met(3.0) == ""
