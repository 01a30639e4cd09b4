"""Feature weighting beside fast-select, skrebate, Orange and Weka: time, memory, agreement.

Every measurement runs in a process of its own, after a warm-up (numba and Java compile at first
use), and times the fit alone: the data are in memory. Programs take turns.
"""

import sys
import time

import common
from common import THREADS

LIMIT_SECONDS = 60

# (name, method, rows, columns, kind, {peer: bar})
CASES = [
    (
        "ReliefF, numeric",
        "relieff",
        10_000,
        100,
        "numeric",
        {"fast-select": 4, "skrebate": 150, "Orange": None, "Weka": None},
    ),
    ("ReliefF, numeric", "relieff", 2_000, 100, "numeric", {"Orange": None, "Weka": None}),
    ("ReliefF, numeric, wide", "relieff", 2_000, 5_000, "numeric", {"fast-select": 4}),
    ("MultiSURF, numeric", "multisurf", 5_000, 200, "numeric", {"fast-select": 3, "skrebate": 150}),
    ("ReliefF, genotypes", "relieff", 10_000, 100, "genotype", {"fast-select": 20}),
    ("ReliefF, genotypes, wide", "relieff", 2_000, 5_000, "genotype", {"fast-select": 20}),
    ("MultiSURF, genotypes", "multisurf", 5_000, 200, "genotype", {"fast-select": 20}),
]
QUICK = [
    (
        "ReliefF, numeric",
        "relieff",
        500,
        20,
        "numeric",
        {"fast-select": None, "skrebate": None, "Orange": None, "Weka": None},
    ),
    ("MultiSURF, genotypes", "multisurf", 500, 20, "genotype", {"fast-select": None}),
]
# Methods set beside ReliefF of nearkin itself, and on which numbers: (name, method, parameters).
KIN_SHAPES = [(10_000, 100), (5_000, 200)]
KIN = [
    ("ReliefF", "relieff", {}),
    ("SURF", "surf", {}),
    ("MultiSURF*", "multisurf-star", {}),
    ("STIR", "relieff", {"p_values": "stir"}),
    ("class-dependent", "class-dependent", {}),
    ("pdReliefF, refresh 8", "pdrelieff", {"refresh": 8}),
]
# Methods whose memory is measured on a tall table.
TALL = [*KIN, ("MultiSURF", "multisurf", {})]
VERSIONS = {"fast-select": "0.3.0", "skrebate": "0.8.4", "Orange": "3.40.0", "Weka": "3.9.7"}


def data(rows, columns, kind, seed=0):
    """Noise with one telling column; the same for every program."""
    import numpy as np

    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    if kind == "numeric":
        x = rng.random((rows, columns), dtype=np.float32)
        x[:, 0] += 0.3 * y
    else:
        x = rng.integers(0, 3, (rows, columns)).astype(np.float32)
        x[:, 0] = (x[:, 0] + y) % 3
    return x, y


def nearkin(x, y, method, kind, parameters):
    import nearkin.weigh as weigh

    classes = {
        "relieff": weigh.ReliefF,
        "multisurf": weigh.MultiSURF,
        "surf": weigh.SURF,
        "multisurf-star": weigh.MultiSURFStar,
        "class-dependent": weigh.ClassDependentRelief,
        "pdrelieff": weigh.PDReliefF,
    }
    model = classes[method](n_jobs=THREADS, **parameters)
    if kind == "genotype":
        model.set_params(categorical_features=list(range(x.shape[1])))
    return lambda: model.fit(x, y).feature_importances_


def fast_select(x, y, method, *_):
    import fast_select
    import numba

    numba.set_num_threads(THREADS)
    classes = {"relieff": fast_select.ReliefF, "multisurf": fast_select.MultiSURF}
    k = {"n_neighbors": 10} if method == "relieff" else {}
    model = classes[method](backend="cpu", **k)
    return lambda: model.fit(x, y).feature_importances_


def skrebate(x, y, method, *_):
    import skrebate

    classes = {"relieff": skrebate.ReliefF, "multisurf": skrebate.MultiSURF}
    k = {"n_neighbors": 10} if method == "relieff" else {}
    model, x = classes[method](n_jobs=THREADS, **k), x.astype("float64")
    return lambda: model.fit(x, y).feature_importances_


def orange(x, y, *_):
    """Orange's C++; it visits as many rows as it is told, here all."""
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
    from Orange.preprocess.score import ReliefF

    columns = [ContinuousVariable(f"x{c}") for c in range(x.shape[1])]
    table = Table.from_numpy(Domain(columns, DiscreteVariable("y", ("a", "b"))), x, y)
    return lambda: ReliefF(n_iterations=len(x), k_nearest=10)(table, None)


