"""Write the data files anew: `python -m tests.perft.regenerate`, from the folder of the project.

Only after a change that is meant to change what is legal: the difference belongs into the same commit.
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
