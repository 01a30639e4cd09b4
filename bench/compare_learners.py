"""Learned similarities beside LMNN, NCA, ITML and an SVM: accuracy on rows not seen.

One nested protocol for all, on fifteen tables. `nearkin evaluate` cuts five stratified folds and
writes every answer; the peers learn from the same training rows and are asked about the same test
rows. Whatever has settings chooses them by three folds inside the training rows and then learns
from all of these: nearkin among its learners, the plain distance and cosine, rules of votes and
P-SVM (plan() below), LMNN, NCA and ITML the number of neighbours that decide, the SVM its C and
gamma. A second row of nearkin, "votes", is without P-SVM. Columns are scaled to mean 0 and
deviation 1 by training rows. Tables of more than --rows rows are cut down to that many, drawn by
class with a fixed seed.

    python bench/compare_learners.py --data DIR --nearkin PROGRAM --keep FILE [--rows N]

The interpreter is one with requirements-metric-learn.txt. FILE keeps what is done, a line each, so
that a run goes on where it stopped. A peer that fails on a table or passes the limit is shown as
failed. Marks compare each with nearkin by an exact test of the rows that only one of them had
right: > nearkin better (p <= .05), >> (p <= .01), < and << worse.
"""

import argparse
import csv
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

TABLES = [
    ("Iris", "iris"), ("Wine", "wine"), ("Soybean", "soybean-small"), ("Glass", "glass"),
    ("Heart", "heart-statlog"), ("Liver", "bupa"), ("Ionosphere", "ionosphere"),
    ("Balance", "balance-scale"), ("Pima", "pima"), ("German", "german-numeric"),
    ("Yeast", "yeast"), ("Magic", "magic"), ("Spambase", "spambase"), ("Musk-1", "musk1"),
    ("Letter", "letter"),
]  # fmt: skip
PEERS = ["SVM", "NCA", "ITML", "LMNN"]
NEIGHBOURS = [1, 3, 5, 9]
SIMILARITIES = [
    "euclidean", "cosine", "srbs(solver=modern; beta=10)", "sila", "relief", "relief-psd",
    "relief-psd(matrix=symmetric)", "sila(matrix=symmetric)", "sila(matrix=symmetric; constant=2)",
    "sila(matrix=symmetric; constant=10)", "sila(constant=5)",
    "srbs(solver=modern; beta=10; constant=5)",
    "srbs(solver=modern; matrix=symmetric; beta=10; lambda=1)",
    "srbs-psd(solver=modern; matrix=symmetric; beta=10; lambda=1)",
]  # fmt: skip
VOTES = ["knn(k=1)", "knn(k=3)", "knn(k=9)", "sknn(k=1)", "sknn(k=3)", "sknn(k=9)"]
WEIGHTS = ["psvm", "psvm(c=100; epsilon=0.01)"]
OURS = {"nearkin": [*VOTES, *WEIGHTS], "votes": VOTES}


def plan(name):
    """What a row of nearkin chooses from."""
    return f"""
[[plan]]
name = "{name}"
pipeline = "zscore > cosine > knn(k=1)"

[plan.grid]
"similarity" = {json.dumps(SIMILARITIES)}
"classifier" = {json.dumps(OURS[name])}
"""


def drawn(path, most, to):
    """Write the rows of a table, or `most` of them drawn by class, and give columns and classes."""
    import numpy as np

    lines = path.read_text().splitlines()
    head, rows = lines[0], lines[1:]
    labels = np.array([row.rsplit(",", 1)[1] for row in rows])
    if len(rows) > most:
        random = np.random.default_rng(0)
        kept = []
        for label in np.unique(labels):
            own = random.permutation(np.flatnonzero(labels == label))
            kept.extend(own[: max(2, round(most * len(own) / len(rows)))])
        rows = [rows[at] for at in sorted(kept)]
        labels = labels[sorted(kept)]
    to.write_text("\n".join([head, *rows]) + "\n")
    cells = np.array([[float(x) for x in row.rsplit(",", 1)[0].split(",")] for row in rows])
    return cells, np.unique(labels, return_inverse=True)[1]


def ours(program, name, table, place):
    """Every answer of a plan and what stands beside it: {method: {row: right}}, folds, seconds."""
    file, said = place / "plan.toml", place / "said.csv"
    file.write_text(plan(name))
    command = [program, "evaluate", table, "--plan", file, "--protocol", "5-fold", "--quiet"]
    command += ["--choose", "3-fold", "--predictions", said, "--target", "-1"]
    command += ["--target-kind", "classes", "--threads", "1"]
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    right, folds = {}, {}
    for line in csv.DictReader(said.open()):
        row = int(line["row"])
        right.setdefault(line["method"], {})[row] = int(line["right"])
        folds[row] = int(line["split"])
    return right, folds, seconds


