"""Reasons for moves: every entry is used and can be worded."""

import re

import pytest

from canasta.bots import Explanation
from canasta.i18n import Facts
from canasta.i18n.catalogue import CATALOGUES, languages, texts
from canasta.i18n.voice import Voice, say

BOTS = CATALOGUES.parents[1] / "bots"


def test_every_entry_is_used_and_there() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(BOTS.rglob("*.py")))
    keys = {key.partition("~")[0] for key in texts("en", "reasons")}
    frozen = {key for key in keys if key.removesuffix("_frozen") in keys - {key}}
    assert {key for key in keys - frozen if f'"{key}"' not in source} == set()
    asked = set(re.findall(r'Reason\(\s*"(\w+)"', source)) | set(re.findall(r'code = "(\w+)"', source))
    assert asked <= keys


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("meld K K 2 + 7 7 7", "melding two kings and a two + three sevens"),
        ("take K 2", "taking the pile with a king and a two"),
        ("take onto K", "taking the pile onto the kings"),
        ("add 7 7 to 7", "adding two sevens to the sevens"),
        ("discard Kh", "discarding the king of hearts"),
        ("draw", "drawing"),
    ],
)
def test_a_move_that_another_is_compared_with(move: str, said: str) -> None:
    assert Voice().fact("move", move, "ing") == said


def test_a_player_from_elsewhere_finds_its_own_words() -> None:
    assert Explanation.plain("It felt right.").text == "It felt right."


@pytest.mark.parametrize("language", languages())
def test_a_reason_in_every_language(language: str) -> None:
    facts: Facts = {"rank": "7", "seen": 8}
    told = say("reasons.nobody_takes_frozen", facts, language)
    assert told.endswith(".")
    assert language == "en" or told != say("reasons.nobody_takes_frozen", facts)
