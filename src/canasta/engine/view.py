"""Views: what one seat may see. Bots, learners, browsers and spectators only ever get a view."""

from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from canasta.engine.melds import ROW_RUN, MeldName
from canasta.engine.state import ANSWER, DRAW, OVER, PLAY, HandState, cards_held
from canasta.rules.model import PlainData


@dataclass(frozen=True)
class MeldOnTable(PlainData):
    name: MeldName
    cards: tuple[int, ...]
    """The cards of a set in the order laid, those of a sequence from low to high."""
    canasta: int
    """`NATURAL`, `MIXED`, `WILD`, `SAMBA` or `NOT_A_CANASTA`."""


def melds_of(state: HandState, side: int) -> list[MeldOnTable]:
    """Return a side's melds in the order in which they were started."""
    cards: dict[int, list[int]] = {}
    for card in state.cards_laid_by(side):
        cards.setdefault(card >> 6, []).append(card & 63)
    melds: list[MeldOnTable] = []
    slots = state.compiled.slots
    for meld, kinds in cards.items():
        if meld >= slots.count:
            index = meld - slots.count
            run = state.runs[side][index]
            kind = state.compiled.family.canasta_of_run(state.compiled, run)
            in_order = state.compiled.family.in_order(run, kinds)
            melds.append(MeldOnTable(MeldName(ROW_RUN, index + 1), tuple(in_order), kind))
        else:
            kind = state.canasta_kind(state.naturals(side, meld), state.wilds(side, meld))
            melds.append(MeldOnTable(state.compiled.set_name(meld), tuple(kinds), kind))
    return melds


PHASE_NAMES: Final = {DRAW: "draw", PLAY: "play", ANSWER: "answer", OVER: "over"}
HIDDEN: Final = -1
"""Placeholder for a card that the viewer does not see."""


# Both options are needed: with `serializable` alone, mypyc creates an empty object when unpickling.
@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class View:
    """A hand as seen from one seat, or by a spectator (`seat` is `None`). It contains no hidden cards.

    `state` is a hand state with its hidden cards blanked: other hands keep only their sizes, and the stock
    and the feet are lists of `HIDDEN`. On the viewer's own turn you can query the rules on it
    (`legal_steps`); at any time you can fill it with a possible deal (`determinize`).

    The view contains the whole pile, as a player who saw every discard remembers it. `pile_shown` is the part
    of it that the table shows.
    """

    def __init__(self, state: HandState, seat: int | None, scores: list[int]) -> None:
        self.seat: int | None = seat
        self.state: HandState = redact(state, seat)
        self.scores: list[int] = scores

    def __eq__(self, other: object) -> bool:
        """Return whether both views show the same."""
        return isinstance(other, View) and self.facts() == other.facts()

    def __hash__(self) -> int:
        return hash(self.facts())

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}, which holds {len(self.hand)} cards"
        does = "hand over" if self.phase == "over" else f"seat {self.turn} to {self.phase}"
        return (
            f"<View of {who}: {does}, {self.state.pile_size()} cards in the pile, {self.stock_size} in stock>"
        )

    @property
    def phase(self) -> str:
        return PHASE_NAMES[self.state.phase]

    @property
    def turn(self) -> int:
        """The seat to act; while a question is pending, the seat that must answer it."""
        return self.state.answering if self.state.phase == ANSWER else self.state.turn

    @property
    def hand(self) -> list[int]:
        """The viewer's own cards."""
        return [] if self.seat is None else cards_held(self.state, self.seat)

    @property
    def stock_size(self) -> int:
        return self.state.stock_size()

    @property
    def pile_shown(self) -> list[int]:
        """The pile as shown on the table, bottom to top.

        If nobody may look through it, `HIDDEN` replaces every card except the top one and the crosswise cards
        that freeze the pile (DISC-2).
        """
        pile = self.state.pile
        if self.state.compiled.rules.pile.look_through:
            return pile
        freezes = self.state.compiled.freezes
        shown = [kind if freezes[kind] else HIDDEN for kind in pile]
        shown[-1:] = pile[-1:]
        return shown

    def melds(self, side: int) -> list[MeldOnTable]:
        return melds_of(self.state, side)

    def facts(self) -> tuple[object, ...]:
        """Return everything the view shows, for comparison."""
        return (self.seat, tuple(self.scores), *state_facts(self.state))


def state_facts(state: HandState) -> tuple[object, ...]:
    """Return everything that makes up a state, in a comparable and hashable form."""
    before = state.before_take
    return (
        tuple(state.order),
        tuple(state.packed.getvalue()[: state.offsets.deck_size_at]),
        _nested(state.feet),
        _nested(state.pots),
        tuple(state.deck[state.at :]),
        tuple(state.pile),
        state.frozen,
        state.pile_is_from_deal,
        _nested(state.runs),
        tuple(state.packed.getvalue()[state.offsets.laid_from :]),
        _nested(state.bonus),
        _nested(state.talons),
        state.talon_due,
        (state.special, state.special_by, tuple(state.special_cards)),
        state.turn,
        state.phase,
        state.asked,
        state.asked_in,
        state.answering,
        state.fresh,
        state.laid_before,
        state.melded_now,
        state.opening_points,
        state.minimum_surcharge,
        state.pile_due,
        state.took_back,
        state.caliente_now,
        state.black_threes_now,
        state.no_discard,
        state.last_discard,
        state.face_down,
        state.top_due,
        state.not_returned,
        state.turns_without_draw,
        state.out,
        None if before is None else state_facts(before),
    )


def _nested(lists: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(inner) for inner in lists)


def redact(state: HandState, seat: int | None) -> HandState:
    """Return a copy without the cards this seat may not see; `None` sees only what is open on the table."""
    seen = state.copy()
    for other in range(len(seen.side_of)):
        if other != seat:
            seen.hide(other)
    seen.set_deck([HIDDEN] * state.stock_size())
    seen.at = 0
    seen.feet = [
        [HIDDEN] * len(foot) if waits else []
        for foot, waits in zip(state.feet, state.feet_wait(), strict=True)
    ]
    seen.pots = [[HIDDEN] * len(pot) for pot in state.pots]
    if state.compiled.talon:
        seen.talons = [
            talon if other == seat else [HIDDEN] * len(talon) for other, talon in enumerate(state.talons)
        ]
    if state.face_down and state.out != seat:
        seen.lift_top_card()
        seen.put_on_pile(HIDDEN)
    if state.before_take is not None:
        seen.before_take = redact(state.before_take, seat)
    return seen
