"""Records with one changed byte: if such a record is accepted, its cards are the same."""

import json
import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from canasta.engine.fairness import FairRound
from canasta.notation.replay import Replayer

ROOT = Path(__file__).resolve().parents[3]
FLIPS, MANY = 300, 10_000


def games() -> list[dict[str, Any]]:
    text = (ROOT / "web" / "src" / "lib" / "record_vectors.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def flipped(data: bytes, count: int) -> Iterator[tuple[int, bytes]]:
    """Yield the same changes as web/src/lib/verify.test.ts."""
    state = 2463534242

    def chance() -> int:
        nonlocal state
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        return state

    for _ in range(count):
        at = chance() % len(data)
        other = bytearray(data)
        other[at] = (other[at] + 1 + chance() % 255) % 256
        yield at, bytes(other)


def cards_of(data: bytes) -> list[tuple[int, bytes]] | None:
    """Return the key that determines the cards of each hand; None if the record is refused."""
    replayer = Replayer(data)
    while replayer.step() is not None:
        pass
    if not replayer.replay.is_good or not replayer.fair_hands:
        return None
    return [
        (hand.number, hand.fair.key()) for hand in replayer.fair_hands if isinstance(hand.fair, FairRound)
    ]


def check(count: int) -> Counter[str]:
    """Count the undetected changes by the kind of line; check that they leave the cards the same."""
    passed: Counter[str] = Counter()
    vectors = games()
    for game in vectors:
        data = game["text"].encode()
        cards = cards_of(data)
        assert cards
        for at, other in flipped(data, count // len(vectors)):
            found = cards_of(other)
            if found is not None:
                assert found == cards, other
                line = data[: data.find(b"\n", at)].rpartition(b"\n")[2].decode()
                passed["move" if line[:1].isdigit() else line.split()[0]] += 1
    return passed


def test_a_changed_byte_is_found_or_the_cards_are_the_same() -> None:
    assert sum(check(FLIPS).values()) < FLIPS / 50


@pytest.mark.long
def test_ten_thousand_changed_bytes() -> None:
    passed = check(MANY)
    # A move that became another legal move with these cards; the commitment of somebody who never revealed a
    # seed; a blank that became another one.
    assert set(passed) <= {"move", "void", "hand", "result:", "version:", "format:"}
    assert sum(passed.values()) < MANY / 100


def test_the_vectors_are_those_of_this_program() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "fair_vectors.py"))
    assert [script["game"](*wanted) for wanted in script["GAMES"]] == games()
