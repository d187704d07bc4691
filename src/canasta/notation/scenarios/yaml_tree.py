"""YAML as a tree of text with line numbers.

A scenario writes cards that YAML takes for numbers (`8`), so the text of every scalar is kept as written and
read by whoever knows what it should be. Nothing is ever constructed from a tag, and a hostile file meets
limits instead of memory: on its size, its depth and what its aliases expand to.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml

from canasta.engine.moves.refusals import Facts
from canasta.notation.errors import printable, short
from canasta.notation.wrong import Wrong, WrongText

LARGEST_FILE: Final = 4_000_000
DEEPEST: Final = 30
MOST_NODES: Final = 400_000

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS: Final = ("", "~", "null", "Null", "NULL")


def _error(line: int, code: str, facts: Facts | None = None) -> WrongText:
    return WrongText([Wrong(code, facts or {}, line)])


@dataclass
class Node:
    """A scalar, a list or a mapping, and the line it begins on."""

    line: int
    text: str | None = None
    """A scalar as written; None for lists and mappings."""
    plain: bool = False
    """A scalar without quotes."""
    items: "list[Node] | None" = None
    pairs: "list[tuple[Node, Node]] | None" = None
    repeated: list[str] = field(default_factory=list)
    """Keys that a mapping gives twice."""
    size: int = 1
    """Nodes in this tree."""

    @property
    def is_null(self) -> bool:
        return self.text is not None and self.plain and self.text in _NULLS

    @property
    def is_blank(self) -> bool:
        """Nothing at all: null or an empty text."""
        return self.text is not None and (self.is_null or not self.text.strip())

    def described(self) -> Facts:
        """What this is, for a sentence about something else that was wanted."""
        if self.items is not None:
            return {"instead": "LIST"}
        if self.pairs is not None:
            return {"instead": "MAPPING"}
        return (
            {"instead": "NOTHING"} if self.is_blank else {"instead": "TEXT", "text": short(self.text or "")}
        )


def read_documents(text: str) -> list[Node]:
    """The documents of a YAML text. Raises `WrongText` where it is none, or more than a file can be."""
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
    except WrongText:
        raise
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The parser lets numbers in its own directives and escapes fail in their own ways.
        reason = str(getattr(error, "reason", error))
        raise _error(line, "NOT_YAML", {"text": printable(reason)}) from None
    return builder.documents


class _Builder:
    """Puts the tree together from the parser's events, without recursion."""

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
            # An anchor counts from its end on: so no tree can hold itself.
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
    """Resolves `<<` and finds keys given twice; a key of the mapping itself goes before a merged one."""
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
    # `0` and "0" are one key: seats may be written as numbers or as text.
    return (key.text or "").strip()
