"""How much memory a saved model of a rule of neighbours takes to answer about two rows.

    python bench/predicting.py [--program target/release/nearkin] [--rows 50000] [--columns 50]

It simulates a table, saves a k-NN model of it and asks the model about two rows. The answer needs
the neighbours of two rows, so memory must not grow with the square of the table's rows: the script
fails where more than `BAR` MB are held, and prints what was.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import common

BAR = 120.0


def write(path, rows, columns):
    """A table of numbers in two classes, which differ in the first column."""
    draw = random.Random(5)
    with path.open("w") as out:
        out.write(",".join(f"x{c}" for c in range(columns)) + ",class\n")
        for row in range(rows):
            cells = [draw.gauss(row % 2 if c == 0 else 0, 1) for c in range(columns)]
            out.write(",".join(f"{cell:.4f}" for cell in cells) + f",{'ab'[row % 2]}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=common.ROOT / "target/release/nearkin")
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=50)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, two, model = (Path(folder) / name for name in ("t.csv", "two.csv", "knn.safetensors"))
        write(table, given.rows, given.columns)
        two.write_text("".join(table.read_text().splitlines(keepends=True)[:3]))
        make = [given.program, "classify", table, "-m", "knn", "--k", "5", "--measure", "euclidean"]
        subprocess.run(
            [*map(str, make), "--test", "0", "-o", str(model), "--quiet"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        found = common.watched([str(given.program), "predict", str(model), str(two)], 600)
    if "failed" in found:
        sys.exit(f"predict: {found['failed']}")
    print(
        f"2 rows by k-NN among {given.rows:,} × {given.columns}: "
        f"{found['megabytes']:.0f} MB, at most {BAR:.0f} are meant"
    )
    if found["megabytes"] > BAR:
        sys.exit(1)


if __name__ == "__main__":
    main()
