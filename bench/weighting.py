"""Feature weighting beside fast-select, skrebate, Orange and Weka: time, memory, agreement.

Every measurement runs in a process of its own, after a warm-up (numba and Java compile at first
use), and times the fit alone: the data are in memory. Programs take turns, several rounds.
"""

import os
import sys
import time

import common
from common import THREADS

LIMIT_SECONDS = 120
ROUNDS, KIN_ROUNDS, TALL_ROUNDS = 3, 6, 2

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
    ("ReliefF, a tenth missing", "relieff", 5_000, 100, "missing", {"skrebate": None}),
    ("MultiSURF, a tenth missing", "multisurf", 2_000, 200, "missing", {"skrebate": None}),
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
KIN_BAR = 3
# Methods whose memory is measured on a tall table: all, those that look at all pairs again and
# again on fewer targets, subsets or refreshes.
TALL_SHAPE = (100_000, 20)
TALL = [
    *KIN,
    ("MultiSURF", "multisurf", {}),
    ("SURF*", "surf-star", {}),
    ("Relief", "relief", {}),
    ("Relieved, 10,000 targets", "relieved", {"sample": 10_000}),
    ("myopic ReliefF", "myopic-relieff", {}),
    ("RReliefF", "rrelieff", {}),
    ("RELIEF-PSD", "relief-psd", {}),
    ("dReliefF, refresh 8", "drelieff", {"refresh": 8}),
    ("ReliefSeq", "relief-seq", {}),
    ("I-RELIEF, 500 targets", "i-relief", {"sample": 500}),
    ("TuRF", "turf", {}),
    ("VLS, 5 subsets", "vls", {"subsets": 5}),
]
TALL_BAR = 600
# On cells that are missing, and on genotypes.
TALL_KINDS = [
    ("ReliefF, a tenth missing", "relieff", {}, "missing"),
    ("ReliefF, genotypes", "relieff", {}, "genotype"),
    ("MultiSURF, genotypes", "multisurf", {}, "genotype"),
]
VERSIONS = {
    "fast-select": common.pinned("-peers", "fast-select"),
    "skrebate": common.pinned("-peers", "skrebate"),
    "Orange": common.pinned("-orange", "Orange3"),
    # Its jar is that of python-weka-wrapper3 0.3.3.
    "Weka": "Weka 3.9.7",
}


def data(rows, columns, kind, seed=0):
    """Noise with one telling column; the same for every program."""
    import numpy as np

    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    if kind in ("numeric", "missing"):
        x = rng.random((rows, columns), dtype=np.float32)
        x[:, 0] += 0.3 * y
        if kind == "missing":
            x[rng.random((rows, columns)) < 0.1] = np.nan
    else:
        x = rng.integers(0, 3, (rows, columns)).astype(np.float32)
        x[:, 0] = (x[:, 0] + y) % 3
    return x, y


def nearkin(x, y, method, kind, parameters):
    import nearkin.weigh as weigh

    kinds = [getattr(weigh, name) for name in weigh.__all__]
    classes = {kind._method: kind for kind in kinds if getattr(kind, "_method", None)}
    if "sample" in parameters:
        # The warm-up has fewer rows.
        parameters = parameters | {"sample": min(parameters["sample"], len(x))}
    model = classes[method](n_jobs=THREADS, **parameters)
    if method == "rrelieff":
        y = x[:, 0] + 0.1 * y
    if kind == "missing":
        # As skrebate does: columns that a pair of rows does not have are left out.
        model.set_params(missing="agnostic")
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
    import jpype

    if not os.path.exists(os.environ["WEKA_JAR"]):
        raise FileNotFoundError("there is no weka.jar")
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


COLUMNS = [
    "case",
    "method",
    "rows",
    "columns",
    "program",
    "seconds",
    "megabytes",
    "asked",
    "failed",
]


def row(name, method, shape, program, found):
    """A line of the file of results."""
    figures = [found.get(what, "") for what in COLUMNS[-4:]]
    return [name, method, *shape, program, *figures]


