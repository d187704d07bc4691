"""The text of cards: `Kh`, `10s`, `K`, `2`, `Jo`, `3r`, `3b`, `Ca`, `K*3`.

In this module a *card* is what a move contains: a kind, or `ANY + rank` for any card of a rank.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    CALIENTE_KIND,
    JOKER,
    JOKER_KIND,
    KINDS_OF,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    SUIT_LETTERS,
    THREE_OF_CLUBS,
    THREES,
    TWO,
    card_text,
    suit_of,
)
from canasta.i18n.safe_text import short
from canasta.notation.errors import NotationError

RANK_LETTERS: Final = "456789TJQKA"
"""The letters of the natural ranks, four to ace."""
SUIT_SYMBOLS: Final = "♣♦♥♠"

MOST_CARDS: Final = 400
"""Upper bound on the number of cards at a table. Six decks with Caliente cards have 330."""

_READ_AS: Final = str.maketrans(
    "♣♦♥♠♧♢♡♤\N{MULTIPLICATION SIGN}",
    "cdhscdhs*",
    "\N{VARIATION SELECTOR-16}\N{VARIATION SELECTOR-15}",
)
_CARD: Final = re.compile(
    r"(?:(?P<joker>jo|joker)|(?P<caliente>ca|caliente)|(?P<three>3[rb])"
    r"|(?P<rank>10|[2-9tjqka])(?P<suit>[cdhs])?)"
    r"(?:\*(?P<count>[0-9]{1,4}))?",
    re.IGNORECASE | re.ASCII,
)


def any_of(rank: int) -> int:
    """Return the card that means any card of a rank.

    For a rank with a single kind, that is the kind itself.
    """
    return KINDS_OF[rank][0] if len(KINDS_OF[rank]) == 1 else ANY + rank


def rank_of_card(card: int) -> int:
    """Return the rank of a card, which may be a kind or any card of a rank."""
    return card - ANY if card >= ANY else RANK_OF[card]


def parse_card(text: str) -> int:
    """Parse exactly one card. Raise `NotationError` otherwise.

    >>> format_card(parse_card("10♥"))
    'Th'
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise NotationError(text, 0, "ONE_CARD", {"count": len(cards)})
    return cards[0]


def parse_cards(text: str, *, commas: bool = False) -> tuple[int, ...]:
    """Parse cards separated by spaces, keeping their order. With `commas`, commas count as spaces.

    >>> format_cards(parse_cards("K*3 jo 10h"))
    'K K K Jo Th'
    """
    pattern = r"[^\s,]+" if commas else r"\S+"
    cards: list[int] = []
    for word in re.finditer(pattern, text):
        cards.extend(parse_card_word(word.group(), line=text, column=word.start()))
        if len(cards) > MOST_CARDS:
            raise NotationError(text, word.start(), "TOO_MANY_CARDS")
    return tuple(cards)


def parse_card_word(word: str, *, line: str, column: int) -> tuple[int, ...]:
    """Parse one word of a list of cards, `K` or `K*3`. `line` and `column` locate errors."""
    found = _CARD.fullmatch(word.translate(_READ_AS))
    if found is None:
        raise NotationError(line, column, "NOT_A_CARD", {"text": short(word), "how": _how_to_write(word)})
    count = 1 if found["count"] is None else int(found["count"])
    if not 1 <= count <= MOST_CARDS:
        raise NotationError(line, column, "TOO_MANY_OF_A_CARD", {"text": short(word), "count": count})
    return (_card_of(found),) * count


def _card_of(found: re.Match[str]) -> int:
    if found["joker"]:
        return JOKER_KIND
    if found["caliente"]:
        return CALIENTE_KIND
    if found["three"]:
        return ANY + (RED_THREE if found["three"][1] in "rR" else BLACK_THREE)
    letter = found["rank"].upper()
    suit = -1 if found["suit"] is None else SUIT_LETTERS.index(found["suit"].lower())
    if letter == "3":
        return ANY + THREES if suit < 0 else THREE_OF_CLUBS + suit
    rank = TWO if letter == "2" else RANK_LETTERS.index("T" if letter == "10" else letter)
    return ANY + rank if suit < 0 else KINDS_OF[rank][suit]


