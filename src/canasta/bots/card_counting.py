"""Card counting: the cards a seat can see, and what they imply about the hidden hands.

Everything here reads only the seat's own hand and the open cards, never another hand. Real hands don't look
like a uniform deal of the hidden cards: players keep pairs, discard single cards, and meld whatever fits.
`likely_hands` corrects for this with factors measured in games of `club` and `master` on `caliente` (see
`docs/learned-player.md`).
"""

from math import comb
from typing import Final

from canasta.bots.club.weights import Weights
from canasta.bots.protocol import seat_of
from canasta.engine.cards import (
    BLACK_THREE,
    BONUS_CARD,
    CALIENTE,
    JOKER,
    KINDS,
    NATURAL_CARD,
    NATURAL_RANKS,
    RANK_OF,
    RANKS,
    TWO,
    WILD_CARD,
)
from canasta.engine.determinize import NUMBERS, unseen_kinds
from canasta.engine.law.american import is_dead
from canasta.engine.law.going_out import canastas_suffice
from canasta.engine.law.melding import lengthens_a_run, set_can_grow
from canasta.engine.law.pile import could_take_onto_meld
from canasta.engine.melds import ROW_BLACK_THREES, run_length, run_low, run_suit
from canasta.engine.sequences import (
    EITHER_END,
    HIGH_ACE,
    LOW_ACE,
    NO_RUN,
    naturals_of,
    place_of,
    run_with_natural,
)
from canasta.engine.state import DRAW, HandState
from canasta.engine.view import View

NO_FIT: Final = 0
NEAR: Final = 1
"""The card would fit a long sequence if one missing card were added."""
FITS: Final = 2


