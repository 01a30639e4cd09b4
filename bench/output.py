"""Put what a benchmark of nearkin itself prints into its part of the page, and into a file.

    python bench/output.py SECTION [--quick] -- COMMAND...

The command prints a line of names, then lines of figures, with commas between.
"""

import subprocess
import sys

import common


def main():
    at = sys.argv.index("--")
    section, command, quick = sys.argv[1], sys.argv[at + 1 :], "--quick" in sys.argv[:at]
    done = subprocess.run(command, capture_output=True, text=True, cwd=common.ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    header, *rows = [line.split(",") for line in done.stdout.strip().splitlines()]
    common.record(section, common.table(header, rows), quick)
    common.write_csv(section, header, rows, quick)


if __name__ == "__main__":
    sys.exit(main())
