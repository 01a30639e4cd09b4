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


def main():
    parser = common.options(__doc__)
    parser.add_argument("--program", default=common.ROOT / "target/release/nearkin")
    given = parser.parse_args()
    runs = 3 if given.quick else 30
    wall, processor = milliseconds([str(given.program), "weigh", "@iris"], runs)
    rows = [
        ("nearkin weigh @iris", wall, "wall time", PROGRAM_BAR),
        ("nearkin weigh @iris", processor, "processor time", PROGRAM_BAR),
    ]
    for name, what in import_time.WHAT.items():
        found = import_time.milliseconds(what, 2 if given.quick else 7)
        rows.append(
            (f"import {name}, beyond numpy and scikit-learn", found, "processor time", IMPORT_BAR)
        )
    lines = [[name, f"{found:.1f} ms", kind, f"{bar:.0f} ms"] for name, found, kind, bar in rows]
    common.record("startup", common.table(["what", "time", "of", "bar"], lines), given.quick)
    common.write_csv("startup", ["what", "milliseconds", "of", "bar"], rows, given.quick)


if __name__ == "__main__":
    sys.exit(main())
