"""Learned similarities beside metric-learn and scikit-learn's NCA: seconds, and accuracy.

Everyone gets the same splits and the same columns, scaled to mean 0 and deviation 1 by the
training rows, and classifies rows not seen by the 3 nearest training rows: the peers under the
Euclidean distance of mapped rows, nearkin under its learned similarity. The peers learn with
their defaults, nearkin with one setting for all tables. Each runs in a process of its own, in turns,
and the least seconds count. Where accuracies are close there are
several splits, of which means are shown.

`--settings` prints what nearkin's setting was picked from: the share of right answers in three folds
of all settings compared, on at most 6,000 of letter's training rows and on the rows of spambase that
are in no test part.

The tables letter and spambase are read from the folder that NEARKIN_DATA names, label last.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import common
from common import THREADS

K = 3
OURS = {"sRBS": "srbs", "SiLA": "sila"}
FULL = (*OURS, "LMNN")
# Peers that all rows are too many for, or nearly so: there they are asked on one split.
SLOW = ("NCA (metric-learn)", "NCA (scikit-learn)", "ITML")
ALL = (*FULL, *SLOW)
# (table, training rows, learners, limit of seconds, splits, rounds)
CASES = [
    # LMNN takes seven to eleven minutes.
    ("letter", None, FULL, 1800, 1, 2),
    ("letter", None, SLOW, 200, 1, 2),
    ("letter", 1_000, ALL, 240, 1, 2),
    # 920 rows tell .92 from .93 by nine of them: several splits.
    ("spambase", None, FULL, 400, 4, 2),
    ("spambase", None, SLOW, 200, 1, 2),
    ("spambase", 500, ALL, 120, 1, 2),
]
QUICK = [("spambase", 300, ALL, 30, 2, 1)]
PLAIN = "cosine, not learned"
# How many times faster than LMNN, at its accuracy or better, on all rows of a table.
BAR = 10


def tables():
    """The folder of tables."""
    folder = Path(os.environ["NEARKIN_DATA"])
    return folder / "tables" if (folder / "tables").is_dir() else folder


def read(path):
    """Rows of numbers and their classes."""
    import numpy as np

    lines = [line.rstrip("\n").split(",") for line in path.open()][1:]
    x = np.array([line[:-1] for line in lines], dtype=np.float64)
    return x, np.unique([line[-1] for line in lines], return_inverse=True)[1]


def cut(rows, split):
    """The rows to test on, and those to learn from."""
    import numpy as np

    order = np.random.default_rng(split).permutation(rows)
    return order[: rows // 5], order[rows // 5 :]


def scaled(x, train):
    """Columns of mean 0 and deviation 1 among the training rows."""
    import numpy as np

    mean, deviation = x[train].mean(axis=0), x[train].std(axis=0)
    return (x - mean) / np.where(deviation > 0, deviation, 1)


def prepared(path, rows=None, split=0):
    """Scaled training and test rows with their classes."""
    x, y = read(path)
    test, train = cut(len(x), split)
    x = scaled(x, train[:rows])
    return (x[train[:rows]], y[train[:rows]]), (x[test], y[test])


def write(path, x, y):
    with open(path, "w") as file:
        for row, label in zip(x.tolist(), y.tolist(), strict=True):
            file.write(",".join(map(repr, row)) + f",{label}\n")


def measure(program, folder):
    """A peer learns and classifies in this process."""
    import numpy as np
    from sklearn.neighbors import KNeighborsClassifier

    read = [np.loadtxt(Path(folder) / f"{part}.csv", delimiter=",") for part in ("train", "test")]
    (x, y), (test, truth) = ((rows[:, :-1], rows[:, -1].astype(int)) for rows in read)
    if program == "NCA (scikit-learn)":
        from sklearn.neighbors import NeighborhoodComponentsAnalysis

        learner = NeighborhoodComponentsAnalysis(random_state=0)
    else:
        import metric_learn

        makers = {
            "LMNN": lambda: metric_learn.LMNN(n_neighbors=K),
            "NCA (metric-learn)": metric_learn.NCA,
            "ITML": lambda: metric_learn.ITML_Supervised(random_state=0),
        }
        learner = makers[program]()
    start = time.perf_counter()
    learner.fit(x, y)
    seconds = time.perf_counter() - start
    judge = KNeighborsClassifier(K).fit(learner.transform(x), y)
    return {"seconds": seconds, "accuracy": float(judge.score(learner.transform(test), truth))}


def nearkin(what, folder, limit=1200):
    """What nearkin's benchmark of learning says, in a process of its own."""
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "nearkin", "--bench", "learning"]
    return [*command, "--", str(folder), what, str(THREADS)], limit


