"""Positions set up manually: the full description of a hand in progress, for scenarios, puzzles and tests."""

from dataclasses import dataclass, field

from canasta.engine.cards import (
    BLACK_THREE,
    BONUS_CARD,
    NATURAL_CARD,
    NATURAL_RANKS,
    RANK_OF,
    WILD_CARD,
    card_text,
)
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.law.melding import slot_to_join
from canasta.engine.layout import CALIENTES, FOOT_PLAYED, FOOT_WAITS, HAS_MELDED, OPENED, POT_TAKER
from canasta.engine.melds import ROW_BLACK_THREES, ROW_WILD, SMALLEST_MELD
from canasta.engine.play.deal import finish_deal, new_hand, set_minimums
from canasta.engine.play.melding import lay_long_run, lay_on_set, lay_run
from canasta.engine.play.turns import begin_turn, note_pots, start_turn
from canasta.engine.rng import Rng
from canasta.engine.seating import sides_of_seats, turn_order
from canasta.engine.sequences import NO_RUN, new_run, wild_code
from canasta.engine.state import DRAW, PLAY, HandState
from canasta.errors import CanastaError


@dataclass
class Position:
    """A hand in progress. Cards are kinds; a seat that sits out has no entry in `hands`."""

    turn: int = 0
    phase: str = "draw"
    """`draw`, `play`, or `deal` (cards are dealt, but no red threes
    are laid out and no card is turned up yet)."""
    hands: dict[int, list[int]] = field(default_factory=dict)
    feet: dict[int, list[int]] = field(default_factory=dict)
    picked_up: set[int] = field(default_factory=set)
    """Seats that have picked up the foot. They have also played
    from it unless `foot_unplayed` contains them."""
    foot_unplayed: set[int] = field(default_factory=set)
    pots: list[list[int]] = field(default_factory=list)
    """Pots that nobody has taken, the next one first."""
    pot_taken: set[int] = field(default_factory=set)
    """Sides that have taken their pot. They have also played from it unless `pot_unplayed` contains them."""
    not_returned: int = -1
    """The single card of the pile taken this turn, which must not be discarded again; -1 if none."""
    pot_unplayed: set[int] = field(default_factory=set)
    melds: dict[int, list[list[int]]] = field(default_factory=dict)
    """Melds by side, in the order laid."""
    bonus: dict[int, list[int]] = field(default_factory=dict)
    """Bonus cards (red threes) laid out, by side."""
    talons: dict[int, list[int]] = field(default_factory=dict)
    """Talon cards waiting for their owner's next turn, by seat."""
    pile: list[int] = field(default_factory=list)
    """The discard pile, bottom to top."""
    stock: list[int] = field(default_factory=list)
    """The stock, top card first."""
    scores: list[int] = field(default_factory=list)
    """Totals by side before this hand. Empty means zero for all."""
    round: int = 1
    sitting_out: set[int] = field(default_factory=set)
    melded_before: set[int] | None = None
    """Seats that melded earlier in this hand. `None` means all seats of every side that has melds."""
    dealer: int | None = None
    """The dealer's seat. `None` means the seat to the right of `turn`."""
    caliente_played: list[int] = field(default_factory=list)
    """Caliente cards played in this hand, by side. Empty means none. The same holds for `put_backs`."""
    put_backs: list[int] = field(default_factory=list)
    pile_is_from_deal: bool = False
    """Whether the pile is still as dealt and `turn` is the first player of the hand (PILE-13)."""


class PositionError(CanastaError):
    """The position is impossible; the message says why in one sentence."""


def set_up(compiled: CompiledRules, position: Position) -> HandState:
    """Return the hand in progress that a position describes. Raise `PositionError` if it is impossible."""
    rules = compiled.rules
    side_of = sides_of_seats(rules)
    seats = range(len(side_of))
    for seat in position.sitting_out:
        if seat not in seats:
            raise PositionError(f"seat {seat} cannot sit out: the seats are 0 to {len(side_of) - 1}")
    try:
        order = turn_order(side_of, tuple(sorted(position.sitting_out)))
    except ValueError:
        raise PositionError("so many sit out that the sides cannot alternate") from None
    if position.turn not in order:
        raise PositionError(f"seat {position.turn} cannot be to move: the seats in play are {order}")
    _check_cards(compiled, position)
    state = new_hand(compiled, order)
    scores = position.scores or [0] * rules.seats.sides
    if len(scores) != rules.seats.sides:
        raise PositionError(f"{len(scores)} scores are given for {rules.seats.sides} sides")
    set_minimums(state, scores, position.round)
    _place_cards(state, position)
    begin_turn(state, position.turn)
    if position.phase == "deal":
        finish_deal(state, position.turn, Rng("position"))
        return state
    for side, melds in position.melds.items():
        if not 0 <= side < rules.seats.sides:
            raise PositionError(f"there is no side {side}")
        for kinds in melds:
            if len(kinds) < SMALLEST_MELD:
                raise PositionError("a meld on the table has fewer than three cards")
            seat = next(seat for seat in state.order if state.side_of[seat] == side)
            compiled.family.lay_given(state, seat, kinds)
    _set_facts(state, position)
    if state.phase == DRAW and compiled.starts_turn:
        start_turn(state)
    return state


