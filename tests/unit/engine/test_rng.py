"""Random numbers: fixed numbers, and a second implementation of the published algorithm."""

import hashlib
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.engine.play.deal import hand_rng
from canasta.engine.rng import Rng


def xorshift(seed: str) -> Iterator[int]:
    """Marsaglia's xorshift128, as in his paper, seeded with the first 16 bytes of a SHA-256."""
    digest = hashlib.sha256(seed.encode()).digest()
    x, y, z, w = (int.from_bytes(digest[at : at + 4], "big") for at in (0, 4, 8, 12))
    w |= 1
    while True:
        t = (x ^ (x << 11)) % 2**32
        x, y, z = y, z, w
        w = w ^ (w >> 19) ^ t ^ (t >> 8)
        yield w


@pytest.mark.interpreted
@pytest.mark.parametrize("seed", ["", "x", "golden 1", "Zählwerk ♥"])
def test_words_are_those_of_the_paper(seed: str) -> None:
    rng, expected = Rng(seed), xorshift(seed)
    assert [rng.word() for _ in range(500)] == [next(expected) for _ in range(500)]


@pytest.mark.interpreted
def test_golden_numbers() -> None:
    """They are the same on every machine and for ever, because records depend on them."""
    rng = Rng("canasta")
    assert [rng.word() for _ in range(4)] == GOLDEN_WORDS
    assert [rng.below(108) for _ in range(8)] == GOLDEN_CARDS
    deck = list(range(10))
    rng.shuffle(deck)
    assert deck == GOLDEN_SHUFFLE


GOLDEN_WORDS = [1979942271, 111492498, 4105406782, 2563197879]
GOLDEN_CARDS = [21, 22, 105, 107, 90, 0, 50, 27]
GOLDEN_SHUFFLE = [5, 8, 2, 3, 1, 9, 6, 7, 4, 0]


@given(st.text(max_size=20), st.integers(1, 2**32))
def test_numbers_stay_below_their_bound(seed: str, bound: int) -> None:
    rng = Rng(seed)
    assert all(0 <= rng.below(bound) < bound for _ in range(20))


def test_numbers_are_rejected_rather_than_bent() -> None:
    """With a bound just over half of all words, nearly every second word is rejected."""
    bound = 2**31 + 1
    rng, words = Rng("reject"), xorshift("reject")
    for _ in range(200):
        expected = next(word for word in words if word < bound)
        assert rng.below(bound) == expected


def test_every_order_of_three_cards_is_as_likely() -> None:
    rng = Rng("orders")
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        cards = [0, 1, 2]
        rng.shuffle(cards)
        orders[tuple(cards)] += 1
    assert len(orders) == 6
    assert all(850 < number < 1150 for number in orders.values()), orders


def test_hands_of_a_match_have_streams_of_their_own() -> None:
    assert hand_rng("s", 1).word() == Rng("s/hand/1").word()
    assert len({hand_rng("s", number).word() for number in range(100)}) == 100