def mean_of(found):
    """Means over splits; a failure where one failed."""
    failed = [one for one in found if "failed" in one]
    if failed or len(found) == 1:
        return (failed or found)[0]
    numbers = {
        name: sum(one[name] for one in found) / len(found)
        for name in ("seconds", "accuracy", "plain")
        if name in found[0]
    }
    most = max(one["megabytes"] for one in found)
    return found[0] | numbers | {"megabytes": most, "each": [one["accuracy"] for one in found]}


COLUMNS = [
    "table",
    "rows",
    "columns",
    "learner",
    "seconds",
    "accuracy",
    "each",
    "settings",
    "megabytes",
    "faster",
    "met",
    "asked",
    "failed",
]


def measured(case, tables, only=None):
    """A line for every learner of one case, or for some, as in the file of results."""
    table, count, learners, limit, splits, rounds = case
    runs = []
    for split in range(splits):
        with tempfile.TemporaryDirectory() as folder:
            train, test = prepared(tables / f"{table}.csv", count, split)
            write(Path(folder) / "train.csv", *train)
            write(Path(folder) / "test.csv", *test)

            def ask(program, folder=folder, limit=limit):
                if program in OURS:
                    return common.told(*nearkin(OURS[program], folder))
                own = program == "NCA (scikit-learn)"
                python = sys.executable if own else common.peer_python("metric-learn")
                return common.child(python, __file__, [program, folder], limit)

            asked = [one for one in learners if not only or one in only]
            runs.append(common.in_turns(asked, ask, rounds))
    best = {program: mean_of([run[program] for run in runs]) for program in runs[0]}
    plain = next((found["plain"] for found in best.values() if "plain" in found), None)
    if plain is not None:
        best[PLAIN] = {"failed": "", "accuracy": plain}
    lines = []
    for program, found in best.items():
        size = {"table": table, "rows": len(train[0]), "columns": train[0].shape[1]}
        each = {"each": " ".join(f"{one:.3f}" for one in found.get("each", []))}
        lines.append({name: "" for name in COLUMNS} | size | {"learner": program} | found | each)
        print({name: lines[-1][name] for name in COLUMNS}, flush=True)
    return lines


def numbers(line):
    """The figures of a line that has them, as numbers: lines kept in a file are words."""
    names = ("seconds", "accuracy", "megabytes")
    found = {name: value for name, value in line.items() if value != ""}
    return found | {name: float(found[name]) for name in names if name in found}


def whole(line, lines):
    """Whether a line is about all rows of its table, and not about a part that slower peers can do."""
    rows = max(int(one["rows"]) for one in lines if one["table"] == line["table"])
    return int(line["rows"]) == rows


def compare(lines):
    """Set nearkin's learners beside LMNN on the same rows: how many times faster, and whether the bar
    is met."""
    for line in lines:
        same = lambda other, line=line: all(  # noqa: E731
            str(other[name]) == str(line[name]) for name in ("table", "rows")
        )
        lmnn = [numbers(one) for one in lines if one["learner"] == "LMNN" and same(one)]
        if line["learner"] not in OURS or not lmnn:
            continue
        own = numbers(line)
        faster = common.times(lmnn[0], own)
        line["faster"] = common.ratio(lmnn[0], own)
        if not whole(line, lines):
            line["met"] = ""
        elif "accuracy" in own and "accuracy" in lmnn[0]:
            as_good = own["accuracy"] >= lmnn[0]["accuracy"]
            line["met"] = common.met(faster, least=BAR) if as_good else "no"
        else:
            line["met"] = "no" if "failed" in own else ""


