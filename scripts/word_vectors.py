"""Writes sentences of every language, which the browser's own formatter must say in the same words."""

import json
from pathlib import Path
from typing import Any

from canasta.words import FACTS, Facts, Voice, languages
from canasta.words.catalogue import Slot, pieces, texts

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
    ),
}
"""Values of each kind of fact that try its ways of being said."""
STRIDE = 7
"""Every so manieth message is written down: the rest is said by the same code."""


def sample(name: str, number: int) -> str | int:
    kind = FACTS[name]
    if kind == "number":
        return number % 3
    if kind == "name":
        return "Ada"
    if kind in PROBES:
        return PROBES[kind][number % len(PROBES[kind])]
    words = sorted({key for key in texts("en", "cards") if key.startswith(f"{kind}.") and ":" not in key})
    plain = [key.removeprefix(f"{kind}.") for key in words if "~" not in key]
    return plain[number % len(plain)]


def facts_of(text: str, number: int) -> Facts:
    names = [piece.name for piece in pieces(text) if isinstance(piece, Slot) and "." not in piece.name]
    return {name: sample(name, number) for name in names}


def vectors() -> list[Any]:
    """`[language, Caliente names, kind, value, text]` and `[language, Caliente names, code, facts, text]`."""
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
            for part in ("refusals", "events", "reasons")
            for key in texts(language, part)
            if "~" not in key
        ]
        for number, code in enumerate(codes):
            if number % STRIDE == 0 or "#" in voice.text(code):
                facts = facts_of(voice.text(code), number)
                told.append([language, False, code, facts, voice.say(code, facts)])
    return told


def text() -> str:
    rows = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in vectors())
    return f"[\n{rows}\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
