"""Record what other programs compute, for `main.rs` to hold nearkin against.

    python make.py data                                  # numpy
    python make.py skrebate                              # scikit-rebate 0.8.4
    python make.py orange                                # Orange3 3.40.0
    python make.py weka weka.jar:cup_runtime.jar         # Weka 3.6.14 and a JDK

Each writes into `fixtures` beside this file: tables as <set>.csv, whose head says the kind of
each column, and scores as <peer>.csv. The last three read the tables that the first one makes
and the sets that nearkin bundles, so each peer may live in an environment of its own.

Orange draws instances with replacement. Here it is handed a generator whose draw is every
instance once, so that its sum is over all of them.
"""

import csv
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
FIXTURES = HERE / "fixtures"
BUNDLED = HERE.parents[1] / "src" / "data" / "bundled"


# --- Tables ---------------------------------------------------------------------------------


def write_table(name, columns):
    """columns: (name, kind, cells); a cell of None is missing; the target comes last."""
    rows = zip(*[cells for _, _, cells in columns])
    with open(FIXTURES / f"{name}.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([f"{column}:{kind}" for column, kind, _ in columns])
        out.writerows([["" if c is None else c for c in row] for row in rows])


def numbers(values):
    return [float(f"{v:.6f}") for v in values]


def numeric(rng, labels, columns, shifts):
    """Columns of normal noise, the first ones shifted by class."""
    shift = [shifts[i] if i < len(shifts) else 0.0 for i in range(columns)]
    cells = [numbers(rng.normal(size=len(labels)) + s * labels) for s in shift]
    return [(f"x{i}", "numeric", c) for i, c in enumerate(cells)]


def nominal(rng, labels, columns, categories):
    found = []
    for i in range(columns):
        code = rng.integers(0, categories, len(labels))
        if i == 0:
            code = np.where(rng.random(len(labels)) < 0.6, labels % categories, code)
        found.append((f"c{i}", "nominal", [f"v{c}" for c in code]))
    return found


def blank(rng, columns, share):
    return [
        (n, k, [None if rng.random() < share else c for c in cells]) for n, k, cells in columns
    ]


def classes(labels):
    return ("class", "class", [f"k{c}" for c in labels])


def make_data():
    rng = np.random.default_rng(20)
    two = (rng.random(60) < 0.42).astype(int)
    binary = numeric(rng, two, 6, [1.2, 0.7])
    write_table("binary", binary + [classes(two)])

    hole = [(n, k, list(c)) for n, k, c in binary]
    hole[2][2][7] = None
    write_table("one-hole", hole + [classes(two)])
    write_table("gaps", blank(rng, binary, 0.08) + [classes(two)])

    # Two clumps with both classes in each: no distance lies near the mean distance.
    half = (rng.random(40) < 0.5).astype(int)
    clump = np.arange(40) % 2
    far = [(f"x{i}", "numeric", numbers(rng.random(40) + 9.0 * clump)) for i in range(4)]
    far[0] = ("x0", "numeric", numbers(rng.random(40) + 0.8 * half + 9.0 * clump))
    write_table("clumps", far + [classes(half)])

    mixed = numeric(rng, two, 4, [1.0]) + nominal(rng, two, 2, 3)
    write_table("mixed", mixed + [classes(two)])

    three = rng.choice(3, 75, p=[0.5, 0.3, 0.2])
    both = numeric(rng, three, 4, [0.8]) + nominal(rng, three, 3, 4)
    write_table("three", both + [classes(three)])
    write_table("holes", blank(rng, both, 0.1) + [classes(three)])
    write_table("nominal", nominal(rng, three, 5, 3) + [classes(three)])

    whole = [(n, k, [int(1000 * c) for c in cells]) for n, k, cells in binary]
    write_table("integers", whole + [classes(two)])

    real = numeric(rng, np.zeros(60), 5, []) + nominal(rng, two, 1, 3)
    value = np.array(real[0][2]) + np.array(real[1][2]) * np.array(real[2][2])
    value = numbers(value + 0.3 * two)
    write_table("real", real + [("y", "real", value)])
    write_table("real-holes", blank(rng, real, 0.1) + [("y", "real", value)])

    write_table("loci", nominal(rng, two, 6, 3) + [classes(two)])


def read_table(name):
    """Names, kinds and cells (text) of the columns, the target last."""
    path = FIXTURES / f"{name}.csv"
    bundled = not path.exists()
    with open(BUNDLED / f"{name}.csv" if bundled else path, newline="") as file:
        head, *rows = csv.reader(file)
    if bundled:
        kinds = ["numeric"] * (len(head) - 1) + ["class"]
    else:
        head, kinds = zip(*[cell.split(":") for cell in head])
    return list(head), list(kinds), rows


def arrays(name):
    """Features and target as numbers, categories as codes, and which are categories."""
    head, kinds, rows = read_table(name)
    columns = []
    for kind, cells in zip(kinds, zip(*rows)):
        known = sorted(set(cells) - {""})
        code = (lambda c: known.index(c)) if kind in ("nominal", "class") else float
        columns.append([np.nan if c == "" else code(c) for c in cells])
    table = np.array(columns, float).T
    return head[:-1], table[:, :-1], table[:, -1], np.array([k == "nominal" for k in kinds[:-1]])


def write_scores(peer, release, rows):
    with open(FIXTURES / f"{peer}.csv", "w", newline="") as file:
        file.write(f"# {release}\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["set", "method", "setting", "feature", "score"])
        out.writerows(rows)


# --- Peers ----------------------------------------------------------------------------------


def make_skrebate():
    from skrebate import SURF, TURF, MultiSURF, MultiSURFstar, ReliefF, SURFstar

    methods = {
        "relieff": lambda: ReliefF(n_neighbors=10),
        "surf": SURF,
        "surf-star": SURFstar,
        "multisurf": MultiSURF,
        "multisurf-star": MultiSURFstar,
    }
    rows = []

    def record(name, method, setting, x, y, model=None):
        names = arrays(name)[0] + ["constant"]
        found = (model or methods[method]()).fit(x.copy(), y).feature_importances_
        rows.extend([name, method, setting, f, repr(float(s))] for f, s in zip(names, found))

    for name in ["binary", "clumps", "gaps", "one-hole", "mixed", "wine", "integers", "nominal"]:
        _, x, y, _ = arrays(name)
        for method in methods:
            record(name, method, "", x, y)
            if name == "integers":
                record(name, method, "integer array", x.astype(int), y)
            if name == "binary":
                wider = np.column_stack([x, np.ones(len(x))])
                record(name, method, "constant column added", wider, y)
    _, x, y, _ = arrays("binary")
    for pct, setting in [(2, "2 a round"), (0.5, "half a round")]:
        turf = TURF(ReliefF(n_neighbors=10), pct=pct, num_scores_to_return=2)
        record("binary", "turf", setting, x, y, turf)
    _, x, y, _ = arrays("real")
    record("real", "relieff", "", x, y)
    _, x, y, _ = arrays("loci")
    record("loci", "relieff", "", x, y)
    # Equal distances in the order of rows, where its own sort leaves them in any order.
    sort, np.argsort = np.argsort, lambda values: sort(values, kind="stable")
    record("loci", "relieff", "stable sort", x, y)
    np.argsort = sort
    write_scores("skrebate", f"scikit-rebate {version('skrebate')}, numpy {np.__version__}", rows)


def make_orange():
    from Orange.preprocess._relieff import relieff, rrelieff

    class Each(np.random.RandomState):
        """Every row once where rows are to be drawn."""

        def randint(self, rows, size, **_):
            assert rows == size
            return np.arange(rows)

    rows = []
    for name in ["binary", "wine", "mixed", "three", "holes", "real"]:
        names, x, y, kinds = arrays(name)
        method = rrelieff if name == "real" else relieff
        found = np.asarray(method(x, y, len(x), 10, kinds, Each(0)))
        rows.extend([name, method.__name__, "", f, repr(float(s))] for f, s in zip(names, found))
    write_scores("orange", f"Orange3 {version('Orange3')}", rows)


def make_weka(classpath):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["javac", "-cp", classpath, "-d", folder, HERE / "Weka.java"], check=True)
        path = Path(folder) / "table.arff"

        def record(name, method, setting, *options):
            head, kinds, table = read_table(name)
            with open(path, "w") as file:
                print("@relation t", file=file)
                for column, kind, cells in zip(head, kinds, zip(*table)):
                    values = ",".join(sorted(set(cells) - {""}))
                    is_number = kind in ("numeric", "real")
                    print("@attribute", column, "numeric" if is_number else f"{{{values}}}", file=file)
                print("@data", file=file)
                for row in table:
                    print(",".join(cell or "?" for cell in row), file=file)
            command = ["java", "-cp", f"{folder}:{classpath}", "Weka", path, *options]
            found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            rows.extend([name, method, setting, *line.split(",")] for line in found.split())

        all_of_them = ["-M", "-1", "-K", "10"]
        for name in ["binary", "wine", "mixed", "three", "holes"]:
            record(name, "relieff", "", *all_of_them)
            record(name, "relieff", "rank weights", *all_of_them, "-W", "-A", "2")
        record("nominal", "relieff", "k 100", "-M", "-1", "-K", "100")
        for name in ["real", "real-holes"]:
            record(name, "rrelieff", "", *all_of_them)
            record(name, "rrelieff", "rank weights", *all_of_them, "-W", "-A", "2")
    write_scores("weka", "Weka 3.6.14 (Debian 3.6.14-3)", rows)


if __name__ == "__main__":
    FIXTURES.mkdir(exist_ok=True)
    peer, *words = sys.argv[1:]
    {"data": make_data, "skrebate": make_skrebate, "orange": make_orange, "weka": make_weka}[peer](
        *words
    )
