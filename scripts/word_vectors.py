"""Write sentences in every language that the browser's own formatter must reproduce exactly."""

import json
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from canasta.engine.events import EVENT_KINDS
from canasta.i18n import Facts
from canasta.i18n.catalogue import Slot, fact_kinds, languages, pieces, texts
from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.table.fairness.transcript import FAIR
from canasta.table.wire import PHRASES, EventView
from canasta.terminal.fairness import RESULTS

FILE = Path(__file__).resolve().parents[1] / "web" / "src" / "lib" / "catalogue_vectors.json"

PROBES: dict[str, tuple[str, ...]] = {
    "number": ("0", "1", "2", "5000"),
    "card": ("Kh", "Td", "3s", "K", "Jo", "3b"),
    "card+": ("Kh", "Kh Kh 4s", "Jo Kd Jo 2c", "K K 2", "Ca", "3r 3r", "K K K + Td 9d 8d"),
    "canastas": ("", "1 any", "2 natural 1 wild", "3 any 1 samba", "1 natural 2 mixed 1 wild"),
    "meld": ("K", "A#2", "W", "run#1", "run#3", "3b"),
    "meld+": ("K", "K A W", "none"),
    "move": (
        *("draw", "take", "take K K", "take Kh Kd + Ah Ad Jo", "take onto K#2", "take onto 9 + 4c 4d 4h"),
        *("meld K K 2 + 4c 5c 6c", "add Kh Jo to K", "add 7 to run#2", "discard 3b", "answer no", "lay 3r"),
        *("add 6h to run#1 low", "add Jo to run#2 high", "take 7h onto run#1", "take 7h onto 9 + 4c 4d 4h"),
        *("special wild pairs",),
    ),
}
"""Values of each kind of fact that exercise its ways of being formatted."""
CANASTAS = [
    EventView(what="canasta_made", seat=1, meld=meld, canasta=kind)
    for meld, kind in (("K", "natural"), ("7", "mixed"), ("W", "wild"), ("run#1", "samba"))
]
EVENTS = [
    EventView(what="drew", seat=1, count=2),
    EventView(what="drew", seat=1, count=1, cards=["Kh"]),
    EventView(what="bonus_laid", seat=1, cards=["3h"]),
    EventView(what="pile_taken", seat=1, count=5, cards=["Kh"]),
    EventView(what="pile_taken", seat=1, count=1, cards=["Kh"]),
    EventView(what="top_card_taken", seat=1, cards=["Kh"]),
    EventView(what="cards_melded", seat=1, cards=["Kh", "Ks", "Jo"], meld="K", started=True),
    EventView(what="cards_melded", seat=1, cards=["4h", "5h", "6h"], meld="run#1", started=True),
    EventView(what="cards_melded", seat=1, cards=["Kd"], meld="K#2"),
    *CANASTAS,
    EventView(what="canasta_made", seat=1, meld="run#1", canasta="natural"),
    EventView(what="canasta_made", seat=1, meld="run#1", canasta="mixed"),
    EventView(what="pot_taken", seat=1, count=11),
    EventView(what="pot_taken", seat=1, count=1, cards=["Kh"]),
    EventView(what="discarded", seat=1, cards=["7c"]),
    EventView(what="discarded", seat=1, cards=["Jo"]),
    EventView(what="discarded", seat=1, cards=["Jo"], froze=True),
    *(EventView(what=what, seat=1) for what in ("card_kept", "passed", "caliente_played", "pile_put_back")),
    *(EventView(what=what, seat=1) for what in ("meld_taken_back", "sat_down", "left", "came_back")),
    *(EventView(what=what, seat=1) for what in ("will_join", "will_not_join", "time_ran_out", "hurried")),
    EventView(what="removed", seat=1, phrase="Eve"),
    EventView(what="asked", seat=1, partner=3),
    EventView(what="asked", seat=1, partner=0),
    EventView(what="answered", seat=1, yes=True),
    EventView(what="answered", seat=1, yes=False),
    EventView(what="foot_picked_up", seat=1, count=11),
    EventView(what="foot_picked_up", seat=1, count=2, cards=["4c", "Jo"]),
    EventView(what="discarded_face_down", seat=1),
    EventView(what="talon_dealt", seat=1, count=4),
    EventView(what="talon_dealt", seat=1, count=2, cards=["4c", "Jo"]),
    EventView(what="talon_picked_up", seat=1, count=4),
    EventView(what="special_laid", seat=1, cards=["4c", "4d"], phrase="wild pairs"),
    EventView(what="hand_ended", phrase="special"),
    EventView(what="hand_ended", seat=1),
    EventView(what="hand_ended"),
    EventView(what="cut", seat=1, cards=["Kh"]),
    EventView(what="dealt"),
    EventView(what="dealt", seat=1, count=3),
    EventView(what="game_over"),
    *(EventView(what="said", seat=1, phrase=phrase) for phrase in PHRASES),
    *(EventView(what=FAIR, count=len(result) % 3, phrase=result) for result in sorted(RESULTS)),
]
EVENTS += [
    EventView(what=kind.tag, seat=1)
    for kind in EVENT_KINDS.values()
    if all(event.what != kind.tag for event in EVENTS)
]
"""Every kind of event: those that need examples, and all others that the engine declares."""
NAMES = ("Ada", "Bo", "Cleo", "Dora")
JOINS = ("", "Eve", "", "")

