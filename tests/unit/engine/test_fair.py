"""Fair cards, version 2: the published algorithm written a second time, fixed numbers, and refusals."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.engine.cards import full_deck
from canasta.engine.fairness import SERVER, Contribution, FairRound, commit_to, is_seed, seed_from_text
from canasta.engine.match import Match
from canasta.engine.seating import cut_cards
from canasta.notation.cards import format_cards
from canasta.rules import load_ruleset

VECTORS = Path(__file__).resolve().parents[3] / "web" / "src" / "lib" / "fair_vectors.json"
"""These vectors are shared with the browser table."""

Seeds = dict[int, str]
seeds_of_seats = st.dictionaries(
    st.integers(0, 5), st.binary(min_size=32, max_size=32).map(bytes.hex), max_size=6
)


# -- the published algorithm, written a second time --------------------------------------------------------


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def committed(table: str, hand: int, number: int, who: str, seed: str) -> str:
    return sha(f"canasta-fair-2 commitment\n{table}\n{hand}\n{number}\n{who}\n{seed}")


def key_of(table: str, hand: int, number: int, server_seed: str, seeds: Seeds) -> bytes:
    everyone = [("server", server_seed), *((f"seat {seat}", seeds[seat]) for seat in sorted(seeds))]
    closed = f"canasta-fair-2 list\n{table}\n{hand}\n{number}"
    closed += "".join(f"\n{who} {committed(table, hand, number, who, seed)}" for who, seed in everyone)
    text = f"canasta-fair-2 key\n{sha(closed)}" + "".join(f"\n{who} {seed}" for who, seed in everyone)
    return hashlib.sha256(text.encode()).digest()


def words(key: bytes, purpose: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(key, f"canasta-fair-2 {purpose}\n{block}".encode(), "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def shuffled(cards: list[int], numbers: Iterator[int]) -> list[int]:
    deck = list(cards)
    for last in reversed(range(1, len(deck))):
        size = last + 1
        word = next(word for word in numbers if word < 2**32 // size * size)
        deck[last], deck[word % size] = deck[word % size], deck[last]
    return deck


@pytest.mark.interpreted
@given(
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=14),
    st.integers(1, 50),
    st.integers(1, 7),
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    seeds_of_seats,
    st.sampled_from([(1, False), (2, False), (3, True), (5, True)]),
)
def test_the_deck_is_the_published_one(
    table: str, hand: int, number: int, server_seed: str, seeds: Seeds, decks: tuple[int, bool]
) -> None:
    fair = FairRound.of_seeds(table, hand, server_seed, seeds, number=number)
    assert fair.holds
    assert fair.contributors == tuple(sorted(seeds))
    key = key_of(table, hand, number, server_seed, seeds)
    cards = full_deck(*decks)
    assert fair.deck(cards, hand) == shuffled(cards, words(key, "deck"))
    stock = cards[:40]
    fair.rng(hand).shuffle(stock)
    assert stock == shuffled(cards[:40], words(key, "stock"))
    for seats in range(2, 7):
        limit = 2**32 // seats * seats
        assert fair.first_dealer(seats) == next(w for w in words(key, "dealer") if w < limit) % seats


# -- fixed numbers, for every implementation --------------------------------------------------------------


def round_of(vector: dict[str, Any]) -> FairRound:
    seeds = {int(seat): seed for seat, seed in vector["seeds"].items()}
    return FairRound.of_seeds(
        vector["table"], vector["hand"], vector["server_seed"], seeds, number=vector["round"]
    )


def vectors() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))
    return found


@pytest.mark.interpreted
@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["name"])
def test_vectors(vector: dict[str, Any]) -> None:
    fair = round_of(vector)
    rules = load_ruleset(vector["rules"], vector["players"])
    assert fair.commitment == vector["commitment"]
    assert {str(part.seat): part.commitment for part in fair.parts} == vector["commitments"]
    assert fair.list_digest() == vector["list"]
    assert fair.key().hex() == vector["key"]
    cards = full_deck(rules.deck.decks, rules.deck.caliente_cards)
    assert format_cards(fair.deck(cards, fair.hand)) == vector["deck"]
    if vector["hand"] == 0:
        cut = cut_cards(rules, fair.cut_rng())
        assert [format_cards(kinds) for kinds in cut.cards] == vector["cut"]
        assert cut.seating.players == vector["seating"]
        assert cut.seating.dealer == vector["dealer"]
    else:
        match = Match.new(rules, "", fair=fair)
        assert match.dealer == vector["dealer"]
        state = match.hand.state
        hands = [format_cards(sorted(match.hand.hand_cards(seat))) for seat in range(vector["players"])]
        assert hands == vector["hands"]
        assert format_cards(state.pile) == vector["pile"]
        assert format_cards(state.deck[state.at :]) == vector["stock"]


def test_the_vectors_cover_a_stock_that_is_shuffled_again() -> None:
    """The deck on the table then differs from the deck as first shuffled."""

    def is_reshuffled(vector: dict[str, Any]) -> bool:
        rules = load_ruleset(vector["rules"], vector["players"])
        fair = round_of(vector)
        deck = fair.deck(full_deck(rules.deck.decks, rules.deck.caliente_cards), fair.hand)
        return not format_cards(deck).endswith(vector["stock"])

    assert any(is_reshuffled(vector) for vector in vectors() if vector["hand"])


# -- commitments ------------------------------------------------------------------------------------------

SEED = "5e" * 32


def test_a_commitment_holds_for_one_place_only() -> None:
    here: dict[str, Any] = {"table": "abc", "hand": 2, "number": 1, "seat": 3}
    changes: list[dict[str, Any]] = [
        {"table": "abd"}, {"hand": 3}, {"number": 2}, {"seat": 2}, {"seat": SERVER}
    ]  # fmt: skip
    all_of_them = {commit_to(SEED, **(here | change)) for change in [{}, *changes]}
    assert len(all_of_them) == 6


def test_every_part_counts() -> None:
    cards = full_deck(2, False)
    usual = FairRound.of_seeds("t", 1, "aa" * 32, {0: SEED, 2: "bb" * 32})
    others = [
        FairRound.of_seeds("u", 1, "aa" * 32, {0: SEED, 2: "bb" * 32}),
        FairRound.of_seeds("t", 1, "ab" * 32, {0: SEED, 2: "bb" * 32}),
        FairRound.of_seeds("t", 1, "aa" * 32, {0: SEED, 2: "bc" * 32}),
        FairRound.of_seeds("t", 1, "aa" * 32, {0: SEED, 3: "bb" * 32}),
        FairRound.of_seeds("t", 1, "aa" * 32, {0: SEED}),
        FairRound.of_seeds("t", 1, "aa" * 32, {0: SEED, 2: "bb" * 32}, number=2),
    ]
    assert len({tuple(fair.deck(cards, 1)) for fair in [usual, *others]}) == 7


def test_a_swapped_seed_is_wrong() -> None:
    fair = FairRound.of_seeds("t", 1, "aa" * 32, {0: SEED, 2: "bb" * 32})
    for at, seat in ((-1, SERVER), (0, 0), (1, 2)):
        parts = list(fair.parts)
        server = fair.server
        if at < 0:
            server = Contribution(SERVER, server.commitment, "cc" * 32)
        else:
            parts[at] = Contribution(parts[at].seat, parts[at].commitment, "cc" * 32)
        swapped = FairRound("t", 1, 1, server, tuple(parts))
        wrong = swapped.wrong_part()
        assert wrong is not None
        assert wrong.seat == seat
        assert not swapped.holds


def test_a_seat_is_told_once_and_in_order() -> None:
    fair = FairRound.of_seeds("t", 1, "aa" * 32, {0: SEED, 2: "bb" * 32})
    for parts in (fair.parts[::-1], (fair.parts[0], fair.parts[0])):
        disordered = FairRound("t", 1, 1, fair.server, parts)
        assert not disordered.is_in_order
        assert not disordered.holds


def test_seeds_that_are_typed() -> None:
    assert seed_from_text(SEED) == SEED
    assert seed_from_text("my luck") == hashlib.sha256(b"my luck").hexdigest()
    assert is_seed(SEED)
    assert not any(map(is_seed, ["", SEED[1:], SEED.upper(), SEED + "\n", "x" * 64]))
