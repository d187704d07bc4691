"""Finding the cards of a move in a hand: suits that were not named are chosen."""

from typing import Final

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    JOKER,
    KINDS,
    KINDS_OF,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    THREES,
    TWO,
    cards_text,
    kind_in_suit,
)
from canasta.engine.state import HandState

MOST_TRIED: Final = 2000
"""How many choices of suits for the runs of one move are tried."""


class MissingCards(Exception):
    """The hand does not hold cards that a move names, or not so many."""

    def __init__(self, cards: list[int], held: int) -> None:
        self.text: str = cards_text(cards)
        """As many as the move names."""
        self.held: int = held
        """How many are there; 0 as well where cards of several ranks are missing."""
        super().__init__(self.text)


def rank_of(card: int) -> int:
    """The rank of a card of a move."""
    return card - ANY if card >= ANY else RANK_OF[card]


def find_cards(state: HandState, groups: list[tuple[int, ...]]) -> list[list[int]]:
    """The kinds that the groups of a move mean, all from the hand of the player to move.

    Cards named with their suit are set aside first. Where runs must be of one suit, a group of different
    ranks gets a suit that the hand can provide, and the others the suits that are left over.
    """
    seat = state.turn
    free = state.cards_of(seat)
    missing: list[int] = []
    found: list[list[int]] = [[-1] * len(group) for group in groups]
    for group, kinds in zip(groups, found, strict=True):
        for index, card in enumerate(group):
            if card < ANY:
                kinds[index] = card
                free[card] -= 1
                if free[card] == -1:
                    missing.append(card)
    if missing:
        raise _missing(state, groups, missing)
    if state.prepared.same_suit:
        is_run = _looks_like_long_run if state.prepared.long_runs else _looks_like_run
        runs = [index for index, group in enumerate(groups) if is_run(group)]
        _RunSuits(groups, found, free).choose(runs)
    for group, kinds in zip(groups, found, strict=True):
        for index, card in enumerate(group):
            if kinds[index] < 0:
                kind = _first_free(free, card - ANY)
                if kind < 0:
                    missing.append(card)
                else:
                    kinds[index] = kind
                    free[kind] -= 1
    if missing:
        raise _missing(state, groups, missing)
    return found


def _missing(state: HandState, groups: list[tuple[int, ...]], missing: list[int]) -> MissingCards:
    wanted: list[int] = []
    held = 0
    kinds_missing = list(dict.fromkeys(missing))
    for card in kinds_missing:
        meant = _kinds_meant(card)
        wanted += [card for group in groups for other in group if set(_kinds_meant(other)) <= set(meant)]
        held += sum([state.held(state.turn, kind) for kind in meant])
    return MissingCards(wanted, held if len(kinds_missing) == 1 else 0)


def _kinds_meant(card: int) -> list[int]:
    """The kinds that a card of a move may stand for."""
    return list(KINDS_OF[card - ANY]) if card >= ANY else [card]


def _first_free(free: list[int], rank: int) -> int:
    for kind in KINDS_OF[rank]:
        if free[kind] > 0:
            return kind
    return -1


def _looks_like_run(group: tuple[int, ...]) -> bool:
    ranks = [rank_of(card) for card in group]
    return len(ranks) > 1 and len(set(ranks)) == len(ranks) and max(ranks) < NATURAL_RANKS


def _looks_like_long_run(group: tuple[int, ...]) -> bool:
    """Different ranks, wilds aside."""
    ranks = [_plain_rank(card) for card in group if not _is_wild(card)]
    return len(ranks) > 1 and len(set(ranks)) == len(ranks)


def _is_wild(card: int) -> bool:
    return rank_of(card) in (TWO, JOKER)


def _plain_rank(card: int) -> int:
    """The rank, all threes being one."""
    rank = rank_of(card)
    return THREES if rank in (RED_THREE, BLACK_THREE) else rank


class _RunSuits:
    """Gives the unnamed cards of each run one suit in which the hand holds them all."""

    def __init__(self, groups: list[tuple[int, ...]], found: list[list[int]], free: list[int]) -> None:
        self.groups: list[tuple[int, ...]] = groups
        self.found: list[list[int]] = found
        self.free: list[int] = free
        self.tried: int = 0

    def choose(self, runs: list[int]) -> bool:
        """Try the combinations; False, and nothing chosen, when none serves all runs.

        A move of very many runs may have one that is not found: then its suits have to be named.
        """
        if not runs:
            return True
        group = self.groups[runs[0]]
        kinds = self.found[runs[0]]
        # The suit of a wild two says nothing about the run.
        unnamed = [i for i, kind in enumerate(kinds) if kind < 0 and not _is_wild(group[i])]
        named = {kind & 3 for kind in kinds if kind >= 0 and not _is_wild(kind)}
        for suit in range(4):
            if named and named != {suit}:
                continue
            wanted = [kind_in_suit(rank_of(group[index]), suit) for index in unnamed]
            if any(self.free[kind] == 0 for kind in wanted):
                continue
            if not all(
                kind in _kinds_meant(group[index]) for index, kind in zip(unnamed, wanted, strict=True)
            ):
                continue  # a red three is none of clubs
            self.tried += 1
            if self.tried > MOST_TRIED:
                return False
            for index, kind in zip(unnamed, wanted, strict=True):
                kinds[index] = kind
                self.free[kind] -= 1
            if self.choose(runs[1:]):
                return True
            for index, kind in zip(unnamed, wanted, strict=True):
                kinds[index] = -1
                self.free[kind] += 1
        return False


def cards_held(state: HandState, seat: int) -> list[int]:
    """The cards of a hand, in the order of kinds."""
    cards = state.cards_of(seat)
    return [kind for kind in range(KINDS) for _ in range(cards[kind])]