STRIDE = 7
"""Every n-th message is written; the same code formats the rest."""


def sample(name: str, number: int) -> str | int:
    kind = fact_kinds()[name]
    if kind == "number":
        return number % 3
    if kind == "name":
        return "Ada"
    if kind == "notation":
        return "CARD"
    if kind in PROBES:
        return PROBES[kind][number % len(PROBES[kind])]
    words = sorted({key for key in texts("en", "cards") if key.startswith(f"{kind}.") and ":" not in key})
    plain = [key.removeprefix(f"{kind}.") for key in words if "~" not in key]
    return plain[number % len(plain)]


def facts_of(text: str, number: int) -> Facts:
    names = [piece.name for piece in pieces(text) if isinstance(piece, Slot) and "." not in piece.name]
    return {name: sample(name, number) for name in names}


def vectors() -> list[Any]:
    """Return entries `[language, Caliente names, kind, value, text]` or
    `[language, Caliente names, code, facts, text]`."""
    told: list[Any] = []
    for language in languages():
        for caliente in (False, True):
            voice = Voice(language, caliente)
            told += [
                [language, caliente, kind, value, voice.fact(kind, value)]
                for kind, values in PROBES.items()
                for value in values
            ]
        voice = Voice(language)
        codes = [
            f"{part}.{key}"
            for part in ("refusals", "events", "reasons", "notation")
            for key in texts(language, part)
            if "~" not in key
        ]
        for number, code in enumerate(codes):
            if number % STRIDE == 0 or "#" in voice.text(code):
                facts = facts_of(voice.text(code), number)
                told.append([language, False, code, facts, voice.say(code, facts)])
    return told


def told_events() -> list[Any]:
    """Return entries `[language, seat of the reader, number of the
    event, sentence]`; seat -1 is a spectator."""
    return [
        [language, you, number, "".join(Speaker(NAMES, you, Voice(language), JOINS).tell([event]))]
        for language in languages()
        for you in (-1, 0, 1)
        for number, event in enumerate(EVENTS)
        if event.what != "said"
    ]


def text() -> str:
    parts = {"names": NAMES, "joins": JOINS, "events": to_builtins(EVENTS)}
    rows = {name: f"[\n{_rows(listed)}\n]" for name, listed in parts.items() if name == "events"}
    rows |= {"told": f"[\n{_rows(told_events())}\n]", "words": f"[\n{_rows(vectors())}\n]"}
    rows |= {name: json.dumps(listed) for name, listed in parts.items() if name != "events"}
    return "{\n" + ",\n".join(f'"{name}": {row}' for name, row in rows.items()) + "\n}\n"


def _rows(listed: list[Any]) -> str:
    return ",\n".join(json.dumps(row, ensure_ascii=False) for row in listed)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
