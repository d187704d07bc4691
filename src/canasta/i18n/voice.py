"""The formatter: turn a message and its facts into text in one language. The browser has the same one."""

import errno
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol

from canasta.i18n.catalogue import (
    CANASTAS,
    CARD,
    FIELD,
    MELD,
    MOVE,
    NAME,
    NUMBER,
    SENTENCES,
    SETTING,
    SEVERAL,
    SYSTEM,
    Slot,
    fact_kinds,
    pieces,
    texts,
)
from canasta.i18n.message import Fact, Message, MessageText
from canasta.i18n.safe_text import printable

SEAT_NAMES: Final = {
    2: ("South", "North"),
    3: ("South", "West", "East"),
    4: ("South", "West", "North", "East"),
    5: ("South", "West", "Northwest", "Northeast", "East"),
    6: ("South", "West", "Northwest", "North", "Northeast", "East"),
}
"""Seat names by the number of players, used for players without a name."""
GUEST: Final = "Guest"
"""Name of a player without a name who is not at a table."""
_DEFAULT_NAMES: Final = frozenset({*(name for names in SEAT_NAMES.values() for name in names), GUEST})
_SINGULAR_ZERO: Final = frozenset({"fr", "pt"})
"""Languages that use the singular for zero: `0 carte` like `1 carte`."""
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_STOP_CARDS: Final = ("3c", "3s")


class CodedReason(Protocol):
    """A reason for a move: a key of the catalogue part `reasons`, and its facts."""

    @property
    def code(self) -> str: ...

    @property
    def facts(self) -> Mapping[str, Fact]: ...


