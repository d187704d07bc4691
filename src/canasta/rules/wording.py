"""The words of a rule sheet: numbers, plurals, and the names that a game gives its cards and piles."""

from typing import Final, NamedTuple

from canasta.rules.model import Ruleset

_NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen",
)  # fmt: skip


class Line(NamedTuple):
    """One sentence or two of a rule sheet, with the clause that it states."""

    clause: str
    text: str


class Names(NamedTuple):
    """What this game calls things."""

    joker: str
    two: str
    red_three: str
    black_three: str
    stock: str
    pile: str
    side: str
    """Who melds together: a team, or a player where each plays alone."""


def names_of(rules: Ruleset) -> Names:
    side = "player" if rules.seats.players < 4 else "side"
    if rules.deck.caliente_names:
        return Names("Big Wild", "Little Wild", "Bonus card", "Stop card", "draw pile", "prize pile", side)
    return Names("joker", "two", "red three", "black three", "stock", "discard pile", side)


def in_words(number: int) -> str:
    """
    >>> in_words(3), in_words(108)
    ('three', '108')
    """
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def counted(number: int, thing: str) -> str:
    """
    >>> counted(1, "canasta"), counted(2, "canasta")
    ('one canasta', 'two canastas')
    """
    return f"{in_words(number)} {thing}" if number == 1 else f"{in_words(number)} {thing}s"


def a(thing: str) -> str:
    """
    >>> a("ace"), a("joker")
    ('an ace', 'a joker')
    """
    return f"an {thing}" if thing[0].lower() in "aeiou" else f"a {thing}"


def listed(things: list[str], last: str = "and") -> str:
    """
    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} {last} {things[-1]}"


def sentence(text: str) -> str:
    """A capital at the beginning and a full stop at the end."""
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")
