"""Cards as kinds.

Two to five decks are shuffled together, so a card has no identity of its own: it is a *kind* (the king of
hearts, a joker), and a hand is a count per kind. The rules look at a card's *rank class*, called rank here:
the eleven natural ranks, plus one each for twos, jokers, red threes, black threes and Caliente cards.
"""

from collections.abc import Sequence
from typing import Final

CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3

FOUR: Final = 0
SEVEN: Final = 3
EIGHT: Final = 4
KING: Final = 9
ACE: Final = 10
NATURAL_RANKS: Final = 11
TWO: Final = 11
JOKER: Final = 12
RED_THREE: Final = 13
BLACK_THREE: Final = 14
CALIENTE: Final = 15
RANKS: Final = 16

KINDS: Final = 54
TWO_OF_CLUBS: Final = 44
THREE_OF_CLUBS: Final = 48
THREE_OF_DIAMONDS: Final = 49
THREE_OF_HEARTS: Final = 50
THREE_OF_SPADES: Final = 51
JOKER_KIND: Final = 52
CALIENTE_KIND: Final = 53

JOKER_CODE: Final = 5
WILD_CODES: Final = 5
"""Number of wild codes in a long sequence: 1 to 4 are the twos by suit, 5 is a joker."""
PLACES: Final = 14
"""Number of places in a long sequence, from the low ace to the high one."""

# The role of a rank.
NATURAL_CARD: Final = 0
WILD_CARD: Final = 1
BONUS_CARD: Final = 2
STOP_CARD: Final = 3
CALIENTE_CARD: Final = 4

ANY: Final = 64
"""In a move, `ANY + rank` means "any card of that rank"."""


def _rank_of_kind(kind: int) -> int:
    if kind < 48:
        return kind >> 2
    if kind < 52:
        return RED_THREE if kind in (THREE_OF_DIAMONDS, THREE_OF_HEARTS) else BLACK_THREE
    return JOKER if kind == JOKER_KIND else CALIENTE


THREES: Final = RANKS
"""Pseudo-rank used only in moves: any three, in games whose threes are natural cards."""

RANK_OF: Final[list[int]] = [_rank_of_kind(kind) for kind in range(KINDS)]
"""The rank of each kind."""

KINDS_OF: Final[list[list[int]]] = [
    [kind for kind in range(KINDS) if RANK_OF[kind] == rank] for rank in range(RANKS)
] + [list(range(THREE_OF_CLUBS, THREE_OF_CLUBS + 4))]
"""The kinds of each rank, clubs first. The extra last entry holds all threes."""

RANK_TEXTS: Final[tuple[str, ...]] = (*"456789TJQKA", "2", "Jo", "3r", "3b", "Ca", "3")
"""The notation of each rank; the last entry means any three."""
SUIT_LETTERS: Final = "cdhs"


def card_text(card: int) -> str:
    """Return a card in notation.

    >>> card_text(ANY + KING), card_text(KINDS_OF[KING][HEARTS])
    ('K', 'Kh')
    """
    if not (0 <= card < KINDS or ANY <= card <= ANY + THREES):
        raise ValueError(f"{card} is not a card")
    if card >= ANY:
        return RANK_TEXTS[card - ANY]
    suit = suit_of(card)
    text = RANK_TEXTS[RANK_OF[card]]
    return text if suit < 0 else text[0] + SUIT_LETTERS[suit]


def cards_text(cards: Sequence[int]) -> str:
    """Return the cards in notation, separated by spaces, in the order given."""
    return " ".join([card_text(card) for card in cards])


def suit_of(kind: int) -> int:
    """Return the suit of a kind, or -1 for jokers and Caliente cards.

    >>> suit_of(KINDS_OF[KING][HEARTS]) == HEARTS
    True
    """
    return kind & 3 if kind < JOKER_KIND else -1


def kind_in_suit(rank: int, suit: int) -> int:
    """Return the card of this rank and suit. Any rank above `TWO` means the natural three of the suit.

    >>> kind_in_suit(KING, HEARTS) == KINDS_OF[KING][HEARTS], card_text(kind_in_suit(BLACK_THREE, HEARTS))
    (True, '3h')
    """
    return rank * 4 + suit if rank <= TWO else THREE_OF_CLUBS + suit


def full_deck(decks: int, caliente_cards: bool) -> list[int]:
    """Return every card of `decks` decks (52 cards and two jokers each), in deck order.

    >>> len(full_deck(2, False)), len(full_deck(5, True))
    (108, 275)
    """
    cards: list[int] = []
    for _ in range(decks):
        cards.extend(range(JOKER_KIND))
        cards.extend([JOKER_KIND, JOKER_KIND])
        if caliente_cards:
            cards.append(CALIENTE_KIND)
    return cards
