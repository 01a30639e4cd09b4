"""An epoch of SiLA and of sRBS beside the product of matrices that its arithmetic amounts to.

SiLA asks for the similarity of every row to every other, X A Xᵀ, under a matrix that moves with
every mistake; sRBS for x_iᵀ A v_i of every row and for Σ w_i x_i v_iᵀ. numpy computes those
products in the same precision on as many threads, without picking neighbours or moving anything.

The tables letter and spambase are read from the folder that NEARKIN_DATA names, label last.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import common
import learning

# Rows of a product at a time: all pairs of 16,000 rows would fill two gigabytes.
BLOCK = 2_000


def measure(folder):
    """Seconds of the products, the least of five."""
    import numpy as np

    x = np.loadtxt(Path(folder) / "train.csv", delimiter=",")[:, :-1]
    n, p = x.shape
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    a, v, weights = np.eye(p) + 0.01, x[::-1].copy(), np.linspace(0, 1, n)[:, None]
    diagonal, both = np.diag(a), x * v

    def pairs(project):
        for start in range(0, n, BLOCK):
            project(x[start : start + BLOCK]) @ x.T

    works = {
        "sila diagonal": lambda: pairs(lambda rows: rows * diagonal),
        "sila symmetric": lambda: pairs(lambda rows: rows @ a),
        "srbs diagonal": lambda: (both @ diagonal, weights.T @ both),
        "srbs symmetric": lambda: (((x @ a) * v).sum(axis=1), x.T @ (weights * v)),
    }
    found = {}
    for name, work in works.items():
        times = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        found[name] = min(times)
    return found


def nearkin(folder):
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "nearkin", "--bench", "learning"]
    command += ["--", str(folder), "epochs", str(common.THREADS)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=common.ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    given = common.options(__doc__.splitlines()[0]).parse_args()
    if given.one:
        return common.answer(given.one, measure)
    if "NEARKIN_DATA" not in os.environ:
        print("NEARKIN_DATA is not set: epochs are not measured", file=sys.stderr)
        return None
    tables = learning.tables()
    titles = {"sila": "SiLA", "srbs": "sRBS"}
    header = ["table", "training rows", "learner", "an epoch", "products", "epoch / products"]
    rows, numbers = [], []
    for table in ("spambase",) if given.quick else ("letter", "spambase"):
        if not (tables / f"{table}.csv").exists():
            print(f"there is no {table}.csv in {tables}: it is left out", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            train, test = learning.prepared(tables / f"{table}.csv", 300 if given.quick else None)
            learning.write(Path(folder) / "train.csv", *train)
            learning.write(Path(folder) / "test.csv", *test)
            own = nearkin(folder)
            products = common.child(sys.executable, __file__, [folder], 300)
        if "failed" in products:
            raise SystemExit(f"the products of {table}: {products['failed']}")
        n, p = train[0].shape
        for name, seconds in own.items():
            floor = products[name]
            learner = titles[name.split()[0]] + ", " + name.split()[1]
            times = [f"{seconds * 1e3:.3g} ms", f"{floor * 1e3:.3g} ms"]
            rows.append([table, f"{n:,} × {p}", learner, *times, f"{seconds / floor:.2g}"])
            numbers.append([table, n, p, name, seconds, floor])
    common.record("epochs", common.table(header, rows), given.quick)
    columns = ["table", "rows", "columns", "learner", "seconds", "products"]
    common.write_csv("epochs", columns, numbers, given.quick)
    return None


if __name__ == "__main__":
    sys.exit(main())
