"""The files, modules and names that the documentation mentions exist."""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from check import stages
from docs.pages import PAGES, ROOT

HAND_WRITTEN = [
    *(page for page in PAGES if page.parent.name != "rules"),
    ROOT / "CONTRIBUTING.md",
    ROOT / "training" / "README.md",
    ROOT / "web" / "README.md",
]
FOLDERS = r"(?:\.ci|benchmarks|docs|examples|requirements|scripts|src|tests|training|web)"
SOURCE = ROOT / "src" / "canasta"


def code_spans(text: str) -> list[str]:
    """Return the inline code of a page."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("page", HAND_WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_files_of_a_page_exist(page: Path) -> None:
    for span in code_spans(page.read_text(encoding="utf-8")):
        if re.fullmatch(rf"{FOLDERS}/[\w./-]*", span):
            assert (ROOT / span).exists(), span


@pytest.mark.parametrize("page", HAND_WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_modules_and_names_of_a_page_exist(page: Path) -> None:
    for span in code_spans(page.read_text(encoding="utf-8")):
        if re.fullmatch(r"canasta(\.\w+)+", span) and not (ROOT / span).exists():
            exists(span)


def exists(name: str) -> None:
    """Import the longest part of a dotted name that is a module, and look up the rest in it."""
    for count in range(name.count(".") + 1, 0, -1):
        parts = name.split(".")
        try:
            thing: object = import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            assert hasattr(thing, part), name
            thing = getattr(thing, part)
        return


def test_contributing_lists_every_check() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("| stage | checks |", 1)[1].split("\n\n", 1)[0]
    listed = [
        name for row in re.findall(r"^\| ([\w, ]+) \|", table, re.MULTILINE) for name in row.split(", ")
    ]
    assert set(listed) == {stage.name for stage in stages([])}


def test_contributing_names_real_places() -> None:
    """The table of places is relative to the package."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("## Where things go", 1)[1].split("\n## ", 1)[0]
    rows = [line.split("|")[2] for line in table.splitlines() if line.startswith("| ")][2:]
    places = [span for row in rows for span in re.findall(r"`([^`]+)`", row)]
    assert len(places) > 20
    for place in places:
        assert list(SOURCE.glob(place)) or (ROOT / place).exists(), place


def test_the_layers_of_the_architecture_are_those_of_the_contract() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = text.split("```text\n", 1)[1].split("```", 1)[0]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["id"]: contract for contract in project["tool"]["importlinter"]["contracts"]}
    layers = [re.findall(r"\w+", layer) for layer in contracts["layers"]["layers"]]
    assert layers.pop(0) == ["__main__"]
    rows = [re.findall(r"│ (\w+)", row) for row in re.split(r"^├.*┤$", drawn, flags=re.MULTILINE)]
    # A row has more text below its names.
    assert [row[: len(layer)] for row, layer in zip(rows, layers, strict=True)] == layers