class CardCounter:
    """Counts of the unseen cards by rank, and the chances of where they are."""

    def __init__(self, state: HandState, seat: int, weights: Weights) -> None:
        self.state: HandState = state
        self.seat: int = seat
        self.side: int = state.side_of[seat]
        self.foe: int = state.next_seat[seat]
        self.foe_side: int = state.side_of[self.foe]
        self.weights: Weights = weights
        self.unseen: list[int] = [0] * RANKS
        self.foe_known: list[int] = [0] * RANKS
        self.foe_known_cards: int = 0
        self.hidden: int = 0
        self.share: float = 0.0
        self._count()

    def _count(self) -> None:
        state = self.state
        unseen = self.unseen
        own = state.counts_of(self.seat)
        for rank in range(RANKS):
            unseen[rank] = state.compiled.of_rank[rank] - own[rank]
        weights = self.weights
        pile = state.pile
        first = len(pile) - weights.memory
        rank_of = state.compiled.rank_of
        for index in range(max(0, first), len(pile)):
            unseen[rank_of[pile[index]]] -= 1
        slots = state.compiled.slots
        for side in range(state.sides):
            if state.compiled.family.name == "burraco":
                # Each card counts as its own rank, wild cards too.
                for card in state.cards_laid_by(side):
                    unseen[rank_of[card & 63]] -= 1
                continue
            naturals = state.naturals_of(side)
            for slot in state.sets_of(side):
                row = slots.row_of(slot)
                if row < NATURAL_RANKS:
                    unseen[row] -= naturals[slot]
                elif row > NATURAL_RANKS:
                    unseen[BLACK_THREE] -= naturals[slot]
                # Melds don't record which wild cards they contain, so all of them count as twos here.
                unseen[TWO] -= state.wilds(side, slot)
            for run in state.runs[side]:
                low = run_low(run)
                for rank in range(low, low + run_length(run)):
                    unseen[rank] -= 1
            for kind in state.bonus[side]:
                unseen[RANK_OF[kind]] -= 1
            unseen[CALIENTE] -= state.caliente_played(side)
        if unseen[TWO] < 0:
            unseen[JOKER] += unseen[TWO]
            unseen[TWO] = 0
        hidden = state.stock_size() + sum([len(pot) for pot in state.pots])
        for other in state.order:
            if state.foot_waits(other):
                hidden += len(state.feet[other])
            if other != self.seat:
                hidden += state.size(other)
                if weights.counts_cards:
                    known = state.known_of(other)
                    for kind in range(KINDS):
                        count = known[kind]
                        if count > 0:
                            unseen[rank_of[kind]] -= count
                            hidden -= count
                            if other == self.foe:
                                self.foe_known[rank_of[kind]] += count
                                self.foe_known_cards += count
        self.hidden = hidden
        blind = state.size(self.foe) - self.foe_known_cards
        self.share = blind / hidden if hidden > 0 else 0.0
        self.share = min(self.share, 1.0)

    def none_chance(self, rank: int) -> float:
        """Return the chance that the next player holds no unseen card of this rank."""
        chance = 1.0
        left = 1.0 - self.share
        for _ in range(self.unseen[rank]):
            chance *= left
        return chance

    def single_chance(self, rank: int) -> float:
        """Return the chance that the next player holds at least one card of this rank."""
        return 1.0 if self.foe_known[rank] > 0 else 1.0 - self.none_chance(rank)

    def pair_chance(self, rank: int) -> float:
        """Return the chance that the next player holds at least two cards of this rank."""
        known = self.foe_known[rank]
        if known >= 2:
            return 1.0
        none = self.none_chance(rank)
        if known == 1:
            return 1.0 - none
        unseen = self.unseen[rank]
        if unseen < 2 or self.share >= 1.0:
            return 0.0 if unseen < 2 else 1.0
        return 1.0 - none - unseen * self.share * none / (1.0 - self.share)

    def wild_chance(self) -> float:
        """Return the chance that the next player holds a wild card."""
        if self.foe_known[TWO] + self.foe_known[JOKER] > 0:
            return 1.0
        return 1.0 - self.none_chance(TWO) * self.none_chance(JOKER)

    def was_passed(self, rank: int) -> bool:
        """Return whether the next player has discarded this rank, or left it untaken, in the present pile."""
        pile = self.state.pile
        players = len(self.state.order)
        depth = len(pile)
        depth = min(depth, self.weights.memory)
        for back in range(depth):
            turn = back % players
            if turn == players - 1 or turn == players - 2:
                if RANK_OF[pile[len(pile) - 1 - back]] == rank:
                    return True
        return False

    def fits_their_meld(self, rank: int) -> bool:
        """Return whether the next player's side can take the pile by adding a card of this rank to a meld."""
        return could_take_onto_meld(self.state, self.foe_side, rank)

    def take_chance(self, rank: int, frozen: bool) -> float:
        """Return the chance that the next player takes the pile if this rank is discarded."""
        state = self.state
        compiled = state.compiled
        if compiled.role_of_rank[rank] != NATURAL_CARD:
            return 0.0
        weights = self.weights
        if not weights.watches_next:
            return 0.0
        pair = self.pair_chance(rank) * weights.pairing
        if not state.opened(self.foe_side):
            minimum = state.minimum(self.foe_side)
            opens = weights.opens_50
            if minimum >= 120:
                opens = weights.opens_120
            elif minimum >= 90:
                opens = weights.opens_90
            elif minimum <= 15:
                opens = 1.0
            if not frozen and not compiled.first_meld_needs_pair:
                mixed = self.single_chance(rank) * self.wild_chance()
                pair = max(mixed, pair)
            chance = pair * opens
        elif compiled.always_frozen:
            if self.fits_their_meld(rank):
                return 1.0
            chance = pair
        elif frozen:
            chance = pair
        else:
            if self.fits_their_meld(rank):
                return 1.0
            chance = pair
            if compiled.natural_and_wild:
                mixed = self.single_chance(rank) * self.wild_chance()
                chance = max(chance, mixed)
        if weights.counts_cards and self.foe_known[rank] == 0 and self.was_passed(rank):
            chance *= weights.passed
        return min(1.0, chance)


def open_slot(state: HandState, side: int, rank: int) -> int:
    """Return the slot of the largest set of this rank that can still become a canasta, or -1."""
    compiled = state.compiled
    slot = compiled.slots.first_slot(rank)
    best = -1
    largest = 0
    for _ in range(compiled.slots.per_row):
        size = state.naturals(side, slot) + state.wilds(side, slot)
        if size == 0:
            break
        if size < compiled.canasta_size and size > largest:
            best = slot
            largest = size
        slot += 1
    return best


def may_go_out(state: HandState, side: int) -> bool:
    """Return whether the side has the canastas it needs to go out."""
    canastas = state.canasta_counts(side)
    return canastas_suffice(state.compiled, canastas[0], canastas[1], canastas[2], canastas[3])


