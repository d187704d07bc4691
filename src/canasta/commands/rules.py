"""`canasta rules`: list games, print rule sheets, compare games and explain clauses."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final

import typer
from rich.text import Text

from canasta.commands.options import (
    Json,
    Lang,
    Options,
    Players,
    RulesArguments,
    complete_clause,
    complete_preset,
    examples,
    load,
    new_command,
)
from canasta.commands.output import (
    console,
    fail,
    fail_saying,
    language,
    phrase,
    print_json,
    print_table,
    print_wrapped,
    text_width,
    use_language,
)
from canasta.i18n import Fact
from canasta.i18n.safe_text import closest, quoted
from canasta.i18n.voice import Voice
from canasta.rules import Ruleset, default_players, player_numbers, preset_names
from canasta.rules.clauses import (
    CLAUSE_GROUPS,
    CLAUSES,
    Clause,
    clause_in,
    clause_of,
    clause_value,
    fields_of_clause,
    group_of,
    group_title,
    reading_text,
    readings_of_clause,
)
from canasta.rules.field_types import Field
from canasta.rules.games import by_family, compare, family_names, find_games, markdown_table, traits_of
from canasta.rules.loader import table_options, values_of
from canasta.rules.model import FIELDS
from canasta.rules.preset_files import players_text, preset, title_of
from canasta.rules.sheet.sections import RuleSheet, rule_sheet

_CLAUSE_AT_START: Final = re.compile(r"  [A-Z]{3,5}-[0-9]+ ")


def _heads(*keys: str) -> list[str]:
    return [phrase(f"sheets.list.{key}") for key in keys]


# -- the games ----------------------------------------------------------------------------------------------


def print_games(arguments: RulesArguments, names: Sequence[str]) -> None:
    """Print these games, one line each, grouped by family."""
    if arguments.as_json:
        print_json([_game(name) for name in names])
        return
    families = {
        family_names(family).get(language(), family): [_game_row(name) for name in members]
        for family, members in by_family(names).items()
    }
    head = _heads("name", "game", "players", "decks", "to", "booklet")
    if arguments.as_markdown:
        rows = [(*row, family) for family, members in families.items() for row in members]
        typer.echo(markdown_table([*head, phrase("sheets.list.family")], rows), nl=False)
    elif families:
        print_table(head, families, right=head[2:4])
    else:
        typer.echo(phrase("sheets.list.none_found"))
        raise typer.Exit(1)


def _game_row(name: str) -> tuple[str, ...]:
    rules = load(name)
    rounds = rules.match.rounds
    until = phrase("sheets.list.rounds", {"rounds": rounds}) if rounds else str(rules.match.target)
    title = title_of(rules, language()).partition(" (")[0]  # the booklet is in a column of its own
    return name, title, players_text(name), str(rules.deck.decks), until, preset(name).booklet


def _game(name: str) -> dict[str, object]:
    rules = load(name)
    return {
        "name": name,
        "title": rules.title,
        "players": list(player_numbers(name)),
        "default_players": default_players(name),
        **traits_of(rules)._asdict(),
        "target": rules.match.target or None,
        "rounds": rules.match.rounds or None,
        "family": preset(name).family,
        "source": preset(name).booklet,
        "summary": preset(name).summary,
    }


# -- one game -----------------------------------------------------------------------------------------------


def print_sheet(arguments: RulesArguments, *, every_value: bool) -> None:
    """Print the rule sheet of one game."""
    rules = arguments.rules()
    sheet = rule_sheet(rules, language())
    if arguments.as_json:
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
    if arguments.as_markdown:
        typer.echo(sheet.markdown(), nl=False)
    else:
        show_sheet(sheet)
    if every_value:
        _print_values(rules, as_markdown=arguments.as_markdown)


def _print_values(rules: Ruleset, *, as_markdown: bool) -> None:
    """Print every field in the form that `--option` takes, with the values it allows."""
    values = values_of(rules)
    rows = [
        (field.typed(values[field.path]), field.takes(language()), field.label)
        for field in (field.in_language(language()) for field in FIELDS.values() if not field.fixed)
    ]
    head = _heads("every_value", "takes", "rule")
    typer.echo()
    if as_markdown:
        typer.echo(markdown_table(head, rows), nl=False)
    else:
        print_table(head, rows)


def show_sheet(sheet: RuleSheet) -> None:
    """Print a rule sheet as text, with highlighted titles on a terminal."""
    where = console()
    for line in sheet.text(text_width(where)).splitlines():
        text = Text(line)
        if clause := _CLAUSE_AT_START.match(line):
            text.stylize("quiet", 0, clause.end())
        elif line and not line.startswith(" "):
            text.stylize("title")
        where.print(text, soft_wrap=True)


def print_choices(arguments: RulesArguments) -> None:
    """Print the named options of a game."""
    rules = arguments.rules()
    values = values_of(rules)
    rows = []
    for option in table_options(rules.name, rules.seats.players):
        form = option.form.in_language(language())
        rows.append(
            (option.name, form.show(option.now(values)), clause_of(form, rules.seats.players), form.meaning)
        )
    columns = ("option", "now", "clause", "meaning")
    head = _heads(*columns)
    if arguments.as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif arguments.as_markdown:
        typer.echo(markdown_table(head, rows), nl=False)
    else:
        print_table(head, rows)


# -- two games ----------------------------------------------------------------------------------------------


def print_difference(arguments: RulesArguments, other: str) -> None:
    """Print the differences between the given game, with its house rules, and another."""
    left, right = _pair(arguments, other)
    comparison = compare(left, right, language())
    if arguments.as_json:
        print_json(
            {
                "left": {"name": left.name, "players": left.seats.players},
                "right": {"name": right.name, "players": right.seats.players},
                "differences": [row._asdict() for row in comparison.rows],
            }
        )
    elif arguments.as_markdown:
        typer.echo(comparison.markdown(), nl=False)
    elif not comparison.rows:
        typer.echo(comparison.text(), nl=False)
    else:
        sides = (comparison.left, comparison.right)
        if left.name == right.name:
            sides = (phrase("sheets.list.your_table"), phrase("sheets.list.the_booklet"))
        head = (*comparison.head, *sides)
        print_table(head, [(row.clause, row.label, row.left, row.right) for row in comparison.rows])


def _pair(arguments: RulesArguments, other: str) -> tuple[Ruleset, Ruleset]:
    """Load both games for the same number of players, if both allow one."""
    players = arguments.players
    if players is None:
        games = load(arguments.name()), load(other)  # check for an unknown name first
        numbers = [player_numbers(rules.name) for rules in games]
        both = [number for number in numbers[0] if number in numbers[1]]
        usual = [rules.seats.players for rules in games if rules.seats.players in both]
        players = next(iter(usual + both), None)
    return replace(arguments, players=players).rules(), load(other, players)


# -- one clause ---------------------------------------------------------------------------------------------


def print_clause(arguments: RulesArguments, wanted: str) -> None:
    """Print a clause and its value in every game, or only in the given one."""
    group = wanted.strip().upper()
    if group in CLAUSE_GROUPS:
        _print_group(arguments, group)
        return
    shown = find_clause(wanted)
    games = [arguments.rules()] if arguments.names else _games_for(arguments)
    fields = fields_of_clause(shown.id)
    if arguments.as_json:
        print_json(
            {
                **shown._asdict(),
                "fields": [field.path for field in fields],
                "games": {rules.name: clause_value(shown.id, rules, language()) for rules in games},
                "readings": [reading_text(reading, language()) for reading in readings_of_clause(shown.id)],
            }
        )
        return
    show_clause(shown)
    typer.echo()
    if fields:
        rows = [row for field in fields for row in _how_games_have_it(field.in_language(language()), games)]
        print_table(_heads("rule", "value", "games"), rows)
    else:
        typer.echo(phrase("sheets.list.same"))


def _how_games_have_it(field: Field, games: Sequence[Ruleset]) -> list[tuple[str, str, str]]:
    """Return, for each value that a field has in these games, a row for the table."""
    names: dict[str, list[str]] = {}
    for rules in games:
        names.setdefault(field.show(values_of(rules)[field.path]), []).append(rules.name)
    rows: list[tuple[str, str, str]] = []
    for value, having in names.items():
        others = [rules.name for rules in games if rules.name not in having]
        text = ", ".join(having)
        if len(games) > 1 and len(others) < min(3, len(having)):
            listed = Voice(language()).listed(others)
            text = phrase("sheets.list.all_but", {"games": listed}) if others else phrase("sheets.list.all")
        rows.append((field.label if not rows else "", value, text))
    return rows


def _games_for(arguments: RulesArguments) -> list[Ruleset]:
    """Load every game that allows the given number of players."""
    if arguments.option:
        fail("house_rules_need_game")
    numbers = [(name, arguments.players) for name in preset_names()]
    if arguments.players is not None:
        numbers = [(name, players) for name, players in numbers if players in player_numbers(name)]
        if not numbers:
            fail("game_for_nobody", {"players": arguments.players})
    return [load(name, players) for name, players in numbers]


def find_clause(wanted: str) -> Clause:
    """Return the clause with that id; exit if it doesn't exist."""
    name = wanted.strip().upper()
    if name not in CLAUSES:
        message = no_clause(wanted)
        fail_saying(message[:1].lower() + message[1:])
    return clause_in(name, language())


