"""Refusals: why a move is not allowed, as the clause, the reason and the facts.

What they say in a language is in the catalogues of `canasta.words`, by the name of the reason.
"""

from dataclasses import dataclass, field
from typing import Final

from canasta.engine.law import why_not as r
from canasta.errors import CanastaError
from canasta.rules.plain_data import PlainData

Facts = dict[str, int | str]
"""Numbers, and short texts of the notation: ranks, cards, kinds. `canasta.words.FACTS` names them all."""

NOTATION: Final = "NOTATION"

CLAUSES_OF: Final[dict[int, tuple[str, ...]]] = {
    r.NOT_IN_THIS_PHASE: ("TURN-1",),
    r.HAND_IS_OVER: ("TURN-1", "OUT-6"),
    r.NOT_A_MOVE: (NOTATION,),
    r.UNREADABLE: (NOTATION,),
    r.HAND_IS_NOT_OVER: ("TURN-1",),
    r.GAME_IS_OVER: ("TURN-1",),
    r.STOCK_IS_OUT: ("END-1", "END-4", "END-7", "TURN-1"),
    r.STOCK_IS_NOT_OUT: ("TURN-1", "END-1", "END-4", "END-7"),
    r.MUST_TAKE: ("END-2",),
    r.MUST_TAKE_TOP_CARD: ("END-6",),
    r.NO_DISCARD_AFTER_LAST_RED_THREE: ("END-5",),
    r.PILE_IS_EMPTY: ("PILE-1", NOTATION),
    r.TOP_CARD_CANNOT_BE_TAKEN: ("PILE-10", "DISC-3"),
    r.FROZEN_AT_THE_DEAL: ("PILE-13",),
    r.FROZEN: ("PILE-8",),
    r.ALWAYS_FROZEN: ("PILE-9", "PILE-8"),
    r.ALWAYS_FROZEN_CANASTA: ("PILE-9", "PILE-6"),
    r.FIRST_MELD_NEEDS_PAIR: ("PILE-2",),
    r.NEEDS_PAIR: ("PILE-3", "PILE-1", "PILE-4", "MELD-1", "MELD-2"),
    r.NO_NATURAL_AND_WILD: ("PILE-4",),
    r.NEEDS_NATURAL_PAIR: ("PILE-3", "PILE-9", "PILE-1", "PILE-4", "PILE-8", "MELD-1", "MELD-2"),
    r.NO_MELD_OF_RANK: ("PILE-5", NOTATION),
    r.NOT_ONTO_MELD: ("PILE-5", "PILE-3"),
    r.NOT_ONTO_CANASTA: ("PILE-6",),
    r.NOT_ONTO_RUN: ("PILE-7",),
    r.ONE_CARD_AND_NOT_OUT: ("PILE-11",),
    r.ONE_CARD_AND_SINGLE: ("PILE-11",),
    r.PUT_BACK_BEFORE: ("PILE-12",),
    r.NOTHING_TO_PUT_BACK: ("PILE-12",),
    r.NO_PUT_BACK: ("PILE-12", NOTATION),
    r.PUT_BACK_WITHOUT_STOCK: ("PILE-12",),
    r.NOT_ITS_RANK: ("PILE-1", "PILE-3"),
    r.TOP_CARD_FITS_NOTHING: ("PILE-16",),
    r.TOP_CARD_FIRST: ("PILE-16",),
    r.TAKEN_AS_IT_LIES: ("PILE-16", NOTATION),
    r.PILE_DOES_NOT_GO_ON: ("END-9",),
    r.DEAD_TOP_CARD: ("PILE-14", "MELD-12"),
    r.RANK_WITHOUT_WILDS: ("MELD-10",),
    r.RANK_STAYS_PURE: ("MELD-10",),
    r.MORE_NATURALS_BEFORE_WILD: ("MELD-11",),
    r.DEAD_RANK: ("MELD-12",),
    r.WILDS_ARE_BOUND: ("MELD-13",),
    r.THREES_NEVER_MELDED: ("DECK-5", "MELD-8", "MELD-1"),
    r.NO_PURE_MELD: ("OPEN-7",),
    r.NOT_FROM_THE_HAND: ("OPEN-8",),
    r.MIXED_CANASTA_OPENS: ("OPEN-9",),
    r.THREE_DISCARD: ("DISC-6", "DECK-5", "DISC-1"),
    r.WILD_DISCARD: ("DISC-6",),
    r.SAFE_DISCARD: ("DISC-7",),
    r.NOTHING_TO_DISCARD: ("DISC-6", "DISC-7", "DISC-4"),
    r.UNFINISHED_SETS: ("OUT-8", "DISC-4"),
    r.ASKED_TOO_OFTEN: ("OUT-3",),
    r.NO_SPECIAL_HANDS: ("OUT-10", NOTATION),
    r.SPECIAL_AFTER_OPENING: ("OUT-10",),
    r.NOT_THAT_HAND: ("OUT-10",),
    r.NO_SUCH_SPECIAL_HAND: ("OUT-10", NOTATION),
    r.NO_THREE: (NOTATION, "TURN-6"),
    r.NOTHING_TO_LAY_OUT: ("DECK-5", NOTATION),
    r.TOO_FEW_CARDS: ("MELD-1",),
    r.MIXED_RANKS: ("MELD-1",),
    r.TOO_FEW_NATURALS: ("MELD-2",),
    r.TOO_MANY_WILDS: ("MELD-3", "MELD-2"),
    r.TOO_MANY_FOR_NATURALS: ("MELD-2",),
    r.SET_IS_FULL: ("MELD-1", "MELD-4"),
    r.NO_WILDS_ON_CANASTA: ("MELD-4",),
    r.NO_RUNS: ("MELD-6", "MELD-1"),
    r.RUN_HAS_GAP: ("MELD-6", "MELD-1"),
    r.RUN_SUITS: ("MELD-6",),
    r.RUN_TOO_LONG: ("MELD-6",),
    r.RUN_CARDS: ("MELD-6",),
    r.RUN_DOES_NOT_FIT: ("MELD-6",),
    r.NO_WILD_MELDS: ("MELD-7",),
    r.WILD_SET_IS_FULL: ("MELD-7",),
    r.RED_THREES: ("MELD-1",),
    r.BLACK_THREES_ONLY_OUT: ("MELD-8", "MELD-1"),
    r.BLACK_THREES_BEFORE_FOOT: ("MELD-8", "MELD-1"),
    r.BLACK_THREES_WITH_OTHERS: ("MELD-8", "MELD-1"),
    r.BLACK_THREES_LAST: ("MELD-8",),
    r.CALIENTE_NEVER_MELDED: ("MELD-1", "CALI-1"),
    r.NO_SUCH_MELD: (NOTATION, "MELD-9"),
    r.RUN_IS_FULL: ("MELD-14",),
    r.RUN_TOO_MANY_WILDS: ("MELD-14",),
    r.WILD_STAYS: ("MELD-15", "MELD-14"),
    r.NO_SETS_OF_RANK: ("MELD-16",),
    r.BELOW_MINIMUM: ("OPEN-1", "OPEN-2"),
    r.RED_THREE_DISCARD: ("DISC-1",),
    r.KEEP_NOT_ALLOWED: ("DISC-5", "DISC-1", NOTATION),
    r.KEEP_WITH_MORE_CARDS: ("DISC-5",),
    r.KEEP_BUT_CAN_GO_OUT: ("DISC-5",),
    r.NOT_THROWN_BACK: ("DISC-9",),
    r.WILD_CANNOT_BE_LAST: ("DISC-8",),
    r.CANASTAS_MISSING: ("OUT-1", "DISC-4"),
    r.MUST_ASK: ("OUT-3", "DISC-4"),
    r.PARTNER_SAID_NO: ("OUT-3", "DISC-4"),
    r.PARTNERS_FOOT: ("OUT-5", "DISC-4"),
    r.OUT_ONLY_BY_DISCARD: ("OUT-7", "DISC-4"),
    r.NOBODY_TO_ASK: ("OUT-3",),
    r.ASKED_BEFORE: ("OUT-3",),
    r.ASK_BEFORE_MELDING: ("OUT-3",),
    r.ASKING_STRANDS: ("OUT-3", "DISC-4"),
    r.NO_ASKING: ("OUT-3",),
    r.NO_CALIENTE_CARD: (NOTATION, "CALI-1"),
    r.SECOND_CALIENTE: ("CALI-3", "TURN-1"),
    r.AHEAD_IN_MELDS: ("CALI-1",),
    r.CALIENTE_STOCK_OUT: ("CALI-1", "CALI-2"),
    r.CALIENTE_STRANDS: ("CALI-1", "DISC-4"),
    r.NO_RED_THREE: (NOTATION, "TURN-4"),
    r.RED_THREES_LAY_THEMSELVES: ("TURN-4", "TURN-3"),
    r.LAYING_STRANDS: ("TURN-4", "DISC-4"),
    r.NOT_IN_HAND: (NOTATION,),
    r.TOO_FEW_IN_HAND: (NOTATION,),
    r.NOTHING_TO_UNDO: (NOTATION, "MELD-9"),
    r.UNDO_REVEALED: ("MELD-9",),
    r.NO_UNDO: ("MELD-9",),
    r.OPPONENTS_MELD: ("MELD-9",),
    r.WHICH_THREE: (NOTATION,),
}
"""The clauses that stand behind each reason, the first before all."""