def fits_own(state: HandState, side: int, rank: int) -> bool:
    """Return whether a card of this rank can join a meld of the side: a set, finished or not, or a run."""
    if state.compiled.dead_ranks and is_dead(state, side, rank):
        return False
    slot = state.compiled.slots.first_slot(rank)
    for _ in range(state.compiled.slots.per_row):
        if state.size_of_set(side, slot) == 0:
            break
        if set_can_grow(state, side, slot):
            return True
        slot += 1
    return lengthens_a_run(state, side, rank)


def fit(state: HandState, side: int, kind: int) -> int:
    """Return how well a natural card fits the melds of a side: `NO_FIT`, `NEAR` or `FITS`."""
    compiled = state.compiled
    rank = compiled.rank_of[kind]
    slot = compiled.slots.first_slot(rank if rank < NATURAL_RANKS else ROW_BLACK_THREES)
    if state.size_of_set(side, slot) > 0 and set_can_grow(state, side, slot):
        return FITS
    best = NO_FIT
    for run in state.runs[side]:
        if run_suit(run) == kind & 3:
            best = max(best, fit_of_run(state, run, kind))
    return best


def fits_a_meld_of(state: HandState, side: int, kind: int) -> bool:
    """Return whether a natural card fits some meld of a side."""
    if state.compiled.family.name == "burraco":
        return fit(state, side, kind) == FITS
    return fits_own(state, side, state.compiled.rank_of[kind])


def fit_of_run(state: HandState, run: int, kind: int) -> int:
    """Return how well the card fits one long sequence of its suit."""
    place = place_of(kind)
    low = run_low(run)
    high = low + run_length(run) - 1
    rules = state.compiled.run_rules
    near = NO_FIT
    for at in (place, LOW_ACE) if place == HIGH_ACE and rules.lowest == LOW_ACE else (place,):
        if naturals_of(run) >> at & 1:
            continue
        if low - 2 <= at <= high + 2:
            if run_with_natural(rules, run, at, EITHER_END) != NO_RUN:
                return FITS
            near = NEAR
    return near


def elapsed(state: HandState) -> float:
    """Return the share of the hand that is over, from 0 to 1. A stock of twenty rounds counts as full."""
    rounds = state.stock_size() / (state.compiled.draw * len(state.order))
    return 1.0 - min(1.0, rounds / 20.0)


def players_with_foot(state: HandState, side: int) -> int:
    """Return how many players of the side have not picked up their foot."""
    return sum([state.foot_waits(seat) and state.side_of[seat] == side for seat in state.order])


def opponent_near_going_out(state: HandState, side: int) -> bool:
    """Return whether an opponent has the canastas to go out and at most four cards left."""
    for other in state.order:
        their = state.side_of[other]
        if their != side and state.size(other) <= 4 and not state.foot_waits(other):
            if may_go_out(state, their):
                return True
    return False


def pile_worth(state: HandState, side: int, seat: int, weights: Weights, skip_top: bool) -> float:
    """Estimate the value of the pile to a side, in points. The hand of `seat` is included if it is visible;
    -1 omits it.
    """
    values = state.compiled.values
    role_of = state.compiled.role_of
    pile = state.pile
    worth = 0.0
    last = len(pile) - 1 if skip_top else len(pile)
    dead_ranks = state.compiled.dead_ranks
    for index in range(last):
        rank = state.compiled.rank_of[pile[index]]
        role = role_of[pile[index]]
        if dead_ranks and role == NATURAL_CARD and is_dead(state, side, rank):
            continue
        worth += weights.take_card + weights.take_points * values[rank]
        if role == NATURAL_CARD:
            if fits_a_meld_of(state, side, pile[index]):
                worth += weights.take_fit
            elif seat >= 0 and state.count(seat, rank) > 0:
                worth += weights.take_match
        elif role == WILD_CARD:
            worth += weights.take_wild
        elif role == BONUS_CARD:
            worth += 60.0
    return worth


MELDED: Final = 4
"""Bit in an index of `LIKELIER`: the player's side has a set of the rank. Bits are added up."""
THROWN: Final = 2
LET_LIE: Final = 1

LIKELIER: Final = (
    (0.68, 0.93, 1.98, 0.71),
    (1.16, 0.78, 1.27, 0.51),
    (1.08, 0.51, 2.18, 0.67),
    (1.36, 0.32, 0.62, 0.57),
    (1.32, 0.19, 0.31, 0.53),
    (1.24, 0.23, 0.38, 0.46),
    (1.22, 0.13, 0.82, 0.63),
    (1.21, 0.14, 0.15, 0.67),
)
"""Likelihood of holding none, one, two or more cards of a rank,
relative to a uniform deal; one entry per mark."""


