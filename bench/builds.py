"""Two builds of the program side by side: is the new one as fast, and does it answer the same?

    python bench/builds.py OLD NEW [--rounds 9] [--only WORD] [-o bench/results/builds.csv]

OLD and NEW are `nearkin` programs. Each case is run by both in turn, the one that goes first changing
from round to round. Shown are the medians in processor seconds, the median of the rounds' ratios
new/old, and a lower bound of that median at 95 %: the second smallest of nine ratios (by the sign
test, the median lies below it with probability .02). A case fails when that bound is above 1.03, or
when the two print different answers.
"""

import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.03

# Name, how tables are made (words for `simulate`, None for a bundled one), words of the command.
NUMBERS = "random-rbf --relevant 20 --irrelevant 80 --rows {rows} --seed 1"
GENES = "xor --rows {rows} --irrelevant {columns} --seed 1"
CASES = [
    ("relieff numbers", (NUMBERS, 6000, 0), "weigh {table} --k 10"),
    ("relieff euclidean", (NUMBERS, 4000, 0), "weigh {table} --k 10 --metric euclidean"),
    ("multisurf numbers", (NUMBERS, 3000, 0), "weigh {table} --method multisurf"),
    ("surf numbers", (NUMBERS, 4500, 0), "weigh {table} --method surf"),
    ("multisurf-star missing", (NUMBERS, 1500, 0.02), "weigh {table} --method multisurf-star"),
    ("relieff missing", (NUMBERS, 3000, 0.02), "weigh {table} --k 10"),
    ("relieff genotypes", (GENES, 2000, 0), "weigh {table} --genotype all --k 10"),
    ("multisurf genotypes missing", (GENES, 1200, 0.01), "weigh {table} --genotype all --method multisurf"),
    ("pdrelieff numbers", (NUMBERS, 1500, 0), "weigh {table} --method pdrelieff"),
    ("i-relief numbers", (NUMBERS, 1500, 0), "weigh {table} --method i-relief"),
    ("relieff bootstrap stir", (NUMBERS, 2000, 0), "weigh {table} --p-values stir --interval"),
    ("sila diagonal", (NUMBERS, 3000, 0), "learn {table} --method sila --matrix diagonal --test 0 -o {out}"),
    ("sila symmetric", (NUMBERS, 1000, 0), "learn {table} --method sila --matrix symmetric --test 0 -o {out}"),
    ("srbs diagonal", (NUMBERS, 3000, 0), "learn {table} --method srbs --test 0 -o {out}"),
    ("sda matrix", (NUMBERS, 1500, 0), "classify {table} --method sda --measure heom --test 0 -o {out}"),
    ("local-sda matrix", (NUMBERS, 800, 0), "classify {table} --method local-sda --measure heom --test 0 -o {out}"),
    ("knn classify", (NUMBERS, 2000, 0), "classify {table} --method knn --measure heom -o {out}"),
    ("evaluate", (NUMBERS, 600, 0), "evaluate {table} --methods 'knn(k=3), best 10 by relieff > knn(k=3)'"),
    ("start", None, "weigh @iris"),
]


def made(old, folder, kind, rows, holes):
    """A table of the old program's simulation, some cells taken out."""
    table = Path(folder) / f"{abs(hash((kind, rows, holes)))}.csv"
    if table.exists():
        return table
    words = kind.format(rows=rows, columns=2000).split()
    subprocess.run([old, "simulate", *words, "-o", table], check=True, stdout=subprocess.DEVNULL)
    if holes:
        with open(table) as file:
            lines = list(csv.reader(file))
        step, at = round(1 / holes), 0
        for line in lines[1:]:
            for cell in range(len(line) - 1):
                at = (at * 1103515245 + 12345) % (1 << 31)
                if at // 65536 % step == 0:
                    line[cell] = ""
        with open(table, "w", newline="") as file:
            csv.writer(file).writerows(lines)
    return table


def run(program, words):
    """Processor seconds and what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *words], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{program} {' '.join(map(str, words))}: {done.stderr.decode()}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    parser.add_argument("-o", "--output", type=Path)
    asked = parser.parse_args()
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, table, command in CASES:
            if asked.only not in name:
                continue
            place = made(asked.old, folder, *table) if table else None
            words = [
                word.strip("'").format(table=place, out=os.path.join(folder, "model.safetensors"))
                for word in split(command)
            ]
            times, printed = {"old": [], "new": []}, {}
            for round_ in range(asked.rounds):
                for which in ("old", "new") if round_ % 2 else ("new", "old"):
                    used, printed[which] = run(getattr(asked, which), words)
                    times[which].append(used)
            ratios = sorted(new / max(old, 1e-9) for old, new in zip(times["old"], times["new"]))
            bound = ratios[1] if len(ratios) >= 9 else ratios[0]
            same = printed["old"] == printed["new"]
            if bound > LIMIT or not same:
                failed.append(name)
            median = statistics.median
            rows.append(
                [name, f"{median(times['old']):.3f}", f"{median(times['new']):.3f}",
                 f"{median(ratios):.3f}", f"{bound:.3f}", "same" if same else "DIFFERS"]
            )
            print(*rows[-1], sep="\t", flush=True)
    if asked.output:
        with open(asked.output, "w", newline="") as file:
            csv.writer(file).writerows(
                [["case", "old_s", "new_s", "ratio", "lower_95", "answers"], *rows]
            )
    sys.exit(f"slower or different: {', '.join(failed)}" if failed else 0)


def split(command):
    """Words of a command; quotes keep words together."""
    words, quoted = [], False
    for part in command.split(" "):
        if quoted:
            words[-1] += " " + part
        else:
            words.append(part)
        quoted ^= part.count("'") % 2 == 1
    return words


if __name__ == "__main__":
    main()