def no_clause(wanted: str) -> str:
    """Return the message for an unknown clause, with a suggestion."""
    facts: dict[str, Fact] = {"name": quoted(wanted)}
    group = CLAUSE_GROUPS.get(group_of(wanted.strip().upper()))
    if group is not None:
        return phrase("typed.no_clause_of", {**facts, "one": group[0], "text": group[-1]})
    near = closest(wanted.strip(), CLAUSES)
    facts["text"] = near or ", ".join(CLAUSE_GROUPS)
    return phrase("typed.no_clause_but" if near else "typed.no_clause", facts)


def show_clause(shown: Clause) -> None:
    """Print the title, text, readings and fields of a clause."""
    where = console()
    group = group_title(shown.id, language())
    head = Text.assemble((shown.id, "title"), f"  {shown.title}", (f"  ({group})", "quiet"))
    where.print(head, soft_wrap=True)
    print_wrapped(where, shown.text, first="  ")
    for reading in readings_of_clause(shown.id):
        text = phrase(
            "sheets.list.reading",
            {"number": reading.number, "text": reading_text(reading, language())},
        )
        print_wrapped(where, text, first="  ")
    names = [
        f"{field.path} ({phrase('sheets.list.option')} {field.option})" if field.option else field.path
        for field in fields_of_clause(shown.id)
    ]
    if names:
        print_wrapped(
            where, phrase("sheets.list.set_by", {"fields": ", ".join(names)}), first="  ", style="quiet"
        )


