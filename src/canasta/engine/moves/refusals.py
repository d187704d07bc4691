"""Refusals: why a move is not allowed, as a clause, a reason and facts.

The player-facing text is in the catalogue part `refusals`, keyed by the name of the reason.
"""

from dataclasses import dataclass, field
from typing import Final

from canasta.engine.cards import NATURAL_RANKS, RANK_OF, RANK_TEXTS, card_text
from canasta.engine.feasibility.contract import points_apart
from canasta.engine.law import reasons
from canasta.engine.law.going_out import canastas_asked
from canasta.engine.melds import KIND_NAMES, NEW
from canasta.engine.state import ANSWER, DRAW, HandState
from canasta.errors import CanastaError
from canasta.i18n import Facts, Message, MessageText
from canasta.rules.model import GoingOutRules, PlainData

NOTATION: Final = "NOTATION"

CLAUSES_OF: Final[dict[int, tuple[str, ...]]] = {
    reasons.NOT_IN_THIS_PHASE: ("TURN-1",),
    reasons.HAND_IS_OVER: ("TURN-1", "OUT-6"),
    reasons.NOT_A_MOVE: (NOTATION,),
    reasons.UNREADABLE: (NOTATION,),
    reasons.HAND_IS_NOT_OVER: ("TURN-1",),
    reasons.GAME_IS_OVER: ("TURN-1",),
    reasons.STOCK_IS_OUT: ("END-1", "END-4", "END-7", "TURN-1"),
    reasons.STOCK_IS_NOT_OUT: ("TURN-1", "END-1", "END-4", "END-7"),
    reasons.MUST_TAKE: ("END-2",),
    reasons.MUST_TAKE_TOP_CARD: ("END-6",),
    reasons.NO_DISCARD_AFTER_LAST_RED_THREE: ("END-5",),
    reasons.PILE_IS_EMPTY: ("PILE-1", NOTATION),
    reasons.TOP_CARD_CANNOT_BE_TAKEN: ("PILE-10", "DISC-3"),
    reasons.FROZEN_AT_THE_DEAL: ("PILE-13",),
    reasons.FROZEN: ("PILE-8",),
    reasons.ALWAYS_FROZEN: ("PILE-9", "PILE-8"),
    reasons.ALWAYS_FROZEN_CANASTA: ("PILE-9", "PILE-6"),
    reasons.FIRST_MELD_NEEDS_PAIR: ("PILE-2",),
    reasons.NEEDS_PAIR: ("PILE-3", "PILE-1", "PILE-4", "MELD-1", "MELD-2"),
    reasons.NO_NATURAL_AND_WILD: ("PILE-4",),
    reasons.NEEDS_NATURAL_PAIR: ("PILE-3", "PILE-9", "PILE-1", "PILE-4", "PILE-8", "MELD-1", "MELD-2"),
    reasons.NO_MELD_OF_RANK: ("PILE-5", NOTATION),
    reasons.NOT_ONTO_MELD: ("PILE-5", "PILE-3"),
    reasons.NOT_ONTO_CANASTA: ("PILE-6",),
    reasons.NOT_ONTO_RUN: ("PILE-7",),
    reasons.ONE_CARD_AND_NOT_OUT: ("PILE-11",),
    reasons.ONE_CARD_AND_SINGLE: ("PILE-11",),
    reasons.PUT_BACK_BEFORE: ("PILE-12",),
    reasons.NOTHING_TO_PUT_BACK: ("PILE-12",),
    reasons.NO_PUT_BACK: ("PILE-12", NOTATION),
    reasons.PUT_BACK_WITHOUT_STOCK: ("PILE-12",),
    reasons.NOT_ITS_RANK: ("PILE-1", "PILE-3"),
    reasons.TOP_CARD_FITS_NOTHING: ("PILE-16",),
    reasons.TOP_CARD_FIRST: ("PILE-16",),
    reasons.TAKEN_AS_IT_LIES: ("PILE-16", NOTATION),
    reasons.PILE_DOES_NOT_GO_ON: ("END-9",),
    reasons.DEAD_TOP_CARD: ("PILE-14", "MELD-12"),
    reasons.RANK_WITHOUT_WILDS: ("MELD-10",),
    reasons.RANK_STAYS_PURE: ("MELD-10",),
    reasons.MORE_NATURALS_BEFORE_WILD: ("MELD-11",),
    reasons.DEAD_RANK: ("MELD-12",),
    reasons.WILDS_ARE_BOUND: ("MELD-13",),
    reasons.THREES_NEVER_MELDED: ("DECK-5", "MELD-8", "MELD-1"),
    reasons.NO_PURE_MELD: ("OPEN-7",),
    reasons.NOT_FROM_THE_HAND: ("OPEN-8",),
    reasons.MIXED_CANASTA_OPENS: ("OPEN-9",),
    reasons.THREE_DISCARD: ("DISC-6", "DECK-5", "DISC-1"),
    reasons.WILD_DISCARD: ("DISC-6",),
    reasons.SAFE_DISCARD: ("DISC-7",),
    reasons.NOTHING_TO_DISCARD: ("DISC-6", "DISC-7", "DISC-4"),
    reasons.UNFINISHED_SETS: ("OUT-8", "DISC-4"),
    reasons.ASKED_TOO_OFTEN: ("OUT-3",),
    reasons.NO_SPECIAL_HANDS: ("OUT-10", NOTATION),
    reasons.SPECIAL_AFTER_OPENING: ("OUT-10",),
    reasons.NOT_THAT_HAND: ("OUT-10",),
    reasons.NO_SUCH_SPECIAL_HAND: ("OUT-10", NOTATION),
    reasons.NO_THREE: (NOTATION, "TURN-6"),
    reasons.NOTHING_TO_LAY_OUT: ("DECK-5", NOTATION),
    reasons.TOO_FEW_CARDS: ("MELD-1",),
    reasons.MIXED_RANKS: ("MELD-1",),
    reasons.TOO_FEW_NATURALS: ("MELD-2",),
    reasons.TOO_MANY_WILDS: ("MELD-3", "MELD-2"),
    reasons.TOO_MANY_FOR_NATURALS: ("MELD-2",),
    reasons.SET_IS_FULL: ("MELD-1", "MELD-4"),
    reasons.NO_WILDS_ON_CANASTA: ("MELD-4",),
    reasons.NO_RUNS: ("MELD-6", "MELD-1"),
    reasons.RUN_HAS_GAP: ("MELD-6", "MELD-1"),
    reasons.RUN_SUITS: ("MELD-6",),
    reasons.RUN_TOO_LONG: ("MELD-6",),
    reasons.RUN_CARDS: ("MELD-6",),
    reasons.RUN_DOES_NOT_FIT: ("MELD-6",),
    reasons.NO_WILD_MELDS: ("MELD-7",),
    reasons.WILD_SET_IS_FULL: ("MELD-7",),
    reasons.RED_THREES: ("MELD-1",),
    reasons.BLACK_THREES_ONLY_OUT: ("MELD-8", "MELD-1"),
    reasons.BLACK_THREES_BEFORE_FOOT: ("MELD-8", "MELD-1"),
    reasons.BLACK_THREES_WITH_OTHERS: ("MELD-8", "MELD-1"),
    reasons.BLACK_THREES_LAST: ("MELD-8",),
    reasons.CALIENTE_NEVER_MELDED: ("MELD-1", "CALI-1"),
    reasons.NO_SUCH_MELD: (NOTATION, "MELD-9"),
    reasons.RUN_IS_FULL: ("MELD-14",),
    reasons.RUN_TOO_MANY_WILDS: ("MELD-14",),
    reasons.WILD_STAYS: ("MELD-15", "MELD-14"),
    reasons.NO_SETS_OF_RANK: ("MELD-16",),
    reasons.BELOW_MINIMUM: ("OPEN-1", "OPEN-2"),
    reasons.RED_THREE_DISCARD: ("DISC-1",),
    reasons.KEEP_NOT_ALLOWED: ("DISC-5", "DISC-1", NOTATION),
    reasons.KEEP_WITH_MORE_CARDS: ("DISC-5",),
    reasons.KEEP_BUT_CAN_GO_OUT: ("DISC-5",),
    reasons.NOT_THROWN_BACK: ("DISC-9",),
    reasons.WILD_CANNOT_BE_LAST: ("DISC-8",),
    reasons.CANASTAS_MISSING: ("OUT-1", "DISC-4"),
    reasons.MUST_ASK: ("OUT-3", "DISC-4"),
    reasons.PARTNER_SAID_NO: ("OUT-3", "DISC-4"),
    reasons.PARTNERS_FOOT: ("OUT-5", "DISC-4"),
    reasons.OUT_ONLY_BY_DISCARD: ("OUT-7", "DISC-4"),
    reasons.NOBODY_TO_ASK: ("OUT-3",),
    reasons.ASKED_BEFORE: ("OUT-3",),
    reasons.ASK_BEFORE_MELDING: ("OUT-3",),
    reasons.ASKING_STRANDS: ("OUT-3", "DISC-4"),
    reasons.NO_ASKING: ("OUT-3",),
    reasons.NO_CALIENTE_CARD: (NOTATION, "CALI-1"),
    reasons.SECOND_CALIENTE: ("CALI-3", "TURN-1"),
    reasons.AHEAD_IN_MELDS: ("CALI-1",),
    reasons.CALIENTE_STOCK_OUT: ("CALI-1", "CALI-2"),
    reasons.CALIENTE_STRANDS: ("CALI-1", "DISC-4"),
    reasons.NO_RED_THREE: (NOTATION, "TURN-4"),
    reasons.RED_THREES_LAY_THEMSELVES: ("TURN-4", "TURN-3"),
    reasons.LAYING_STRANDS: ("TURN-4", "DISC-4"),
    reasons.NOT_IN_HAND: (NOTATION,),
    reasons.TOO_FEW_IN_HAND: (NOTATION,),
    reasons.NOTHING_TO_UNDO: (NOTATION, "MELD-9"),
    reasons.UNDO_REVEALED: ("MELD-9",),
    reasons.NO_UNDO: ("MELD-9",),
    reasons.OPPONENTS_MELD: ("MELD-9",),
    reasons.WHICH_THREE: (NOTATION,),
}
"""The clauses behind each reason, the most important first."""