def _place_cards(state: HandState, position: Position) -> None:
    for seat, kinds in position.hands.items():
        if seat not in state.order:
            raise PositionError(f"seat {seat} is given a hand and does not play this hand")
        for kind in kinds:
            state.give(seat, kind)
    if state.compiled.has_foot:
        state.feet = [list(position.feet.get(seat, [])) for seat in range(len(state.side_of))]
        for seat in state.order:
            state.mark_seat(seat, FOOT_WAITS, seat not in position.picked_up)
    elif position.feet:
        raise PositionError("feet are given for a game without feet")
    for side, kinds in position.bonus.items():
        if not 0 <= side < state.sides:
            raise PositionError(f"there is no side {side}")
        state.bonus[side] = list(kinds)
    if state.compiled.has_pots:
        state.pots = [list(pot) for pot in position.pots]
        for side in position.pot_taken:
            if not 0 <= side < state.sides:
                raise PositionError(f"there is no side {side}")
            taker = next(seat for seat in state.order if state.side_of[seat] == side)
            state.mark_side(side, POT_TAKER, taker + 1)
        note_pots(state)
    elif position.pots or position.pot_taken:
        raise PositionError("pots are given for a game without pots")
    for seat, kinds in position.talons.items():
        if seat not in state.order or not state.compiled.talon:
            raise PositionError(f"seat {seat} is given a talon that this game does not have")
        state.talons[seat] = list(kinds)
    state.set_pile(list(position.pile))
    state.frozen = any(state.compiled.freezes[kind] for kind in state.pile)
    state.set_deck(list(position.stock))
    everywhere = [*position.hands.values(), *position.feet.values(), *position.bonus.values()]
    everywhere += [position.pile, position.stock, *position.talons.values()]
    role_of = state.compiled.role_of
    state.bonus_in_game = sum(1 for kinds in everywhere for kind in kinds if role_of[kind] == BONUS_CARD)


def _set_facts(state: HandState, position: Position) -> None:
    before = position.melded_before
    for seat in state.order:
        side = state.side_of[seat]
        has_melds = state.laid_count(side) > 0
        state.mark_side(side, OPENED, has_melds or state.compiled.no_opening)
        state.mark_seat(seat, HAS_MELDED, has_melds if before is None else seat in before)
        foot_played = seat in position.picked_up and seat not in position.foot_unplayed
        if side in position.pot_taken:
            foot_played = side not in position.pot_unplayed
        state.mark_seat(seat, FOOT_PLAYED, foot_played)
    begin_turn(state, position.turn)
    if position.phase == "play":
        state.phase = PLAY
    elif position.phase != "draw":
        raise PositionError(f"a position is in phase draw, play or deal, not {position.phase}")
    for side, played in enumerate(position.caliente_played):
        state.mark_side(side, CALIENTES, played)
    for side, put_backs in enumerate(position.put_backs):
        state.set_put_backs(side, put_backs)
    state.pile_is_from_deal = position.pile_is_from_deal
    state.not_returned = position.not_returned


def lay_set_or_run(state: HandState, seat: int, kinds: list[int]) -> None:
    """Lay a meld of a game with sets, and sequences without wild cards."""
    side = state.side_of[seat]
    ranks = {RANK_OF[kind] for kind in kinds}
    naturals = sorted(rank for rank in ranks if rank < NATURAL_RANKS)
    if ranks == {BLACK_THREE}:
        lay_on_set(state, seat, ROW_BLACK_THREES, slot_to_join(state, side, ROW_BLACK_THREES), kinds)
    elif len(naturals) > 1:
        ordered = sorted(kinds, key=lambda kind: RANK_OF[kind])
        low = naturals[0]
        if [RANK_OF[kind] for kind in ordered] != list(range(low, low + len(kinds))):
            raise PositionError("a meld on the table is neither a set nor a sequence")
        if not state.compiled.runs:
            raise PositionError("a sequence lies on the table of a game without sequences")
        lay_run(state, seat, ordered)
    elif all(state.compiled.role_of_rank[rank] in (NATURAL_CARD, WILD_CARD) for rank in ranks):
        row = naturals[0] if naturals else ROW_WILD
        lay_on_set(state, seat, row, slot_to_join(state, side, row), kinds)
    else:
        raise PositionError("a meld on the table is neither a set nor a sequence")


def lay_set_or_long_run(state: HandState, seat: int, kinds: list[int]) -> None:
    """Lay a set, or a sequence written from low to high with its wild in the place it fills."""
    compiled = state.compiled
    naturals = [kind for kind in kinds if wild_code(kind) == 0]
    ranks = {compiled.rank_of[kind] for kind in naturals}
    if len(ranks) == 1 and len(naturals) > 1:
        row = compiled.rank_of_row.index(ranks.pop())
        lay_on_set(state, seat, row, slot_to_join(state, state.side_of[seat], row), kinds)
        return
    run = new_run(compiled.run_rules, kinds)
    if run == NO_RUN:
        raise PositionError("a meld on the table is neither a set nor a sequence")
    lay_long_run(state, seat, run)


def _check_cards(compiled: CompiledRules, position: Position) -> None:
    """Raise an error if the position has more of any card than the decks contain."""
    left: dict[int, int] = {}
    for kind in compiled.deck:
        left[kind] = left.get(kind, 0) + 1
    places = [*position.hands.values(), *position.feet.values(), *position.bonus.values()]
    places += [meld for melds in position.melds.values() for meld in melds]
    places += [position.pile, position.stock, *position.pots, *position.talons.values()]
    for kinds in places:
        for kind in kinds:
            left[kind] = left.get(kind, 0) - 1
            if left[kind] < 0:
                raise PositionError(f"the decks do not hold so many of {card_text(kind)}")
