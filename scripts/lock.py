"""Rewrite the hashed locks in requirements/.

    ./.venv/bin/python scripts/lock.py             # after a change of pyproject.toml or a *.in file
    ./.venv/bin/python scripts/lock.py --upgrade   # take the latest versions

Each lock is constrained by those before it, so that all can be installed into one environment.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LOCKS = (
    ("pyproject.toml", "requirements/runtime.txt"),
    ("requirements/build.in", "requirements/build.txt"),
    ("requirements/dev.in", "requirements/dev.txt"),
    ("requirements/bootstrap.in", "requirements/bootstrap.txt"),
)

EXTRAS = ("--extra", "server", "--extra", "terminal")
"""Extras that commands such as `./canasta play` need beyond the engine."""

COMPILE = (
    *("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"),
    # No index addresses and no paths of this machine: the installer chooses the index, and the hashes verify.
    *("--generate-hashes", "--no-header", "--no-annotate"),
)


def main(options: list[str]) -> int:
    bounds: list[str] = []
    for source, lock in LOCKS:
        parts = EXTRAS if source == "pyproject.toml" else ()
        command = [sys.executable, "-m", *COMPILE, *options, *bounds, *parts, source, "--output-file", lock]
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            print(f"{lock} was not written.", file=sys.stderr)
            return 1
        print(f"{lock} written from {source}")
        bounds += ["--constraints", lock]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