class Voice(NamedTuple):
    """A language, and the way a table uses it."""

    language: str = "en"
    caliente: bool = False
    """Whether to use the card names of the Caliente booklets."""
    symbols: bool = True
    """Whether suits are shown as `♥` or as the letters of the notation."""

    def text(self, code: str) -> str:
        """Return the message of a code, `PART.KEY`, as it is in the catalogue."""
        part, _, key = code.partition(".")
        known = texts(self.language, part)
        return known[f"{key}~caliente"] if self.caliente and f"{key}~caliente" in known else known[key]

    def say(self, code: str, facts: Mapping[str, Fact] | None = None) -> str:
        """Return the message of a code, filled with its facts."""
        return self.fill(self.text(code), facts or {})

    def fill(self, text: str, facts: Mapping[str, Fact]) -> str:
        return "".join(
            piece if isinstance(piece, str) else self._slot(piece, facts) for piece in pieces(text)
        )

    def tell(self, message: Message) -> MessageText:
        """Return a message with its remedy."""
        remedy = message.remedy or f"{message.code}.remedy"
        part, _, key = remedy.partition(".")
        return MessageText(
            self.say(message.code, message.facts),
            self.say(remedy, message.facts) if key in texts(self.language, part) else "",
        )

    def tell_or(self, message: Message, otherwise: MessageText) -> MessageText:
        """Return a message that came over the wire, or `otherwise` if this program lacks words for it."""
        try:
            return self.tell(message)
        except (LookupError, ValueError):
            return otherwise

    def tell_reasons(self, reasons: Iterable[CodedReason], otherwise: str = "") -> str:
        """Return a sentence for each reason, or `otherwise` if this program lacks words for one of them."""
        try:
            return " ".join([self.say(f"reasons.{each.code}", each.facts) for each in reasons]) or otherwise
        except (LookupError, ValueError):
            return otherwise

    @property
    def blank(self) -> str:
        """The space before a colon or a semicolon: French has one."""
        return "\N{NO-BREAK SPACE}" if self.language == "fr" else ""

    def word(self, key: str, form: str = "") -> str:
        """Return a word of the part `cards`, in one of its forms."""
        return self.text(f"cards.{key}:{form}" if form else f"cards.{key}")

    def place(self, name: str) -> str:
        """Return a player's name. Default names are translated.

        >>> Voice("de").place("Northwest"), Voice("fr").place("Guest 2"), Voice("it").place("Ada")
        ('Nordwest', 'Invité 2', 'Ada')
        """
        place, _, number = name.partition(" ")
        if place not in _DEFAULT_NAMES or (number and place != GUEST):
            return name
        return f"{self.word(f'seat.{place}')} {number}".rstrip()

    def listed(self, things: list[str], last: str = "and") -> str:
        """Join things into a list with a final "and" or "or".

        >>> Voice("es").listed(["Ana", "Luis", "Eva"]), Voice("es").listed(["Ana", "Eva"], "or")
        ('Ana, Luis y Eva', 'Ana o Eva')
        """
        if len(things) < 2:
            return "".join(things)
        return f"{', '.join(things[:-1])} {self.word(last)} {things[-1]}"

    def is_one(self, number: int) -> bool:
        """Return whether this number takes the singular."""
        return number == 1 or (number == 0 and self.language in _SINGULAR_ZERO)

    def _slot(self, slot: Slot, facts: Mapping[str, Fact]) -> str:
        if "." in slot.name:
            text = self.word(slot.name, slot.form)
        elif (kind := fact_kinds()[slot.name]) in SENTENCES:
            rest = {name: fact for name, fact in facts.items() if name != slot.name}  # not itself
            text = self.say(f"{kind}.{facts[slot.name]}", rest)
        else:
            text = self.fact(kind, facts[slot.name], slot.form)
            if slot.choices:
                text = self._plural_form(slot.choices, int(facts[slot.name])).replace("#", text)
        return text[:1].upper() + text[1:] if slot.capital else text

    def _plural_form(self, choices: tuple[str, ...], number: int) -> str:
        if len(choices) == 3 and number == 0:
            return choices[0]
        return choices[-2 if self.is_one(number) else -1]

    # -- facts by their kind ------------------------------------------------------------------------------

    def fact(self, kind: str, fact: Fact, form: str = "") -> str:
        value = str(fact)
        if kind == NUMBER:
            return texts(self.language, "cards").get(f"number.{value}:{form}", value) if form else value
        if kind in (NAME, FIELD, SETTING):
            return value
        if kind == SYSTEM:
            return texts(self.language, "system").get(value, value)
        if kind == CARD:
            return self._card(value, form)
        if kind == CARD + SEVERAL:
            return self._cards(value, form)
        if kind == CANASTAS:
            return self._canastas(value.split())
        if kind == MELD:
            return self._meld(value, form)
        if kind == MOVE:
            return self._move(value, form)
        if kind.endswith(SEVERAL):
            return self.listed([self.fact(kind.removesuffix(SEVERAL), one, form) for one in value.split()])
        return self.word(f"{kind}.{value}", form)

    def _card(self, card: str, form: str) -> str:
        if len(card) != 2 or card[1] not in _SUITS:
            return self.word(f"rank.{card}", "a" if form else "")
        if form:
            return self.say("cards.card.of", {"rank": card[0], "suit": card[1]})
        sign = ("10" if card[0] == "T" else card[0]) + _SUITS[card[1]] if self.symbols else card
        return f"{sign} {self.word('card.stop')}" if self.caliente and card in _STOP_CARDS else sign

    def _one(self, rank: str, form: str) -> str:
        """Return one card of a rank in this form, or else in the form `a`: `a joker`."""
        known = f"rank.{rank}:{form}" in texts(self.language, "cards")
        return self.word(f"rank.{rank}", form if known else "a")

    def _cards(self, groups: str, form: str) -> str:
        """Return `K♥ 4♠ and 2 jokers`, or `2 kings and the four of spades` in the form `words`."""
        return " + ".join(self._group(cards.split(), form) for cards in groups.split(" + "))

    def _group(self, cards: list[str], form: str) -> str:
        counts = {card: cards.count(card) for card in cards}
        suited = [card for card in cards if len(card) == 2 and card[1] in _SUITS]
        parts = [] if form or not suited else [" ".join(self._card(card, "") for card in suited)]
        for card, count in counts.items():
            if card not in suited:
                parts.append(
                    self._one(card, "a" if form else "acc")
                    if count == 1
                    else self.say("cards.card.several", {"count": count, "rank": card})
                )
            elif form:
                parts.append(
                    self._card(card, form)
                    if count == 1
                    else self.say("cards.card.times", {"count": count, "card": card})
                )
        return self.listed(parts)

    def _canastas(self, pairs: list[str]) -> str:
        if not pairs:
            return self.word("canastas.none")
        if pairs[1] == "any" and len(pairs) > 2:
            among = {"canastas": " ".join(pairs[:2]), "there": " ".join(pairs[2:])}
            return self.say("cards.canastas.among", among)
        counts = zip(pairs[::2], pairs[1::2], strict=True)
        return self.listed([self.say(f"cards.canastas.{kind}", {"count": int(n)}) for n, kind in counts])

    def _meld(self, name: str, form: str) -> str:
        """Return the name of a meld.

        `K#2` is the second one of kings; `run#5♥–7♥` identifies a sequence by its cards.
        """
        row, _, number = name.partition("#")
        name_text = self.word(f"meld.{row}", form)
        if number in ("", "1"):
            return name_text
        return f"{name_text} {'#' * number.isdigit()}{number}"

    def _move(self, move: str, form: str) -> str:
        """Return a move in words: `discard 7h` by the entry `move.discard.cards`, `draw` by `move.draw`.

        A requested end of a sequence, as in `add 6h to run#1 low`, comes last.
        """
        verb, _, rest = move.partition(" ")
        cards, meld, end = rest, "", ""
        if verb == "add":
            cards, _, meld = rest.partition(" to ")
            meld, _, end = meld.partition(" ")
        elif verb == "take" and "onto " in rest:
            own, _, meld = rest.partition("onto ")
            meld, _, more = meld.partition(" + ")
            cards = " + ".join(part for part in (own.strip(), more) if part)
        kind = ".onto" if meld else f".{rest}" if verb == "answer" and rest else ".cards" if rest else ""
        if verb == "special" and rest:
            kind = ".hand"
        key = f"cards.move.{verb}{kind}{':' * bool(form)}{form}"
        text = self.say(key, {"cards": cards, "meld": meld, "special": rest})
        if end:
            return f"{text}, {self.word(f'end.{end}')}"
        return f"{text} + {self._cards(cards, '')}" if meld and cards and verb == "take" else text


