"""How time grows with rows, columns, neighbours, classes and threads: measured, fitted, drawn.

Times come from `cargo bench -p nearkin --bench methods`, all sizes of one question in turns. The
slope is that of the logarithm of time against the logarithm of size, least squares over the sizes
of at least the median, where what is done once no longer counts, with its standard error; two
points leave none. Memory is that of a process with one case alone.

Threads: weighting from the same benchmark, prediction by neighbours from `--bench engine`, an epoch
of learning from `--bench learning`, on one thread and on two, in turns.
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import common
import epochs
import learning

# (what grows, sizes, case)
QUESTIONS = [
    ("rows", [4_000, 8_000, 16_000, 32_000, 64_000, 128_000], "relieff@{},50,numeric,2,2"),
    ("columns", [25, 50, 100, 200, 400, 800], "relieff@4000,{},numeric,2,2"),
    ("neighbours", [1, 3, 10, 30, 100], "relieff:k={}@5000,100,numeric,2,2"),
    ("classes", [2, 4, 8, 16, 32], "relieff@5000,100,numeric,{},2"),
]
# Weighting on one thread and on two: (method, rows, columns, kind).
METHODS = [
    ("relieff", 10_000, 100, "numeric"),
    ("relieff", 20_000, 100, "numeric"),
    ("surf", 20_000, 100, "numeric"),
    ("multisurf", 20_000, 100, "numeric"),
    ("multisurf-star", 20_000, 100, "numeric"),
    ("class-dependent", 20_000, 100, "numeric"),
    ("pdrelieff:refresh=8", 20_000, 100, "numeric"),
    ("pdrelieff:refresh=64", 20_000, 100, "numeric"),
    ("relieff", 10_000, 1_000, "genotype"),
    ("multisurf", 10_000, 1_000, "genotype"),
    ("relieff", 10_000, 1_000, "uncalled"),
    ("relieff", 10_000, 100, "holes"),
    ("multisurf", 5_000, 200, "holes"),
]
THREADS_CASE = "{}@{},{},{},2,{{}}"
THREADS_BAR = 1.8
# Rows and columns that learners work on.
LESSON, LESSON_ROUNDS = (8_000, 50), 4
QUICK = [("rows", [200, 400, 800], "relieff@{},20,numeric,2,2")]


def output(bench, *words):
    """Lines that a benchmark of nearkin's prints."""
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "nearkin", "--bench", bench, "--"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, cwd=common.ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.splitlines()


def measured(cases, rounds):
    """Seconds of each case, in turns, and the MB of all of them together."""
    lines = [line for line in output("methods", "--rounds", str(rounds), *cases) if "@" in line]
    found = {case: (float(time), float(held)) for case, time, held in map(cells, lines)}
    return [found[case][0] for case in cases], found[cases[0]][1]


def cells(line):
    return line.rsplit(",", 2)


def weighing(methods, rounds):
    """(what, size, seconds on one thread, on two, memory on two) of weighting methods."""
    cases = [THREADS_CASE.format(*method) for method in methods]
    times, _ = measured([case.format(threads) for case in cases for threads in (1, 2)], rounds)
    pairs = zip(times[::2], times[1::2], strict=True)
    held = [f"{measured([case.format(2)], 1)[1]:.0f} MB" for case in cases]
    return [
        (method, f"{rows:,} × {columns:,} {kind}", *pair, most)
        for (method, rows, columns, kind), pair, most in zip(methods, pairs, held, strict=True)
    ]


def voting(rounds):
    """The same of predictions by neighbours, the least of several processes."""
    best = {}
    for _ in range(rounds):
        lines = [line.split(",") for line in output("engine", "votes") if " of 10," in line]
        for what, size, threads, *figures in lines:
            least, most = best.get((what, size, threads), (math.inf, 0))
            held = float(figures[3].split()[0]) if figures[3][:1].isdigit() else math.nan
            least = min(least, float(figures[0].split()[0]))
            best[what, size, threads] = least, max(most, held)
    told = []
    for what, size in dict.fromkeys(key[:2] for key in best):
        (one, _), (two, held) = (best[what, size, count] for count in ("1", "2"))
        told.append((what, size, one, two, f"{held:.0f} MB"))
    return told