def peer(name, cells, labels, folds):
    """Every answer of a peer, {row: right}, chosen inside and learned on the same folds."""
    import metric_learn
    import numpy as np
    from sklearn.model_selection import KFold
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    makers = {
        "LMNN": lambda: metric_learn.LMNN(n_neighbors=3),
        "NCA": lambda: metric_learn.NCA(max_iter=100),
        "ITML": lambda: metric_learn.ITML_Supervised(random_state=0),
    }

    def learned(x, y):
        """Functions from a setting to a fitted classifier, for rows scaled alike."""
        if name == "SVM":
            scale = 1 / (x.shape[1] * max(x.var(), 1e-12))
            return lambda at: SVC(C=at[0], gamma=at[1] * scale).fit(x, y).predict
        model = makers[name]().fit(x, y)
        mapped = model.transform(x)

        def with_k(k):
            judge = KNeighborsClassifier(min(k, len(x))).fit(mapped, y)
            return lambda rows: judge.predict(model.transform(rows))

        return with_k

    settings = NEIGHBOURS
    if name == "SVM":
        settings = [(c, gamma) for c in (1, 10, 100) for gamma in (0.25, 1, 4)]
    right = {}
    for fold in sorted(set(folds.values())):
        train = np.array(sorted(row for row in folds if folds[row] != fold))
        test = np.array(sorted(row for row in folds if folds[row] == fold))

        def scaled(rows, by):
            deviation = cells[by].std(axis=0)
            return (cells[rows] - cells[by].mean(axis=0)) / np.where(deviation > 0, deviation, 1)

        scores = np.zeros(len(settings))
        for learn, judge in KFold(3, shuffle=True, random_state=fold).split(train):
            learn, judge = train[learn], train[judge]
            tried = learned(scaled(learn, learn), labels[learn])
            seen = scaled(judge, learn)
            scores += [np.sum(tried(at)(seen) == labels[judge]) for at in settings]
        best = settings[int(np.argmax(scores))]
        said = learned(scaled(train, train), labels[train])(best)(scaled(test, train))
        right |= {int(row): int(s == labels[row]) for row, s in zip(test, said, strict=True)}
    return right


def mark(own, other):
    """How nearkin compares by the rows that only one had right, two-sided and exact."""
    wins = sum(own[row] > other[row] for row in own)
    losses = sum(own[row] < other[row] for row in own)
    n, k = wins + losses, max(wins, losses)
    p = min(1.0, 2 * sum(math.comb(n, i) for i in range(k, n + 1)) / 2**n) if n else 1.0
    word = "" if p > 0.05 else (">" if p > 0.01 else ">>")
    return word if wins >= losses else word.replace(">", "<")


def show(done):
    """The table in Markdown: accuracies with marks, and means over the tables all finished."""
    methods = [*OURS, *PEERS, "cosine > knn", "euclidean > knn"]
    print("| table | rows | " + " | ".join(methods) + " |")
    print("|---|---|" + "---|" * len(methods))
    sums, count = dict.fromkeys(methods, 0.0), 0
    for title, _ in TABLES:
        right = done.get(title, {})
        if "nearkin" not in right:
            continue
        own, line = right["nearkin"], []
        for method in methods:
            if right.get(method):
                accuracy = sum(right[method].values()) / len(own)
                line.append(f"{accuracy:.3f} {mark(own, right[method])}".strip())
            else:
                line.append("failed" if method in right else "")
        if all(right.get(method) for method in methods):
            count += 1
            for method in methods:
                sums[method] += sum(right[method].values()) / len(own)
        print(f"| {title} | {len(own)} | " + " | ".join(line) + " |")
    if count:
        means = " | ".join(f"{sums[method] / count:.4f}" for method in methods)
        print(f"| mean of {count} | | {means} |")


def main():
    """Do what is not done yet, then show everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("NEARKIN_DATA"))
    parser.add_argument("--nearkin", default="nearkin", help="the program")
    parser.add_argument("--keep", type=Path, required=True, help="file of what is done")
    parser.add_argument("--rows", type=int, default=500)
    limit = "processor seconds for a peer and table"
    parser.add_argument("--limit", type=float, default=300, help=limit)
    parser.add_argument("--show", action="store_true", help="only show what is done")
    given = parser.parse_args()
    done = {}
    if given.keep.exists():
        for line in map(json.loads, given.keep.read_text().splitlines()):
            right = {int(row): hit for row, hit in line["right"].items()}
            done.setdefault(line["table"], {})[line["method"]] = right
            if line["method"] == "nearkin":
                done[line["table"]]["folds"] = {int(r): f for r, f in line["folds"].items()}
    if given.show or given.data is None:
        return show(done)
    folder = Path(given.data)
    folder = folder / "tables" if (folder / "tables").is_dir() else folder

    def keep(table, method, right, seconds, folds=None):
        done.setdefault(table, {})[method] = right
        line = {"table": table, "method": method, "right": right, "seconds": round(seconds, 2)}
        with given.keep.open("a") as out:
            out.write(json.dumps(line | ({"folds": folds} if folds else {})) + "\n")

    warnings.simplefilter("ignore")

    def too_long(*_):
        raise TimeoutError(f"more than {given.limit:g} seconds of a processor")

    signal.signal(signal.SIGVTALRM, too_long)
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        sets = {}
        for title, name in TABLES:
            sets[title] = drawn(folder / f"{name}.csv", given.rows, place / f"{name}.csv")
        for title, name in TABLES:
            for method in OURS:
                if method in done.get(title, {}):
                    continue
                table = place / f"{name}.csv"
                right, folds, seconds = ours(given.nearkin, method, table, place)
                keep(title, method, right[method], seconds, folds)
                if method == "nearkin":
                    for plain in ("cosine > knn", "euclidean > knn"):
                        keep(title, plain, right[plain], seconds, folds)
                done[title]["folds"] = folds
            for method in PEERS:
                if method in done[title]:
                    continue
                start = time.perf_counter()
                signal.setitimer(signal.ITIMER_VIRTUAL, given.limit)
                try:
                    right = peer(method, *sets[title], done[title]["folds"])
                except Exception as error:
                    print(f"{method} on {title}: {error}", file=sys.stderr)
                    right = {}
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                keep(title, method, right, time.perf_counter() - start)
    return show(done)


if __name__ == "__main__":
    sys.exit(main())
