"""What happened at the table, in words: `West drew a card, melded K♥ K♠ K♦ and discarded 7♣.`"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from canasta.engine.cards import NATURAL_RANKS, RANK_OF, is_wild, plural
from canasta.engine.events import (
    Answered,
    Asked,
    BonusLaid,
    CalientePlayed,
    CanastaMade,
    CardKept,
    CardsMelded,
    Discarded,
    Drew,
    Event,
    FootPickedUp,
    HandEnded,
    MeldTakenBack,
    Passed,
    PilePutBack,
    PileTaken,
    TopCardTaken,
)
from canasta.engine.meld_names import ROW_BLACK_THREES, ROW_RUN, ROW_WILD, MeldName
from canasta.engine.state import MIXED, NATURAL, SAMBA, WILD
from canasta.notation.cards import format_cards, list_hand
from canasta.notation.moves import format_meld_name

SEAT_NAMES: Final = {
    2: ("South", "North"),
    3: ("South", "West", "East"),
    4: ("South", "West", "North", "East"),
    5: ("South", "West", "Northwest", "Northeast", "East"),
    6: ("South", "West", "Northwest", "North", "Northeast", "East"),
}
"""The places round a table, by the number of players: what those without a name are called."""

CANASTA_KINDS: Final = {NATURAL: "natural", MIXED: "mixed", WILD: "wild", SAMBA: "samba"}


@dataclass(frozen=True)
class Speaker:
    """Who sits where, and how cards are written for this reader."""

    names: Sequence[str]
    you: int | None = None
    """The reader's own seat."""
    symbols: bool = True

    def name(self, seat: int) -> str:
        """The name inside a sentence."""
        return "you" if seat == self.you else self.names[seat]

    def side_name(self, seats: Iterable[int]) -> str:
        """The players of a side, the reader first: `You and North`."""
        ordered = sorted(seats, key=lambda seat: seat != self.you)
        names = [self.name(seat) for seat in ordered]
        text = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
        return text[:1].upper() + text[1:]

    def cards(self, cards: Iterable[int]) -> str:
        return format_cards(cards, symbols=self.symbols)

    def hand(self, cards: Sequence[int]) -> list[str]:
        """A hand, low to high, one text for each rank."""
        return list_hand(cards, symbols=self.symbols).split("  ") if cards else []

    def tell(self, events: Sequence[Event]) -> list[str]:
        """Sentences, one for each player who did something without another doing something between."""
        sentences: list[str] = []
        doing: list[str] = []
        seat = -1
        for event in in_order(events):
            if isinstance(event, HandEnded):
                sentences += self._sentence(seat, doing)
                sentences.append(self._ending(event))
                doing = []
                continue
            if event.seat != seat:
                sentences += self._sentence(seat, doing)
                seat, doing = event.seat, []
            doing.append(self.phrase(event))
        return sentences + self._sentence(seat, doing)

    def _sentence(self, seat: int, doing: list[str]) -> list[str]:
        if not doing:
            return []
        done = doing[0] if len(doing) == 1 else ", ".join(doing[:-1]) + " and " + doing[-1]
        name = self.name(seat)
        return [f"{name[:1].upper()}{name[1:]} {done}" + ("" if done.endswith("?") else ".")]

    def _ending(self, event: HandEnded) -> str:
        if event.out < 0:
            return "The hand ends, and nobody has gone out."
        return "You went out." if event.out == self.you else f"{self.names[event.out]} went out."

    def phrase(
        self,
        event: Drew
        | BonusLaid
        | PileTaken
        | TopCardTaken
        | CardsMelded
        | CanastaMade
        | Discarded
        | CardKept
        | Passed
        | CalientePlayed
        | Asked
        | Answered
        | PilePutBack
        | MeldTakenBack
        | FootPickedUp,
    ) -> str:
        match event:
            case Drew(count=count, cards=cards):
                if cards:
                    return f"drew {self.cards(cards)}"
                return "drew a card" if count == 1 else f"drew {count} cards"
            case BonusLaid(card=card):
                return f"laid out {self.cards([card])}"
            case PileTaken(top=top, cards=cards):
                count = len(cards) + 1
                if count == 1:
                    return f"took the pile, {self.cards([top])} alone"
                return f"took the pile, {count} cards with {self.cards([top])} on top"
            case TopCardTaken(card=card):
                return f"took {self.cards([card])} off the pile, and that card alone"
            case CardsMelded(row=row, number=number, cards=cards, started=started):
                if started:
                    return f"melded {self.cards(cards)}"
                return f"added {self.cards(cards)} to {meld_in_words(row, number)}"
            case CanastaMade(row=row, number=number, kind=kind):
                if row in (ROW_RUN, ROW_WILD):
                    return "completed a samba" if kind == SAMBA else "completed a wild canasta"
                return f"completed a {CANASTA_KINDS[kind]} canasta of {plural(row)}"
            case Discarded(card=card):
                frozen = ", which freezes the pile" if is_wild(RANK_OF[card]) else ""
                return f"discarded {self.cards([card])}{frozen}"
            case CardKept():
                return "kept the last card"
            case Passed():
                return "passed"
            case CalientePlayed():
                return "played a Caliente card"
            case Asked(partner=partner):
                return f"asked {self.name(partner)}: may I go out?"
            case Answered(yes=yes):
                return "answered yes" if yes else "answered no"
            case PilePutBack():
                return "put the pile back"
            case MeldTakenBack():
                return "took the last meld back"
            case FootPickedUp(count=count, cards=cards):
                return f"picked up the foot, {self.cards(cards) if cards else f'{count} cards'}"
            case _:
                assert_never(event)


def in_order(events: Sequence[Event]) -> list[Event]:
    """The events in the order of telling: draws together, the pile before what was melded with it."""
    told: list[Event] = []
    for event in events:
        last = told[-1] if told else None
        if isinstance(event, Drew) and isinstance(last, Drew) and last.seat == event.seat:
            told[-1] = Drew(event.seat, last.count + event.count, last.cards + event.cards)
        elif isinstance(event, CardsMelded) and isinstance(last, CardsMelded) and _goes_on(last, event):
            told[-1] = replace(last, cards=last.cards + event.cards)
        elif isinstance(event, PileTaken):
            at = len(told)
            while (
                at
                and isinstance(told[at - 1], (CardsMelded, CanastaMade))
                and _seat(told[at - 1]) == event.seat
            ):
                at -= 1
            told.insert(at, event)
        else:
            told.append(event)
    return told


def _goes_on(last: CardsMelded, event: CardsMelded) -> bool:
    """Did the same player just go on with the same meld?"""
    meld = (last.seat, last.row, last.number)
    return not event.started and meld == (event.seat, event.row, event.number)


def _seat(event: Event) -> int:
    return event.out if isinstance(event, HandEnded) else event.seat


def meld_in_words(row: int, number: int = 1) -> str:
    """A meld inside a sentence.

    >>> meld_in_words(9), meld_in_words(13, 2)
    ('the kings', 'run#2')
    """
    if row == ROW_RUN or number > 1:
        return format_meld_name(MeldName(row, number))
    if row == ROW_WILD:
        return "the wild cards"
    if row == ROW_BLACK_THREES:
        return "the black threes"
    return f"the {plural(row)}" if row < NATURAL_RANKS else format_meld_name(MeldName(row, number))
