"""Refusals: why a move is not allowed, with the rule, the facts and the remedy.

`CATALOGUE` holds every text, keyed by the reason that a rule answers with. A text may name facts in braces.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from canasta.engine.law import why_not as r
from canasta.errors import CanastaError
from canasta.rules.plain_data import PlainData


@dataclass(frozen=True)
class Refusal(PlainData):
    """A move that the rules do not allow."""

    clause: str
    """Id of the rulebook clause that the move breaks; `NOTATION` when the text is at fault."""
    message: str
    """One sentence for a player."""
    also: tuple[str, ...] = ()
    """Further clauses that the same move breaks or that say the same thing."""
    facts: dict[str, int | str] = field(default_factory=dict)
    """Numbers behind the sentence: needed 90, have 75."""
    remedy: str = ""
    """What to do instead; empty where there is nothing."""
    reason: int = 0
    """The number of the text in `reasons`; 0 for a refusal that is not of the catalogue."""

    @property
    def clauses(self) -> tuple[str, ...]:
        return (self.clause, *self.also)


class RefusedMove(CanastaError):
    """Raised when a refused move is applied; nothing has changed.

    `said` is what it shows where there are words for it: the engine itself has none.
    """

    def __init__(self, refusal: Refusal, said: str = "") -> None:
        super().__init__(said or f"{refusal.clause}: {refusal.message}")
        self.refusal = refusal
        self.said = said

    def __reduce__(self) -> tuple[type["RefusedMove"], tuple[Refusal, str]]:
        return (RefusedMove, (self.refusal, self.said))


@dataclass(frozen=True)
class Entry(PlainData):
    """One reason in words."""

    clauses: tuple[str, ...]
    message: str
    remedy: str = ""


NOTATION: Final = "NOTATION"

CATALOGUE: Final[dict[int, Entry]] = {
    r.NOT_IN_THIS_PHASE: Entry(("TURN-1",), "You cannot {move} now: {situation}.", "{next_action}"),
    r.HAND_IS_OVER: Entry(("TURN-1", "OUT-6"), "The hand is over.", ""),
    r.NOT_A_MOVE: Entry((NOTATION,), "That is no move: {defect}.", ""),
    r.STOCK_IS_OUT: Entry(
        ("END-1", "END-4", "END-7", "TURN-1"),
        "The stock is used up: there is nothing to draw.",
        "Take the pile if you can, or pass.",
    ),
    r.STOCK_IS_NOT_OUT: Entry(
        ("TURN-1", "END-1", "END-4", "END-7"),
        "You may only pass once the stock is used up; cards left in it: {stock}.",
        "Draw, or take the pile.",
    ),
    r.MUST_TAKE: Entry(
        ("END-2",),
        "The stock is used up, the pile is not frozen and its {top} fits a meld of your side: "
        "you must take it.",
        "Take the pile onto that meld.",
    ),
    r.MUST_TAKE_TOP_CARD: Entry(
        ("END-6",),
        "The stock is used up and the {top} fits one of your melds: you must take that card, and it alone.",
        "Take it onto that meld.",
    ),
    r.NO_DISCARD_AFTER_LAST_RED_THREE: Entry(
        ("END-5",),
        "The last card of the stock was a red three: you may meld, but not discard.",
        "Pass to close the hand.",
    ),
    r.PILE_IS_EMPTY: Entry(("PILE-1", "NOTATION"), "The pile is empty.", "Draw from the stock."),
    r.TOP_CARD_CANNOT_BE_TAKEN: Entry(
        ("PILE-10", "DISC-3"),
        "The pile cannot be taken while its top card is {a_top}.",
        "Draw; another discard may open it again.",
    ),
    r.FROZEN_AT_THE_DEAL: Entry(
        ("PILE-13",),
        "The pile was frozen by the deal: the first player of the hand cannot take it at all.",
        "Draw from the stock.",
    ),
    r.FROZEN: Entry(
        ("PILE-8",),
        "The pile is frozen: you need two natural {rank} from your hand, you offer {naturals}.",
        "Take it with two natural {rank}, or draw.",
    ),
    r.ALWAYS_FROZEN: Entry(
        ("PILE-9", "PILE-8"),
        "The pile is always frozen in this game: you need two natural {rank} from your hand, or a meld of "
        "{rank} with {short} cards at the most; you offer {naturals} natural.",
        "Take it with two natural {rank}, onto such a meld, or draw.",
    ),
    r.ALWAYS_FROZEN_CANASTA: Entry(
        ("PILE-9", "PILE-6"),
        "The pile is always frozen in this game: its top card may be added to a meld of {short} cards at "
        "the most, and this one has {size}.",
        "Take it with two natural {rank}, or draw.",
    ),
    r.FIRST_MELD_NEEDS_PAIR: Entry(
        ("PILE-2",),
        "Before your side's first meld only two natural {rank} from your hand take the pile.",
        "Take it with two natural {rank} and reach the minimum, or draw.",
    ),
    r.NEEDS_PAIR: Entry(
        ("PILE-3", "PILE-1", "PILE-4", "MELD-1", "MELD-2"),
        "The top card must be melded with two cards from your hand, at least one of them a natural {top}.",
        "Offer two natural {rank}, add it to a meld, or draw.",
    ),
    r.NO_NATURAL_AND_WILD: Entry(
        ("PILE-4",),
        "In this game a natural card and a wild do not take the pile.",
        "Take it with two natural {rank}, or draw.",
    ),
    r.NO_MELD_OF_RANK: Entry(
        ("PILE-5", "NOTATION"),
        "Your side has no such meld that the {top} could be added to.",
        "Take the pile with two cards from your hand, or draw.",
    ),
    r.NOT_ONTO_MELD: Entry(
        ("PILE-5",),
        "In this game the top card cannot be added to a meld.",
        "Take it with two natural {rank}.",
    ),
    r.NOT_ONTO_CANASTA: Entry(
        ("PILE-6",),
        "The top card cannot be added to a completed canasta.",
        "Take it with two natural {rank}, or draw.",
    ),
    r.NOT_ONTO_RUN: Entry(
        ("PILE-7",),
        "In this game sequences are made from the hand only: the top card cannot be added to one.",
        "Take it with two natural {rank}, or draw.",
    ),
    r.ONE_CARD_AND_NOT_OUT: Entry(
        ("PILE-11",),
        "With one card in hand you may take the pile only if you can then go out, and your side lacks "
        "canastas.",
        "Draw from the stock.",
    ),
    r.ONE_CARD_AND_SINGLE: Entry(
        ("PILE-11",),
        "With one card in hand you may not take a pile of one card.",
        "Draw from the stock.",
    ),
    r.PUT_BACK_BEFORE: Entry(
        ("PILE-12",), "You have put the pile back in this turn: no second try.", "Draw from the stock."
    ),
    r.NOTHING_TO_PUT_BACK: Entry(
        ("PILE-12",), "The pile can only be put back at once after it was taken.", ""
    ),
    r.NO_PUT_BACK: Entry(("PILE-12", NOTATION), "At this table the pile is not put back.", ""),
    r.PUT_BACK_WITHOUT_STOCK: Entry(("PILE-12",), "The pile cannot be put back: the stock is used up.", ""),
    r.NOT_ITS_RANK: Entry(
        ("PILE-1", "PILE-3"),
        "The top card is {a_top}: it is melded with cards of its own rank, and wilds where they are allowed.",
        "Offer two natural {rank}, or draw.",
    ),
    r.TOO_FEW_CARDS: Entry(("MELD-1",), "A meld has at least three cards; this one would have {size}.", ""),
    r.MIXED_RANKS: Entry(
        ("MELD-1",), "A set is made of cards of one rank, with wilds where they are allowed.", ""
    ),
    r.TOO_FEW_NATURALS: Entry(
        ("MELD-2",), "A set needs at least {needed} natural cards; this one would have {naturals}.", ""
    ),
    r.TOO_MANY_WILDS: Entry(
        ("MELD-3", "MELD-2"), "Of wilds a set may hold {most} at the most; this one would have {wilds}.", ""
    ),
    r.TOO_MANY_FOR_NATURALS: Entry(
        ("MELD-2",),
        "Of wilds a set with {naturals} naturals may hold {room} at the most; this one would have {wilds}.",
        "Add natural cards first.",
    ),
    r.SET_IS_FULL: Entry(
        ("MELD-1", "MELD-4"),
        "A set closes at {most} cards; this one would have {size}.",
        "Use the other cards elsewhere.",
    ),
    r.NO_WILDS_ON_CANASTA: Entry(
        ("MELD-4",), "In this game no wild is added to a completed canasta.", "Use it on another meld."
    ),
    r.NO_RUNS: Entry(
        ("MELD-6", "MELD-1"), "Sequences are no melds in this game: a meld is cards of one rank.", ""
    ),
    r.RUN_HAS_GAP: Entry(
        ("MELD-6", "MELD-1"),
        "These cards are neither of one rank nor in sequence.",
        "A sequence has one card of each rank, none left out.",
    ),
    r.RUN_SUITS: Entry(("MELD-6",), "A sequence is of one suit.", ""),
    r.RUN_TOO_LONG: Entry(("MELD-6",), "A sequence closes at {most} cards; this one would have {size}.", ""),
    r.RUN_CARDS: Entry(("MELD-6",), "A sequence takes neither wilds nor threes.", ""),
    r.RUN_DOES_NOT_FIT: Entry(("MELD-6",), "That card fits neither end of the sequence.", ""),
    r.NO_WILD_MELDS: Entry(
        ("MELD-7",), "In this game wilds are not melded by themselves.", "Add them to natural cards."
    ),
    r.WILD_SET_IS_FULL: Entry(
        ("MELD-7",), "A meld of wilds closes at {most} cards; this one would have {size}.", ""
    ),
    r.RED_THREES: Entry(
        ("MELD-1",), "Red threes are never melded with other cards: they are laid out by themselves.", ""
    ),
    r.BLACK_THREES_ONLY_OUT: Entry(
        ("MELD-8", "MELD-1"),
        "Black threes are melded only in going out, with one more card at the most, and you have {others} "
        "others.",
        "Discard them one at a time instead.",
    ),
    r.BLACK_THREES_BEFORE_FOOT: Entry(
        ("MELD-8", "MELD-1"),
        "Black threes are melded only in going out, and your foot still waits to be played.",
        "Discard them one at a time instead.",
    ),
    r.BLACK_THREES_WITH_OTHERS: Entry(
        ("MELD-8", "MELD-1"), "Black threes are melded by themselves, without wilds or other cards.", ""
    ),
    r.BLACK_THREES_LAST: Entry(
        ("MELD-8",),
        "Black threes are the last meld: now only more of them, and with three laid the last discard.",
        "",
    ),
    r.CALIENTE_NEVER_MELDED: Entry(
        ("MELD-1", "CALI-1"), "A Caliente card is played or discarded, never melded.", ""
    ),
    r.NO_SUCH_MELD: Entry((NOTATION, "MELD-9"), "Your side has no such meld.", "Your melds: {melds}."),
    r.BELOW_MINIMUM: Entry(
        ("OPEN-1", "OPEN-2"),
        "Your side's first meld must be worth at least {needed} points; this is worth {have}.",
        "Lay more at once, or wait.",
    ),
    r.RED_THREE_DISCARD: Entry(("DISC-1",), "A red three can never be discarded.", "Lay it out."),
    r.KEEP_NOT_ALLOWED: Entry(
        ("DISC-5", "DISC-1", NOTATION), "In this game every turn ends with a discard.", "Discard a card."
    ),
    r.KEEP_WITH_MORE_CARDS: Entry(
        ("DISC-5",), "Only the last card in hand may be kept; you have {size}.", "Discard a card."
    ),
    r.KEEP_BUT_CAN_GO_OUT: Entry(
        ("DISC-5",), "You may go out, so the last card is discarded.", "Discard it."
    ),
    r.CANASTAS_MISSING: Entry(
        ("OUT-1", "DISC-4"),
        "You may not go out yet: your side needs {needed}, and has {have}.",
        "{keeping}",
    ),
    r.MUST_ASK: Entry(
        ("OUT-3", "DISC-4"),
        "You must ask your partner before you go out, and before you meld in that turn.",
        "Keep a card in this turn, and ask at the start of the next.",
    ),
    r.PARTNER_SAID_NO: Entry(
        ("OUT-3", "DISC-4"), "Your partner said no: you may not go out in this turn.", "Keep a card."
    ),
    r.PARTNERS_FOOT: Entry(
        ("OUT-5", "DISC-4"),
        "You may not go out before everyone of your side has picked up the foot and played from it.",
        "Keep a card until then.",
    ),
    r.NOBODY_TO_ASK: Entry(("OUT-3",), "You play alone: there is nobody to ask.", ""),
    r.ASKED_BEFORE: Entry(("OUT-3",), "You have asked in this turn; the answer stands.", ""),
    r.ASK_BEFORE_MELDING: Entry(
        ("OUT-3",), "The question comes before any meld of the turn, and you have melded.", ""
    ),
    r.ASKING_STRANDS: Entry(
        ("OUT-3", "DISC-4"),
        "After a no you could not end your turn: you may not ask now.",
        "Go out without asking.",
    ),
    r.NO_ASKING: Entry(("OUT-3",), "At this table nobody asks before going out.", ""),
    r.NO_CALIENTE_CARD: Entry((NOTATION, "CALI-1"), "You hold no Caliente card.", ""),
    r.SECOND_CALIENTE: Entry(
        ("CALI-3", "TURN-1"), "Only one Caliente card may be played in a turn.", "Meld or discard."
    ),
    r.AHEAD_IN_MELDS: Entry(
        ("CALI-1",),
        "A Caliente card may not be played by a side that has more melds than an opponent: yours "
        "{have}, theirs {theirs}.",
        "Draw, or take the pile.",
    ),
    r.CALIENTE_STOCK_OUT: Entry(
        ("CALI-1", "CALI-2"),
        "The stock is used up: a Caliente card cannot be played.",
        "Take the pile, or pass.",
    ),
    r.CALIENTE_STRANDS: Entry(
        ("CALI-1", "DISC-4"), "The stock is too small: after that you could not end your turn.", ""
    ),
    r.NO_RED_THREE: Entry((NOTATION, "TURN-4"), "You hold no red three.", ""),
    r.RED_THREES_LAY_THEMSELVES: Entry(
        ("TURN-4", "TURN-3"), "At this table red threes are laid out by themselves.", ""
    ),
    r.LAYING_STRANDS: Entry(
        ("TURN-4", "DISC-4"),
        "No card is left to replace it, and you could then not end your turn.",
        "",
    ),
    r.NOT_IN_HAND: Entry((NOTATION,), "You do not hold {cards}.", ""),
    r.NOTHING_TO_UNDO: Entry((NOTATION, "MELD-9"), "There is no meld of this turn to take back.", ""),
    r.UNDO_REVEALED: Entry(
        ("MELD-9",), "That cannot be taken back: it brought cards into sight that were hidden.", ""
    ),
    r.NO_UNDO: Entry(("MELD-9",), "At this table a card once melded stays.", ""),
    r.OPPONENTS_MELD: Entry(
        ("MELD-9",), "That meld is not your side's: you add to your own side's melds only.", ""
    ),
}


def refuse(reason: int, facts: dict[str, int | str] | None = None, also: tuple[str, ...] = ()) -> Refusal:
    """The refusal for a reason, its texts filled with the facts."""
    entry = CATALOGUE[reason]
    given: dict[str, int | str] = facts if facts is not None else {}
    return Refusal(
        clause=entry.clauses[0],
        message=_filled(entry.message, given),
        also=entry.clauses[1:] + tuple(clause for clause in also if clause not in entry.clauses),
        facts=given,
        remedy=_filled(entry.remedy, given),
        reason=reason,
    )


_CALIENTE_NAMES: Final = (
    ("black three", "Stop card"),
    ("Black three", "Stop card"),
    ("red three", "Bonus card"),
    ("Red three", "Bonus card"),
)


def in_caliente_words(refusal: Refusal) -> Refusal:
    """The refusal as a table says it that plays with the names of the Caliente booklets."""
    message, remedy = refusal.message, refusal.remedy
    for plain, name in _CALIENTE_NAMES:
        message, remedy = message.replace(plain, name), remedy.replace(plain, name)
    return replace(refusal, message=message, remedy=remedy)


def _filled(text: str, facts: dict[str, int | str]) -> str:
    for name, fact in facts.items():
        text = text.replace("{" + name + "}", str(fact))
    return text