def likely_hands(state: HandState, viewer: int, marks: list[list[int]]) -> list[list[float]]:
    """Return weights for `determinize`. `marks` contains, by seat and rank, whether the player has discarded
    or left it.
    """
    likely: list[list[float]] = []
    for seat in range(len(state.side_of)):
        rows: list[float] = []
        # If the pile is taken as a whole, nobody keeps pairs for it, so the cards are dealt uniformly.
        if seat != viewer and seat in state.order and not state.compiled.takes_at_once:
            naturals = state.naturals_of(state.side_of[seat])
            slots = state.compiled.slots
            for rank in range(NATURAL_RANKS):
                # The first set of a rank is in its first slot.
                mark = marks[seat][rank] + (MELDED if naturals[slots.first_slot(rank)] > 0 else 0)
                rows.extend(LIKELIER[mark])
            rows.extend([1.0] * (NUMBERS * (RANKS - NATURAL_RANKS)))
        likely.append(rows)
    return likely


def marks_in_pile(state: HandState) -> list[list[int]]:
    """Return, by seat and rank, what the players have discarded and left, as far as the pile shows it.

    This assumes one discard per turn, so a card's position identifies the player. After a turn without a
    discard, the cards below are attributed to the wrong neighbour; that is rare and has little effect.
    """
    marks = [[0] * NATURAL_RANKS for _ in state.side_of]
    order = state.order
    players = len(order)
    pile = state.pile
    at = order.index(state.turn)
    for back in range(len(pile)):
        rank = RANK_OF[pile[len(pile) - 1 - back]]
        if rank < NATURAL_RANKS:
            thrower = order[(at - 1 - back) % players]
            follower = order[(at - back) % players]
            marks[thrower][rank] |= THROWN
            # The player in turn may still take the top card.
            if back > 0 or state.phase != DRAW:
                marks[follower][rank] |= LET_LIE
    return marks


_LEAST = 0.02
"""Lower bound on the weights: no number of cards is impossible or certain."""


def believed_hands(belief: list[float], view: View) -> list[list[float]]:
    """Return weights for `determinize`: the belief of a network relative to a uniform deal."""
    state = view.state
    viewer = seat_of(view)
    seats = len(state.side_of)
    unseen = unseen_kinds(state, viewer)
    compiled = state.compiled
    rank_of = compiled.rank_of
    of_rank = [0] * RANKS
    laid_out = [False] * RANKS
    whole = 0
    for kind in range(KINDS):
        if compiled.role_of[kind] == BONUS_CARD and not compiled.by_hand:
            # Red threes are laid out at once, so they are in no hand.
            laid_out[rank_of[kind]] = True
        else:
            of_rank[rank_of[kind]] += unseen[kind]
            whole += unseen[kind]
    likely: list[list[float]] = []
    for seat in range(seats):
        rows: list[float] = []
        if seat != viewer and seat in state.order:
            known = [0] * RANKS
            for kind in range(KINDS):
                known[rank_of[kind]] += state.known(seat, kind)
            hidden = min(whole, state.size(seat) - sum(known))
            at = ((seat - viewer) % seats - 1) * RANKS * NUMBERS
            for rank in range(RANKS):
                if laid_out[rank]:
                    rows.extend([1.0] * NUMBERS)
                    continue
                uniform = _uniform(known[rank], of_rank[rank], hidden, whole)
                for number in range(NUMBERS):
                    more = belief[at + rank * NUMBERS + number] / max(uniform[number], _LEAST * _LEAST)
                    rows.append(min(max(more, _LEAST), 1 / _LEAST))
        likely.append(rows)
    return likely


def _uniform(known: int, unseen: int, hidden: int, whole: int) -> list[float]:
    """Return the chances of holding none, one, two or more cards of a rank in a uniform deal.

    The hand contains `known` cards of the rank, plus `hidden` cards drawn from `whole` unseen cards, of which
    `unseen` have the rank.

    >>> [round(likely, 3) for likely in _uniform(1, 2, 5, 10)]
    [0.0, 0.222, 0.556, 0.222]
    """
    chances = [0.0] * NUMBERS
    ways = comb(whole, hidden)
    for drawn in range(min(unseen, hidden) + 1):
        likely = comb(unseen, drawn) * comb(whole - unseen, hidden - drawn) / ways
        chances[min(known + drawn, NUMBERS - 1)] += likely
    return chances
