"""Feature weighting beside skrebate and fast-select: time, memory, and whether they agree.

Every measurement runs in a process of its own, so that peak memory is that of one program.
Programs take turns, a few rounds, and the least time of each counts: a machine that is not
quiet slows all of them. Peers are warmed up first (numba compiles at first use). A peer that
fails or runs out of time is reported as such.
"""

import argparse
import csv
import json
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THREADS = 2
LIMIT_SECONDS = 150

# (name, method, rows, columns, kind of columns, bar against fast-select, bar against skrebate)
CASES = [
    ("ReliefF, numeric", "relieff", 10_000, 100, "numeric", 4, 150),
    ("ReliefF, numeric, wide", "relieff", 2_000, 5_000, "numeric", 4, None),
    ("MultiSURF, numeric", "multisurf", 5_000, 200, "numeric", 3, 150),
    ("ReliefF, genotypes", "relieff", 10_000, 100, "genotype", 20, None),
    ("ReliefF, genotypes, wide", "relieff", 2_000, 5_000, "genotype", 20, None),
    ("MultiSURF, genotypes", "multisurf", 5_000, 200, "genotype", 20, None),
]
# Methods set beside ReliefF of nearkin itself, on the first case: (name, method, parameters).
KIN = [
    ("SURF", "surf", {}),
    ("MultiSURF*", "multisurf-star", {}),
    ("STIR", "relieff", {"p_values": "stir"}),
    ("class-dependent", "class-dependent", {}),
    ("pdReliefF, refresh 8", "pdrelieff", {"refresh": 8}),
]
# One large table, for memory.
LARGE = ("ReliefF, numeric, tall", "relieff", 100_000, 20, "numeric")


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


def estimator(program, method, kind, parameters):
    """The program's estimator of the method, k = 10, two threads."""
    if program == "nearkin":
        import nearkin.weigh as weigh

        classes = {
            "relieff": weigh.ReliefF,
            "multisurf": weigh.MultiSURF,
            "surf": weigh.SURF,
            "multisurf-star": weigh.MultiSURFStar,
            "class-dependent": weigh.ClassDependentRelief,
            "pdrelieff": weigh.PDReliefF,
        }
        return classes[method](n_jobs=THREADS, **parameters)
    if program == "fast-select":
        import fast_select
        import numba

        numba.set_num_threads(THREADS)
        classes = {"relieff": fast_select.ReliefF, "multisurf": fast_select.MultiSURF}
        k = {"n_neighbors": 10} if method == "relieff" else {}
        return classes[method](backend="cpu", **k)
    import skrebate

    classes = {"relieff": skrebate.ReliefF, "multisurf": skrebate.MultiSURF}
    k = {"n_neighbors": 10} if method == "relieff" else {}
    return classes[method](n_jobs=THREADS, **k)


def measure(program, method, rows, columns, kind, parameters):
    """Fit once on the data, after a warm-up; seconds, peak megabytes and a few weights."""
    import resource
    import time

    import numpy as np

    x, y = data(200, 20, kind)
    prepare(estimator(program, method, kind, parameters), program, kind, 20).fit(x, y)
    x, y = data(rows, columns, kind)
    if program == "skrebate":
        x = x.astype(np.float64)
    fitted = prepare(estimator(program, method, kind, parameters), program, kind, columns)
    start = time.perf_counter()
    fitted.fit(x, y)
    seconds = time.perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    weights = np.asarray(fitted.feature_importances_, dtype=float)
    return {"seconds": seconds, "megabytes": megabytes, "weights": weights[:50].tolist()}


def prepare(model, program, kind, columns):
    """Tell nearkin which columns hold categories; peers see it from the number of values."""
    if program == "nearkin" and kind == "genotype":
        model.set_params(categorical_features=list(range(columns)))
    return model


