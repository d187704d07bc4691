"""The README begins with what a newcomer needs, and names everything that there is."""

import re

from docs.pages import ROOT, blocks, shown

import canasta
from canasta.rules import preset_names

PAGE = ROOT / "README.md"
README = PAGE.read_text(encoding="utf-8")


def test_there_are_commands_to_run() -> None:
    words = {re.split(r"\./canasta ", example.command)[1].split()[0] for example in shown(PAGE)}
    assert words >= {"play", "replay", "rules", "scenario", "version", "bench"}


def test_the_two_commands_come_first() -> None:
    assert blocks(PAGE)[0] == ("", "./canasta play\n./canasta test\n")


def test_the_programs_use_nothing_but_the_front_door() -> None:
    programs = [text for kind, text in blocks(PAGE) if kind == "pycon"]
    assert len(programs) == 3
    assert re.findall(r"(?:from|import) +(\S+)", "".join(programs)) == ["canasta"]
    used = set(re.findall(r"\bcanasta\.(\w+)", "".join(programs)))
    assert {"Bot", "Match", "Position"} <= used <= set(canasta.__all__)


def test_why_this_one_follows_the_two_commands() -> None:
    assert re.findall(r"^## (.*)$", README, re.MULTILINE)[0] == "Why this one"


def test_every_game_and_every_link_is_there() -> None:
    for name in preset_names():
        assert f"\n  {name} " in README
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
    for folder in re.findall(r"`(src/[\w/.]+|tests|examples|docs)`", README):
        assert (ROOT / folder).exists(), folder
