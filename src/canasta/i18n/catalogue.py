"""The catalogue of a language, and the formatting of its messages.

A message is text with placeholders:

- `{rank}`: a fact, formatted by its kind (see `facts.py`). `{rank:plural}`, `{rank:a}`: another form of its
  word. The forms are those in the language's part `cards`: `rank.K`, `rank.K:plural`, German cases.
- `{rank.3b:plural}`, with a dot: a word of that part itself, regardless of the facts.
- `{count#card|cards}`: the text for one or for several. With three texts, the first is for none. A `#` in
  them is replaced by the number, in the form requested: `{count:word#one card|# cards}`.
- `{^rank:a}`: with an initial capital.

A message or word may have a second entry, `KEY~caliente`, for tables that use the names of the Caliente
booklets.

Project Fluent was considered: importing its runtime and reading 450 messages took 0.14 seconds at every
start, where JSON takes less than a thousandth of that, and its grammar would still know nothing about cards.
"""

import json
import re
from functools import cache
from typing import Final, NamedTuple

from canasta.errors import CanastaError
from canasta.i18n.facts import (
    CANASTAS,
    CARD,
    CATALOGUES,
    FACTS,
    FIELD,
    MELD,
    MOVE,
    NAME,
    NUMBER,
    SENTENCES,
    SETTING,
    SEVERAL,
    SYSTEM,
    Fact,
    Facts,
)
from canasta.notation.seat_names import SEAT_NAMES
from canasta.rules.defects import shown

GUEST: Final = "Guest"
PLACES: Final = frozenset({*(name for names in SEAT_NAMES.values() for name in names), GUEST})
"""Default names that a table assigns."""
_SINGULAR_ZERO: Final = frozenset({"fr", "pt"})
"""Languages that use the singular for zero: `0 carte` like `1 carte`."""
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_STOP_CARDS: Final = ("3c", "3s")
_SLOT: Final = re.compile(r"\{(\^?)([\w.]+)(?::(\w+))?(?:#([^{}]*))?\}")


class Slot(NamedTuple):
    """A placeholder of a message."""

    name: str
    form: str = ""
    choices: tuple[str, ...] = ()
    capital: bool = False


@cache
def pieces(text: str) -> tuple[str | Slot, ...]:
    """Split a message into texts and placeholders.

    >>> pieces("{^top:a} lies there.")
    (Slot(name='top', form='a', choices=(), capital=True), ' lies there.')
    """
    found: list[str | Slot] = []
    at = 0
    for match in _SLOT.finditer(text):
        capital, name, form, choices = match.groups()
        parts = tuple(choices.split("|")) if choices is not None else ()
        found += [text[at : match.start()], Slot(name, form or "", parts, bool(capital))]
        at = match.end()
    found.append(text[at:])
    return tuple(piece for piece in found if piece)


@cache
def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    found = sorted(path.name for path in CATALOGUES.iterdir() if path.is_dir())
    return ("en", *(name for name in found if name != "en"))


class UnknownLanguage(CanastaError, ValueError):
    """No catalogue exists for the language; the message lists those that do."""

    def __init__(self, asked: str) -> None:
        self.known = ", ".join(f"{name} ({texts(name, 'cards')['language']})" for name in languages())
        super().__init__(f"There is no language {shown(asked)}. There are: {self.known}.")


@cache
def texts(language: str, part: str) -> dict[str, str]:
    """Return all texts of a part, loaded on first use.

    Raise `UnknownLanguage` if there is no such language.
    """
    if language not in languages():
        raise UnknownLanguage(language)
    read: dict[str, str] = json.loads((CATALOGUES / language / f"{part}.json").read_text(encoding="utf-8"))
    return read


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

    def say(self, code: str, facts: Facts | None = None) -> str:
        """Return the message of a code, filled with its facts."""
        return self.fill(self.text(code), facts or {})

    def fill(self, text: str, facts: Facts) -> str:
        return "".join(
            piece if isinstance(piece, str) else self._slot(piece, facts) for piece in pieces(text)
        )

    def word(self, key: str, form: str = "") -> str:
        """Return a word of the part `cards`, in one of its forms."""
        return self.text(f"cards.{key}:{form}" if form else f"cards.{key}")

    def place(self, name: str) -> str:
        """Return a player's name. Default names are translated.

        >>> Voice("de").place("Northwest"), Voice("fr").place("Guest 2"), Voice("it").place("Ada")
        ('Nordwest', 'Invité 2', 'Ada')
        """
        place, _, number = name.partition(" ")
        if place not in PLACES or (number and place != GUEST):
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

    def _slot(self, slot: Slot, facts: Facts) -> str:
        if "." in slot.name:
            said = self.word(slot.name, slot.form)
        elif FACTS[slot.name] in SENTENCES:
            rest = {name: fact for name, fact in facts.items() if name != slot.name}  # not itself
            said = self.say(f"{FACTS[slot.name]}.{facts[slot.name]}", rest)
        else:
            said = self.fact(FACTS[slot.name], facts[slot.name], slot.form)
            if slot.choices:
                said = self._chosen(slot.choices, int(facts[slot.name])).replace("#", said)
        return said[:1].upper() + said[1:] if slot.capital else said

    def _chosen(self, choices: tuple[str, ...], number: int) -> str:
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
        """Return `a joker`; next to card symbols, in the case for
        things drawn or laid, if the language has one."""
        known = f"rank.{rank}:{form}" in texts(self.language, "cards")
        return self.word(f"rank.{rank}", form if known else "a")

    def _cards(self, groups: str, form: str) -> str:
        """Return `K♥ 4♠ and 2 jokers`, or `2 kings and the four of spades` in the form `words`."""
        return " + ".join(self._group(cards.split(), form) for cards in groups.split(" + "))

    def _group(self, cards: list[str], form: str) -> str:
        counts = {card: cards.count(card) for card in cards}
        suited = [card for card in cards if len(card) == 2 and card[1] in _SUITS]
        said = [] if form or not suited else [" ".join(self._card(card, "") for card in suited)]
        for card, count in counts.items():
            if card not in suited:
                said.append(
                    self._one(card, "a" if form else "acc")
                    if count == 1
                    else self.say("cards.card.several", {"count": count, "rank": card})
                )
            elif form:
                said.append(
                    self._card(card, form)
                    if count == 1
                    else self.say("cards.card.times", {"count": count, "card": card})
                )
        return self.listed(said)

    def _canastas(self, pairs: list[str]) -> str:
        if not pairs:
            return self.word("canastas.none")
        if pairs[1] == "any" and len(pairs) > 2:
            among = {"canastas": " ".join(pairs[:2]), "there": " ".join(pairs[2:])}
            return self.say("cards.canastas.among", among)
        said = zip(pairs[::2], pairs[1::2], strict=True)
        return self.listed([self.say(f"cards.canastas.{kind}", {"count": int(n)}) for n, kind in said])

    def _meld(self, name: str, form: str) -> str:
        """Return the name of a meld.

        `K#2` is the second one of kings; `run#5♥–7♥` identifies a sequence by its cards.
        """
        row, _, number = name.partition("#")
        said = self.word(f"meld.{row}", form)
        if number in ("", "1"):
            return said
        return f"{said} {'#' * number.isdigit()}{number}"

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
        said = self.say(key, {"cards": cards, "meld": meld, "special": rest})
        if end:
            return f"{said}, {self.word(f'end.{end}')}"
        return f"{said} + {self._cards(cards, '')}" if meld and cards and verb == "take" else said