def weka(x, y, *_):
    """Weka's Java in this process; the jar is that of python-weka-wrapper3's source package."""
    import os

    import jpype

    if not jpype.isJVMStarted():
        jpype.startJVM(classpath=[os.environ["WEKA_JAR"]], convertStrings=True)
    core = jpype.JPackage("weka").core
    attributes = jpype.java.util.ArrayList()
    for c in range(x.shape[1]):
        attributes.add(core.Attribute(f"x{c}"))
    attributes.add(core.Attribute("y", jpype.java.util.ArrayList(["a", "b"])))
    instances = core.Instances("table", attributes, len(x))
    for row, label in zip(x.astype("float64"), y, strict=True):
        instances.add(core.DenseInstance(1.0, jpype.JDouble[:]([*row, float(label)])))
    instances.setClassIndex(x.shape[1])
    evaluator = jpype.JPackage("weka").attributeSelection.ReliefFAttributeEval()

    def fit():
        evaluator.buildEvaluator(instances)
        return [evaluator.evaluateAttribute(c) for c in range(x.shape[1])]

    return fit


PROGRAMS = {
    "nearkin": nearkin,
    "fast-select": fast_select,
    "skrebate": skrebate,
    "Orange": orange,
    "Weka": weka,
}


def measure(program, method, rows, columns, kind, parameters):
    """Fit once on the data, after a warm-up: seconds and a few weights."""
    import numpy as np

    PROGRAMS[program](*data(200, 20, kind), method, kind, parameters)()
    fit = PROGRAMS[program](*data(rows, columns, kind), method, kind, parameters)
    start = time.perf_counter()
    weights = fit()
    found = time.perf_counter() - start
    return {"seconds": found, "weights": np.asarray(weights, dtype=float)[:50].tolist()}


def alone(program, *case):
    python = common.peer_python("orange") if program == "Orange" else sys.executable
    return common.child(python, __file__, [program, *case], LIMIT_SECONDS)


def difference(a, b):
    """The largest difference between the first weights of two programs."""
    if "weights" not in a or "weights" not in b:
        return ""
    return f"{max(abs(x - y) for x, y in zip(a['weights'], b['weights'], strict=True)):.1e}"


def main():
    given = common.options(__doc__.splitlines()[0]).parse_args()
    if given.one:
        return common.answer(given.one, measure)
    rounds = 1 if given.quick else 3
    lines, rows = [], []
    for name, method, n, p, kind, bars in QUICK if given.quick else CASES:
        shape = f"{n:,} × {p:,}"
        ask = lambda program, case=(method, n, p, kind, {}): alone(program, *case)  # noqa: E731
        best = common.in_turns(["nearkin", *bars], ask, rounds)
        own = best["nearkin"]
        lines.append(
            [name, shape, "nearkin", common.seconds(own), "", "", common.megabytes(own), ""]
        )
        for peer, bar in bars.items():
            found = best[peer]
            lines.append(
                [
                    "",
                    "",
                    f"{peer} {VERSIONS[peer]}",
                    common.seconds(found),
                    common.ratio(found, own),
                    f"{bar} ×" if bar else "",
                    common.megabytes(found),
                    difference(own, found),
                ]
            )
        for program, found in best.items():
            rows.append(
                [
                    name,
                    method,
                    n,
                    p,
                    program,
                    found.get("seconds"),
                    found.get("megabytes"),
                    found.get("failed", ""),
                ]
            )
    header = [
        "case",
        "rows × columns",
        "program",
        "time",
        "nearkin is faster by",
        "bar",
        "peak memory",
        "largest difference of weights",
    ]
    text = common.table(header, lines)
    for n, p in [(500, 20)] if given.quick else KIN_SHAPES:
        kin = {name: (method, n, p, "numeric", parameters) for name, method, parameters in KIN}
        best = common.in_turns(kin, lambda name, kin=kin: alone("nearkin", *kin[name]), rounds)
        lines = [
            [name, common.seconds(found), common.ratio(found, best["ReliefF"]), "3 ×"]
            for name, found in best.items()
        ]
        text += f"\n\nBeside ReliefF of nearkin itself, on {n:,} × {p} numbers:\n\n"
        text += common.table(["method", "time", "of ReliefF's", "bar"], lines)
        rows += [
            [
                name,
                kin[name][0],
                n,
                p,
                "nearkin",
                found.get("seconds"),
                found.get("megabytes"),
                found.get("failed", ""),
            ]
            for name, found in best.items()
        ]
    n, p = (2_000, 20) if given.quick else (100_000, 20)
    lines = []
    for name, method, parameters in TALL:
        found = alone("nearkin", method, n, p, "numeric", parameters)
        lines.append([name, common.seconds(found), common.megabytes(found), "600 MB"])
        rows.append(
            [
                f"{name}, tall",
                method,
                n,
                p,
                "nearkin",
                found.get("seconds"),
                found.get("megabytes"),
                found.get("failed", ""),
            ]
        )
    text += (
        f"\n\nMemory on {n:,} × {p} numbers, Python included; all distances of a table so tall "
        f"would take {8 * n * n / 1e9:.2g} GB:\n\n"
    )
    text += common.table(["method", "time", "peak memory", "bar"], lines)
    common.record("weighting", text, given.quick)
    header = ["case", "method", "rows", "columns", "program", "seconds", "megabytes", "failed"]
    common.write_csv("weighting", header, rows, given.quick)
    return None


if __name__ == "__main__":
    sys.exit(main())
