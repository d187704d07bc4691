"""The text of moves: `draw`, `take Q Q + A A Jo`, `add K 2 to K`, `discard 7`.

Verbs may have any case and spacing. A text must contain exactly one move.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from canasta.engine.melds import ROW_BLACK_THREES, ROW_RUN, ROW_THREES, ROW_WILD, MeldName
from canasta.engine.moves.types import (
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Meld,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Special,
    Take,
    Undo,
)
from canasta.engine.sequences import EITHER_END, HIGH_END, LOW_END
from canasta.i18n import Facts
from canasta.i18n.safe_text import closest, short
from canasta.notation.cards import MOST_CARDS, RANK_LETTERS, parse_card_word
from canasta.notation.errors import NotationError

LONGEST_MOVE: Final = 2000
"""Maximum length in characters. The longest sensible move, melding a whole hand, is far shorter."""

_WORD: Final = re.compile(r"\+|[^\s+]+")
_MELD_NAME: Final = re.compile(
    r"(?:(?P<rank>10|[4-9TJQKA])|(?P<wild>W)|(?P<threes>3B?)|(?P<run>RUN))(?:#?(?P<number>(?<=[#N])[0-9]{1,3}))?",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True)
class _Word:
    text: str
    column: int


class _Line:
    """The words of one move, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words = [_Word(found.group(), found.start()) for found in _WORD.finditer(text)]
        self._next = 0

    def peek(self) -> str:
        """Return the next word in lower case; empty at the end."""
        return self._words[self._next].text.lower() if self._next < len(self._words) else ""

    def pop(self) -> _Word:
        """Return the next word and advance. At the end, return an empty word positioned after the last."""
        if self._next == len(self._words):
            return _Word("", len(self.text.rstrip()) + 1 if self._words else 0)
        self._next += 1
        return self._words[self._next - 1]

    def accept(self, *words: str) -> bool:
        """Advance past the next word if it is one of these, and return whether it was."""
        if self.peek() not in words:
            return False
        self._next += 1
        return True

    def cards(self, *stops: str) -> tuple[int, ...]:
        """Return every card up to one of the stop words or the end."""
        cards: list[int] = []
        while self.peek() and self.peek() not in stops:
            word = self.pop()
            cards.extend(parse_card_word(word.text, line=self.text, column=word.column))
            if len(cards) > MOST_CARDS:
                raise self.error(word, "TOO_MANY_CARDS")
        return tuple(cards)

    def error(self, word: _Word, code: str, facts: Facts | None = None) -> NotationError:
        return NotationError(self.text, word.column, code, facts)


def parse_move(text: str) -> Move:
    """Parse a line of text into a move. Raise `NotationError` if it is not exactly one move.

    >>> parse_move("Take  onto K#2")
    parse_move('take onto K#2')
    """
    if len(text) > LONGEST_MOVE:
        raise NotationError(text, LONGEST_MOVE, "MOVE_TOO_LONG")
    for column, character in enumerate(text):
        if not character.isprintable() and character not in "\t\N{NO-BREAK SPACE}":
            raise NotationError(text, column, "NOT_ONE_LINE")
    line = _Line(text)
    verb = line.pop()
    read = _VERBS.get(verb.text.lower())
    if read is None:
        raise _no_verb(line, verb)
    move = read(line)
    rest = line.pop()
    if rest.text:
        raise line.error(rest, "NOTHING_MORE", {"written": str(move)})
    return move


def _no_verb(line: _Line, verb: _Word) -> NotationError:
    choices = ", ".join(_VERBS_SHOWN)
    if not verb.text:
        return line.error(verb, "NO_MOVE_HERE", {"choices": choices})
    near = closest(verb.text, _VERBS_SHOWN)
    if near:
        return line.error(verb, "NEARLY_A_MOVE", {"text": short(verb.text), "written": near})
    return line.error(verb, "NO_SUCH_MOVE", {"text": short(verb.text), "choices": choices})


def _take(line: _Line) -> Take:
    cards = line.cards("+", "onto", "to")
    onto = _name_here(line) if line.accept("onto", "to") else None
    end = _end_here(line, onto)
    return Take(cards=cards, onto=onto, melds=_more_melds(line), end=end)


def _meld(line: _Line) -> Meld:
    first = line.cards("+")
    if not first:
        raise line.error(line.pop(), "WHICH_CARDS_MELDED")
    return Meld((first, *_more_melds(line)))


def _more_melds(line: _Line) -> tuple[tuple[int, ...], ...]:
    melds: list[tuple[int, ...]] = []
    while line.accept("+"):
        cards = line.cards("+")
        if not cards:
            raise line.error(line.pop(), "MELD_MISSING")
        melds.append(cards)
    return tuple(melds)


def _add(line: _Line) -> Add:
    cards = line.cards("to", "onto", "+")
    if not cards:
        raise line.error(line.pop(), "WHICH_CARDS_ADDED")
    if not line.accept("to", "onto"):
        raise line.error(line.pop(), "ADDED_TO_WHICH")
    name = _name_here(line)
    return Add(cards, name, _end_here(line, name))