def say(code: str, facts: Mapping[str, Fact] | None = None, lang: str = "en") -> str:
    """Return the message of a code, `PART.KEY`, in a language.

    >>> say("events.drew", {"count": 1}, "de")
    'hat eine Karte gezogen'
    """
    return Voice(lang).say(code, facts)


# -- reasons of the operating system ------------------------------------------------------------------------


def reason_fact(error: Exception) -> str:
    """Return the fact `why` for a file or connection that failed: an error name, or the system's own text.

    >>> reason_fact(FileNotFoundError(2, "No such file")), reason_fact(OSError(71, "Protocol error"))
    ('ENOENT', 'protocol error')
    """
    number = errno.ETIMEDOUT if isinstance(error, TimeoutError) else getattr(error, "errno", None)
    name = errno.errorcode.get(number or 0, "")
    if name in texts("en", "system"):
        return name
    text = getattr(error, "strerror", None) or str(error)
    return f"{text[:1].lower()}{text[1:]}".rstrip(".")


def reason_in(error: Exception, lang: str = "en") -> str:
    """Return why a file or a connection failed, in a few words.

    >>> reason_in(FileNotFoundError(2, "No such file or directory"), "de")
    'die Datei oder den Ordner gibt es nicht'
    """
    return printable(Voice(lang).fact(SYSTEM, reason_fact(error)))
