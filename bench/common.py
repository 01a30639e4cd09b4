"""What the sections of the benchmark share: turns, limits, records."""

import csv
import json
import os
import platform
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
THREADS = 2


def child(python, script, arguments, limit):
    """What `script --one ARGUMENTS` prints in a process of its own; a reason where it fails."""
    one_pool = {name: str(THREADS) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    command = [str(python), str(script), "--one", json.dumps(arguments)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, env={**os.environ, **one_pool}
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"more than {limit} s"}
    except OSError as error:
        return {"failed": f"unavailable: {error}"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        return {"failed": last.replace("|", "/")[:80]}
    return json.loads(done.stdout.splitlines()[-1])


def in_turns(programs, ask, rounds, patience=20.0):
    """The best of several rounds of each program, taking turns.

    A program that failed, or needed more than `patience` seconds, is not asked again.
    """
    best = {}
    for _ in range(rounds):
        for program in programs:
            before = best.get(program)
            if before and before.get("seconds", 1e9) > patience:
                continue
            found = ask(program)
            print(f"  {program}: {seconds(found)}", file=sys.stderr, flush=True)
            if before is None or found.get("seconds", 1e9) < before.get("seconds", 1e9):
                best[program] = found
    return best


def peak_megabytes():
    """The most memory this program held. The system's own count, ru_maxrss, would begin with what
    the process that started it held."""
    with open("/proc/self/status") as status:
        peak = next((line for line in status if line.startswith("VmHWM:")), None)
    if peak is None:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(peak.split()[1]) / 1024


def answer(arguments, measure):
    """Serve `child`: print what `measure` found, with this process's peak memory."""
    found = measure(*json.loads(arguments))
    found.setdefault("megabytes", peak_megabytes())
    print(json.dumps(found))


def record(section, text, quick):
    """Put `text` into its part of the page, which a pair of comments marks."""
    print(text, flush=True)
    if quick:
        return
    begin, end = f"<!-- begin {section} -->", f"<!-- end {section} -->"
    page = PAGE.read_text()
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{PAGE.name} has no part {begin}")
    head = f"Measured on {machine()}.\n\n"
    PAGE.write_text(f"{before}{begin}\n\n{head}{text.strip()}\n\n{end}{after}")


def write_csv(section, header, rows, quick):
    """The section's figures as they are, for other programs."""
    if quick:
        return
    folder = ROOT / "bench" / "results"
    folder.mkdir(exist_ok=True)
    with open(folder / f"{section}.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def table(header, rows):
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def seconds(found):
    """A time, or why there is none."""
    if "seconds" not in found:
        return found.get("failed", "not run")
    return f"{found['seconds']:.3g} s"


def megabytes(found):
    return f"{found['megabytes']:.0f} MB" if "megabytes" in found else ""


def ratio(peer, own):
    """How many times faster `own` is; a lower bound where the peer passed its limit."""
    if "seconds" not in own:
        return ""
    if "seconds" in peer:
        return f"{peer['seconds'] / own['seconds']:.1f} ×"
    words = peer.get("failed", "").split()
    if words[:2] == ["more", "than"]:
        return f"> {float(words[2]) / own['seconds']:.0f} ×"
    return ""


def machine():
    """The processor, and how busy the machine was: figures of a busy one are worth less."""
    try:
        text = Path("/proc/cpuinfo").read_text()
        lines = [line for line in text.splitlines() if line.startswith("model name")]
        model = lines[0].split(":")[1].strip()
    except (OSError, IndexError):
        model = platform.processor() or platform.machine()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    python = platform.python_version()
    return f"{model}, {THREADS} threads, Python {python}, load {load:.1f} at the end"


def options(description):
    """The arguments every section takes."""
    import argparse

    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="small, once, and nothing is recorded")
    return parser


def peer_python(name):
    """The interpreter of a peer's own environment, beside this one."""
    return Path(sys.executable).parent.parent.parent / f"bench-{name}" / "bin" / "python"
