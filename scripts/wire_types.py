"""Write the server's interface as TypeScript.

`web/src/lib/wire.ts` has the messages of tables, `rest.ts` the REST calls with their bodies, and `pages.ts`
the pages of the browser client.

python scripts/wire_types.py            # write the files
python scripts/wire_types.py --check    # report whether they are up to date
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from canasta.bots.levels import PEOPLE
from canasta.engine.events import EVENT_KINDS
from canasta.i18n.events import VARIANTS, Condition
from canasta.server.http.app import create_app
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


MESSAGES = [
    value
    for value in {**vars(wire_commands), **vars(wire)}.values()
    if isinstance(value, type)
    and issubclass(value, msgspec.Struct)
    and value not in (msgspec.Struct, wire_commands.Command)
]


def wire_types() -> str:
    parts = [HEAD.format(source="src/canasta/table/wire*.py"), *map(interface, MESSAGES)]
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


# -- REST ----------------------------------------------------------------------------------------------------

Schema = dict[str, Any]
"""A part of an OpenAPI description."""

PLAIN_SCHEMAS = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def rest_types() -> str:
    """Return the calls of the server's OpenAPI description, and those bodies that `wire.ts` doesn't have."""
    description = create_app().rest.openapi_schema.to_schema()
    schemas: Schema = description["components"]["schemas"]
    calls: dict[str, Schema] = {
        f"{method.upper()} {path}": operation
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    }
    sent = names_within([operation.get("requestBody") for operation in calls.values()], schemas)
    answered = names_within([answer_of(operation) for operation in calls.values()], schemas)
    messages = {struct.__name__ for struct in MESSAGES}
    own = sorted((sent | answered) - messages)
    roots = [[operation.get("requestBody"), answer_of(operation)] for operation in calls.values()]
    imported = messages & set(references([*roots, *(schemas[name] for name in own)]))
    parts = [
        HEAD.format(source="the server's OpenAPI description"),
        f'import type {{ {", ".join(sorted(imported))} }} from "./wire";\n',
        *(body_interface(name, schemas[name], is_sent=name in sent) for name in own),
        "/** What each call takes (parameters of the path and the query, a body), and its answer. */",
        "export interface Calls {",
        *(
            f'  "{name}": {{ takes: {takes(call)}; answers: {answers(call)} }};'
            for name, call in calls.items()
        ),
        "}\n",
    ]
    return "\n".join(parts)


def references(part: object) -> Iterator[str]:
    """Iterate over the names of the schemas that a part of the description refers to."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def names_within(part: object, schemas: Schema) -> set[str]:
    """Return the names of all schemas that a part of the description uses, directly or not."""
    names: set[str] = set()
    new = set(references(part))
    while new:
        names |= new
        new = {inner for name in new for inner in references(schemas[name])} - names
    return names


def answer_of(operation: Schema) -> Schema | None:
    """Return the schema of a successful answer; `None` if it has no body."""
    content = next(
        answer.get("content") for code, answer in operation["responses"].items() if code.startswith("2")
    )
    return next(iter(content.values()))["schema"] if content else None


def answers(operation: Schema) -> str:
    schema = answer_of(operation)
    return "null" if schema is None else schema_type(schema)


def takes(operation: Schema) -> str:
    members = [
        member(each["name"], each["schema"], is_optional=not each["required"])
        for each in operation.get("parameters", [])
    ]
    if body := operation.get("requestBody"):
        members.append(member("body", body["content"]["application/json"]["schema"], is_optional=False))
    return f"{{ {' '.join(members)} }}" if members else "object"


def body_interface(name: str, schema: Schema, *, is_sent: bool) -> str:
    """Return the interface of a body. Clients may omit fields that have a default; the server doesn't."""
    required = schema.get("required", ())
    members = [
        f"  {member(field, part, is_optional=is_sent and field not in required)}"
        for field, part in schema["properties"].items()
    ]
    return "\n".join([f"export interface {name} {{", *members, "}", ""])


def member(name: str, schema: Schema, *, is_optional: bool) -> str:
    return f"{name}{'?' if is_optional else ''}: {schema_type(schema)};"


def schema_type(schema: Schema) -> str:
    """Return an OpenAPI schema in TypeScript."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "oneOf" in schema:
        return " | ".join(dict.fromkeys(map(schema_type, schema["oneOf"])))
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if schema["type"] == "array":
        item = schema_type(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if schema["type"] == "object":
        return f"Record<string, {schema_type(schema['additionalProperties'])}>"
    return PLAIN_SCHEMAS[schema["type"]]


# -- pages and files -----------------------------------------------------------------------------------------


def pages() -> str:
    head = HEAD.format(source="src/canasta/server/http/static_files.py")
    return "\n".join([head, "/** The pages by name, with their paths. */", constant("PAGES", PAGES)])


def main(arguments: list[str]) -> int:
    texts = {"wire.ts": wire_types(), "rest.ts": rest_types(), "pages.ts": pages()}
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
