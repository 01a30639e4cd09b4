"""nearkin's classifiers of similarities beside scikit-learn's, nested, on the same folds.

    NEARKIN_DATA=... python bench/compare_classifiers.py --program target/release/nearkin

Every data set is a similarity matrix: listeners' ratings, alignments, or the number of columns in
which two rows of a table of categories agree. Five stratified folds; inside each training part
every method chooses its settings by itself: nearkin as its defaults say (leave-one-out for k, five
folds for c, epsilon and C), scikit-learn by a grid search of five folds. SVC and logistic
regression see the same numbers: the matrix as a kernel (made symmetric), its rows as features. On
tables naive Bayes, and SDA under the value difference metric refitted in every fold, stand beside.

Marks: each row is told once, so two methods are compared by McNemar's exact test of errors and by a
sign-flip test of the rows' log-losses, both at 0.05 and without correction for their number.
Probabilities below 0.001 count as 0.001 in log-loss, or one sure mistake would decide it.
Tables of more than 300 rows are drawn from. Needs numpy, scipy and scikit-learn; a few minutes. A
run that was broken off goes on where it was: sets that the file of --output has are not run again.
"""

import argparse
import csv
import gzip
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

FLOOR = 1e-3
PEERS = ["SVC", "k-NN", "logistic"]
OURS = {
    "sda": [],
    "nn-sda": [],
    "local-sda": [],
    "mixture-sda": [],
    "knn": [],
    "local-centroid": ["--probabilities"],
    "psvm": [
        "--probabilities",
        "--c-candidates",
        "1,10",
        "--epsilon-candidates",
        "0.1,0.4",
        "--tolerance",
        "1e-5",
    ],
}
TABLES = {
    "naive-bayes": [],
    "sda, vdm": ["--measure", "vdm"],
    "local-sda, vdm": ["--measure", "vdm"],
}