REASON_NAMES: Final[dict[int, str]] = {
    number: name for name, number in vars(reasons).items() if name.isupper() and isinstance(number, int)
}


@dataclass(frozen=True)
class Refusal(PlainData):
    """Why the rules do not allow a move."""

    clause: str
    """Id of the rulebook clause that the move breaks; `NOTATION` if the text itself is wrong."""
    reason: int
    """A reason code from `law.reasons`."""
    also: tuple[str, ...] = ()
    """Further clauses that the move breaks or that say the same."""
    facts: Facts = field(default_factory=dict)
    """The numbers behind the refusal, such as needed 90, have 75."""
    caliente_names: bool = False
    """Whether the table uses the card names of the Caliente booklets."""

    def __hash__(self) -> int:
        return hash((self.clauses, self.reason, tuple(sorted(self.facts)), self.caliente_names))

    @property
    def clauses(self) -> tuple[str, ...]:
        return (self.clause, *self.also)

    @property
    def code(self) -> str:
        """The name of the reason, such as `FROZEN`."""
        return REASON_NAMES[self.reason]

    @property
    def message(self) -> Message:
        return Message(f"refusals.{self.code}", self.facts)

    def text(self, lang: str = "en") -> MessageText:
        """Return the refusal and its remedy in a language."""
        return self.message.text(lang, caliente=self.caliente_names)

    def __str__(self) -> str:
        facts = ", ".join([f"{name} {fact}" for name, fact in self.facts.items()])
        return f"{self.clause}: {self.code}" + (f" ({facts})" if facts else "")


