"""Events in words, in every language."""

import runpy
from pathlib import Path

import pytest

from canasta.i18n.catalogue import languages, texts
from canasta.i18n.events import Speaker, code_of
from canasta.i18n.voice import Voice
from canasta.table.wire import EventView

SCRIPT = runpy.run_path(str(Path(__file__).parents[3] / "scripts" / "word_vectors.py"))
EVERYTHING: list[EventView] = SCRIPT["EVENTS"]
"""Every kind of event; the browser is tested with the same ones."""


def speaker(language: str, you: int | None) -> Speaker:
    return Speaker(SCRIPT["NAMES"], you, Voice(language), SCRIPT["JOINS"])


def test_every_entry_is_used() -> None:
    used = {code_of(event, speaker("en", 0))[0] for event in EVERYTHING}
    assert {key.removesuffix(".you") for key in texts("en", "events")} - {"sentence"} == used


@pytest.mark.parametrize("language", languages())
def test_everything_is_told_to_others_and_to_oneself(language: str) -> None:
    for event in EVERYTHING:
        for you in (None, 0, 1):
            (told,) = speaker(language, you).tell([event])
            assert not set("{}#|^~") & set(told.replace("#2", "")), told
            assert told.endswith((".", "?", "!"))
            assert "  " not in told
            assert told[0].isupper() or told[0] == "¡"
            if you == 1 or event.seat < 0 or event.what == "said":
                continue
            assert "Bo" in told or event.what in ("dealt", "removed"), told
    english = [speaker("en", None).tell([event]) for event in EVERYTHING]
    said = [speaker(language, None).tell([event]) for event in EVERYTHING]
    assert language == "en" or not any(map(list.__eq__, english, said))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Bo drew a card, melded K♥ K♠ and a joker and discarded 7♣."),
        ("de", "Bo hat eine Karte gezogen, hat K♥ K♠ und einen Joker gemeldet und hat 7♣ abgeworfen."),
        ("es", "Bo robó una carta, bajó K♥ K♠ y un joker y descartó 7♣."),
        ("fr", "Bo a pioché une carte, a posé K♥ K♠ et un joker et a défaussé 7♣."),
        ("it", "Bo ha pescato una carta, ha calato K♥ K♠ e un jolly e ha scartato 7♣."),
        ("pt", "Bo comprou uma carta, baixou K♥ K♠ e um joker e descartou 7♣."),
    ],
)
def test_what_one_player_did_is_one_sentence(language: str, told: str) -> None:
    events = [
        EventView(what="drew", seat=1, count=1),
        EventView(what="cards_melded", seat=1, cards=["Kh", "Ks", "Jo"], meld="K", started=True),
        EventView(what="discarded", seat=1, cards=["7c"]),
    ]
    assert speaker(language, 0).tell(events) == [told]


def test_what_a_newer_table_tells_is_told_in_its_own_words() -> None:
    new = EventView(what="danced", seat=1, text="danced on the table")
    odd = EventView(what="cards_melded", seat=1, cards=["Zz"], meld="elevens", text="melded elevens")
    assert speaker("de", 0).tell([new]) == ["Bo danced on the table."]
    assert speaker("de", 0).tell([odd]) == ["Bo melded elevens."]
