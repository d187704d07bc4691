"""The files, modules and names that the documentation mentions exist."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from docs.pages import PAGES, ROOT

HAND_WRITTEN = [
    *(page for page in PAGES if page.parent.name != "rules"),
    ROOT / "CONTRIBUTING.md",
    ROOT / "training" / "README.md",
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
    """Import a dotted name: a module, or a name of one."""
    module, _, last = name.rpartition(".")
    parent = import_module(module)
    if not hasattr(parent, last):
        import_module(name)


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
    for package in sorted(SOURCE.iterdir()):
        if (package / "__init__.py").exists():
            assert re.search(rf"\b{package.name}\b", text), package.name
    for place in re.findall(r"(?:as \w+\n?\s*)?participant \w+ as ([\w/.]+)$", text, re.MULTILINE):
        assert (SOURCE / place).is_dir() or (SOURCE / f"{place}.py").exists() or (ROOT / place).exists(), (
            place
        )
