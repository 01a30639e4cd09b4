"""How time grows with rows, columns, neighbours, classes and threads: measured, fitted, drawn.

Times come from `cargo bench -p nearkin --bench methods`, all sizes of one question in turns. The
slope is that of the logarithm of time against the logarithm of size, least squares over the sizes
of at least the median, where what is done once no longer counts, with its standard error; two
points leave none.
"""

import math
import subprocess
import sys

import common

# (what grows, sizes, case)
QUESTIONS = [
    ("rows", [2_000, 4_000, 8_000, 16_000, 32_000], "relieff@{},50,numeric,2,2"),
    ("columns", [25, 50, 100, 200, 400, 800], "relieff@4000,{},numeric,2,2"),
    ("neighbours", [1, 3, 10, 30, 100], "relieff:k={}@5000,100,numeric,2,2"),
    ("classes", [2, 4, 8, 16, 32], "relieff@5000,100,numeric,{},2"),
]
# (method, rows) on one thread and on two.
METHODS = [
    ("relieff", 10_000),
    ("relieff", 20_000),
    ("surf", 20_000),
    ("multisurf", 20_000),
    ("multisurf-star", 20_000),
    ("class-dependent", 20_000),
    ("pdrelieff:refresh=8", 20_000),
    ("pdrelieff:refresh=64", 20_000),
]
THREADS_CASE = "{}@{},100,numeric,2,{}"
QUICK = [("rows", [200, 400, 800], "relieff@{},20,numeric,2,2")]


def measured(cases, rounds):
    """Seconds of each case."""
    command = [
        "cargo",
        "bench",
        "--quiet",
        "--locked",
        "-p",
        "nearkin",
        "--bench",
        "methods",
        "--",
        "--rounds",
        str(rounds),
        *cases,
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=common.ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = dict(line.rsplit(",", 1) for line in done.stdout.splitlines() if "@" in line)
    return [float(found[case]) for case in cases]


def slope(sizes, times):
    """The exponent of the size in the time, with its standard error, in words."""
    keep = max(3, (len(sizes) + 1) // 2)
    x = [math.log(size) for size in sizes[-keep:]]
    y = [math.log(time) for time in times[-keep:]]
    n, mx, my = len(x), sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mx) ** 2 for a in x)
    b = sum((a - mx) * (c - my) for a, c in zip(x, y, strict=True)) / spread
    left = sum((c - my - b * (a - mx)) ** 2 for a, c in zip(x, y, strict=True))
    return f"{b:.2f} ± {math.sqrt(left / (n - 2) / spread):.2f}" if n > 2 else f"{b:.2f}"


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
        times = measured([case.format(size) for size in sizes], rounds)
        fitted = slope(sizes, times)
        panels.append((name, sizes, times, fitted))
        lines.append(
            [
                name,
                ", ".join(f"{size:,}" for size in sizes),
                ", ".join(f"{time:.3g}" for time in times),
                fitted,
            ]
        )
        rows += [[name, case, size, time] for size, time in zip(sizes, times, strict=True)]
    methods = [("relieff", 500)] if given.quick else METHODS
    cases = [THREADS_CASE.format(*method, threads) for method in methods for threads in (1, 2)]
    times = measured(cases, rounds + 2)
    shared = []
    for at, (method, count) in enumerate(methods):
        one, two = times[2 * at : 2 * at + 2]
        size = f"{count:,} × 100"
        shared.append([method, size, f"{one:.3g} s", f"{two:.3g} s", f"{one / two:.2f} ×", "1.8 ×"])
        rows += [
            [f"threads, {method}", THREADS_CASE.format(method, count, "{}"), threads, time]
            for threads, time in ((1, one), (2, two))
        ]
    # ReliefF's own time against threads is one of the panels.
    panels.append(("threads", [1, 2], times[:2], slope([1, 2], times[:2])))
    lines.append(["threads", "1, 2", f"{times[0]:.3g}, {times[1]:.3g}", panels[-1][3]])
    text = common.table(["what grows", "sizes", "seconds", "slope"], lines)
    what = "rows, columns, neighbours, classes and threads"
    text += f"\n\n![Time of ReliefF against {what}](scaling.svg)\n\n"
    header = ["method", "numbers", "one thread", "two threads", "ratio", "bar"]
    text += common.table(header, shared)
    if not given.quick:
        (common.ROOT / "docs" / "scaling.svg").write_text(drawing(panels))
    common.record("scaling", text, given.quick)
    common.write_csv("scaling", ["what", "case", "size", "seconds"], rows, given.quick)


if __name__ == "__main__":
    sys.exit(main())
