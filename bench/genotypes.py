"""Genotypes from PLINK files: time and peak memory of the whole program.

    python bench/genotypes.py [--quick] [--program target/release/nearkin]

Writes .bed files of random genotypes whose first two variants interact, lets `nearkin weigh` find
them, and records the wall time and the peak resident memory of the process.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
# (samples, variants, share of missing genotypes, bar on peak memory in MB)
CASES = [
    (2_000, 100_000, 0.0, 300),
    (2_000, 100_000, 0.01, 300),
    (2_000, 1_000_000, 0.0, None),
]
QUICK = [(500, 10_000, 0.0, None), (500, 10_000, 0.01, None)]
# Variants made at a time, so that the generator needs little memory itself.
CHUNK = 4_096
HEADING = "## Genotypes from PLINK files"


def write(prefix, samples, variants, missing, seed=1):
    """A .bed, .bim and .fam of random genotypes; the phenotype is an interaction of the first two."""
    rng = np.random.default_rng(seed)
    # Copies of A1 as PLINK's two bits: 0 = 11, 1 = 10, 2 = 00; 01 is missing.
    bits = np.array([0b11, 0b10, 0b00, 0b01], dtype=np.uint8)
    shifts = np.array([0, 2, 4, 6], dtype=np.uint8)
    phenotype = None
    with open(f"{prefix}.bed", "wb") as bed, open(f"{prefix}.bim", "w") as bim:
        bed.write(bytes([0x6C, 0x1B, 0x01]))
        for first in range(0, variants, CHUNK):
            count = min(CHUNK, variants - first)
            copies = rng.integers(0, 3, (count, samples), dtype=np.uint8)
            if phenotype is None:
                # Heterozygous in one of the two and not in the other: no effect of either alone.
                phenotype = (copies[0] == 1) ^ (copies[1] == 1)
            if missing:
                copies[rng.random((count, samples), dtype=np.float32) < missing] = 3
            padded = np.zeros((count, -(-samples // 4) * 4), dtype=np.uint8)
            padded[:, :samples] = bits[copies]
            quads = padded.reshape(count, -1, 4)
            bed.write(np.bitwise_or.reduce(quads << shifts, axis=2).astype(np.uint8).tobytes())
            rows = (f"1\trs{v}\t0\t{v + 1}\tA\tG\n" for v in range(first, first + count))
            bim.write("".join(rows))
    with open(f"{prefix}.fam", "w") as fam:
        fam.writelines(f"f{i} i{i} 0 0 0 {1 + int(p)}\n" for i, p in enumerate(phenotype))


def measure(program, bed, method):
    """Seconds, peak MB and the features that lead, of one run of the program."""
    words = [program, "weigh", bed, "--method", method, "--top", "2", "--threads", "2", "--quiet"]
    begun = time.perf_counter()
    process = subprocess.Popen([*words, "--format", "csv"], stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    leading = [line.split(",")[1] for line in out.splitlines()[1:3]]
    return seconds, usage.ru_maxrss / 1024, leading


def record(page, results):
    """Put the results into the page, in place of those that were there."""
    lines = [
        HEADING,
        "",
        "`nearkin weigh table.bed`, the whole program from file to answer: wall time and peak resident",
        "memory, two threads, better of two runs. The phenotype is an interaction of two variants.",
        "",
        "| method | samples × variants | missing | file | time | peak memory | bar |",
        "|---|---|---|---|---|---|---|",
    ]
    for method, samples, variants, missing, size, seconds, memory, bar in results:
        lines.append(
            f"| {method} | {samples:,} × {variants:,} | {100 * missing:g} % | {size:.0f} MB "
            f"| {seconds:.2f} s | {memory:.0f} MB | {f'{bar} MB' if bar else ''} |"
        )
    text = page.read_text()
    before, _, after = text.partition(HEADING)
    _, mark, rest = after.partition("\n## ")
    page.write_text(before.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n" + mark + rest)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files, to see that it works")
    parser.add_argument("--program", default=ROOT / "target/release/nearkin")
    parser.add_argument("--method", default="relieff")
    parser.add_argument("--output", type=Path, help="a CSV file for the results")
    parser.add_argument("--record", type=Path, help="a Markdown page for a table of the results")
    arguments = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for samples, variants, missing, bar in QUICK if arguments.quick else CASES:
            prefix = Path(folder) / "table"
            write(prefix, samples, variants, missing)
            size = os.path.getsize(f"{prefix}.bed") / 1e6
            best = min(measure(arguments.program, f"{prefix}.bed", arguments.method) for _ in range(2))
            seconds, memory, leading = best
            results.append((arguments.method, samples, variants, missing, size, seconds, memory, bar))
            verdict = "" if bar is None else f" (bar {bar} MB)"
            print(
                f"{arguments.method} {samples:,} × {variants:,}, {100 * missing:g} % missing, "
                f"{size:.0f} MB on disk: {seconds:.2f} s, peak {memory:.0f} MB{verdict}; "
                f"first {' and '.join(leading)}",
                flush=True,
            )
    if arguments.record and not arguments.quick:
        record(arguments.record, results)
    if arguments.output and not arguments.quick:
        with open(arguments.output, "w", newline="") as file:
            writer = csv.writer(file)
            head = ["method", "samples", "variants", "missing", "file_mb", "seconds", "peak_mb", "bar_mb"]
            writer.writerow(head)
            writer.writerows(results)


if __name__ == "__main__":
    sys.exit(main())
