"""Find the cards of a move in a hand, and choose the suits that the move leaves open."""

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
"""Limit on the combinations of suits tried for the sequences of one move."""


class MissingCards(Exception):
    """The hand does not contain the cards that a move names, or not enough of them."""

    def __init__(self, cards: list[int], held: int) -> None:
        self.text: str = cards_text(cards)
        """The missing cards, in the number that the move names."""
        self.held: int = held
        """How many of them the hand contains. Also 0 if cards of several ranks are missing."""
        super().__init__(self.text)


def rank_of(card: int) -> int:
    """Return the rank of a card in a move."""
    return card - ANY if card >= ANY else RANK_OF[card]


def find_cards(state: HandState, groups: list[tuple[int, ...]]) -> list[list[int]]:
    """Return the kinds that the groups of a move mean, all taken from the hand of the player to move.

    Cards named with their suit are reserved first. If sequences must be of one suit, each group of different
    ranks gets a suit that the hand can provide. The other cards get whatever suits are left. Raise
    `MissingCards` if the hand lacks a card.
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
    if state.compiled.same_suit:
        is_run = _looks_like_long_run if state.compiled.long_runs else _looks_like_run
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
    """Return the kinds that a card of a move may stand for."""
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
    """Return whether the group's cards, apart from wilds, all differ in rank."""
    ranks = [_plain_rank(card) for card in group if not _is_wild(card)]
    return len(ranks) > 1 and len(set(ranks)) == len(ranks)


def _is_wild(card: int) -> bool:
    return rank_of(card) in (TWO, JOKER)


def _plain_rank(card: int) -> int:
    """Return the rank, with all threes as one rank."""
    rank = rank_of(card)
    return THREES if rank in (RED_THREE, BLACK_THREE) else rank


class _RunSuits:
    """Chooses, for the unnamed cards of each run, one suit in which the hand contains them all."""

    def __init__(self, groups: list[tuple[int, ...]], found: list[list[int]], free: list[int]) -> None:
        self.groups: list[tuple[int, ...]] = groups
        self.found: list[list[int]] = found
        self.free: list[int] = free
        self.tried: int = 0

    def choose(self, runs: list[int]) -> bool:
        """Choose suits for all runs. Return `False`, with nothing chosen, if no combination works.

        The search is bounded, so it may miss a solution for a move with very many runs; its suits must then
        be named.
        """
        if not runs:
            return True
        group = self.groups[runs[0]]
        kinds = self.found[runs[0]]
        # The suit of a wild two says nothing about the suit of the run.
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
                continue  # a red three, for example, can't be a club
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
    """Return the cards of a hand, ordered by kind."""
    cards = state.cards_of(seat)
    return [kind for kind in range(KINDS) for _ in range(cards[kind])]
