"""The tour of the documentation runs from end to end."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

TOUR = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_tour_runs_as_written_and_needs_no_file_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("matplotlib").use("Agg")
    failed, tried = doctest.testfile(str(TOUR), module_relative=False, encoding="utf-8")
    assert tried > 30
    assert not failed


def test_importing_the_package_loads_nothing_that_is_not_asked_for():
    code = (
        "import sys, numpy; before = set(sys.modules); import nearkin; "
        "print(*sorted(m.split('.')[0] for m in set(sys.modules) - before))"
    )
    loaded = subprocess.check_output([sys.executable, "-P", "-c", code], text=True).split()
    assert {"sklearn", "pandas", "polars", "matplotlib", "tqdm"}.isdisjoint(loaded)
    code = "import sys, nearkin.plot, nearkin.evaluate, nearkin.classify; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-P", "-c", code], text=True).split()
    assert {"matplotlib", "polars", "tqdm"}.isdisjoint(loaded)
