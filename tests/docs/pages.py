"""The pages of the documentation and their contents: commands with their answers, Python, scenarios."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts),
]

ANYTHING = "…"
"""A line that matches any number of lines."""


class Shown(NamedTuple):
    """A command of a page and the lines printed under it."""

    page: str
    command: str
    answer: tuple[str, ...]


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return the fenced code blocks of a page: the language and the text of each."""
    return re.findall(r"^```(\S*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def shown(page: Path) -> list[Shown]:
    found: list[Shown] = []
    for kind, text in blocks(page):
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, *answer = part.splitlines()
                found.append(Shown(page.name, command, tuple(answer)))
    return found


def matches(answer: tuple[str, ...], printed: list[str]) -> bool:
    """Return whether these lines were printed; a line `…` in the answer matches any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == ANYTHING else re.escape(line) + r"\n" for line in answer)
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None