class RefusedMove(CanastaError):
    """Raised when an illegal move is applied; the state is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    def __str__(self) -> str:
        """Return the refusal in full: why, what to do instead, and the clause."""
        return f"{self.refusal.text()} ({self.refusal.clause})"


def refuse(
    reason: int, facts: Facts | None = None, also: tuple[str, ...] = (), *, first: tuple[str, ...] = ()
) -> Refusal:
    """Return the refusal for a reason. The clauses in `first` precede its usual clauses."""
    clauses = tuple(dict.fromkeys((*first, *CLAUSES_OF[reason], *also)))
    return Refusal(
        clause=clauses[0], reason=reason, also=clauses[1:], facts=facts if facts is not None else {}
    )


def situation(state: HandState, asking: bool = False) -> str:
    """Return the situation of the turn: `question`, `unasked`, `drawing` or `drawn`."""
    if state.phase == ANSWER:
        return "question"
    if state.answering < 0 and asking:
        return "unasked"
    return "drawing" if state.phase == DRAW else "drawn"


def pile_facts(state: HandState, naturals: int) -> Facts:
    rank = RANK_OF[state.top_card()]
    return {
        "rank": RANK_TEXTS[rank],
        "naturals": naturals,
        "held": state.count(state.turn, rank),
        "pile": state.pile_size(),
        "short": state.compiled.canasta_size - 1,
    }


def meld_facts(state: HandState, row: int, slot: int, naturals: int, wilds: int) -> Facts:
    """Return the facts of the set that these cards would form."""
    compiled = state.compiled
    side = state.side_of[state.turn]
    if slot != NEW:
        naturals += state.naturals(side, slot)
        wilds += state.wilds(side, slot)
    melds = compiled.rules.melds
    most = melds.most_wilds
    if row >= NATURAL_RANKS:
        most = compiled.canasta_size
    elif naturals + wilds > compiled.largest_set:
        most = compiled.largest_set
    return {
        "size": naturals + wilds,
        "naturals": naturals,
        "wilds": wilds,
        # If there are enough naturals for a set, the wild card is what lacks naturals (MELD-11).
        "needed": max(melds.least_naturals, melds.naturals_before_wild)
        if naturals >= melds.least_naturals
        else melds.least_naturals,
        "most": most,
        "room": compiled.wild_room[min(naturals, len(compiled.wild_room) - 1)],
    }


def end_facts(state: HandState) -> Facts:
    """Return what the side needs to open or to go out, and what it has."""
    side = state.side_of[state.turn]
    if state.is_opening():
        needed = state.minimum(side) + state.minimum_surcharge
        # If the first meld must come from the hand alone, the top card counts on neither side.
        top = state.minimum_surcharge if state.compiled.from_hand else 0
        return {"needed": needed - top, "have": state.opening_points - top - points_apart(state)}
    facts: Facts = {
        "canastas": _canastas_needed(state.compiled.rules.going_out),
        "there": _counted(state.canasta_counts(side)),
        "keeping": "last" if state.compiled.keep_last_card else "two",
    }
    if state.top_due:
        facts["card"] = card_text(state.taken_top)
    return facts


def _canastas_needed(rules: GoingOutRules) -> str:
    """Return the canastas required by OUT-1, as in `2 natural 1 wild`. A leading `any` is the total."""
    return " ".join([f"{count} {kind}" for kind, count in canastas_asked(rules)])


def _counted(counts: list[int]) -> str:
    return " ".join([f"{count} {kind}" for count, kind in zip(counts, KIND_NAMES, strict=True) if count > 0])
