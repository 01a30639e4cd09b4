"""Learned similarities beside metric-learn and scikit-learn's NCA: seconds, and accuracy.

Everyone gets the same splits and the same columns, scaled to mean 0 and deviation 1 by the
training rows, and classifies rows not seen by the 3 nearest training rows: the peers under the
Euclidean distance of mapped rows, nearkin under its learned similarity. The peers learn with
their defaults. nearkin chooses its settings among training rows alone, by `Select`; choosing is
timed apart, for the peers choose nothing. Each runs in a process of its own; in turns. A peer is
asked as many times as its case says, nearkin once: choosing takes minutes, and it learns three
times in its process. Of all the least seconds count. Where
accuracies are close there are several splits, of which means are shown.

The tables letter and spambase are read from the folder that NEARKIN_DATA names, label last.
"""

import csv
import os
import sys
import tempfile
import time
from pathlib import Path

import common
from common import THREADS

K = 3
# (table, training rows, peers, limit of seconds, splits, rounds of the peers)
FULL = ("LMNN",)
ALL = ("LMNN", "NCA (metric-learn)", "NCA (scikit-learn)", "ITML")
CASES = [
    ("letter", None, FULL, 1800, 1, 2),
    ("letter", 1_000, ALL, 120, 1, 2),
    # 920 rows tell .92 from .93 by nine of them: several splits.
    ("spambase", None, FULL, 400, 4, 2),
    ("spambase", 500, ALL, 120, 1, 2),
]
QUICK = [("spambase", 300, ALL, 30, 2, 1)]
OURS = {"sRBS": "srbs", "SiLA": "sila"}
PLAIN = "cosine, not learned"
# How many times faster than LMNN, at its accuracy or better.
BAR = 10


def tables():
    """The folder of tables."""
    folder = Path(os.environ["NEARKIN_DATA"])
    return folder / "tables" if (folder / "tables").is_dir() else folder


def prepared(path, rows=None, split=0):
    """Scaled training and test rows with their classes."""
    import numpy as np

    lines = [line.rstrip("\n").split(",") for line in path.open()][1:]
    x = np.array([line[:-1] for line in lines], dtype=np.float64)
    y = np.unique([line[-1] for line in lines], return_inverse=True)[1]
    order = np.random.default_rng(split).permutation(len(x))
    test, train = order[: len(x) // 5], order[len(x) // 5 :][:rows]
    mean, deviation = x[train].mean(axis=0), x[train].std(axis=0)
    x = (x - mean) / np.where(deviation > 0, deviation, 1)
    return (x[train], y[train]), (x[test], y[test])


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


def nearkin(program, folder, limit=1200):
    """nearkin chooses and learns in a process of its own."""
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "nearkin", "--bench", "learning"]
    return common.told([*command, "--", str(folder), OURS[program], str(THREADS)], limit)


def mean_of(found):
    """Means over splits, and all settings that were chosen; a failure where one failed."""
    failed = [one for one in found if "failed" in one]
    if failed or len(found) == 1:
        return (failed or found)[0]
    numbers = {
        name: sum(one[name] for one in found) / len(found)
        for name, value in found[0].items()
        if isinstance(value, float)
    }
    accuracies = [one["accuracy"] for one in found]
    chosen = list(dict.fromkeys(one["chosen"] for one in found if "chosen" in one))
    return found[0] | numbers | {"each": accuracies, "chosen": " / ".join(chosen)}


def in_turns(programs, ask, rounds):
    """nearkin once, for it chooses for minutes, and repeats by itself what is compared; the peers
    in turns, the first time together with it."""
    found = common.in_turns(programs, ask, 1)
    peers = [one for one in programs if one not in OURS and "failed" not in found[one]]
    for one, again in common.in_turns(peers, ask, rounds - 1).items():
        found[one] = common.better(found[one], again)
    return found


COLUMNS = [
    "table",
    "rows",
    "columns",
    "learner",
    "seconds",
    "accuracy",
    "each",
    "choosing",
    "chosen",
    "megabytes",
    "faster",
    "faster_with_choosing",
    "met",
    "asked",
    "failed",
]


