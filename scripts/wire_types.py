"""Write the server's interface as TypeScript.

`web/src/lib/wire.ts` has the messages of tables, `web/src/lib/pages.ts` the pages of the browser client.

python scripts/wire_types.py            # write the file
python scripts/wire_types.py --check    # report whether it is up to date
"""

import sys
from pathlib import Path
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin

import msgspec

from canasta.bots.levels import PEOPLE
from canasta.engine.events import EVENT_KINDS
from canasta.i18n.events import VARIANTS, Condition
from canasta.server.http.static_files import PAGES
from canasta.table import wire, wire_commands
from canasta.table.event_views import OPEN_CARDS
from canasta.table.seats import FACES

LIB = Path(__file__).resolve().parent.parent / "web" / "src" / "lib"
HEAD = "// Written by scripts/wire_types.py from {source}; do not edit.\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", object: "unknown"}


def typescript(kind: object) -> str:
    """Return a Python annotation in TypeScript."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, UnionType):
        members = [typescript(member) for member in arguments if member is not msgspec.UnsetType]
        return " | ".join(dict.fromkeys(members))
    if origin in (list, tuple):
        member = typescript(arguments[0])
        return f"({member})[]" if "|" in member else f"{member}[]"
    if origin is dict:
        return f"Record<string, {typescript(arguments[1])}>"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind.__name__
    return PLAIN[kind]  # type: ignore[index]


def interface(struct: type[msgspec.Struct]) -> str:
    information = msgspec.inspect.type_info(struct)
    assert isinstance(information, msgspec.inspect.StructType)
    lines = [f"export interface {struct.__name__} {{"]
    if information.tag_field is not None and information.tag is not None:
        lines.append(f'  {information.tag_field}: "{information.tag}";')
    sends = issubclass(struct, wire_commands.Command)
    left_out = struct.__struct_config__.omit_defaults
    for member in msgspec.structs.fields(struct):
        may_miss = (sends or left_out or msgspec.UnsetType in get_args(member.type)) and not member.required
        lines.append(f"  {member.encode_name}{'?' if may_miss else ''}: {typescript(member.type)};")
    return "\n".join([*lines, "}", ""])


def wire_types() -> str:
    structs = [
        value
        for value in {**vars(wire_commands), **vars(wire)}.values()
        if isinstance(value, type)
        and issubclass(value, msgspec.Struct)
        and value not in (msgspec.Struct, wire_commands.Command)
    ]
    parts = [HEAD.format(source="src/canasta/table/wire*.py"), *(interface(struct) for struct in structs)]
    for name, union in (("AnyCommand", wire_commands.AnyCommand), ("AnyFrame", wire.AnyFrame)):
        parts.append(f"export type {name} = {typescript(union)};\n")
    parts.append(constant("PHRASES", wire.PHRASES))
    parts.append(constant("LEVELS", list(PEOPLE)))
    parts.append(constant("FACES", FACES, "readonly string[]"))
    parts.append("/** The events of the game, as `what` of an `EventView`; the table has more. */")
    parts.append(constant("GAME_EVENTS", [kind.tag for kind in EVENT_KINDS.values()]))
    parts.append("export type GameEvent = (typeof GAME_EVENTS)[number];\n")
    parts.append("/** Events with private cards, and the number of cards at the end that everybody sees. */")
    parts.append(constant("OPEN_CARDS", OPEN_CARDS, "Readonly<Record<string, number>>"))
    parts.append(f"export type EventCondition = {typescript(Condition)};\n")
    parts.append(
        "/** Catalogue codes of events that have several; the first whose condition holds applies. */"
    )
    variants = "Readonly<Record<string, readonly (readonly [EventCondition, string])[]>>"
    parts.append(constant("EVENT_VARIANTS", VARIANTS, variants))
    return "\n".join(parts)


def constant(name: str, value: object, kind: str = "") -> str:
    """Return a constant; without a type, its literals are its type."""
    text = msgspec.json.encode(value).decode()
    return f"export const {name}: {kind} = {text};\n" if kind else f"export const {name} = {text} as const;\n"


def pages() -> str:
    head = HEAD.format(source="src/canasta/server/http/static_files.py")
    return "\n".join([head, "/** The pages by name, with their paths. */", constant("PAGES", PAGES)])


def main(arguments: list[str]) -> int:
    texts = {"wire.ts": wire_types(), "pages.ts": pages()}
    if arguments == ["--check"]:
        stale = [name for name, text in texts.items() if (LIB / name).read_text(encoding="utf-8") != text]
        if stale:
            print(f"Out of date in web/src/lib: {', '.join(stale)}. Run python scripts/wire_types.py")
        return int(bool(stale))
    for name, text in texts.items():
        (LIB / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
