"""An epoch of SiLA and of sRBS beside the product of matrices that its arithmetic amounts to.

SiLA asks for the similarity of every row to every other, X A Xᵀ, under a matrix that moves with
every mistake; sRBS for x_iᵀ A v_i of every row and for Σ w_i x_i v_iᵀ. numpy computes those
products in double precision on as many threads, without picking neighbours or moving anything;
X A Xᵀ in single precision as well, in which SiLA rules rows out. Both take turns, a process each
time; the least counts. A learner's first epoch, in which SiLA looks at all rows for everyone, is
told with all that is done once; the others are many epochs without it.

The tables letter and spambase are read from the folder that NEARKIN_DATA names, label last.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import common
import learning

# Rows of a product at a time: all pairs of 16,000 rows would fill two gigabytes.
BLOCK = 2_000
LIMIT_SECONDS = 300
ROUNDS = 3
TOO_SHORT = "too short to tell"
LEARNERS = {
    "sila-diagonal": "SiLA, diagonal",
    "sila-symmetric": "SiLA, symmetric",
    "srbs-diagonal": "sRBS, diagonal",
    "srbs-symmetric": "sRBS, symmetric",
}


def measure(folder, learner):
    """Seconds of the products of a learner's epoch, the least of five."""
    import numpy as np

    rows = np.loadtxt(Path(folder) / "train.csv", delimiter=",")[:, :-1]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = {"seconds": least(works(rows)[learner])}
    if learner.startswith("sila"):
        found["single"] = least(works(rows.astype(np.float32))[learner])
    return found


def works(x):
    """The products of an epoch of each learner, in the precision of the rows."""
    import numpy as np

    n, p = x.shape
    a, v, weights = np.eye(p) + 0.01, x[::-1].copy(), np.linspace(0, 1, n)[:, None]
    a, weights = a.astype(x.dtype), weights.astype(x.dtype)
    diagonal, both = np.diag(a), x * v

    def pairs(project):
        for start in range(0, n, BLOCK):
            project(x[start : start + BLOCK]) @ x.T

    return {
        "sila-diagonal": lambda: pairs(lambda rows: rows * diagonal),
        "sila-symmetric": lambda: pairs(lambda rows: rows @ a),
        "srbs-diagonal": lambda: (both @ diagonal, weights.T @ both),
        "srbs-symmetric": lambda: (((x @ a) * v).sum(axis=1), x.T @ (weights * v)),
    }


def least(work):
    """The least seconds of five rounds."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def nearkin(folder, learner, threads=common.THREADS):
    """Seconds of many and of few epochs of nearkin's, in a process of its own."""
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "nearkin", "--bench", "learning"]
    return common.told([*command, "--", str(folder), learner, str(threads)], LIMIT_SECONDS)


def an_epoch(found):
    """The same with the seconds of one epoch: what many take longer than few, the least of each."""
    if "few" not in found:
        return found
    took = (found["seconds"] - found["few"]) / found["epochs"]
    # Where it is next to nothing beside what is done once, noise may be more.
    told = {"seconds": took} if took > 0 else {"failed": TOO_SHORT}
    return {name: value for name, value in found.items() if name != "seconds"} | told


FIGURES = ["seconds", "few", "single", "megabytes", "asked", "failed"]


def shown(own, products):
    """Cells of the page: times, or why there is none, their ratio, and memory."""
    times = [
        f"{found['seconds'] * 1e3:.3g} ms" if "seconds" in found else common.seconds(found)
        for found in (own, products)
    ]
    ratios = [
        f"{own['seconds'] / products[of]:.2g}" if "seconds" in own and of in products else ""
        for of in ("seconds", "single")
    ]
    first = f"{own['few'] * 1e3:.3g} ms" if "few" in own else ""
    return [first, *times, *ratios, common.megabytes(own), common.megabytes(products)]


def main():
    given = common.options(__doc__.splitlines()[0]).parse_args()
    if given.one:
        return common.answer(given.one, measure)
    if "NEARKIN_DATA" not in os.environ:
        print("NEARKIN_DATA is not set: epochs are not measured", file=sys.stderr)
        return None
    tables = learning.tables()
    rows, numbers = [], []
    for table in ("spambase",) if given.quick else ("letter", "spambase"):
        if not (tables / f"{table}.csv").exists():
            print(f"there is no {table}.csv in {tables}: it is left out", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            train, test = learning.prepared(tables / f"{table}.csv", 300 if given.quick else None)
            learning.write(Path(folder) / "train.csv", *train)
            learning.write(Path(folder) / "test.csv", *test)
            n, p = train[0].shape
            for learner, title in LEARNERS.items():
                programs = {
                    "nearkin": lambda folder=folder, learner=learner: nearkin(folder, learner),
                    "numpy": lambda folder=folder, learner=learner: common.child(
                        sys.executable, __file__, [folder, learner], LIMIT_SECONDS
                    ),
                }
                ask = lambda program, programs=programs: programs[program]()  # noqa: E731
                best = common.in_turns(programs, ask, 1 if given.quick else ROUNDS)
                best = {program: an_epoch(found) for program, found in best.items()}
                rows.append([table, f"{n:,} × {p}", title, *shown(best["nearkin"], best["numpy"])])
                for program, found in best.items():
                    figures = [found.get(name, "") for name in FIGURES]
                    numbers.append([table, n, p, learner, program, *figures])
    header = ["table", "training rows", "learner", "the first epoch and what is done once"]
    header += ["an epoch after it", "products", "epoch / products", "/ products in single precision"]
    header += ["peak memory of nearkin", "of numpy"]
    common.record("epochs", common.table(header, rows), given.quick)
    columns = ["table", "rows", "columns", "learner", "program", *FIGURES]
    common.write_csv("epochs", columns, numbers, given.quick)
    return None


if __name__ == "__main__":
    sys.exit(main())