def measured(case, tables, learners=None):
    """A line for every learner of one case, or for some, as in the file of results."""
    table, count, peers, limit, splits, rounds = case
    runs = []
    for split in range(splits):
        with tempfile.TemporaryDirectory() as folder:
            train, test = prepared(tables / f"{table}.csv", count, split)
            write(Path(folder) / "train.csv", *train)
            write(Path(folder) / "test.csv", *test)

            def ask(program, folder=folder, limit=limit):
                if program in OURS:
                    return nearkin(program, folder)
                own = program == "NCA (scikit-learn)"
                python = sys.executable if own else common.peer_python("metric-learn")
                return common.child(python, __file__, [program, folder], limit)

            asked = [one for one in (*OURS, *peers) if not learners or one in learners]
            runs.append(in_turns(asked, ask, rounds))
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
    names = ("seconds", "accuracy", "choosing", "megabytes")
    found = {name: value for name, value in line.items() if value != ""}
    return found | {name: float(found[name]) for name in names if name in found}


def compare(lines):
    """Set nearkin's learners beside LMNN on the same rows: how many times faster, with choosing and
    without, and whether the bar is met."""
    for line in lines:
        same = lambda other, line=line: all(  # noqa: E731
            str(other[name]) == str(line[name]) for name in ("table", "rows")
        )
        lmnn = [numbers(one) for one in lines if one["learner"] == "LMNN" and same(one)]
        if line["learner"] not in OURS or not lmnn:
            continue
        own = numbers(line)
        whole = own | {"seconds": own.get("seconds", 0) + own.get("choosing", 0)}
        faster = common.times(lmnn[0], own)
        line["faster"] = common.ratio(lmnn[0], own)
        line["faster_with_choosing"] = common.ratio(lmnn[0], whole) if "seconds" in own else ""
        known = "accuracy" in own and "accuracy" in lmnn[0]
        as_good = not known or own["accuracy"] >= lmnn[0]["accuracy"]
        line["met"] = common.met(faster, least=BAR) if as_good else "no"


def shown(line):
    """A line of the page."""
    ours = line["learner"] in OURS
    line = numbers(line)
    each = f" ({line['each']})" if "each" in line else ""
    return [
        line["table"],
        f"{int(line['rows']):,} × {line['columns']}",
        line["learner"],
        common.seconds(line) if "seconds" in line or "failed" in line else "",
        line.get("faster", ""),
        line.get("faster_with_choosing", ""),
        f"{line['accuracy']:.4f}{each}" if "accuracy" in line else "",
        f"{BAR} × at LMNN's accuracy or better" if ours else "",
        line.get("met", ""),
        f"{line['choosing']:.3g} s" if "choosing" in line else "",
        line.get("chosen", ""),
        common.megabytes(line),
    ]


def kept(quick):
    """What was measured before, so that a case by itself can be measured anew."""
    path = common.ROOT / "bench" / "results" / "learning.csv"
    if quick or not path.exists():
        return []
    with path.open(newline="") as file:
        return [{name: "" for name in COLUMNS} | line for line in csv.DictReader(file)]


def page(lines):
    """The table of all cases."""
    header = [
        "table",
        "training rows",
        "learner",
        "time",
        "faster than LMNN by",
        "faster than LMNN, choosing included",
        "accuracy",
        "bar",
        "met",
        "choosing",
        "chosen",
        "peak memory",
    ]
    return common.table(header, [shown(line) for line in lines])


def main():
    words = common.options(__doc__.splitlines()[0])
    words.add_argument(
        "--tables", nargs="+", help="measure these only, and keep what is known of others"
    )
    words.add_argument("--learners", nargs="+", help="these only, and keep what is known of others")
    given = words.parse_args()
    if given.one:
        return common.answer(given.one, measure)
    if "NEARKIN_DATA" not in os.environ:
        print("NEARKIN_DATA is not set: learning is not measured", file=sys.stderr)
        return None
    folder = tables()
    cases = QUICK if given.quick else CASES
    for case in cases:
        if given.tables and case[0] not in given.tables:
            continue
        if not (folder / f"{case[0]}.csv").exists():
            print(f"there is no {case[0]}.csv in {folder}: it is left out", file=sys.stderr)
            continue
        new = measured(case, folder, given.learners)
        names = [one[0] for one in cases]
        learners = [*OURS, *ALL, PLAIN]

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
