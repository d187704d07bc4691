"""YAML as a tree of texts with line numbers.

YAML would turn some cards into numbers (`8`), so every scalar stays as written and is interpreted by the code
that knows its type. No objects are ever constructed from tags, and a hostile file hits limits on its size,
depth and alias expansion before it exhausts memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml

from canasta.engine.moves.refusals import Facts
from canasta.notation.errors import printable, short
from canasta.notation.file_errors import FileProblem, WrongText

LARGEST_FILE: Final = 4_000_000
DEEPEST: Final = 30
MOST_NODES: Final = 400_000

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS: Final = ("", "~", "null", "Null", "NULL")


def _error(line: int, code: str, facts: Facts | None = None) -> WrongText:
    return WrongText([FileProblem(code, facts or {}, line)])


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
        """Return what this node is, for a message that something else was expected."""
        if self.items is not None:
            return {"instead": "LIST"}
        if self.pairs is not None:
            return {"instead": "MAPPING"}
        return (
            {"instead": "NOTHING"} if self.is_blank else {"instead": "TEXT", "text": short(self.text or "")}
        )


def read_documents(text: str) -> list[Node]:
    """Parse the documents of a YAML text. Raise `WrongText` if it is invalid or exceeds the limits."""
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
