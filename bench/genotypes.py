"""Genotypes from PLINK files: time and peak memory of the whole program.

Writes .bed files of random genotypes whose first two variants interact, lets `nearkin weigh` find
them, and records the wall time and the peak resident memory of the process.
"""

import os
import sys
import tempfile
from pathlib import Path

import common
import numpy as np

# (samples, variants, share of missing genotypes, bar on MB of memory or none: finishes, rounds)
CASES = [
    (2_000, 100_000, 0.0, 300, 3),
    (2_000, 100_000, 0.01, 300, 3),
    (2_000, 1_000_000, 0.0, None, 2),
]
QUICK = [(500, 10_000, 0.0, 300, 1), (500, 10_000, 0.01, None, 1)]
METHOD = "relieff"
LIMIT_SECONDS = 200
# Variants made at a time, so that the generator needs little memory itself.
CHUNK = 4_096


def write(prefix, samples, variants, missing, seed=1):
    """A .bed, .bim and .fam of random genotypes, the phenotype an interaction of the first two."""
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


def measure(program, bed):
    """Seconds, peak MB and the features that lead, of one run of the program."""
    words = [program, "weigh", bed, "--method", METHOD, "--top", "2", "--quiet"]
    words += ["--threads", str(common.THREADS), "--format", "csv"]
    found = common.watched(words, LIMIT_SECONDS)
    lines = found.pop("output", "").splitlines()[1:3]
    return found | {"leading": sorted(line.split(",")[1] for line in lines)}


def reached(found, bar):
    """The bar in words, and whether it is reached."""
    if bar is None:
        return ["finishes", "yes" if "seconds" in found else "no"]
    return [f"{bar} MB", common.met(found.get("megabytes", float("inf")), most=bar)]


def main():
    parser = common.options(__doc__.splitlines()[0])
    parser.add_argument("--program", default=common.ROOT / "target/release/nearkin")
    given = parser.parse_args()
    lines, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        for samples, variants, missing, bar, rounds in QUICK if given.quick else CASES:
            prefix = Path(folder) / "table"
            write(prefix, samples, variants, missing)
            size = os.path.getsize(f"{prefix}.bed") / 1e6
            ask = lambda _, bed=f"{prefix}.bed": measure(str(given.program), bed)  # noqa: E731
            found = common.in_turns([METHOD], ask, rounds)[METHOD]
            lines.append(
                [
                    f"{samples:,} × {variants:,}",
                    f"{100 * missing:g} %",
                    f"{size:.0f} MB",
                    common.seconds(found),
                    common.megabytes(found),
                    *reached(found, bar),
                    "yes" if found.get("leading") == ["rs0", "rs1"] else "no",
                ]
            )
            figures = [found.get(name, "") for name in ("seconds", "megabytes", "asked", "failed")]
            rows.append([METHOD, samples, variants, missing, size, bar, *figures])
            print(lines[-1], flush=True)
    header = ["samples × variants", "missing", "file", "time", "peak memory", "bar", "met"]
    common.record("genotypes", common.table([*header, "pair found"], lines), given.quick)
    header = ["method", "samples", "variants", "missing", "file_mb", "bar_mb"]
    header += ["seconds", "megabytes", "asked", "failed"]
    common.write_csv("genotypes", header, rows, given.quick)


if __name__ == "__main__":
    sys.exit(main())