def _print_group(arguments: RulesArguments, group: str) -> None:
    clauses = [clause_in(name, language()) for name in CLAUSE_GROUPS[group]]
    if arguments.as_json:
        print_json([clause._asdict() for clause in clauses])
        return
    where = console()
    where.print(Text(group_title(group, language()), style="title"))
    for each in clauses:
        print_wrapped(where, each.text, first=f"  {each.id:<8} ", rest=" " * 11)


app = new_command()


@app.command(
    epilog=examples(
        "canasta rules",
        "canasta rules --decks 3 --sequences",
        "canasta rules --find 'mano y pie'",
        "canasta rules bolivia --players 4",
        "canasta rules caliente --option hand_size=13 --diff caliente",
        "canasta rules jaques --option target=3000 --save my-club.toml",
        "canasta rules --clause PILE-8",
        "canasta rules --coverage tests/rulebook",
    )
)
def rules(  # noqa: PLR0913, PLR0917 - these are the options of the command
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]",
            help="A game; without one, all are listed. With --coverage: scenario files or folders.",
            autocompletion=complete_preset,
        ),
    ] = None,
    find: Annotated[
        str,
        typer.Option(metavar="WORDS", help="List games whose name contains these words, in any language."),
    ] = "",
    decks: Annotated[int | None, typer.Option(metavar="N", help="List games with N decks.")] = None,
    sequences: Annotated[
        bool | None,
        typer.Option("--sequences/--no-sequences", help="List games with or without sequences."),
    ] = None,
    second_hand: Annotated[
        bool | None,
        typer.Option("--second-hand/--no-second-hand", help="List games with or without a second hand."),
    ] = None,
    players: Players = None,
    option: Options = None,
    diff: Annotated[
        str | None,
        typer.Option(
            metavar="OTHER", help="Show how the game differs from another.", autocompletion=complete_preset
        ),
    ] = None,
    clause: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Explain a clause and show its value in each game; PILE lists a group.",
            autocompletion=complete_clause,
        ),
    ] = None,
    choices: Annotated[
        bool, typer.Option("--choices", help="List the named options of this game with their values.")
    ] = False,
    values: Annotated[
        bool, typer.Option("--values", help="Also print every value in the form that --option takes.")
    ] = False,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE.toml", help="Save the game and its house rules to a file for --rules."),
    ] = None,
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage",
            help="List the scenarios that prove each clause; the exit status is 1 if a clause has none.",
        ),
    ] = False,
    short: Annotated[
        bool, typer.Option("--short", help="With --coverage: print only the counts, not the scenarios.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List games, print and compare their rules, explain clauses."""
    use_language(lang)

    arguments = RulesArguments(names or [], players, option or [], as_json=json, as_markdown=markdown)
    if coverage:
        from canasta.commands.scenario import print_coverage  # noqa: PLC0415 - it imports this module

        print_coverage(arguments, clause=clause, short=short)
    elif save is not None:
        arguments.save(save)
    elif clause is not None:
        print_clause(arguments, clause)
    elif diff is not None:
        print_difference(arguments, diff)
    elif choices:
        print_choices(arguments)
    elif arguments.names and not find and (decks, sequences, second_hand) == (None, None, None):
        print_sheet(arguments, every_value=values)
    else:
        words = " ".join([find, *arguments.names])  # `--find mano pie` searches for both words
        games = find_games(words, decks=decks, sequences=sequences, second_hand=second_hand)
        print_games(arguments, [name for name in games if players in (None, *player_numbers(name))])
