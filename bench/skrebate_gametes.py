"""Score scikit-rebate on the simulated genetics that `nearkin-papers gametes` reads.

    python bench/skrebate_gametes.py DATA crates/nearkin-papers/data/skrebate-gametes.csv

    python bench/skrebate_gametes.py DATA --orders 10 --groups NAME… --methods relieff

DATA holds a folder `gametes` of groups of replicates (.csv.gz). Rows that the output holds
already are kept and not run again. Needs scikit-rebate 0.8.4 and numpy.

Columns of the output: group, replicate, method, auc (probability that a predictive feature
outranks another one, ties half, where weights that differ by less than 1e-10 of the
greatest tie), top (1 when all predictive features stand above all
others). Predictive are the columns not named N<number>; where every column is
predictive (multiplexers) the address bits A_<number> are held against the register bits.

With --orders nothing is recorded: each group is scored with its rows as they are and in so many
random orders, which tells what the order of equally near rows is worth to scikit-rebate itself.
"""

import argparse
import csv
import gzip
import multiprocessing
import os
import re
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import skrebate.relieff
from skrebate import SURF, MultiSURF, MultiSURFstar, ReliefF, SURFstar


class StableNumpy:
    """numpy, but equally near rows keep their order when they are sorted."""

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def argsort(values):
        return np.argsort(values, kind="stable")


class StableReliefF(ReliefF):
    """ReliefF as published by scikit-rebate, ties going to the lower row as in nearkin."""

    def fit(self, X, y):
        skrebate.relieff.np = StableNumpy()
        try:
            return super().fit(X, y)
        finally:
            skrebate.relieff.np = np


METHODS = {
    "relieff": lambda: ReliefF(n_neighbors=10),
    "relieff-stable": lambda: StableReliefF(n_neighbors=10),
    "surf": SURF,
    "surf-star": SURFstar,
    "multisurf": MultiSURF,
    "multisurf-star": MultiSURFstar,
}


def read(path):
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.reader(file))
    names = rows[0][:-1]
    cells = np.array([[float(c) if c else np.nan for c in row] for row in rows[1:]])
    return names, cells[:, :-1], cells[:, -1]


def relevant(names):
    found = np.array([re.fullmatch(r"N\d+", name) is None for name in names])
    return np.array([name.startswith("A_") for name in names]) if found.all() else found


def run(task, order=None):
    path, method = task
    names, features, target = read(path)
    if order is not None:
        order = np.random.default_rng(order).permutation(len(target))
        features, target = features[order], target[order]
    scores = METHODS[method]().fit(features, target).feature_importances_
    mark = relevant(names)
    # Weights that are equal but for the rounding of their sums are ties.
    scores = np.round(scores / (np.abs(scores).max() or 1.0), 10)
    ours, others = scores[mark], scores[~mark]
    pairs = ours[:, None] - others[None, :]
    auc = float(np.mean((pairs > 0) + 0.5 * (pairs == 0)))
    top = int(ours.min() > others.max())
    return [path.parent.name, path.name.split(".")[0], method, repr(auc), top]


def orders(data, groups, methods, number):
    """Mean AUC of each group as its rows lie, and over random orders of them."""
    print("group,method,as the rows lie,mean over orders,standard deviation,least,greatest")
    for group in groups:
        paths = sorted((data / "gametes" / group).glob("*.csv.gz"))
        for method in methods:
            lying = np.mean([float(run((path, method))[3]) for path in paths])
            means = [
                np.mean([float(run((path, method), order)[3]) for path in paths])
                for order in range(number)
            ]
            spread = [np.mean(means), np.std(means, ddof=1), min(means), max(means)]
            told = ",".join(f"{value:.4f}" for value in [lying, *spread])
            print(f"{group},{method},{told}", flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("data", type=Path)
    words.add_argument("output", type=Path, nargs="?")
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--minutes", type=float, default=60, help="start nothing new after this")
    words.add_argument("--rows", type=int, default=2000, help="leave out larger tables")
    words.add_argument("--columns", type=int, default=150, help="leave out wider tables")
    words.add_argument("--missing", action="store_true", help="also tables with missing cells")
    words.add_argument("--groups", nargs="+", help="only these")
    words.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    words.add_argument("--orders", type=int, help="score so many random orders of the rows")
    chosen = words.parse_args()
    os.nice(10)
    if chosen.orders:
        return orders(chosen.data, chosen.groups or [], chosen.methods, chosen.orders)
    if chosen.output is None:
        words.error("name the file to write")
    done = set()
    if chosen.output.exists():
        with open(chosen.output, newline="") as file:
            done = {tuple(row[:3]) for row in csv.reader(file)}
    else:
        chosen.output.write_text("group,replicate,method,auc,top\n")
    tasks = []
    for path in sorted((chosen.data / "gametes").glob("*/*.csv.gz")):
        if chosen.groups and path.parent.name not in chosen.groups:
            continue
        names, features, target = read(path)
        wide = len(names) > chosen.columns or len(features) > chosen.rows
        if wide or (np.isnan(features).any() and not chosen.missing):
            continue
        for method in chosen.methods:
            if (path.parent.name, path.name.split(".")[0], method) not in done:
                # Cheap tables first; of the others one replicate of every group at a time.
                # With missing cells it visits pairs in Python, which is far slower.
                large, holes = len(features) > 1000, bool(np.isnan(features).any())
                tasks.append((large, path.name, holes, path, method))
    tasks.sort()
    end = time.monotonic() + 60 * chosen.minutes
    with multiprocessing.Pool(chosen.jobs) as pool, open(chosen.output, "a", newline="") as file:
        for row in pool.imap(run, [task[3:] for task in tasks]):
            csv.writer(file, lineterminator="\n").writerow(row)
            file.flush()
            if time.monotonic() > end:
                pool.terminate()
                break
    with open(chosen.output, newline="") as file:
        head, *rows = csv.reader(file)
    with open(chosen.output, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *sorted(rows)])


if __name__ == "__main__":
    main()
