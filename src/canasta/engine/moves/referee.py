"""The referee of a move: it checks the rules and finds the cards and melds that the move names."""

from typing import Final

from canasta.engine.cards import (
    ANY,
    BLACK_THREE,
    JOKER,
    KINDS_OF,
    NATURAL_RANKS,
    RANK_OF,
    RED_THREE,
    THREES,
    TWO,
    card_text,
    cards_text,
    kind_in_suit,
)
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.law import reasons
from canasta.engine.law.going_out import has_canastas, must_still_ask, teammates_played_feet
from canasta.engine.melds import NEW, NO_ROW, NOT_A_CANASTA, ROW_RUN, MeldName
from canasta.engine.moves.refusals import Refusal, RefusedMove, end_facts, refuse, situation
from canasta.engine.play.turns import after_laying
from canasta.engine.state import ANSWER, PLAY, HandState
from canasta.i18n import Facts

MOST_TRIED: Final = 2000
"""Limit on the combinations of suits tried for the sequences of one move."""


def rank_of(card: int) -> int:
    """Return the rank of a card in a move."""
    return card - ANY if card >= ANY else RANK_OF[card]


def find_cards(
    state: HandState, groups: list[tuple[int, ...]], also: tuple[str, ...] = ()
) -> list[list[int]]:
    """Return the kinds that the groups of a move mean, all taken from the hand of the player to move.

    Cards named with their suit are reserved first. If sequences must be of one suit, each group of different
    ranks gets a suit that the hand can provide. The other cards get whatever suits are left. Raise
    `RefusedMove`, with the clauses in `also`, if the hand lacks a card.
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
        raise RefusedMove(_missing(state, groups, missing, also))
    if state.compiled.same_suit:
        family = state.compiled.family
        runs = [index for index, group in enumerate(groups) if family.looks_like_run(group)]
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
        raise RefusedMove(_missing(state, groups, missing, also))
    return found


def _missing(
    state: HandState, groups: list[tuple[int, ...]], missing: list[int], also: tuple[str, ...]
) -> Refusal:
    """Return the refusal of a move that names cards missing from the hand."""
    named: list[int] = []
    held = 0
    kinds_missing = list(dict.fromkeys(missing))
    for card in kinds_missing:
        meant = _kinds_meant(card)
        named += [card for group in groups for other in group if set(_kinds_meant(other)) <= set(meant)]
        held += sum([state.held(state.turn, kind) for kind in meant])
    facts: Facts = {"cards": cards_text(named)}
    if held == 0 or len(kinds_missing) > 1:
        return refuse(reasons.NOT_IN_HAND, facts, also)
    facts["held"] = held
    return refuse(reasons.TOO_FEW_IN_HAND, facts, also)


def _kinds_meant(card: int) -> list[int]:
    """Return the kinds that a card of a move may stand for."""
    return list(KINDS_OF[card - ANY]) if card >= ANY else [card]


def _first_free(free: list[int], rank: int) -> int:
    for kind in KINDS_OF[rank]:
        if free[kind] > 0:
            return kind
    return -1


def looks_like_run(group: tuple[int, ...]) -> bool:
    ranks = [rank_of(card) for card in group]
    return len(ranks) > 1 and len(set(ranks)) == len(ranks) and max(ranks) < NATURAL_RANKS


def looks_like_long_run(group: tuple[int, ...]) -> bool:
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
    """Chooses a suit for each run whose cards are named without one."""

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
            candidates = [kind_in_suit(rank_of(group[index]), suit) for index in unnamed]
            if any(self.free[kind] == 0 for kind in candidates):
                continue
            if not all(
                kind in _kinds_meant(group[index]) for index, kind in zip(unnamed, candidates, strict=True)
            ):
                continue  # a red three, for example, can't be a club
            self.tried += 1
            if self.tried > MOST_TRIED:
                return False
            for index, kind in zip(unnamed, candidates, strict=True):
                kinds[index] = kind
                self.free[kind] -= 1
            if self.choose(runs[1:]):
                return True
            for index, kind in zip(unnamed, candidates, strict=True):
                kinds[index] = -1
                self.free[kind] += 1
        return False


def row_named(compiled: CompiledRules, name: MeldName) -> int:
    """Return the row of the sets with this name, or `NO_ROW` if this game has none."""
    return compiled.name_of_row.index(name.row) if name.row in compiled.name_of_row else NO_ROW


class Referee:
    """A move being applied to a copy of the state. A broken rule raises `RefusedMove`."""

    def __init__(self, state: HandState, partial: bool) -> None:
        self.state: HandState = state
        self.partial: bool = partial

    def ask_rule(
        self,
        reason: int,
        facts: Facts | None = None,
        also: tuple[str, ...] = (),
        *,
        first: tuple[str, ...] = (),
    ) -> None:
        if reason != reasons.OK:
            raise RefusedMove(refuse(reason, facts, also, first=first))

    def in_phase(self, what: str, *phases: int, also: tuple[str, ...] = ()) -> None:
        if self.state.phase not in phases:
            if self.state.phase == ANSWER:
                also = (*also, "OUT-3")
            raise RefusedMove(
                refuse(reasons.NOT_IN_THIS_PHASE, {"move": what, "situation": situation(self.state)}, also)
            )

    def find(self, groups: list[tuple[int, ...]], also: tuple[str, ...] = ()) -> list[list[int]]:
        if not self.state.compiled.natural_threes and any(ANY + THREES in group for group in groups):
            raise RefusedMove(refuse(reasons.WHICH_THREE))
        return find_cards(self.state, groups, also)

    def slot(self, name: MeldName) -> int:
        """Return the slot (or the index of the run) that a name means; `NEW` if the side has no such meld."""
        state = self.state
        side = state.side_of[state.turn]
        if name.row == ROW_RUN:
            return name.number - 1 if 1 <= name.number <= len(state.runs[side]) else NEW
        row = row_named(state.compiled, name)
        if row < 0 or not 1 <= name.number <= state.compiled.slots.per_row:
            return NEW
        slot = state.compiled.slots.slot_of(row, name.number)
        return slot if state.size_of_set(side, slot) > 0 else NEW

    def is_opponents(self, name: MeldName) -> bool:
        """Return whether another side has a meld with this name."""
        state = self.state
        for other in range(state.sides):
            if other == state.side_of[state.turn]:
                continue
            if name.row == ROW_RUN:
                if len(state.runs[other]) >= name.number:
                    return True
            elif row_named(state.compiled, name) >= 0:
                row = row_named(state.compiled, name)
                if state.size_of_set(other, state.compiled.slots.first_slot(row)) > 0:
                    return True
        return False

    # -- the end of a move --------------------------------------------------------------------------------

    def finish(self, also: tuple[str, ...] = ()) -> None:
        """Apply the automatic consequences, then require a valid first meld and a way to end the turn."""
        state = self.state
        after_laying(state)
        if state.phase == PLAY and state.stuck == reasons.OK and state.is_opening() and not self.partial:
            self.refuse_opening(also)
        if state.top_due and self.partial:
            return
        if state.top_due:
            self.ask_rule(reasons.TOP_CARD_FIRST, {"card": card_text(state.taken_top)})
        reason = state.compiled.family.why_not_end(state)
        if reason in (reasons.BELOW_MINIMUM, reasons.NO_PURE_MELD, reasons.NOT_FROM_THE_HAND):
            self.refuse_opening(also)
        self.ask_rule(reason, end_facts(state), self.also_at_the_end())

    def also_at_the_end(self) -> tuple[str, ...]:
        """Return the clauses, besides the one named first, that keep this player from going out."""
        state = self.state
        seat = state.turn
        also: list[str] = []
        if state.black_threes_now:
            also.append("MELD-8")
        if state.compiled.keep_last_card:
            also.append("DISC-5")
        if not has_canastas(state, state.side_of[seat], NOT_A_CANASTA, NOT_A_CANASTA):
            also.append("OUT-1")
        if must_still_ask(state, seat):
            also.append("OUT-3")
        if not teammates_played_feet(state, seat):
            also.append("OUT-5")
        return tuple(also)

    def refuse_opening(self, also: tuple[str, ...] = ()) -> None:
        """Refuse a first meld below the minimum, naming the clauses about alternatives to the minimum."""
        state = self.state
        compiled = state.compiled
        beside = list(also)
        if sum(state.canasta_counts(state.side_of[state.turn])) > 0:
            beside += [] if compiled.canasta_suffices else ["OPEN-4"]
            beside += [] if compiled.canasta_bonus_counts or compiled.from_hand else ["OPEN-6"]
        if state.size(state.turn) <= 1 or compiled.concealed_suffices:
            beside.append("OPEN-5")
        reason = compiled.family.why_not_open(state)
        if reason == reasons.NOT_FROM_THE_HAND and compiled.pure_meld:
            beside.append("OPEN-7")
        self.ask_rule(reason, end_facts(state), tuple(beside))
