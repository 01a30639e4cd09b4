"""What the sections of the benchmark share: turns, limits, records."""

import contextlib
import csv
import json
import os
import platform
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
THREADS = 2


# Errors that say a program is not here at all.
ABSENT = ("ModuleNotFoundError", "FileNotFoundError", "JVMNotFoundException")


def child(python, script, arguments, limit):
    """What `script --one ARGUMENTS` prints in a process of its own; a reason where it fails."""
    one_pool = {name: str(THREADS) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    command = [str(python), str(script), "--one", json.dumps(arguments)]
    return told(command, limit, {**os.environ, **one_pool})


def told(command, limit, environment=None):
    """What a command says in its last line, as JSON; a reason where it fails."""
    try:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=ROOT,
            start_new_session=True,
        )
    except OSError as error:
        return {"failed": f"unavailable: {error.strerror}"}
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        end(process)
        return {"failed": f"more than {limit} s"}
    except BaseException:
        # Ctrl-C does not reach it by itself, and nothing else would hold it to its limit.
        end(process)
        raise
    if process.returncode:
        said = err.strip().splitlines()
        if process.returncode < 0 or not said:
            return {"failed": ended(process.returncode)}
        last = said[-1].replace("|", "/")
        error, _, reason = last.partition(": ")
        absent = error.rpartition(".")[2] in ABSENT
        return {"failed": (f"unavailable: {reason}" if absent else last)[:80]}
    return json.loads(out.splitlines()[-1])


def end(process):
    """End a program with all the processes that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def ended(status):
    """How a program ended that did not end well: its exit status, or the signal that ended it."""
    if status > 0:
        return f"exit status {status}"
    names = {int(one): one.name for one in signal.Signals}
    return f"ended by {names.get(-status, f'signal {-status}')}"


def in_turns(programs, ask, rounds):
    """The least seconds of several rounds of each program, taking turns, and its most memory.

    `asked` is how many times. A program that failed is not asked again.
    """
    best = {}
    for _ in range(rounds):
        for program in programs:
            before = best.get(program)
            if before and "failed" in before:
                continue
            found = ask(program)
            print(f"  {program}: {seconds(found)}", file=sys.stderr, flush=True)
            best[program] = better(before, found)
    return best


def better(before, found):
    """What is kept of a program after another round."""
    asked = (before or {}).get("asked", 0) + found.get("asked", 1)
    if before is not None and too_long(found):
        # It was within its limit before: that time is its least.
        return {**before, "asked": asked}
    if before is None or "failed" in found:
        return {**found, "asked": asked}
    kept = dict(min(before, found, key=lambda one: one["seconds"]), asked=asked)
    for other in ("few", "single"):
        if other in kept:
            kept[other] = min(before[other], found[other])
    held = [one["megabytes"] for one in (before, found) if "megabytes" in one]
    return kept | ({"megabytes": max(held)} if held else {})


def watched(command, limit, pause=0.002):
    """Seconds, peak memory and output of a program from start to end; a reason where it fails.

    Memory is looked at after every `pause`; without one the program is slower."""
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        peaks = []
        watch = threading.Thread(target=watch_peak, args=(process.pid, peaks, pause))
        watch.start()
        try:
            out, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            return {"failed": f"more than {limit} s"}
        finally:
            watch.join()
    seconds = time.perf_counter() - begun
    if process.returncode:
        return {"failed": ended(process.returncode)}
    # None where the system does not tell, or the program was over before anyone looked.
    held = {"megabytes": peaks[0]} if peaks else {}
    return {"seconds": seconds, "output": out} | held


def watch_peak(process, peaks, pause):
    """Keep the peak memory of another process in `peaks` until it ends. A peak within the last
    pause is missed; by then a program has told what it found."""
    while (peak := process_peak(process)) is not None:
        peaks[:] = [peak]
        time.sleep(pause)


def process_peak(process):
    """The most MB that a process held so far, where the system tells. Its count of ended processes,
    ru_maxrss, would begin with what the process held that started them."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return None
    peak = next((line for line in status.splitlines() if line.startswith("VmHWM:")), None)
    return peak and int(peak.split()[1]) / 1024


def descendants(process):
    """Processes that a process started and that still live, and those that they started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in brackets, may hold anything; the state and the parent follow it.
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def peak_megabytes():
    """The most memory this program held, and every worker process of it: a sum of peaks, in which
    what they share counts for each."""
    own = process_peak("self")
    if own is None:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return own + sum(process_peak(worker) or 0 for worker in descendants(os.getpid()))


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


def times(peer, own):
    """How many times faster `own` is, at least so many where the peer passed its limit; nothing
    where the peer failed otherwise."""
    if "seconds" not in own:
        return 0.0
    if "seconds" in peer:
        return peer["seconds"] / own["seconds"]
    return float(peer["failed"].split()[2]) / own["seconds"] if too_long(peer) else None


def too_long(found):
    """Whether a program passed its limit."""
    return found.get("failed", "").startswith("more than ")


def ratio(peer, own):
    """How many times faster `own` is, in words."""
    found = times(peer, own)
    if not found:
        return ""
    return f"> {found:.0f} ×" if too_long(peer) else f"{found:.1f} ×"


def met(figure, least=None, most=None):
    """Whether a figure reaches its bar, as a word; nothing where there is no bar, or no figure."""
    if figure is None or (least is None and most is None):
        return ""
    return "yes" if (figure >= least if most is None else figure <= most) else "no"


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


def pinned(requirements, *packages):
    """Packages with the versions that a file of requirements holds them to, in words."""
    lines = (ROOT / "bench" / f"requirements{requirements}.txt").read_text().splitlines()
    versions = dict(line.split("==") for line in lines if "==" in line)
    return ", ".join(f"{package} {versions[package]}" for package in packages)


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
