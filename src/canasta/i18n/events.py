"""Describe events at the table: `West drew a card, melded K♥ K♠ K♦ and discarded 7♣.`

For each code, the part `events` has a phrase without the name, such as `drew a card`, and under `CODE.you`
the phrase for the reader if it differs. A text that ends with a full stop is a complete sentence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from canasta.i18n.catalogue import texts
from canasta.i18n.message import Facts
from canasta.i18n.voice import Voice

Condition = Literal[
    "cards",
    "one_card",
    "added",
    "run",
    "long_run",
    "froze",
    "to_you",
    "yes",
    "phrase",
    "nobody",
    "a_hand",
    "always",
]
"""Conditions on an event and its reader."""

VARIANTS: Final[dict[str, tuple[tuple[Condition, str], ...]]] = {
    "drew": (("cards", "drew_cards"),),
    "foot_picked_up": (("cards", "foot_cards"),),
    "pot_taken": (("cards", "pot_cards"),),
    "talon_dealt": (("cards", "talon_cards"),),
    "pile_taken": (("one_card", "pile_card_taken"),),
    "cards_melded": (("added", "added"), ("run", "melded_run"), ("always", "melded")),
    "canasta_made": (("long_run", "canasta_run_{canasta}"), ("always", "canasta_{canasta}")),
    "discarded": (("froze", "froze"),),
    "asked": (("to_you", "asked_you"),),
    "answered": (("yes", "answered_yes"), ("always", "answered_no")),
    "hand_ended": (("phrase", "hand_over"), ("nobody", "stock_ended"), ("always", "went_out")),
    "dealt": (("a_hand", "hand_dealt"),),
    "said": (("always", "phrase.{phrase}"),),
    "fair": (("always", "fair.{phrase}"),),
}
"""Catalogue codes of events that have several. The first code whose condition holds applies, or else the
event's own name. The browser has the same table."""


class EventFacts(Protocol):
    """An event of the game or of the table, as on the wire."""

    what: str
    seat: int
    count: int
    cards: list[str]
    meld: str
    started: bool
    froze: bool
    canasta: str
    yes: bool
    partner: int
    phrase: str
    text: str


@dataclass(frozen=True)
class Speaker:
    """A voice that describes events to one reader, given the players' names."""

    names: Sequence[str]
    you: int | None = None
    """The reader's own seat."""
    voice: Voice = field(default_factory=Voice)
    joins: Sequence[str] = ()
    """The player of each seat from the next deal on."""

    def name(self, seat: int) -> str:
        """Return a player's name. Default names are translated."""
        return self.voice.place(self.names[seat])

    def side_name(self, seats: Iterable[int]) -> str:
        """Return the players of a side, the reader first: `You and North`."""
        ordered = sorted(seats, key=lambda seat: seat != self.you)
        named = [self.voice.word("seat.You") if seat == self.you else self.name(seat) for seat in ordered]
        return self.voice.listed(named)

    def tell(self, happenings: Iterable[EventFacts]) -> list[str]:
        """Return sentences, each combining a player's consecutive actions."""
        sentences: list[str] = []
        doing: list[str] = []
        seat = -1
        for event in happenings:
            phrase = self.phrase(event)
            alone = is_sentence(phrase)
            if doing and (alone or event.seat != seat):
                sentences.append(self.sentence(seat, doing))
                doing = []
            if alone:
                sentences.append(phrase)
            elif phrase:
                seat = event.seat
                doing.append(phrase)
        return [*sentences, self.sentence(seat, doing)] if doing else sentences

    def sentence(self, seat: int, doing: Sequence[str]) -> str:
        """Return one player's actions as a sentence: `West drew a card and discarded 7♣.`"""
        code = "events.sentence.you" if seat == self.you else "events.sentence"
        name = self.name(seat) if 0 <= seat < len(self.names) else ""
        text = self.voice.say(code, {"name": name, "doing": self.voice.listed(list(doing))})
        return text.removesuffix(".") if text.endswith(("?.", "!.")) else text

    def phrase(self, event: EventFacts) -> str:
        """Return a phrase without the name, or a complete sentence; by default the wire's English text."""
        code, facts = code_of(event, self)
        if event.seat == self.you and f"{code}.you" in texts(self.voice.language, "events"):
            code = f"{code}.you"
        try:
            return self.voice.say(f"events.{code}", facts)
        except (LookupError, ValueError):
            return event.text or event.what.replace("_", " ")


def is_sentence(text: str) -> bool:
    """Return whether the text is a complete sentence that needs no name."""
    return text.endswith(".")


def code_of(event: EventFacts, speaker: Speaker) -> tuple[str, Facts]:
    """Return the catalogue code of an event, and its facts."""
    name = speaker.name(event.seat) if 0 <= event.seat < len(speaker.names) else ""
    if event.what == "removed":
        name = speaker.voice.place(event.phrase)  # the seat has another player
    joins = speaker.joins[event.seat] if 0 <= event.seat < len(speaker.joins) else ""
    partner = speaker.name(event.partner) if 0 <= event.partner < len(speaker.names) else ""
    facts: Facts = {
        "name": name,
        "joins": joins,
        "partner": partner,
        "count": event.count,
        "cards": " ".join(event.cards),
        "card": event.cards[-1] if event.cards else "",
        "meld": event.meld,
        "rank": event.meld.partition("#")[0],
        "special": event.phrase,
    }
    return _code(event, speaker.you), facts


def _code(event: EventFacts, you: int | None) -> str:
    holds: dict[Condition, bool] = {
        "cards": bool(event.cards),
        "one_card": event.count <= 1,
        "added": not event.started,
        "run": event.meld.startswith("run"),
        "long_run": event.meld.startswith("run") and event.canasta != "samba",
        "froze": event.froze,
        "to_you": event.partner == you,
        "yes": event.yes,
        "phrase": bool(event.phrase),
        "nobody": event.seat < 0,
        "a_hand": event.count > 0 and event.seat >= 0,
        "always": True,
    }
    variants = VARIANTS.get(event.what, ())
    code = next((code for condition, code in variants if holds[condition]), event.what)
    return code.format(canasta=event.canasta, phrase=event.phrase)
