"""Rewrite the data files: run `python -m tests.perft.regenerate` in the project folder.

Do this only after a change that is meant to change what is legal, and commit the difference with it.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from perft.counting import FOLDER, cases, written


def main() -> None:
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for case in cases():
        case.path.write_text(written(case))
        sys.stdout.write(f"{case.path.name}\n")


if __name__ == "__main__":
    main()
