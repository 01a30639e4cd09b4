"""One learned matrix, three ways to rank by it: is it the learner or the form that matters?

LMNN and NCA learn M; rows are then ranked by the distance (x - y)' M (x - y), by the cosine of
mapped rows, and by the similarity x' M y / (|x| |y|) that SiLA and sRBS learn, whose lengths are
those of plain rows. Five stratified folds of standardised columns, tables cut down as by
compare_learners.py. Prints accuracies of 1, 3 and 9 neighbours.

    python bench/forms.py letter magic [--data DIR] [--rows N]

The interpreter is one with requirements-metric-learn.txt.
"""

import argparse
import os
import tempfile
import warnings
from pathlib import Path

import metric_learn
import numpy as np
from compare_learners import drawn
from sklearn.model_selection import StratifiedKFold

LEARNERS = {
    "LMNN": lambda: metric_learn.LMNN(n_neighbors=3),
    "NCA": lambda: metric_learn.NCA(max_iter=100),
}
NEIGHBOURS = [1, 3, 9]


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def right(similarities, labels, truth, k):
    """The share of queries whose k most similar rows say so, ties to the most similar."""
    hits = 0
    for row, meant in zip(similarities, truth, strict=True):
        near = labels[np.argsort(-row, kind="stable")[:k]]
        names, counts = np.unique(near, return_counts=True)
        tied = names[counts == counts.max()]
        hits += next(label for label in near if label in tied) == meant
    return hits / len(truth)


def rankings(queries, base, mapped_queries, mapped_base):
    """Each form's similarities of all queries and base rows."""
    products = mapped_queries @ mapped_base.T
    return {
        "distance": 2 * products - (mapped_base**2).sum(axis=1),
        "cosine of mapped rows": unit(mapped_queries) @ unit(mapped_base).T,
        "x' M y / |x||y|": products / np.linalg.norm(base, axis=1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--data", type=Path, default=os.environ.get("NEARKIN_DATA"))
    parser.add_argument("--rows", type=int, default=500)
    given = parser.parse_args()
    if given.data is None:
        parser.error("name the folder of tables by --data or NEARKIN_DATA")
    warnings.simplefilter("ignore")
    print("| table | M | form | " + " | ".join(f"k = {k}" for k in NEIGHBOURS) + " |")
    print("|---|---|---|" + "---|" * len(NEIGHBOURS))
    for table in given.tables:
        with tempfile.TemporaryDirectory() as place:
            path = Path(given.data) / "tables" / f"{table}.csv"
            cells, labels = drawn(path, given.rows, Path(place) / "drawn.csv")
        found = {}
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        for train, test in folds.split(cells, labels):
            mean, deviation = cells[train].mean(axis=0), cells[train].std(axis=0)
            scale = np.where(deviation > 0, deviation, 1)
            base, queries = (cells[train] - mean) / scale, (cells[test] - mean) / scale
            maps = {"none": lambda rows: rows}
            maps |= {name: make().fit(base, labels[train]).transform
                     for name, make in LEARNERS.items()}  # fmt: skip
            for name, mapped in maps.items():
                for form, ranked in rankings(queries, base, mapped(queries), mapped(base)).items():
                    for k in NEIGHBOURS:
                        hit = right(ranked, labels[train], labels[test], k)
                        found.setdefault((name, form), {}).setdefault(k, []).append(hit)
        for (name, form), by_k in found.items():
            told = " | ".join(f"{np.mean(by_k[k]):.3f}" for k in NEIGHBOURS)
            print(f"| {table} | {name} | {form} | {told} |", flush=True)


if __name__ == "__main__":
    main()
