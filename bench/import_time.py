"""What `import nearkin` adds to numpy and scikit-learn, in milliseconds.

    python bench/import_time.py

Each figure is the best of several fresh processes, of their processor's time, which other work on
the machine does not change: from where numpy and scikit-learn
are loaded, with the parts of scikit-learn that the estimators stand on, to where nearkin is.
"""

import subprocess
import sys

BEFORE = (
    "numpy, joblib, sklearn.base, sklearn.feature_selection, sklearn.model_selection, "
    "sklearn.utils.validation"
)
WHAT = {
    "nearkin": "nearkin",
    "every room": "nearkin.weigh, nearkin.learn, nearkin.classify, nearkin.evaluate, "
    "nearkin.datasets, nearkin.plot",
}
LIMIT = 200.0
CHILD = """
import {before}
import time
begun = time.process_time()
import {what}
print(1000 * (time.process_time() - begun))
"""


def milliseconds(what, runs=5):
    code = CHILD.format(before=BEFORE, what=what)
    command = [sys.executable, "-c", code]
    times = [float(subprocess.check_output(command, text=True)) for _ in range(runs)]
    return min(times)


if __name__ == "__main__":
    found = {name: milliseconds(what) for name, what in WHAT.items()}
    for name, time in found.items():
        print(f"import {name}: {time:.1f} ms")
    sys.exit(max(found.values()) > LIMIT)