def shown(line, barred):
    """A line of the page."""
    line = numbers(line)
    each = f" ({line['each']})" if "each" in line else ""
    return [
        line["table"],
        f"{int(line['rows']):,} × {line['columns']}",
        line["learner"],
        common.seconds(line) if "seconds" in line or "failed" in line else "",
        line.get("faster", ""),
        f"{line['accuracy']:.4f}{each}" if "accuracy" in line else "",
        f"{BAR} × at LMNN's accuracy or better" if barred else "",
        line.get("met", ""),
        common.megabytes(line),
    ]


def compare_settings(folder):
    """Print the shares of right answers of all settings, those with the best mean first."""
    import numpy as np

    train, test = prepared(folder / "letter.csv")
    x, y = read(folder / "spambase.csv")
    splits = next(splits for table, _, _, _, splits, _ in CASES if table == "spambase" and splits > 1)
    tested = np.concatenate([cut(len(x), split)[0] for split in range(splits)])
    # In random order: the table has its classes one after the other.
    order = np.concatenate(cut(len(x), splits))
    left = order[~np.isin(order, tested)]
    tables = {"letter": train, "spambase": (scaled(x, left)[left], y[left])}
    for learner in OURS.values():
        shares = {}
        for rows in tables.values():
            with tempfile.TemporaryDirectory() as made:
                write(Path(made) / "train.csv", *rows)
                write(Path(made) / "test.csv", *test)
                command, _ = nearkin(f"{learner}?", made)
                done = subprocess.run(
                    command, stdout=subprocess.PIPE, text=True, check=True, cwd=common.ROOT
                )
            for share, words in csv.reader(done.stdout.splitlines()):
                shares.setdefault(words, []).append(float(share))
        best_first = sorted(shares.items(), key=lambda one: -sum(one[1]))
        lines = [[words, *(f"{one:.4f}" for one in found)] for words, found in best_first]
        print(common.table([learner, *tables], lines), flush=True)


def kept(quick):
    """What was measured before, so that a case by itself can be measured anew."""
    path = common.ROOT / "bench" / "results" / "learning.csv"
    if quick or not path.exists():
        return []
    with path.open(newline="") as file:
        return [{name: "" for name in COLUMNS} | line for line in csv.DictReader(file)]


def page(lines):
    """The table of all cases, and versions of the peers."""
    own = common.pinned("", "scikit-learn")
    beside = common.pinned("-metric-learn", "metric-learn", "scikit-learn")
    peers = f"Peers: {beside}; for NCA (scikit-learn) {own}.\n\n"
    header = [
        "table",
        "training rows",
        "learner",
        "time",
        "faster than LMNN by",
        "accuracy",
        "bar",
        "met",
        "peak memory",
    ]
    barred = [line["learner"] in OURS and whole(line, lines) for line in lines]
    return peers + common.table(header, list(map(shown, lines, barred)))


def main():
    words = common.options(__doc__.splitlines()[0])
    words.add_argument(
        "--tables", nargs="+", help="measure these only, and keep what is known of others"
    )
    words.add_argument("--settings", action="store_true", help="compare settings instead")
    words.add_argument("--learners", nargs="+", help="these only, and keep what is known of others")
    given = words.parse_args()
    if given.one:
        return common.answer(given.one, measure)
    if "NEARKIN_DATA" not in os.environ:
        print("NEARKIN_DATA is not set: learning is not measured", file=sys.stderr)
        return None
    folder = tables()
    if given.settings:
        return compare_settings(folder)
    cases = QUICK if given.quick else CASES
    for case in cases:
        if given.tables and case[0] not in given.tables:
            continue
        if not (folder / f"{case[0]}.csv").exists():
            print(f"there is no {case[0]}.csv in {folder}: it is left out", file=sys.stderr)
            continue
        new = measured(case, folder, given.learners)
        names = [one[0] for one in cases]
        learners = [*ALL, PLAIN]

        def place(line, names=names, learners=learners):
            # In the order of cases, the larger first.
            table, rows = names.index(line["table"]), int(line["rows"])
            return table, -rows, learners.index(line["learner"])

        done = {place(line) for line in new}
        lines = [*new, *(line for line in kept(given.quick) if place(line) not in done)]
        # A case that is done is on the page.
        lines.sort(key=place)
        compare(lines)
        common.record("learning", page(lines), given.quick)
        common.write_csv(
            "learning", COLUMNS, [[line[name] for name in COLUMNS] for line in lines], given.quick
        )
    return None


if __name__ == "__main__":
    sys.exit(main())