def lesson(folder, shape):
    """Write noise with a difference of five classes, as the benchmark of learning reads it."""
    import numpy as np

    rng = np.random.default_rng(0)
    y = np.arange(shape[0]) % 5
    x = rng.normal(size=shape) + rng.normal(size=(5, shape[1]))[y] * 0.3
    learning.write(Path(folder) / "train.csv", x, y)
    learning.write(Path(folder) / "test.csv", x[:10], y[:10])


def learners(shape, rounds):
    """The same of an epoch of learners."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        lesson(folder, shape)
        for learner, title in epochs.LEARNERS.items():
            # With a diagonal an epoch of sRBS is a fraction of a millisecond.
            if learner == "srbs-diagonal":
                continue
            ask = lambda count, learner=learner: epochs.nearkin(folder, learner, count)  # noqa: E731
            best = common.in_turns([1, 2], ask, rounds)
            best = {count: epochs.an_epoch(one) for count, one in best.items()}
            failed = next((one["failed"] for one in best.values() if "failed" in one), None)
            what, size = f"an epoch of {title}", f"{shape[0]:,} × {shape[1]} numeric"
            if failed == epochs.TOO_SHORT:
                found.append((what, size, failed, "", ""))
                continue
            if failed:
                raise SystemExit(f"{title}: {failed}")
            pair = (best[count]["seconds"] for count in (1, 2))
            found.append((what, size, *pair, common.megabytes(best[2])))
    return found


def upper(sizes):
    """How many sizes, the largest, a line is fitted to."""
    return min(len(sizes), max(3, (len(sizes) + 1) // 2))


def fit(sizes, times):
    """The line fitted to the logarithms: exponent, its standard error if any, and where it lies."""
    keep = upper(sizes)
    x = [math.log(size) for size in sizes[-keep:]]
    y = [math.log(time) for time in times[-keep:]]
    n, mx, my = len(x), sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mx) ** 2 for a in x)
    b = sum((a - mx) * (c - my) for a, c in zip(x, y, strict=True)) / spread
    left = sum((c - my - b * (a - mx)) ** 2 for a, c in zip(x, y, strict=True))
    error = math.sqrt(left / (n - 2) / spread) if n > 2 else None
    return b, error, lambda size: math.exp(my + b * (math.log(size) - mx))


def slope(sizes, times):
    """The exponent of the size in the time, with its standard error, in words."""
    exponent, error, _ = fit(sizes, times)
    return f"{exponent:.2f}" if error is None else f"{exponent:.2f} ± {error:.2f}"


def drawing(panels):
    """One small log-log plot a question, as SVG."""
    width, height, margin = 240, 200, 44
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {width * len(panels)} {height + 40}" '
        'font-family="sans-serif" font-size="11" role="img">',
        "<title>Time of ReliefF against the size of its task</title>",
        f'<rect width="{width * len(panels)}" height="{height + 40}" fill="#ffffff"/>',
    ]
    times = [time for _, _, found, _ in panels for time in found]
    low, high = math.log10(min(times)) - 0.1, math.log10(max(times)) + 0.1
    for at, (name, sizes, found, exponent) in enumerate(panels):
        left, first, last = at * width + margin, math.log10(sizes[0]), math.log10(sizes[-1])
        inner = width - margin - 16

        def place(size, time, left=left, first=first, last=last, inner=inner):
            x = left + inner * (math.log10(size) - first) / (last - first)
            y = 24 + (height - 24) * (high - math.log10(time)) / (high - low)
            return f"{x:.1f},{y:.1f}"

        points = [place(size, time) for size, time in zip(sizes, found, strict=True)]
        parts.append(f'<text x="{left}" y="14">{name}: slope {exponent}</text>')
        parts.append(f'<path d="M{left},24V{height}H{left + inner}" fill="none" stroke="#888888"/>')
        for power in range(math.ceil(low), math.floor(high) + 1):
            y = place(sizes[0], 10.0**power).split(",")[1]
            parts.append(f'<text x="{left - 4}" y="{y}" text-anchor="end">{10.0**power:g} s</text>')
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#1f5fa8"/>')
        line = fit(sizes, found)[2]
        ends = [place(size, line(size)) for size in (sizes[-upper(sizes)], sizes[-1])]
        parts.append(
            f'<polyline points="{" ".join(ends)}" fill="none" stroke="#c2571a" '
            f'stroke-dasharray="4 3"><title>fitted: slope {exponent}</title></polyline>'
        )
        for point, size, time in zip(points, sizes, found, strict=True):
            x, y = point.split(",")
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="3" fill="#1f5fa8">'
                f"<title>{size:,}: {time:.4f} s</title></circle>"
            )
        for size in (sizes[0], sizes[-1]):
            x = place(size, found[0]).split(",")[0]
            parts.append(f'<text x="{x}" y="{height + 16}" text-anchor="middle">{size:,}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    given = common.options(__doc__.splitlines()[0]).parse_args()
    rounds = 1 if given.quick else 4
    lines, rows, panels = [], [], []
    for name, sizes, case in QUICK if given.quick else QUESTIONS:
        cases = [case.format(size) for size in sizes]
        times, _ = measured(cases, rounds)
        held = [measured([case], 1)[1] for case in cases]
        fitted = slope(sizes, times)
        panels.append((name, sizes, times, fitted))
        lines.append(
            [
                name,
                ", ".join(f"{size:,}" for size in sizes),
                ", ".join(f"{time:.3g}" for time in times),
                fitted,
                ", ".join(f"{one:.0f}" for one in held),
            ]
        )
        rows += [[name, case, *one] for one in zip(sizes, times, held, strict=True)]
    if given.quick:
        found = weighing([("relieff", 500, 20, "genotype")], 1)
        found += [*voting(1), *learners((500, 10), 1)]
    else:
        found = weighing(METHODS, 2 * rounds)
        found += [*voting(2), *learners(LESSON, LESSON_ROUNDS)]
    shared = []
    for what, size, one, two, held in found:
        if isinstance(one, str):
            shared.append([what, size, one, "", "", f"{THREADS_BAR} ×", "", ""])
            continue
        met = common.met(one / two, least=THREADS_BAR)
        times = [f"{one:.3g} s", f"{two:.3g} s", f"{one / two:.2f} ×"]
        shared.append([what, size, *times, f"{THREADS_BAR} ×", met, held])
        rows += [
            ["threads", f"{what}, {size}", count, time, most]
            for count, time, most in ((1, one, ""), (2, two, held.split()[0]))
        ]
    times = list(found[0][2:4])
    # ReliefF's own time against threads is one of the panels.
    panels.append(("threads", [1, 2], times, slope([1, 2], times)))
    seconds, held = f"{times[0]:.3g}, {times[1]:.3g}", found[0][4].split()[0]
    lines.append(["threads", "1, 2", seconds, panels[-1][3], held])
    text = common.table(["what grows", "sizes", "seconds", "slope", "peak MB"], lines)
    what = "rows, columns, neighbours, classes and threads"
    text += f"\n\n![Time of ReliefF against {what}](scaling.svg)\n\n"
    header = ["what", "size", "one thread", "two threads", "ratio", "bar", "met", "peak memory"]
    text += common.table(header, shared)
    if not given.quick:
        (common.ROOT / "docs" / "scaling.svg").write_text(drawing(panels))
    common.record("scaling", text, given.quick)
    common.write_csv("scaling", ["what", "case", "size", "seconds", "megabytes"], rows, given.quick)


if __name__ == "__main__":
    sys.exit(main())
