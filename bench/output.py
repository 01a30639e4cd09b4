"""Put what a benchmark of nearkin itself prints into its part of the page.

    python bench/output.py SECTION [--quick] -- COMMAND...
"""

import subprocess
import sys

import common


def main():
    at = sys.argv.index("--")
    section, command = sys.argv[1], sys.argv[at + 1 :]
    done = subprocess.run(command, capture_output=True, text=True, cwd=common.ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    common.record(section, f"```text\n{done.stdout.strip()}\n```", "--quick" in sys.argv[:at])


if __name__ == "__main__":
    sys.exit(main())
