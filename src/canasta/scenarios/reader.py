"""Read the values of a scenario, leniently about YAML spelling, collecting every defect."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from canasta.engine.moves.refusals import Facts
from canasta.notation.cards import MOST_CARDS, parse_cards
from canasta.notation.errors import NotationError, nearest, short
from canasta.notation.file_errors import FileProblem
from canasta.scenarios.yaml_tree import Node

Value = bool | int | str | None | list["Value"]
"""The value of an option."""

_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,9}", re.ASCII)
_YES: Final = ("true", "yes", "on", "y")
_NO: Final = ("false", "no", "off", "n")
_NOBODY: Final = ("none", "null", "nobody", "~", "")


class Reader:
    """Reads nodes. Anything unreadable is added to `defects` and returned as a neutral value."""

    def __init__(self) -> None:
        self.defects: list[FileProblem] = []

    def complain(self, node: Node, what: str, code: str, facts: Facts | None = None) -> None:
        self.defects.append(FileProblem(code, facts or {}, node.line, what))

    def want(self, node: Node, what: str, code: str, facts: Facts | None = None) -> None:
        """Record that something other than the node's value is required."""
        self.complain(node, what, code, {**(facts or {}), **node.described()})

    def melds_by_side(self, node: Node, what: str) -> None:
        self.complain(node, what, "MELDS_BY_SIDE", {"written": "0: [K K K]"})

    def no_such(self, node: Node, what: str, code: str, key: str, known: list[str]) -> None:
        """Record an unknown name. The code `NEARLY_…` suggests what was probably meant."""
        near = nearest(key, known)
        more: Facts = {"written": near} if near else {"choices": ", ".join(known)}
        self.complain(node, what, f"NEARLY_{code}" if near else f"NO_{code}", {"text": short(key), **more})

    def mapping(
        self, node: Node, what: str, known: Iterable[str], *, ignored: Iterable[str] = ()
    ) -> dict[str, Node]:
        """Return the values of a mapping with fixed keys. `Stock-Is` is accepted for `stock_is`."""
        keys = list(known)
        result: dict[str, Node] = {}
        if node.is_blank:
            return result
        if node.pairs is None:
            self.want(node, what, "WANTS_MAPPING")
            return result
        self._repeated(node, what)
        for key, value in node.pairs:
            name = (key.text or "").strip().lower().replace("-", "_")
            spaced = name.replace(" ", "_")
            name = name if name in keys else spaced
            if name in ignored:
                continue
            if name not in keys:
                self.no_such(key, what, "KEY", key.text or "", keys)
            elif name in result:
                self.complain(key, what, "KEY_TWICE", {"name": name})
            else:
                result[name] = value
        return result

    def by_number(self, node: Node, what: str) -> dict[int, Node]:
        """Return values by seat or side, from a mapping by number or a list in their order."""
        if node.is_blank:
            return {}
        if node.items is not None:
            return dict(enumerate(node.items))
        if node.pairs is None:
            self.complain(node, what, "BY_NUMBER", {"written": f"0: {short(node.text or '')}"})
            return {}
        self._repeated(node, what)
        result: dict[int, Node] = {}
        for key, value in node.pairs:
            number = self.whole(key, what)
            if number is None:
                continue
            if number < 0:
                self.complain(key, what, "FROM_0")
            elif number in result:
                self.complain(key, what, "KEY_TWICE", {"name": str(number)})
            else:
                result[number] = value
        return result

    def _repeated(self, node: Node, what: str) -> None:
        for key in node.repeated:
            self.complain(node, what, "KEY_TWICE", {"name": short(key)})

    def whole(self, node: Node, what: str) -> int | None:
        """Read an integer. `1_500` and `1,500` are accepted too."""
        text = "" if node.text is None else node.text.strip().replace("_", "").replace(",", "")
        text = text.replace("\N{MINUS SIGN}", "-")
        if _WHOLE.fullmatch(text) is None:
            self.want(node, what, "WANTS_NUMBER")
            return None
        return int(text)

    def count(self, node: Node, what: str, *, least: int = 0, most: int | None = None) -> int | None:
        number = self.whole(node, what)
        if number is not None and number < least:
            self.complain(node, what, "TOO_LITTLE", {"number": number, "low": least})
            return None
        if number is not None and most is not None and number > most:
            self.complain(node, what, "TOO_MUCH", {"number": number, "high": most})
            return None
        return number

    def nobody_or_number(self, node: Node, what: str) -> int | None:
        if node.text is not None and node.text.strip().lower() in _NOBODY:
            return None
        return self.count(node, what)

    def truth(self, node: Node, what: str) -> bool | None:
        word = "" if node.text is None else node.text.strip().lower()
        if word in _YES:
            return True
        if word in _NO:
            return False
        self.want(node, what, "WANTS_TRUTH")
        return None

    def word(self, node: Node, what: str, words: Mapping[str, str]) -> str | None:
        """Read one of a few words. `words` maps every spelling to the word meant."""
        text = "" if node.text is None else node.text.strip().lower().replace("-", "_").replace(" ", "_")
        if text in words:
            return words[text]
        self.want(node, what, "WANTS_ONE_OF", {"choices": ", ".join(dict.fromkeys(words.values()))})
        return None

    def numbers(self, node: Node, what: str) -> list[int]:
        """Read a list of numbers, a single number, or several in one text."""
        if node.is_blank:
            return []
        if node.items is not None:
            read = [self.count(item, what) for item in node.items]
        elif node.text is not None:
            words = node.text.replace(",", " ").split()
            read = [self.count(Node(node.line, text=word), what) for word in words]
        else:
            self.want(node, what, "WANTS_NUMBERS")
            return []
        return [number for number in read if number is not None]

    def scores(self, node: Node, what: str) -> dict[int, int]:
        """Read integers by side."""
        result: dict[int, int] = {}
        for side, value in self.by_number(node, what).items():
            number = self.whole(value, f"{what}[{side}]")
            if number is not None:
                result[side] = number
        return result

    def cards(self, node: Node, what: str) -> tuple[int, ...]:
        """Read cards from one text, one card, or a list of either."""
        if node.is_blank:
            return ()
        if node.items is not None:
            cards = tuple(card for item in node.items for card in self.cards(item, what))
            if len(cards) > MOST_CARDS:
                self.complain(node, what, "UNREADABLE", {"unreadable": "TOO_MANY_CARDS"})
                return ()
            return cards
        if node.text is None:
            self.want(node, what, "WANTS_CARDS")
            return ()
        try:
            return parse_cards(node.text, commas=True)
        except NotationError as error:
            self.complain(node, what, "UNREADABLE", error.facts)
            return ()

    def melds(self, node: Node, what: str) -> tuple[tuple[int, ...], ...]:
        """Read melds from a list of texts or lists. One text is one meld, or several separated by ` + `.

        A list of single cards is also one meld, because no meld has a single card.
        """
        if node.is_blank:
            return ()
        if node.text is not None:
            parts = [Node(node.line, text=part) for part in node.text.split("+")]
            return tuple(self.cards(part, what) for part in parts)
        if node.items is None:
            self.want(node, what, "WANTS_MELDS")
            return ()
        melds: list[tuple[int, ...]] = []
        for item in node.items:
            if item.items is None and item.text is not None and "+" in item.text:
                melds.extend(self.melds(item, what))
            else:
                melds.append(self.cards(item, what))
        if len(melds) > 2 and all(len(meld) == 1 for meld in melds):
            return (tuple(meld[0] for meld in melds),)
        return tuple(meld for meld in melds if meld)

    def texts(self, node: Node, what: str) -> list[str]:
        """Read a list of texts or one text. A block of lines counts as a list."""
        if node.is_blank:
            return []
        if node.text is not None:
            return [line.strip() for line in node.text.splitlines() if line.strip()]
        if node.items is None:
            self.want(node, what, "WANTS_TEXTS")
            return []
        texts: list[str] = []
        for item in node.items:
            if item.text is None or item.is_null:
                self.want(item, what, "WANTS_TEXT")
            else:
                texts.append(item.text.strip())
        return texts

    def value(self, node: Node, what: str) -> Value:
        """Read the value of an option: a boolean, a number, a text, nothing, or a list of these."""
        if node.items is not None:
            return [self.value(item, what) for item in node.items]
        if node.text is None:
            self.want(node, what, "WANTS_VALUE")
            return None
        if node.is_null:
            return None
        text = node.text.strip()
        # Quoted values are words: `going_out.ask: "no"`.
        if node.plain and text.lower() in _YES[:3]:
            return True
        if node.plain and text.lower() in _NO[:3]:
            return False
        return int(text.replace("_", "")) if _WHOLE.fullmatch(text.replace("_", "")) else text
