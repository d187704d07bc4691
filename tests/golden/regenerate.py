"""Rewrite the recorded games: run `python -m tests.golden.regenerate` in the project folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from golden.games import FOLDER, path_of, presets, written


def main() -> None:
    for path in FOLDER.glob("*.record"):
        path.unlink()
    for preset in presets():
        path_of(preset).write_text(written(preset))
        sys.stdout.write(f"{path_of(preset).name}\n")


if __name__ == "__main__":
    main()
