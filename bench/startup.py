"""How long nothing takes: `nearkin weigh @iris`, and `import nearkin` beyond its libraries."""

import resource
import subprocess
import sys
import time

import common
import import_time

PROGRAM_BAR, IMPORT_BAR = 30.0, import_time.LIMIT


def used():
    """Seconds of processor that commands run so far have used."""
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime


def milliseconds(words, runs):
    """The least wall time and the least processor time of several runs of a command."""
    wall, processor = [], []
    for _ in range(runs):
        before, start = used(), time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall.append(1000 * (time.perf_counter() - start))
        processor.append(1000 * (used() - before))
    return min(wall), min(processor)


def peak(words, runs):
    """The most MB that a command held in several runs, apart from the timed ones: it is soon over,
    so memory is looked at without a pause."""
    found = [common.watched(words, 60, pause=0) for _ in range(runs)]
    held = [one["megabytes"] for one in found if "megabytes" in one]
    return max(held, default=float("nan"))


def main():
    parser = common.options(__doc__)
    parser.add_argument("--program", default=common.ROOT / "target/release/nearkin")
    given = parser.parse_args()
    runs = 3 if given.quick else 30
    command = [str(given.program), "weigh", "@iris"]
    wall, processor = milliseconds(command, runs)
    held = peak(command, runs)
    rows = [
        ("nearkin weigh @iris", wall, "wall time", PROGRAM_BAR, held),
        ("nearkin weigh @iris", processor, "processor time", PROGRAM_BAR, held),
    ]
    for name, what in import_time.WHAT.items():
        runs = 2 if given.quick else 7
        found = import_time.milliseconds(what, runs)
        held = peak([sys.executable, "-c", f"import {import_time.BEFORE}, {what}"], runs)
        name = f"import {name}, beyond numpy and scikit-learn"
        rows.append((name, found, "processor time", IMPORT_BAR, held))
    lines = [
        [
            name,
            f"{found:.1f} ms",
            kind,
            f"{bar:.0f} ms",
            common.met(found, most=bar),
            f"{held:.0f} MB",
        ]
        for name, found, kind, bar, held in rows
    ]
    header = ["what", "time", "of", "bar", "met", "peak memory"]
    common.record("startup", common.table(header, lines), given.quick)
    header = ["what", "milliseconds", "of", "bar", "megabytes"]
    common.write_csv("startup", header, rows, given.quick)


if __name__ == "__main__":
    sys.exit(main())