def numbers(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as file:
        return np.array([[float(cell) for cell in line.split(",")] for line in file])


def table(path, most):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    head, cells = rows[0], np.array(rows[1:], dtype=object)
    if len(cells) > most:
        keep = np.random.default_rng(2009).permutation(len(cells))[:most]
        cells = cells[np.sort(keep)]
    return head, cells


def agreements(cells):
    """In how many columns two rows have the same value; a missing one agrees with nothing."""
    s = np.zeros((len(cells), len(cells)))
    for column in cells.T:
        known = np.array([cell not in ("", "?") for cell in column])
        s += (column[:, None] == column[None]) & known[:, None] & known[None]
    return s


def load(folder, most):
    """name -> (matrix, labels, table or None)"""
    place = os.path.join(folder, "similarity")

    def given(matrix, labels, sign=1):
        with open(os.path.join(place, labels)) as file:
            y = np.array([line.strip() for line in file if line.strip()])
        return 0.0 + sign * numbers(os.path.join(place, matrix)), y, None

    sets = {
        "aural sonar": given("aural_sonar_S.csv", "aural_sonar_y.csv"),
        "globins": given("protein_D.csv", "protein_y.csv", -1),
        "yeast": given("yeast_S.csv", "yeast_y.csv"),
        "votes, given VDM": given("voting_uw_S.csv.gz", "voting_uw_y.csv"),
    }
    for name, file in [
        ("votes", "house-votes-84"),
        ("breast cancer", "breast-cancer"),
        ("splice", "splice"),
    ]:
        head, cells = table(os.path.join(folder, "tables", file + ".csv"), most)
        sets[name] = agreements(cells[:, :-1]), cells[:, -1].astype(str), (head, cells)
    return sets


class Program:
    """nearkin, asked by files in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder

    def run(self, *words):
        done = subprocess.run(
            [self.program, *words], cwd=self.folder, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(f"{' '.join(words)}: {done.stderr}")
        return done.stdout

    def write(self, name, head, cells):
        with open(os.path.join(self.folder, name), "w", newline="") as file:
            csv.writer(file).writerows([head, *cells])

    def answers(self, names, *asked):
        """Classes and probabilities (None where there are none) of the queries."""
        text = self.run(
            "predict", "m.safetensors", *asked, "--format", "csv", "--quiet", "--threads", "1"
        )
        rows = list(csv.DictReader(text.splitlines()))
        said = np.array([row["predicted"] for row in rows])
        if "p_" + names[0] not in rows[0]:
            return said, None
        return said, np.array([[float(row["p_" + name]) for name in names] for row in rows])

    def similarities(self, method, more, s, y, train, test, names):
        np.save(os.path.join(self.folder, "S.npy"), np.ascontiguousarray(s[np.ix_(train, train)]))
        np.save(os.path.join(self.folder, "Q.npy"), np.ascontiguousarray(s[np.ix_(test, train)]))
        with open(os.path.join(self.folder, "y.txt"), "w") as file:
            file.writelines(label + "\n" for label in y[train])
        words = [
            "classify",
            "--similarity",
            "S.npy",
            "--labels",
            "y.txt",
            "-m",
            method,
            "--test",
            "0",
        ]
        self.run(*words, "-o", "m.safetensors", "--quiet", "--threads", "1", *more)
        return self.answers(names, "--similarity", "Q.npy")

    def table(self, method, more, rows, train, test, names):
        head, cells = rows
        self.write("train.csv", head, cells[train])
        self.write("test.csv", head, cells[test])
        columns = ["--nominal", ",".join(head[:-1])]
        words = ["classify", "train.csv", "-m", method, "--test", "0", *columns, *more]
        self.run(*words, "-o", "m.safetensors", "--quiet", "--threads", "1")
        return self.answers(names, "test.csv")


def peer(name, s, y, train, test, seed):
    """Classes and probabilities of a scikit-learn method, its settings chosen inside `train`."""
    inner = StratifiedKFold(5, shuffle=True, random_state=seed)
    if name == "SVC":
        kernel = (s + s.T) / 2
        own, asked = kernel[np.ix_(train, train)], s[np.ix_(test, train)]
        made = GridSearchCV(
            SVC(kernel="precomputed", max_iter=100_000), {"C": [0.01, 0.1, 1, 10, 100]}, cv=inner
        )
        made.fit(own, y[train])
        made = SVC(
            kernel="precomputed",
            probability=True,
            random_state=seed,
            max_iter=100_000,
            **made.best_params_,
        )
    elif name == "k-NN":
        d = s.max() - s
        np.fill_diagonal(d, 0)
        own, asked = d[np.ix_(train, train)], d[np.ix_(test, train)]
        sizes = {"n_neighbors": [1, 2, 3, 4, 5, 7, 9, 13, 17, 25]}
        made = GridSearchCV(KNeighborsClassifier(metric="precomputed"), sizes, cv=inner)
    else:
        own, asked = s[np.ix_(train, train)], s[np.ix_(test, train)]
        rule = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
        grid = {"logisticregression__C": [0.001, 0.01, 0.1, 1]}
        made = GridSearchCV(rule, grid, cv=inner)
    made.fit(own, y[train])
    return made.predict(asked), made.predict_proba(asked)


def mark(better, worse):
    """+ where McNemar's exact test finds fewer errors in the first, - where in the second."""
    a, b = int((~better & worse).sum()), int((better & ~worse).sum())
    if a + b == 0 or binomtest(a, a + b).pvalue >= 0.05:
        return "="
    return "+" if a > b else "-"


def loss_mark(ours, theirs):
    """The same of log-losses, by flipping the signs of the rows' differences."""
    if ours is None or theirs is None:
        return " "
    difference = theirs - ours
    flips = np.random.default_rng(1).choice([-1.0, 1.0], size=(4999, len(difference)))
    beyond = np.abs((flips * difference).mean(1)) >= abs(difference.mean())
    if (beyond.sum() + 1) / 5000 >= 0.05:
        return "="
    return "+" if difference.mean() > 0 else "-"


def compare(name, data, program, folds, seed):
    s, y, rows = data
    names = sorted(
        set(y), key=lambda label: (float(label) if label.lstrip("-").isdigit() else 0, label)
    )
    codes = np.array([names.index(label) for label in y])
    methods = PEERS + list(OURS) + (list(TABLES) if rows is not None else [])
    said = {method: np.empty(len(y), dtype=object) for method in methods}
    losses = {method: np.full(len(y), np.nan) for method in methods}
    spent = dict.fromkeys(methods, 0.0)
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(s, y):
        for method in methods:
            begun = time.perf_counter()
            if method in PEERS:
                classes, p = peer(method, s, y, train, test, seed)
            elif method in OURS:
                classes, p = program.similarities(method, OURS[method], s, y, train, test, names)
            else:
                classes, p = program.table(
                    method.split(",")[0], TABLES[method], rows, train, test, names
                )
            spent[method] += time.perf_counter() - begun
            said[method][test] = classes
            if p is not None:
                own = p[np.arange(len(test)), codes[test]] if method not in PEERS else None
                if own is None:
                    order = sorted(set(y[train]))
                    own = p[np.arange(len(test)), [order.index(label) for label in y[test]]]
                losses[method][test] = -np.log(np.maximum(own, FLOOR))
    out = []
    wrong = {method: said[method] != y for method in methods}
    known = {m: None if np.isnan(losses[m]).any() else losses[m] for m in methods}
    for method in methods:
        errors = "".join(" " if o == method else mark(wrong[method], wrong[o]) for o in PEERS)
        loss = "".join(" " if o == method else loss_mark(known[method], known[o]) for o in PEERS)
        mean = None if known[method] is None else float(known[method].mean())
        out.append(
            [name, len(y), method, int(wrong[method].sum()), errors, mean, loss, spent[method]]
        )
        told = "-" if mean is None else f"{mean:.3f}"
        print(
            f"{name:<18} {method:<15} {wrong[method].sum():>4} {errors} {told:>7} {loss} "
            f"{spent[method]:6.1f} s",
            flush=True,
        )
    return out


def spaced(marks):
    return " ".join(m.replace("-", "−") for m in marks if m != " ")


def markdown(lines):
    text = [
        "| data, rows | method | errors | against SVC, k-NN, LR | log-loss "
        "| against SVC, k-NN, LR |",
        "|---|---|---|---|---|---|",
    ]
    for name, rows, method, errors, marks, loss, loss_marks, _ in lines:
        shown = "–" if loss is None else f"{loss:.3f}"
        place = f"{name}, {rows}" if method == PEERS[0] else ""
        id, comma, settings = method.partition(",")
        ours = method if method in PEERS else f"`{id}`{comma}{settings}"
        cells = [place, ours, errors, spaced(marks), shown, spaced(loss_marks)]
        text.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(text)


def record(page, text):
    begin, end = "<!-- from bench/compare_classifiers.py -->", "<!-- end of the comparison -->"
    with open(page) as file:
        before, rest = file.read().split(begin)
    after = rest.split(end)[1]
    with open(page, "w") as file:
        file.write(f"{before}{begin}\n{text}\n{end}{after}")


HEAD = ["data", "rows", "method", "errors", "error_marks", "log_loss", "log_loss_marks", "seconds"]


def earlier(path):
    """The lines of a run that was broken off."""
    if not path or not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [
        [
            name,
            int(count),
            method,
            int(errors),
            marks,
            float(loss) if loss else None,
            loss_marks,
            float(seconds),
        ]
        for name, count, method, errors, marks, loss, loss_marks, seconds in rows
    ]


def keep(path, lines):
    if path:
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([HEAD, *lines])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="target/release/nearkin")
    parser.add_argument("--data", default=os.environ.get("NEARKIN_DATA"))
    parser.add_argument(
        "--sets", help="names of data sets, separated by semicolons; all when not given"
    )
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--most-rows", type=int, default=300, help="of larger tables so many are drawn"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--output",
        help="write the figures into this file of comma-separated values, set by set; a new one "
        "for other settings or another program",
    )
    parser.add_argument("--record", help="put the table into this page, between its marks")
    asked = parser.parse_args()
    if not asked.data:
        sys.exit("say where the data are: --data or NEARKIN_DATA")
    warnings.filterwarnings("ignore")
    lines = earlier(asked.output)
    known = {line[0] for line in lines}
    with tempfile.TemporaryDirectory() as folder:
        program = Program(asked.program, folder)
        for name, data in load(asked.data, asked.most_rows).items():
            if name not in known and (asked.sets is None or name in asked.sets.split(";")):
                lines += compare(name, data, program, asked.folds, asked.seed)
                keep(asked.output, lines)
    if asked.record:
        record(asked.record, markdown(lines))
    tests = sum(len(line[4].strip()) + len(line[6].strip()) for line in lines)
    print(
        f"{tests} tests at 0.05, of which {0.05 * tests:.0f} would find something where there is "
        "nothing"
    )


if __name__ == "__main__":
    main()
