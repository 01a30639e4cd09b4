"""The program, for tests that hold Python's numbers and files beside its own.

It is the one NEARKIN_PROGRAM names, else the one that the Rust tests have built.
"""

import os
import subprocess
from pathlib import Path

import pytest

from nearkin import _core

_ROOT = Path(__file__).parents[2]
_BUILT = Path(os.environ.get("CARGO_TARGET_DIR", _ROOT / "target")) / "debug" / "nearkin"
PROGRAM = Path(os.environ.get("NEARKIN_PROGRAM", _BUILT))


def _is_ours():
    if not PROGRAM.exists():
        return False
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False)
    return said.stdout.split()[-1:] == [_core.__version__]


needs_program = pytest.mark.skipif(
    not _is_ours(), reason="the program of this version has not been built"
)


def run(*words):
    """What the program prints."""
    ran = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