def beside_peers(cases, rounds):
    """The table of nearkin and its peers, and its rows."""
    lines, rows = [], []
    for name, method, n, p, kind, bars in cases:
        ask = lambda program, case=(method, n, p, kind, {}): alone(program, *case)  # noqa: E731
        best = common.in_turns(["nearkin", *bars], ask, rounds)
        own = best["nearkin"]
        size = f"{n:,} × {p:,}"
        own_line = ["nearkin", common.seconds(own), "", "", "", common.megabytes(own), ""]
        lines.append([name, size, *own_line])
        for peer, bar in bars.items():
            found = best[peer]
            line = [
                VERSIONS[peer],
                common.seconds(found),
                common.ratio(found, own),
                f"{bar} ×" if bar else "",
                common.met(common.times(found, own), least=bar),
                common.megabytes(found),
                difference(own, found),
            ]
            lines.append(["", "", *line])
        rows += [row(name, method, (n, p), program, found) for program, found in best.items()]
    header = ["case", "rows × columns", "program", "time", "nearkin is faster by", "bar", "met"]
    return common.table([*header, "peak memory", "largest difference of weights"], lines), rows


def beside(found, relieff, name):
    """The bar beside ReliefF, and whether it is met; ReliefF itself has none."""
    if name == "ReliefF":
        return ["", ""]
    if "seconds" not in found or "seconds" not in relieff:
        return [f"{KIN_BAR} ×", "no"]
    return [f"{KIN_BAR} ×", common.met(found["seconds"] / relieff["seconds"], most=KIN_BAR)]


def beside_relieff(n, p, rounds):
    """The table of methods beside ReliefF of nearkin itself, and its rows."""
    kin = {name: (method, n, p, "numeric", parameters) for name, method, parameters in KIN}
    best = common.in_turns(kin, lambda name: alone("nearkin", *kin[name]), rounds)
    lines = [
        [
            name,
            common.seconds(found),
            common.ratio(found, best["ReliefF"]),
            *beside(found, best["ReliefF"], name),
            common.megabytes(found),
        ]
        for name, found in best.items()
    ]
    text = f"Beside ReliefF of nearkin itself, on {n:,} × {p} numbers:\n\n"
    text += common.table(["method", "time", "of ReliefF's", "bar", "met", "peak memory"], lines)
    rows = [row(name, kin[name][0], (n, p), "nearkin", found) for name, found in best.items()]
    return text, rows


def on_a_tall_table(n, p, rounds):
    """The table of every method's memory where all distances would not fit, and its rows."""
    cases = [*((*one, "numeric") for one in TALL), *TALL_KINDS]
    tall = {name: (method, n, p, kind, parameters) for name, method, parameters, kind in cases}
    best = common.in_turns(tall, lambda name: alone("nearkin", *tall[name]), rounds)
    lines = [
        [
            name,
            common.seconds(found),
            common.megabytes(found),
            f"{TALL_BAR} MB",
            common.met(found.get("megabytes", float("inf")), most=TALL_BAR),
        ]
        for name, found in best.items()
    ]
    text = (
        f"Memory on {n:,} × {p} cells, Python included; all distances of a table so tall "
        f"would take {8 * n * n / 1e9:.2g} GB:\n\n"
    )
    text += common.table(["method", "time", "peak memory", "bar", "met"], lines)
    rows = [
        row(f"{name}, tall", tall[name][0], (n, p), "nearkin", found)
        for name, found in best.items()
    ]
    return text, rows


def main():
    given = common.options(__doc__.splitlines()[0]).parse_args()
    if given.one:
        return common.answer(given.one, measure)
    if given.quick:
        parts = [
            beside_peers(QUICK, 1),
            beside_relieff(500, 20, 1),
            on_a_tall_table(2_000, 20, 1),
        ]
    else:
        parts = [
            beside_peers(CASES, ROUNDS),
            *(beside_relieff(*shape, KIN_ROUNDS) for shape in KIN_SHAPES),
            on_a_tall_table(*TALL_SHAPE, TALL_ROUNDS),
        ]
    common.record("weighting", "\n\n".join(text for text, _ in parts), given.quick)
    common.write_csv("weighting", COLUMNS, [one for _, rows in parts for one in rows], given.quick)
    return None


if __name__ == "__main__":
    sys.exit(main())
