"""Write the rule sheets of all presets and the list of all values as docs/rules, and docs/readings.md.

python scripts/rule_sheets.py            # write them
python scripts/rule_sheets.py --check    # report whether they are up to date
"""

import sys
from pathlib import Path

from canasta.i18n.voice import Voice
from canasta.rules import default_players, load_ruleset, preset_names
from canasta.rules.clauses import READINGS, reading_text
from canasta.rules.games import by_family, compare, markdown_table
from canasta.rules.loader import table_options, values_of
from canasta.rules.model import FIELDS, SECTIONS
from canasta.rules.preset_files import preset
from canasta.rules.sheet.sections import rule_sheet

DOCS = Path(__file__).resolve().parent.parent / "docs"

INTRODUCTION = """\
What a game is made of. `--option PATH=VALUE` changes one value at a table; a file of rules or a preset
changes several. In a file yes and no are `true` and `false`, words stand in quotation marks and lists of
numbers in brackets. Where a field has a short name too, `--option` takes either."""

READINGS_INTRODUCTION = """\
# Readings

If the documents are silent or contradict each other, this is what we play. A table that reads
a rule differently sets the field or option in the last column.

<!-- Made by scripts/rule_sheets.py; the readings are in the catalogue. -->

"""


def page(name: str) -> str:
    """Return the page of a preset: its rule sheet, its options, and its differences from its base."""
    rules = load_ruleset(name, default_players(name))
    text = rule_sheet(rules).markdown().replace("\n## ", "\n### ")
    title, body = text.split("\n", 1)
    players, body = body.strip().split("\n", 1)
    parts = [title, "", f"{players} `./canasta play --rules {name}` deals it.", "", "## The rules", body]
    parts += ["", "## Choices of the table", ""]
    parts += ["| option | what | by default |", "| --- | --- | --- |"]
    values = values_of(rules)
    for option in table_options(name):
        shown = option.form.show(option.now(values))
        parts.append(f"| `{option.name}` | {option.form.meaning} | {shown} |")
    base = preset(name).base
    if base:
        other = load_ruleset(base, rules.seats.players)
        parts += ["", f"## Beside {other.title}", "", compare(rules, other).markdown().rstrip()]
    return "\n".join(parts) + "\n"


def values_page() -> str:
    """Return the page of every field of the model: its name, possible values and default."""
    parts = ["# Every value", "", INTRODUCTION]
    for section in SECTIONS:
        title = Voice("en").say(f"sheets.section.{section}")
        parts += ["", f"## {title}", "", "| path | takes | usual | meaning | clauses |"]
        parts += ["| --- | --- | --- | --- | --- |"]
        for path, field in FIELDS.items():
            if field.section == section and not field.fixed:
                name = f"`{path}`" + (f", `{field.option}`" if field.option and field.switch is None else "")
                usual = field.typed(field.default).partition("=")[2]
                clauses = ", ".join(field.clauses)
                parts.append(f"| {name} | {field.takes()} | {usual} | {field.meaning} | {clauses} |")
    return "\n".join(parts) + "\n"


def readings_page() -> str:
    """Return the page of what we play where the documents are silent or contradictory."""
    rows = [
        (
            str(reading.number),
            ", ".join(reading.clauses),
            reading_text(reading),
            f"`{reading.field}`" if reading.field else "fixed",
        )
        for reading in READINGS
    ]
    return READINGS_INTRODUCTION + markdown_table(("no.", "clauses", "reading", "set by"), rows)


def pages() -> dict[str, str]:
    """Return the text of every page, by its path in the documentation."""
    index = ["# The games", "", "Rule sheets, written from the values that the engine plays by.", ""]
    for head, members in (by_family(preset_names()) | {"All rules": ["values"]}).items():
        index += [f"## {head}", "", "```{toctree}", ":maxdepth: 1", "", *members, "```", ""]
    sheets = {f"rules/{name}.md": page(name) for name in preset_names()}
    index_page = {"rules/index.md": "\n".join(index)}
    return {**index_page, "rules/values.md": values_page(), **sheets, "readings.md": readings_page()}


def main(arguments: list[str]) -> int:
    stale = False
    (DOCS / "rules").mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        path = DOCS / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments == ["--check"]:
            print(f"docs/{name} is out of date: run python scripts/rule_sheets.py")
            stale = True
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