_ENDS: Final = {"low": LOW_END, "high": HIGH_END}


def _end_here(line: _Line, name: MeldName | None) -> int:
    """Read `low` or `high` if it is the next word and the meld is a sequence."""
    if name is None or name.row != ROW_RUN or line.peek() not in _ENDS:
        return EITHER_END
    return _ENDS[line.pop().text.lower()]


def _discard(line: _Line) -> Discard:
    return Discard(_one_card(line, "WHICH_DISCARD", "ONE_DISCARD"))


def _lay(line: _Line) -> LayBonus:
    return LayBonus(_one_card(line, "WHICH_LAID_OUT", "ONE_LAID_OUT"))


def _special(line: _Line) -> Special:
    """Read the name of a special hand. The rules check whether it exists."""
    words: list[str] = []
    while line.peek():
        words.append(line.pop().text.lower())
    return Special(" ".join(words))


def _one_card(line: _Line, if_none: str, if_more: str) -> int:
    word = line.pop()
    if not word.text:
        raise line.error(word, if_none)
    cards = parse_card_word(word.text, line=line.text, column=word.column)
    if len(cards) > 1 or line.peek():
        at = word if len(cards) > 1 else line.pop()
        raise line.error(at, if_more)
    return cards[0]


def _answer(line: _Line) -> Answer:
    word = line.pop()
    if word.text.lower() in ("yes", "y"):
        return Answer(yes=True)
    if word.text.lower() in ("no", "n"):
        return Answer(yes=False)
    raise line.error(word, "YES_OR_NO")


def _put_back(line: _Line) -> PutBack:
    word = line.pop()
    if word.text.lower() != "back":
        raise line.error(word, "PUT_WHAT")
    return PutBack()


_VERBS: Final[dict[str, Callable[[_Line], Move]]] = {
    "draw": lambda line: Draw(),
    "take": _take,
    "meld": _meld,
    "add": _add,
    "discard": _discard,
    "keep": lambda line: Keep(),
    "pass": lambda line: Pass(),
    "caliente": lambda line: PlayCaliente(),
    "lay": _lay,
    "special": _special,
    "ask": lambda line: Ask(),
    "answer": _answer,
    "putback": lambda line: PutBack(),
    "put-back": lambda line: PutBack(),
    "put": _put_back,
    "undo": lambda line: Undo(),
}
_VERBS_SHOWN: Final = tuple(verb for verb in _VERBS if verb not in ("put", "put-back"))


def _name_here(line: _Line) -> MeldName:
    word = line.pop()
    # Accept `run 2` for `run#2`: the number may be separate.
    if word.text.lower() == "run" and line.peek().removeprefix("#").isdecimal():
        word = _Word(f"{word.text}#{line.pop().text.removeprefix('#')}", word.column)
    name = _read_meld_name(word.text)
    if name is None:
        if not word.text:
            raise line.error(word, "WHICH_MELD", {"how": "MELD_NAMES"})
        raise line.error(word, "NO_MELD_NAME", {"text": short(word.text), **_how_to_name(word.text)})
    return name


def parse_meld_name(text: str) -> MeldName:
    """Parse the name of a meld: `K`, `K#2`, `W`, `3b`, `run#1`.

    >>> parse_meld_name("run#2")
    MeldName(row=13, number=2)
    """
    line = _Line(text)
    name = _name_here(line)
    rest = line.pop()
    if rest.text:
        raise line.error(rest, "ONE_NAME")
    return name


def _read_meld_name(text: str) -> MeldName | None:
    found = _MELD_NAME.fullmatch(text)
    if found is None:
        return None
    number = 1 if found["number"] is None else int(found["number"])
    if number < 1:
        return None
    if found["wild"]:
        return MeldName(ROW_WILD, number)
    if found["threes"]:
        return MeldName(ROW_BLACK_THREES if len(found["threes"]) > 1 else ROW_THREES, number)
    if found["run"]:
        return MeldName(ROW_RUN, number)
    letter = found["rank"].upper()
    return MeldName(RANK_LETTERS.index("T" if letter == "10" else letter), number)


def _how_to_name(text: str) -> Facts:
    """Return a hint on how to write the name of the meld."""
    plain = text.lower()
    if plain in ("2", "jo", "joker", "wild", "wilds"):
        return {"how": "MELD_OF_WILDS"}
    if plain[:1] == "3":
        return {"how": "MELD_OF_BLACK_THREES"}
    if len(plain) == 2 and plain[0].upper() in RANK_LETTERS and plain[1] in "shdc":
        return {"how": "MELD_OF_RANK", "written": plain[0].upper()}
    return {"how": "MELD_NAMES"}


def cards_in(move: Move) -> tuple[int, ...]:
    """Return every card that a move names."""
    match move:
        case Take(cards=cards, melds=melds):
            return cards + tuple(card for meld in melds for card in meld)
        case Meld(melds=melds):
            return tuple(card for meld in melds for card in meld)
        case Add(cards=cards):
            return cards
        case Discard(card=card) | LayBonus(card=card):
            return (card,)
        case _:
            return ()
