"""Learned similarities beside metric-learn's LMNN: seconds to learn, and accuracy on rows not seen.

Both get the same split and the same columns, scaled to mean 0 and deviation 1 by the training
rows, and both classify by the 3 nearest training rows: LMNN under the Euclidean distance of
mapped rows, nearkin under the learned similarity. Each runs in a process of its own, in its own
environment, in turns; the least time of each counts.

    python bench/learning.py --data DIR --peer PYTHON [--rounds N] [--rows N]

DIR holds letter.csv and spambase.csv with the label in the last column; PYTHON is the
interpreter of an environment made from requirements-metric-learn.txt.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TABLES = ["letter", "spambase"]
THREADS = 2
K = 3
LIMIT_SECONDS = 3600
# (name, parameters) of nearkin's learners.
LEARNERS = {
    "SiLA": {"matrix": "symmetric", "epochs": 3},
    "sRBS": {"matrix": "full", "solver": "modern", "beta": 10.0, "regularization": 1.0},
    "sRBS, diagonal": {},
}


def prepared(path, rows):
    """Scaled training and test rows with their classes."""
    import numpy as np

    lines = [line.rstrip("\n").split(",") for line in path.open()][1:]
    x = np.array([line[:-1] for line in lines], dtype=np.float64)
    y = np.unique([line[-1] for line in lines], return_inverse=True)[1]
    order = np.random.default_rng(0).permutation(len(x))
    test, train = order[: len(x) // 5], order[len(x) // 5 :][:rows]
    mean, deviation = x[train].mean(axis=0), x[train].std(axis=0)
    x = (x - mean) / np.where(deviation > 0, deviation, 1)
    return {"x": x[train], "y": y[train], "test": x[test], "truth": y[test]}


def work(program, file):
    """Learn and classify in this process; print seconds and accuracy."""
    import numpy as np

    sets = np.load(file)
    x, y, test, truth = (sets[name] for name in ("x", "y", "test", "truth"))
    if program == "LMNN":
        from metric_learn import LMNN
        from sklearn.neighbors import KNeighborsClassifier

        start = time.perf_counter()
        learner = LMNN(n_neighbors=K).fit(x, y)
        seconds = time.perf_counter() - start
        judge = KNeighborsClassifier(K).fit(learner.transform(x), y)
        accuracy = judge.score(learner.transform(test), truth)
    else:
        from nearkin import learn

        kind = learn.SiLA if program.startswith("SiLA") else learn.SRBS
        learner = kind(n_neighbors=K, n_jobs=THREADS, **LEARNERS[program])
        start = time.perf_counter()
        learner.fit(x, y)
        seconds = time.perf_counter() - start
        right = 0
        for at in range(0, len(test), 500):
            scores = learner.similarity_.between(test[at : at + 500], x, n_jobs=THREADS)
            near = np.argsort(-scores, axis=1, kind="stable")[:, :K]
            for votes, own in zip(y[near], truth[at : at + 500], strict=True):
                counts = np.bincount(votes)
                # A tie goes to the tied class that is nearest.
                said = next(vote for vote in votes if counts[vote] == counts.max())
                right += said == own
        accuracy = right / len(test)
    print(json.dumps({"seconds": seconds, "accuracy": float(accuracy)}))


def ask(python, program, file):
    """One measurement in a process of its own; none when it fails or takes too long."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS)}
    command = [python, __file__, "--work", program, str(file)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def main():
    """Measure every table and print a table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("NEARKIN_DATA"))
    parser.add_argument("--peer", help="interpreter with metric-learn")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, help="training rows at most")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        return work(*given.work)
    if given.data is None or given.peer is None:
        print("no --data or --peer: learning is not measured", file=sys.stderr)
        return None
    folder = Path(given.data)
    folder = folder / "tables" if (folder / "tables").is_dir() else folder
    print("| table | rows | learner | seconds | LMNN | ratio | accuracy | LMNN |")
    print("|---|---|---|---|---|---|---|---|")
    for table in TABLES:
        with tempfile.TemporaryDirectory() as place:
            import numpy as np

            sets = prepared(folder / f"{table}.csv", given.rows)
            file = Path(place) / "sets.npz"
            np.savez(file, **sets)
            best = {}
            for _ in range(given.rounds):
                for program in ["LMNN", *LEARNERS]:
                    python = given.peer if program == "LMNN" else sys.executable
                    found = ask(python, program, file)
                    if found and found["seconds"] < best.get(program, found)["seconds"] + 1e-9:
                        best[program] = found
            peer = best.get("LMNN")
            for program in LEARNERS:
                own = best.get(program)
                if own is None:
                    continue
                ratio = f"{peer['seconds'] / own['seconds']:.1f}" if peer else "no answer"
                their = f"{peer['seconds']:.1f}" if peer else ""
                times = f"{own['seconds']:.2f} | {their}"
                accuracy = f"{own['accuracy']:.4f} | " + (f"{peer['accuracy']:.4f}" if peer else "")
                rows = len(sets["x"])
                print(f"| {table} | {rows} | {program} | {times} | {ratio} | {accuracy} |")
    return None


if __name__ == "__main__":
    sys.exit(main())
