"""`canasta rules`: the games, their rule sheets, what differs, what a clause says."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import typer
from rich.text import Text

from canasta.commands.asked import Asked, load
from canasta.commands.output import console, fail, print_json, print_table, print_wrapped, text_width
from canasta.notation.errors import did_you_mean, quoted
from canasta.rules import Ruleset, default_players, player_numbers, preset_names
from canasta.rules.clauses import (
    CLAUSES,
    GROUP_TITLES,
    Clause,
    clause_value,
    clauses_of_group,
    fields_of_clause,
)
from canasta.rules.diff import compare
from canasta.rules.fields import FIELDS, Field
from canasta.rules.loader import table_options, values_of
from canasta.rules.preset_files import preset
from canasta.rules.readings import readings_of_clause
from canasta.words.sheets import RuleSheet, rule_sheet

_CLAUSE_AT_START: Final = re.compile(r"  [A-Z]{3,5}-[0-9]+ ")


# -- the games ----------------------------------------------------------------------------------------------


def print_games(asked: Asked) -> None:
    """The presets, one line each."""
    if asked.as_json:
        print_json([_game(name) for name in preset_names()])
        return
    rows = [_game_row(name) for name in preset_names()]
    head = ("name", "game", "players", "decks", "to", "booklet")
    if asked.as_markdown:
        _print_markdown(head, rows)
        return
    print_table(head, rows, right=("players", "decks"))


def _game_row(name: str) -> tuple[str, ...]:
    rules = load(name)
    numbers = player_numbers(name)
    players = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    until = f"{rules.match.rounds} rounds" if rules.match.rounds else str(rules.match.target)
    title = rules.title.partition(" (")[0]  # the booklet stands in a column of its own
    return name, title, players, str(rules.deck.decks), until, preset(name).booklet


def _game(name: str) -> dict[str, object]:
    rules = load(name)
    return {
        "name": name,
        "title": rules.title,
        "players": list(player_numbers(name)),
        "default_players": default_players(name),
        "decks": rules.deck.decks,
        "target": rules.match.target or None,
        "rounds": rules.match.rounds or None,
        "family": preset(name).family,
        "source": preset(name).booklet,
        "summary": preset(name).summary,
    }


# -- one game -----------------------------------------------------------------------------------------------


def print_sheet(asked: Asked, *, every_value: bool) -> None:
    """The rule sheet of one game."""
    rules = asked.rules()
    sheet = rule_sheet(rules)
    if asked.as_json:
        print_json(
            {
                "name": rules.name,
                "title": rules.title,
                "players": rules.seats.players,
                "values": values_of(rules),
                "takes": {path: field.takes() for path, field in FIELDS.items() if not field.fixed},
                "sheet": [
                    {"section": section.title, "lines": [line._asdict() for line in section.lines]}
                    for section in sheet.sections
                ],
            }
        )
        return
    if asked.as_markdown:
        typer.echo(sheet.markdown(), nl=False)
    else:
        show_sheet(sheet)
    if every_value:
        _print_values(rules, as_markdown=asked.as_markdown)


def _print_values(rules: Ruleset, *, as_markdown: bool) -> None:
    """Every field as `--option` takes it, and what else could stand there."""
    values = values_of(rules)
    rows = [
        (field.typed(values[path]), field.takes(), field.label)
        for path, field in FIELDS.items()
        if not field.fixed
    ]
    head = ("every value", "what it takes", "rule")
    typer.echo()
    if as_markdown:
        _print_markdown(head, rows)
    else:
        print_table(head, rows)


def show_sheet(sheet: RuleSheet) -> None:
    """A rule sheet as text; on a terminal its titles stand out."""
    where = console()
    for line in sheet.text(text_width(where)).splitlines():
        text = Text(line)
        if clause := _CLAUSE_AT_START.match(line):
            text.stylize("quiet", 0, clause.end())
        elif line and not line.startswith(" "):
            text.stylize("title")
        where.print(text, soft_wrap=True)


def print_choices(asked: Asked) -> None:
    """The options of a game that have names of their own."""
    rules = asked.rules()
    values = values_of(rules)
    rows = []
    for option in table_options(rules.name, rules.seats.players):
        rows.append(
            (option.name, option.form.show(option.now(values)), option.form.clauses[0], option.form.meaning)
        )
    head = ("option", "now", "clause", "meaning")
    if asked.as_json:
        print_json([dict(zip(head, row, strict=True)) for row in rows])
    elif asked.as_markdown:
        _print_markdown(head, rows)
    else:
        print_table(head, rows)


# -- two games ----------------------------------------------------------------------------------------------


def print_difference(asked: Asked, other: str) -> None:
    """How the game asked for differs from another; house rules belong to the first."""
    left, right = _pair(asked, other)
    comparison = compare(left, right)
    if asked.as_json:
        print_json(
            {
                "left": {"name": left.name, "players": left.seats.players},
                "right": {"name": right.name, "players": right.seats.players},
                "differences": [row._asdict() for row in comparison.rows],
            }
        )
    elif asked.as_markdown:
        typer.echo(comparison.markdown(), nl=False)
    elif not comparison.rows:
        typer.echo(comparison.text(), nl=False)
    else:
        sides = (comparison.left, comparison.right)
        if left.name == right.name:
            sides = ("your table", "the booklet")
        head = ("clause", "rule", *sides)
        print_table(head, [(row.clause, row.label, row.left, row.right) for row in comparison.rows])


def _pair(asked: Asked, other: str) -> tuple[Ruleset, Ruleset]:
    """Both games for the same number of players, where there is one that both allow."""
    players = asked.players
    if players is None:
        games = load(asked.name()), load(other)  # a name that does not exist is told before anything else
        numbers = [player_numbers(rules.name) for rules in games]
        both = [number for number in numbers[0] if number in numbers[1]]
        usual = [rules.seats.players for rules in games if rules.seats.players in both]
        players = next(iter(usual + both), None)
    return replace(asked, players=players).rules(), load(other, players)


# -- one clause ---------------------------------------------------------------------------------------------


def print_clause(asked: Asked, wanted: str) -> None:
    """What a clause says and how each game, or the one asked for, has it."""
    group = wanted.strip().upper()
    if group in GROUP_TITLES:
        _print_group(asked, group)
        return
    clause = find_clause(wanted)
    games = [asked.rules()] if asked.names else _games_for(asked)
    fields = fields_of_clause(clause.id)
    if asked.as_json:
        print_json(
            {
                **clause._asdict(),
                "fields": [field.path for field in fields],
                "games": {rules.name: clause_value(clause.id, rules) for rules in games},
                "readings": [reading.text for reading in readings_of_clause(clause.id)],
            }
        )
        return
    show_clause(clause)
    typer.echo()
    if fields:
        rows = [row for field in fields for row in _how_games_have_it(field, games)]
        print_table(("rule", "value", "games"), rows)
    else:
        typer.echo("The same in every game that has it.")


def _how_games_have_it(field: Field, games: Sequence[Ruleset]) -> list[tuple[str, str, str]]:
    """One line for each value that a field has in these games."""
    names: dict[str, list[str]] = {}
    for rules in games:
        names.setdefault(field.show(values_of(rules)[field.path]), []).append(rules.name)
    rows: list[tuple[str, str, str]] = []
    for value, having in names.items():
        others = [rules.name for rules in games if rules.name not in having]
        text = ", ".join(having)
        if len(games) > 1 and len(others) < min(3, len(having)):
            text = f"all but {' and '.join(others)}" if others else "all"
        rows.append((field.label if not rows else "", value, text))
    return rows


def _games_for(asked: Asked) -> list[Ruleset]:
    """Every game, for the number of players asked for where the game allows it."""
    if asked.option:
        fail("house rules need a game: canasta rules NAME --clause ID --option NAME=VALUE")
    numbers = [(name, asked.players) for name in preset_names()]
    if asked.players is not None:
        numbers = [(name, players) for name, players in numbers if players in player_numbers(name)]
        if not numbers:
            fail(f"no game is for {asked.players} players; two to six may play.")
    return [load(name, players) for name, players in numbers]


def find_clause(wanted: str) -> Clause:
    """The clause of that id; where there is none, the command ends."""
    name = wanted.strip().upper()
    if name not in CLAUSES:
        group = name.partition("-")[0]
        hint = did_you_mean(name.lower(), [clause.lower() for clause in CLAUSES])
        if group in GROUP_TITLES:
            ids = [clause.id for clause in clauses_of_group(group)]
            hint = f"there are {ids[0]} to {ids[-1]}"
        fail(f"there is no clause {quoted(wanted)}; {hint or 'the groups are ' + ', '.join(GROUP_TITLES)}")
    return CLAUSES[name]


def show_clause(clause: Clause) -> None:
    """Title, text, readings and fields of a clause."""
    where = console()
    group = GROUP_TITLES[clause.group]
    head = Text.assemble((clause.id, "title"), f"  {clause.title}", (f"  ({group})", "quiet"))
    where.print(head, soft_wrap=True)
    print_wrapped(where, clause.text, first="  ")
    for reading in readings_of_clause(clause.id):
        print_wrapped(where, f"Reading {reading.number}: {reading.text}", first="  ")
    names = [
        f"{field.path} (option {field.option})" if field.option else field.path
        for field in fields_of_clause(clause.id)
    ]
    if names:
        print_wrapped(where, f"Set by {', '.join(names)}", first="  ", style="quiet")


def _print_group(asked: Asked, group: str) -> None:
    clauses = clauses_of_group(group)
    if asked.as_json:
        print_json([clause._asdict() for clause in clauses])
        return
    where = console()
    where.print(Text(GROUP_TITLES[group], style="title"))
    for clause in clauses:
        print_wrapped(where, clause.text, first=f"  {clause.id:<8} ", rest=" " * 11)


def _print_markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, ["---" for _ in head], *rows]
    for line in lines:
        typer.echo(f"| {' | '.join(line)} |")
