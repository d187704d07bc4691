"""Small steps: a bounded set of numbered moves for search and learning, over the same rules.

A step lays three cards to start a meld, adds one card, takes the pile in one of its ways, discards one card.
Any move that a person makes is a sequence of steps (up to the choice of equal cards). Where suits do not
matter the engine chooses them, and a step names none.
"""

from typing import Final

from canasta.engine.cards import NATURAL_RANKS, RANKS
from canasta.engine.meld_names import ROWS

DRAW_STOCK: Final = 0
PASS: Final = 1
KEEP: Final = 2
PLAY_CALIENTE: Final = 3
ASK: Final = 4
ANSWER_YES: Final = 5
ANSWER_NO: Final = 6
LAY_BONUS: Final = 7
PUT_BACK: Final = 8
START_BLACK_THREES: Final = 9
ADD_BLACK_THREE: Final = 10
START_WILDS: Final = 11
"""+ number of jokers among the three wilds"""
TAKE_PAIR: Final = 15
"""+ suits of the pair (`PAIRS`), or `ANY_PAIR`"""
TAKE_MIXED: Final = 26
"""+ 2 * suit of the natural (or `ANY_SUIT`) + 1 for a joker"""
DISCARD: Final = 36
"""+ 5 * rank + suit (or `ANY_SUIT`)"""
START_RUN: Final = DISCARD + RANKS * 5
"""+ 5 * lowest rank + suit (or `ANY_SUIT`)"""
START_NATURALS: Final = START_RUN + (NATURAL_RANKS - 2) * 5
"""+ 21 * rank + suits of the three (`TRIPLES`), or `ANY_TRIPLE`"""
START_PAIR: Final = START_NATURALS + NATURAL_RANKS * 21
"""+ 2 * (11 * rank + suits of the pair or `ANY_PAIR`) + 1 for a joker"""
FIRST_BY_SLOT: Final = START_PAIR + NATURAL_RANKS * 22

ANY_SUIT: Final = 4
ANY_PAIR: Final = 10
ANY_TRIPLE: Final = 20
PAIRS: Final[list[list[int]]] = [[a, b] for a in range(4) for b in range(a, 4)] + [[ANY_SUIT] * 2]
"""The suits of a pair; the last entry leaves them to the engine."""
TRIPLES: Final[list[list[int]]] = [[a, b, c] for a in range(4) for b in range(a, 4) for c in range(b, 4)] + [
    [ANY_SUIT] * 3
]
PAIR_NEEDS: Final[list[list[int]]] = [[suits.count(suit) for suit in range(4)] for suits in PAIRS]
"""How many cards of each suit a pair takes."""
TRIPLE_NEEDS: Final[list[list[int]]] = [[suits.count(suit) for suit in range(4)] for suits in TRIPLES]

RUN_SLOTS: Final = 16
"""Runs of a side that steps can name; a person's moves name any."""


class StepLayout:
    """Where the steps that name a meld lie: their number depends on how many sets a rank may have."""

    def __init__(self, slots: int) -> None:
        self.slots: int = slots
        self.take_onto_set: int = FIRST_BY_SLOT
        """+ which set of the top card's rank"""
        self.take_onto_run: int = self.take_onto_set + slots
        """+ which run"""
        self.extend_run: int = self.take_onto_run + RUN_SLOTS
        """+ 2 * which run + 1 for the high end"""
        self.add_natural: int = self.extend_run + 2 * RUN_SLOTS
        """+ 5 * slot + suit (or `ANY_SUIT`)"""
        self.add_wild: int = self.add_natural + 5 * NATURAL_RANKS * slots
        """+ 2 * slot + 1 for a joker"""
        self.size: int = self.add_wild + 2 * (ROWS - 1) * slots
        """How many steps there are."""
