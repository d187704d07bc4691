"""Read YAML as a tree of texts with line numbers, and the values of a scenario from it.

YAML would turn some cards into numbers (`8`), so every scalar stays as written and is interpreted by the code
that knows its type, leniently about spelling, collecting every defect. No objects are ever constructed from
tags, and a hostile file hits limits on its size, depth and alias expansion before it exhausts memory.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import yaml

from canasta.i18n import Facts
from canasta.i18n.safe_text import closest, printable, short
from canasta.notation.cards import MOST_CARDS, parse_cards
from canasta.notation.errors import FileProblem, NotationError, ScenarioError

LARGEST_FILE: Final = 4_000_000
DEEPEST: Final = 30
MOST_NODES: Final = 400_000

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS: Final = ("", "~", "null", "Null", "NULL")


def _error(line: int, code: str, facts: Facts | None = None) -> ScenarioError:
    return ScenarioError([FileProblem(code, facts or {}, line)])


@dataclass
class Node:
    """A scalar, a list or a mapping, and the line on which it starts."""

    line: int
    text: str | None = None
    """The scalar as written; `None` for lists and mappings."""
    plain: bool = False
    """Whether the scalar is unquoted."""
    items: "list[Node] | None" = None
    pairs: "list[tuple[Node, Node]] | None" = None
    repeated: list[str] = field(default_factory=list)
    """Keys that occur twice in the mapping."""
    size: int = 1
    """Number of nodes in this tree."""

    @property
    def is_null(self) -> bool:
        return self.text is not None and self.plain and self.text in _NULLS

    @property
    def is_blank(self) -> bool:
        """Whether this is null or an empty text."""
        return self.text is not None and (self.is_null or not self.text.strip())

    def described(self) -> Facts:
        """Describe the node for an "expected X, got Y" error."""
        if self.items is not None:
            return {"instead": "LIST"}
        if self.pairs is not None:
            return {"instead": "MAPPING"}
        return (
            {"instead": "NOTHING"} if self.is_blank else {"instead": "TEXT", "text": short(self.text or "")}
        )


def read_documents(text: str) -> list[Node]:
    """Parse the documents of a YAML text. Raise `ScenarioError` if it is invalid or exceeds the limits."""
    if len(text) > LARGEST_FILE:
        raise _error(0, "FILE_TOO_LARGE", {"most": LARGEST_FILE})
    line = 0
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if event.start_mark is not None:
                line = event.start_mark.line + 1
            builder.take(event, line)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = " ".join(part for part in (error.context, error.problem) if part)
        raise _error(mark.line + 1 if mark else line, "NOT_YAML", {"text": printable(reason)}) from None
    except ScenarioError:
        raise
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # Invalid numbers in directives and escapes raise exceptions of their own types.
        reason = str(getattr(error, "reason", error))
        raise _error(line, "NOT_YAML", {"text": printable(reason)}) from None
    return builder.documents


class _Builder:
    """Builds the tree from the parser's events, without recursion."""

    def __init__(self) -> None:
        self.documents: list[Node] = []
        self._open: list[Node] = []
        self._keys: list[Node | None] = []
        self._anchors: dict[str, Node] = {}
        self._awaited: list[str | None] = []

    def take(self, event: yaml.Event, line: int) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self._anchors = {}
        elif isinstance(event, yaml.ScalarEvent):
            node = Node(line, text=event.value, plain=bool(event.implicit[0]) and not event.style)
            self._name(event.anchor, node)
            self._place(node)
        elif isinstance(event, yaml.AliasEvent):
            known = self._anchors.get(event.anchor or "")
            if known is None:
                raise _error(line, "NO_ANCHOR", {"text": short(event.anchor or "")})
            self._place(known)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._start(Node(line, items=[]), event.anchor)
        elif isinstance(event, yaml.MappingStartEvent):
            self._start(Node(line, pairs=[]), event.anchor)
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            node = self._open.pop()
            self._keys.pop()
            # An anchor is defined at the end of its node, so no tree can contain itself.
            self._name(self._awaited.pop(), node)
            if node.pairs is not None:
                _merge(node)
            self._place(node)

    def _start(self, node: Node, anchor: str | None) -> None:
        if len(self._open) >= DEEPEST:
            raise _error(node.line, "TOO_DEEP")
        self._open.append(node)
        self._keys.append(None)
        self._awaited.append(anchor)

    def _name(self, anchor: str | None, node: Node) -> None:
        if anchor is not None:
            self._anchors[anchor] = node

    def _place(self, node: Node) -> None:
        if not self._open:
            self.documents.append(node)
            return
        parent = self._open[-1]
        parent.size += node.size
        if parent.size > MOST_NODES:
            raise _error(node.line, "EXPANDS")
        if parent.items is not None:
            parent.items.append(node)
            return
        key = self._keys[-1]
        if key is None:
            if node.text is None:
                raise _error(node.line, "NO_KEY_FORM", node.described())
            self._keys[-1] = node
        else:
            assert parent.pairs is not None
            parent.pairs.append((key, node))
            self._keys[-1] = None


def _merge(node: Node) -> None:
    """Resolve `<<` and find repeated keys. The mapping's own keys override merged ones."""
    own: list[tuple[Node, Node]] = []
    merged: list[tuple[Node, Node]] = []
    seen: set[str] = set()
    for key, value in node.pairs or []:
        if key.plain and key.text == "<<":
            merged.extend(_pairs_to_merge(value))
            continue
        name = _key_text(key)
        if name in seen:
            node.repeated.append(name)
            continue
        seen.add(name)
        own.append((key, value))
    for key, value in merged:
        if _key_text(key) not in seen:
            seen.add(_key_text(key))
            own.append((key, value))
    node.pairs = own


def _pairs_to_merge(value: Node) -> Iterator[tuple[Node, Node]]:
    sources = value.items if value.items is not None else [value]
    for source in sources:
        if source.pairs is None:
            raise _error(source.line, "NOTHING_TO_MERGE")
        yield from source.pairs


def _key_text(key: Node) -> str:
    # `0` and "0" are the same key: seats may be written as numbers or as text.
    return (key.text or "").strip()


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
        """Record that the node is not what is required here."""
        self.complain(node, what, code, {**(facts or {}), **node.described()})

    def melds_by_side(self, node: Node, what: str) -> None:
        self.complain(node, what, "MELDS_BY_SIDE", {"written": "0: [K K K]"})

    def no_such(self, node: Node, what: str, code: str, key: str, known: list[str]) -> None:
        """Record an unknown name. The code `NEARLY_…` suggests the closest known one."""
        near = closest(key, known)
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
        """Read one of a few words. `words` maps every accepted spelling to its word."""
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
        """Read cards from a string, or from a list of strings."""
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
