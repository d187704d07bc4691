"""Writes the rule sheets of all presets as pages of the documentation: docs/rules/NAME.md.

python scripts/rule_sheets.py            # writes them
python scripts/rule_sheets.py --check    # says whether they are up to date
"""

import sys
from pathlib import Path

from canasta.rules import default_players, load_ruleset, preset_names
from canasta.rules.loader import table_options, values_of
from canasta.rules.preset_files import preset
from canasta.words.comparing import compare
from canasta.words.sheets import rule_sheet

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"


def page(name: str) -> str:
    """One preset: its rule sheet, its options, how it differs from the preset that it is based on."""
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


def pages() -> dict[str, str]:
    index = ["# The games", "", "Rule sheets, written from the values that the engine plays by.", ""]
    index += ["```{toctree}", ":maxdepth: 1", "", *preset_names(), "```", ""]
    return {"index.md": "\n".join(index), **{f"{name}.md": page(name) for name in preset_names()}}


def main(arguments: list[str]) -> int:
    stale = False
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments == ["--check"]:
            print(f"docs/rules/{name} is out of date: run python scripts/rule_sheets.py")
            stale = True
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