REASON_NAMES: Final[dict[int, str]] = {
    number: name for name, number in vars(r).items() if name.isupper() and isinstance(number, int)
}


@dataclass(frozen=True)
class Refusal(PlainData):
    """A move that the rules do not allow; `canasta.words.tell_refusal` says it in a sentence."""

    clause: str
    """Id of the rulebook clause that the move breaks; `NOTATION` when the text is at fault."""
    reason: int
    """A number of `law.why_not`."""
    also: tuple[str, ...] = ()
    """Further clauses that the same move breaks or that say the same thing."""
    facts: Facts = field(default_factory=dict)
    """What is behind it: needed 90, have 75."""
    caliente_names: bool = False
    """The table plays with the names of the Caliente booklets."""

    def __hash__(self) -> int:
        return hash((self.clauses, self.reason, tuple(sorted(self.facts)), self.caliente_names))

    @property
    def clauses(self) -> tuple[str, ...]:
        return (self.clause, *self.also)

    @property
    def code(self) -> str:
        """The name of the reason: `FROZEN`."""
        return REASON_NAMES[self.reason]

    def __str__(self) -> str:
        facts = ", ".join([f"{name} {fact}" for name, fact in self.facts.items()])
        return f"{self.clause}: {self.code}" + (f" ({facts})" if facts else "")


class RefusedMove(CanastaError):
    """Raised when a refused move is applied; nothing has changed.

    `said` is what it shows where there are words for it: the engine itself has none.
    """

    def __init__(self, refusal: Refusal, said: str = "") -> None:
        super().__init__(said or str(refusal))
        self.refusal = refusal
        self.said = said

    def __reduce__(self) -> tuple[type["RefusedMove"], tuple[Refusal, str]]:
        return (RefusedMove, (self.refusal, self.said))


def refuse(
    reason: int, facts: Facts | None = None, also: tuple[str, ...] = (), *, first: tuple[str, ...] = ()
) -> Refusal:
    """The refusal for a reason; the clauses `first` come before those that usually stand behind it."""
    clauses = tuple(dict.fromkeys((*first, *CLAUSES_OF[reason], *also)))
    return Refusal(
        clause=clauses[0], reason=reason, also=clauses[1:], facts=facts if facts is not None else {}
    )