def _how_to_write(word: str) -> str:
    """Return the code of a hint on how to write the card."""
    plain = word.translate(_READ_AS).lower()
    if plain in ("w", "wild"):
        return "WILD_CARD"
    if plain[:1] == "1":
        return "ACE_OR_TEN"
    if "*" in plain:
        return "TIMES"
    if "," in plain:
        return "SPACES"
    if len(plain) > 1 and set(plain) <= set("23456789tjqka"):
        return "SPACES_BETWEEN_KINGS"
    return "CARD"


def format_card(card: int, *, symbols: bool = False) -> str:
    """Return the text of a card. With `symbols`, the suit is a symbol.

    >>> format_card(parse_card("Kh"), symbols=True)
    'K♥'
    """
    text = card_text(card)
    return text[0] + SUIT_SYMBOLS[suit_of(card)] if symbols and card < JOKER_KIND else text


def format_cards(cards: Iterable[int], *, symbols: bool = False) -> str:
    """Return the cards separated by spaces, in the order given."""
    return " ".join(format_card(card, symbols=symbols) for card in cards)


def list_hand(cards: Sequence[int], *, symbols: bool = True, natural_threes: bool = False) -> str:
    """Format a hand for people: low to high and grouped by rank, with wilds last.

    Threes come last too, unless they are natural cards.

    >>> list_hand(parse_cards("Kh 4s Jo Kd 4s 2c 3s"), symbols=False)
    '4s 4s  Kd Kh  2c  Jo  3s'
    >>> list_hand(parse_cards("Kh 3h 4s Jo 2c 3s"), symbols=False, natural_threes=True)
    '3h 3s  4s  Kh  2c  Jo'
    """

    def height(card: int) -> int:
        rank = rank_of_card(card)
        return -1 if natural_threes and rank in (RED_THREE, BLACK_THREE) else rank

    groups: dict[int, list[int]] = {}
    for card in sorted(cards, key=lambda card: (height(card), card & 3 if height(card) < 0 else card)):
        groups.setdefault(height(card), []).append(card)
    return "  ".join(format_cards(group, symbols=symbols) for group in groups.values())


def same_cards(expected: Iterable[int], actual: Iterable[int]) -> bool:
    """Return whether the kinds in `actual` match the cards in `expected`, in any order.

    >>> same_cards(parse_cards("K K Kh"), parse_cards("Kh Ks Kd"))
    True
    >>> same_cards(parse_cards("Kc"), parse_cards("Kd"))
    False
    """
    named = list(expected)
    left = Counter(actual)
    left.subtract(card for card in named if card < ANY)
    if any(count < 0 for count in left.values()):
        return False
    ranks = Counter(card - ANY for card in named if card >= ANY)
    ranks.subtract(RANK_OF[kind] for kind in left.elements())
    threes = ranks.pop(THREES, 0)
    if threes and ranks[RED_THREE] <= 0 and ranks[BLACK_THREE] <= 0:
        # Unspecified threes match those that nothing else matches.
        return threes + ranks.pop(RED_THREE) + ranks.pop(BLACK_THREE) == 0 and not any(ranks.values())
    return not threes and not any(ranks.values())


def is_run(cards: Iterable[int]) -> bool:
    """Return whether these cards look like a sequence: naturals of more than one rank, and nothing else.

    >>> is_run(parse_cards("5 6 7")), is_run(parse_cards("K K 2"))
    (True, False)
    """
    ranks = {rank_of_card(card) for card in cards}
    return len(ranks) > 1 and all(rank < NATURAL_RANKS for rank in ranks)


def is_long_run(cards: Sequence[int]) -> bool:
    """Return whether these cards look like a long sequence: all ranks differ, apart from wilds.

    >>> is_long_run(parse_cards("3 Jo 5")), is_long_run(parse_cards("K K 2"))
    (True, False)
    """
    ranks = [rank_of_card(card) for card in cards if rank_of_card(card) not in (TWO, JOKER)]
    plain = {THREES if rank in (RED_THREE, BLACK_THREE) else rank for rank in ranks}
    return len(ranks) > 1 and len(plain) == len(ranks)
