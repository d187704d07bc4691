"""The rules in their plainest form, slow and obvious, written from the rulebook and not from the engine.

Only the fields of a ruleset and the names of cards are shared with the engine.
"""

from canasta.engine.cards import ACE, BLACK_THREE, CALIENTE, JOKER, RED_THREE, TWO
from canasta.rules.model import Ruleset

NATURAL_CANASTA = 0
MIXED_CANASTA = 1
WILD_CANASTA = 2
SAMBA = 3


def is_set(rules: Ruleset, naturals: int, wilds: int) -> bool:
    """MELD-1 to MELD-3: return whether a set of one natural rank with these cards may be on the table."""
    melds = rules.melds
    size = naturals + wilds
    if size < 3 or naturals < melds.least_naturals:
        return False
    if melds.largest_set and size > melds.largest_set:
        return False
    if melds.most_wilds and wilds > melds.most_wilds:
        return False
    if melds.wilds_to_naturals == "fewer" and wilds >= naturals:
        return False
    if melds.wilds_to_naturals == "equal" and wilds > naturals:
        return False
    ladder = melds.wilds_by_size
    return not ladder or wilds <= ladder[min(size - 3, len(ladder) - 1)]


def is_wild_set(rules: Ruleset, wilds: int) -> bool:
    """MELD-7"""
    melds = rules.melds
    return melds.wild_melds and wilds >= 3 and (wilds <= melds.canasta_size or not melds.wild_canasta_closed)


def is_run(rules: Ruleset, ranks: list[int], suits: list[int]) -> bool:
    """MELD-6, with the cards from low to high."""
    if not rules.melds.runs or not 3 <= len(ranks) <= rules.melds.canasta_size:
        return False
    if any(rank > ACE for rank in ranks) or ranks != list(range(ranks[0], ranks[0] + len(ranks))):
        return False
    return not rules.melds.same_suit_runs or len(set(suits)) == 1


def canasta(rules: Ruleset, naturals: int, wilds: int) -> int | None:
    """Return which canasta a set is; None for a smaller set."""
    if naturals + wilds < rules.melds.canasta_size:
        return None
    if wilds == 0:
        return NATURAL_CANASTA
    return MIXED_CANASTA if naturals else WILD_CANASTA


def canastas_are_enough(rules: Ruleset, canastas: list[int]) -> bool:
    """OUT-1, with the canastas in the order natural, mixed, wild, samba."""
    needed = rules.going_out
    return (
        sum(canastas) >= needed.canastas
        and canastas[NATURAL_CANASTA] >= needed.natural
        and canastas[MIXED_CANASTA] >= needed.mixed
        and canastas[WILD_CANASTA] >= needed.wild
        and canastas[SAMBA] >= needed.sequence
    )


def card_value(rules: Ruleset, rank: int) -> int:
    """Return the value of a melded card (DECK-2)."""
    deck = rules.deck
    if rank in (RED_THREE, CALIENTE):
        return 0
    if rank == JOKER:
        return deck.joker_value
    if rank == TWO:
        return deck.two_value
    if rank == ACE:
        return deck.ace_value
    if rank == BLACK_THREE:
        return deck.black_three_value
    # The four low ranks are 4, 5, 6 and 7.
    return deck.low_value if rank < 4 else deck.high_value


def canasta_bonus(rules: Ruleset, kind: int) -> int:
    scoring = rules.scoring
    return (scoring.natural_canasta, scoring.mixed_canasta, scoring.wild_canasta, scoring.samba)[kind]
