"""Where the time of weighting methods goes: the functions that Linux's perf finds at work.

Cases are those of `cargo bench -p nearkin --bench methods`, and epochs of SiLA on the rows of section
scaling, on one thread, so that nobody waits.
A loop that the compiler put into rayon's own function has the name "a parallel loop's body".
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import common
import epochs
import scaling

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
EPOCHS = ["sila-diagonal", "sila-symmetric"]
QUICK = ["relieff@500,20,numeric,2,1"]
# Shares below this many per cent are left out.
LEAST = 4


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=common.ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def method(case, rounds):
    """The words that measure a method, and what reads seconds and MB off its last line."""
    return ["methods", "--", "--rounds", str(rounds), case], lambda line: line.split(",")[-2:]


def epoch(learner, folder):
    """The same of an epoch."""

    def read(line):
        found = json.loads(line)
        took = epochs.an_epoch(found)
        return took.get("seconds", float("nan")), found["megabytes"]

    return ["learning", "--", folder, learner, "1"], read


def shares(words, read, record):
    """Seconds and MB of a case, and (per cent, function) of those that take most."""
    bench = ["cargo", "bench", "--quiet", "--locked", "-p", "nearkin", "--bench", *words]
    command = ["perf", "record", "--quiet", "--output", record, *bench]
    seconds, held = map(float, read(run(command).splitlines()[-1]))
    command = ["perf", "report", "--input", record, "--stdio", "--no-children"]
    lines = run([*command, "--fields", "comm,overhead,sym", "--field-separator", "|"]).splitlines()
    found = {}
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        thread, share, symbol = line.split("|", 2)
        name = symbol.split("] ", 1)[-1].strip()
        # Cargo is at work as well, and the benchmark reads or makes up its tables.
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
        shape = (500, 10) if given.quick else scaling.LESSON
        scaling.lesson(folder, shape)
        cases = {case: method(case, 5) for case in (QUICK if given.quick else CASES)}
        for learner in EPOCHS:
            cases[f"{learner}@{shape[0]},{shape[1]}"] = epoch(learner, folder)
        for case, of in cases.items():
            record = str(Path(folder) / "perf.data")
            seconds, held, found = shares(*of, record)
            large = ", ".join(f"{s:.0f} % `{name}`" for s, name in found if s >= LEAST)
            lines.append([f"`{case}`", f"{seconds:.3g} s", f"{held:.0f} MB", large])
            rows += [[case, seconds, held, name, share] for share, name in found if share >= 0.5]
    text = common.table(["case", "time", "peak memory", "functions"], lines)
    common.record("hotspots", text, given.quick)
    columns = ["case", "seconds", "megabytes", "function", "per cent"]
    common.write_csv("hotspots", columns, rows, given.quick)


if __name__ == "__main__":
    main()
