"""Where the time of weighting methods goes: the functions that Linux's perf finds at work.

Cases are those of `cargo bench -p nearkin --bench methods`, on one thread, so that nobody waits.
A loop that the compiler put into rayon's own function has the name "a parallel loop's body".
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import common

CASES = [
    "relieff@10000,100,numeric,2,1",
    "relieff@2000,5000,numeric,2,1",
    "relieff@10000,100,nominal,2,1",
    "relieff@10000,100,genotype,2,1",
    "relieff@2000,5000,genotype,2,1",
    "relieff@10000,100,holes,2,1",
    "relieff@2000,5000,uncalled,2,1",
    "surf@10000,100,numeric,2,1",
    "multisurf@5000,200,numeric,2,1",
    "multisurf-star@10000,100,numeric,2,1",
    "multisurf@5000,200,holes,2,1",
    "multisurf@5000,200,uncalled,2,1",
    "pdrelieff:refresh=8@10000,100,numeric,2,1",
    "pdrelieff:refresh=8@10000,100,genotype,2,1",
]
QUICK = ["relieff@500,20,numeric,2,1"]
# Shares below this many per cent are left out.
LEAST = 4


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=common.ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def shares(case, rounds, record):
    """Seconds and MB of a case, and (per cent, function) of those that take most."""
    bench = ["cargo", "bench", "--quiet", "--locked", "-p", "nearkin", "--bench", "methods", "--"]
    command = ["perf", "record", "--quiet", "--output", record, *bench, "--rounds", str(rounds)]
    seconds, held = map(float, run([*command, case]).splitlines()[-1].split(",")[-2:])
    command = ["perf", "report", "--input", record, "--stdio", "--no-children"]
    lines = run([*command, "--fields", "comm,overhead,sym", "--field-separator", "|"]).splitlines()
    found = {}
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        thread, share, symbol = line.split("|", 2)
        name = symbol.split("] ", 1)[-1].strip()
        # Cargo is at work as well, and the benchmark makes up its tables.
        if not thread.strip().startswith(("methods", "nearkin")):
            continue
        if "methods::" in name or "random::" in name:
            continue
        if "rayon" in name:
            name = "a parallel loop's body"
        name = name.removeprefix("nearkin::").removeprefix("neighbors::")
        found[name] = found.get(name, 0.0) + float(share.strip(" %"))
    total = sum(found.values())
    found = {name: 100 * share / total for name, share in found.items()}
    return seconds, held, sorted(((share, name) for name, share in found.items()), reverse=True)


def main():
    given = common.options(__doc__.splitlines()[0]).parse_args()
    if not shutil.which("perf"):
        print("there is no perf: nothing is profiled", file=sys.stderr)
        return
    lines, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        for case in QUICK if given.quick else CASES:
            record = str(Path(folder) / "perf.data")
            seconds, held, found = shares(case, 1 if given.quick else 5, record)
            large = ", ".join(f"{s:.0f} % `{name}`" for s, name in found if s >= LEAST)
            lines.append([f"`{case}`", f"{seconds:.3g} s", f"{held:.0f} MB", large])
            rows += [[case, seconds, held, name, share] for share, name in found if share >= 0.5]
    text = common.table(["case", "time", "peak memory", "functions"], lines)
    common.record("hotspots", text, given.quick)
    columns = ["case", "seconds", "megabytes", "function", "per cent"]
    common.write_csv("hotspots", columns, rows, given.quick)


if __name__ == "__main__":
    main()
