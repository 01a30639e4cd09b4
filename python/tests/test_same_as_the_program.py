"""Python's numbers are the program's, to the last bit.

The program is the one NEARKIN_PROGRAM names, else the one that the Rust tests have built.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from nearkin import _core, datasets, weigh

ROOT = Path(__file__).parents[2]
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "nearkin"
PROGRAM = Path(os.environ.get("NEARKIN_PROGRAM", BUILT))

METHODS = {
    one._method: one
    for one in vars(weigh).values()
    if getattr(one, "_method", None) and not issubclass(one, weigh.BaseWrapper)
}


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program has not been built")
@pytest.mark.parametrize("table", ["iris", "house-votes-84"])
@pytest.mark.parametrize("method", sorted(set(METHODS) - {"rrelieff"}))
def test_weights_are_those_of_the_program(method, table):
    ran = subprocess.run(
        [PROGRAM, "weigh", f"@{table}", "--method", method, "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(ran.stdout)
    if said["nearkin_version"] != _core.__version__:
        pytest.skip("the program is of another version")
    found = METHODS[method]().fit(*datasets.load(table, as_frame=True, return_X_y=True))
    whole = [one for one in said["weights"] if not one.get("class")]
    expected = {one["feature"]: one["weight"] for one in whole}
    theirs = [expected[name] for name in found.feature_names_in_]
    np.testing.assert_array_equal(found.feature_importances_, theirs)