def alone(*arguments):
    """`measure` in a process of its own; a reason instead where it fails."""
    command = [sys.executable, __file__, "--one", json.dumps(arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"more than {LIMIT_SECONDS} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["no reason given"])[-1][:80]}
    return json.loads(done.stdout.splitlines()[-1])


def compare(case, rounds, programs):
    """The best of several rounds of each program, taking turns."""
    _, method, rows, columns, kind, *_ = case
    best = {}
    for turn in range(rounds):
        for program in programs:
            # The slow peer and one that failed need no second look.
            if turn and (program == "skrebate" or "failed" in best[program]):
                continue
            found = alone(program, method, rows, columns, kind, {})
            before = best.get(program)
            if before is None or found.get("seconds", 1e9) < before.get("seconds", 1e9):
                best[program] = found
    return best


def agreement(a, b):
    """The largest difference between the first weights of two programs."""
    if "weights" not in a or "weights" not in b:
        return None
    return max(abs(x - y) for x, y in zip(a["weights"], b["weights"], strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one round, without skrebate")
    parser.add_argument("--engine", type=Path, help="what the engine's own benchmark printed")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(*json.loads(options.one))))
        return
    rounds = 1 if options.quick else 3
    rows, text = [], []
    text.append("| case | rows × columns | nearkin | fast-select 0.3.0 | ratio | bar | "
                "skrebate 0.8.4 | ratio | bar | memory: nearkin, fast-select | largest difference |")
    text.append("|---|---|---|---|---|---|---|---|---|---|---|")
    for case in CASES:
        name, method, n, p, kind, bar, slow_bar = case
        programs = ["nearkin", "fast-select"]
        if slow_bar and not options.quick:
            programs.append("skrebate")
        found = compare(case, rounds, programs)
        ours, fast, slow = (found.get(x, {}) for x in ("nearkin", "fast-select", "skrebate"))
        for program, result in found.items():
            rows.append([name, method, n, p, program, result.get("seconds"), result.get("megabytes"),
                         result.get("failed", "")])
        cells = [name, f"{n:,} × {p:,}", seconds(ours), seconds(fast), ratio(fast, ours), f"{bar} ×",
                 seconds(slow), ratio(slow, ours), f"{slow_bar} ×" if slow_bar else "",
                 f"{memory(ours)}, {memory(fast)}", difference(agreement(ours, fast))]
        text.append("| " + " | ".join(cells) + " |")
        print(text[-1], flush=True)
    base, kin_text = None, ["", "| method on 10,000 × 100 numeric | time | against ReliefF | bar |", "|---|---|---|---|"]
    for name, method, parameters in [("ReliefF", "relieff", {}), *KIN]:
        runs = [alone("nearkin", method, 10_000, 100, "numeric", parameters) for _ in range(rounds)]
        best = min(runs, key=lambda r: r.get("seconds", 1e9))
        base = base or best
        rows.append([name, method, 10_000, 100, "nearkin", best.get("seconds"), best.get("megabytes"),
                     best.get("failed", "")])
        kin_text.append(f"| {name} | {seconds(best)} | {ratio(best, base)} | 3 × |")
        print(kin_text[-1], flush=True)
    name, method, n, p, kind = LARGE
    tall = alone("nearkin", method, n, p, kind, {})
    rows.append([name, method, n, p, "nearkin", tall.get("seconds"), tall.get("megabytes"), tall.get("failed", "")])
    tall_text = f"\n{name}, {n:,} × {p}: {seconds(tall)}, peak {memory(tall)} (bar 600 MB, Python included).\n"
    print(tall_text)
    with open(ROOT / "bench" / "results.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["case", "method", "rows", "columns", "program", "seconds", "megabytes", "failed"])
        writer.writerows(rows)
    engine = options.engine.read_text() if options.engine else ""
    (ROOT / "docs" / "benchmarks.md").write_text(PAGE.format(
        machine=machine(), table="\n".join(text), kin="\n".join(kin_text), tall=tall_text, engine=engine,
        limit=LIMIT_SECONDS))


def seconds(result):
    if "seconds" in result:
        return f"{result['seconds']:.3g} s"
    return result.get("failed", "not run")


def memory(result):
    return f"{result['megabytes']:.0f} MB" if "megabytes" in result else "?"


def ratio(a, b):
    return f"{a['seconds'] / b['seconds']:.1f} ×" if "seconds" in a and "seconds" in b else ""


def difference(value):
    return "" if value is None else f"{value:.1e}"


def machine():
    try:
        text = Path("/proc/cpuinfo").read_text()
        model = next(line for line in text.splitlines() if line.startswith("model name")).split(":")[1].strip()
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{model}, {THREADS} threads, Python {platform.python_version()}"


PAGE = """# Benchmarks

Made by `bench/run`, which anyone can run again; times are compared within one run only. Each
program fits the same float32 data in a process of its own, after a warm-up; programs take turns
and the least time of each counts. Peak memory is the whole process, Python and libraries
included. A peer that fails or needs more than {limit} s is reported as such.

Machine: {machine}.

## Beside peers

{table}

"Largest difference" is between nearkin's and fast-select's first fifty weights; fast-select works
in single precision. Bars that are not met yet are shown as they are.

## Beside ReliefF
{kin}

## Memory
{tall}
## The engine beside the machine's limit

The limit is measured in the same run with everything in registers: a max and an add of whole
numbers of 32 bits for Manhattan tiles, a fused multiply-add of floats for Euclidean ones.

```text
{engine}```
"""

if __name__ == "__main__":
    main()
