"""The README starts with what a newcomer needs, and links to everything else."""

import re

from docs.pages import ROOT, blocks, shown

import canasta
from canasta.commands.cli import app
from canasta.rules import preset_names

PAGE = ROOT / "README.md"
README = PAGE.read_text(encoding="utf-8")


def test_the_readme_fits_a_short_read() -> None:
    assert len(README.splitlines()) <= 150


def test_the_two_commands_come_first() -> None:
    assert blocks(PAGE)[0] == ("", "./canasta play\n./canasta test\n")
    assert README.index("./canasta play") < 600


def test_the_commands_of_the_program_exist() -> None:
    named = set(re.findall(r"`\./canasta (\w+)", README))
    assert named >= {"play", "tui", "serve", "review", "arena", "verify"}
    assert named <= {command.name for command in app.registered_commands} | {
        group.name for group in app.registered_groups
    }
    assert [example.command for example in shown(PAGE)] == ["./canasta rules"]


def test_the_program_uses_nothing_but_the_public_names() -> None:
    (program,) = [text for kind, text in blocks(PAGE) if kind == "pycon"]
    assert re.findall(r"(?:from|import) +(\S+)", program) == ["canasta"]
    used = set(re.findall(r"\bcanasta\.(\w+)", program))
    assert {"Match"} <= used <= set(canasta.__all__)


def test_every_game_and_every_link_exists() -> None:
    for name in preset_names():
        assert f"\n  {name} " in README
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_page_of_the_docs_is_in_its_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    visible, hidden = index.split("```{toctree}", 1)
    for page in (ROOT / "docs").glob("*.md"):
        if page.name != "index.md":
            assert f"({page.name})" in visible, page.name
            assert f"\n{page.stem}\n" in hidden, page.name
