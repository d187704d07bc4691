"""Rule sheets in every language: each line of each game has a text, and each text is used."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from canasta.i18n.catalogue import languages, texts
from canasta.rules import load_ruleset, player_numbers, preset_names
from canasta.rules.field_types import CHOICE, NUMBER, NUMBERS, YES_NO
from canasta.rules.loader import ruleset_from, values_of
from canasta.rules.model import FIELDS, Ruleset
from canasta.rules.sheet import Phrase
from canasta.rules.sheet.sections import pictures_of, rule_sheet, sheet_sections

SOURCE = Path(rule_sheet.__code__.co_filename).parents[2]

# Tables at which otherwise silent fields have lines.
HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {
        "deck.caliente_cards": True,
        "melds.wild_melds": True,
        "melds.runs": True,
        "deal.foot_size": 11,
        "turn.lay_bonus_by_hand": True,
        "pile.put_back": True,
        "scoring.concealed": 100,
    },
    {"pile.always_frozen": True, "melds.runs": True, "match.target": 0, "match.rounds": 3},
)


def other_values(path: str, value: Any) -> list[Any]:
    field = FIELDS[path]
    if field.kind == YES_NO:
        return [not value]
    if field.kind == CHOICE:
        return [choice for choice, _ in field.choices if choice != value]
    if field.kind == NUMBERS:
        return [(0, *range(7, 6 + len(value)))]
    assert field.kind == NUMBER
    return sorted({field.low, field.low + 1, 2, 4, field.high} - {value})


def variants() -> Iterator[Ruleset]:
    for name in preset_names():
        for players in player_numbers(name):
            yield load_ruleset(name, players)
    for sides in (2, 3):
        yield load_ruleset("caliente", 6, {"sides": sides})
    yield load_ruleset("american", 4, {"pile.opening_pair": "apart", "turn.talon": (4, 3, 3)})
    for name, players in (("caliente", 4), ("jaques", 2), ("hand-and-foot", 6), ("burraco", 4)):
        values = values_of(load_ruleset(name, players))
        for house in HOUSES:
            for path, field in FIELDS.items():
                if field.fixed or path == "opening.by_round":
                    continue
                for value in other_values(path, (values | house)[path]):
                    yield ruleset_from(values | house | {path: value})


@cache
def all_variants() -> tuple[Ruleset, ...]:
    """Return the variants that have a line which none before them has."""
    seen: set[str] = set()
    telling: list[Ruleset] = []
    for rules in variants():
        names = (rules.deck.caliente_names, rules.seats.players < 4)
        lines = {f"{names} {line}" for section in sheet_sections(rules) for line in section.lines}
        if lines - seen:
            telling.append(rules)
        seen |= lines
    return tuple(telling)


@pytest.mark.parametrize("language", languages())
def test_every_line_can_be_said(language: str) -> None:
    said = {
        (line.clause, line.text)
        for rules in all_variants()
        for section in rule_sheet(rules, language).sections
        for line in section.lines
    }
    assert len(said) > 300
    for clause, text in said:
        assert text[0].isupper() or text[0].isdigit(), (clause, text)
        assert text.endswith("."), (clause, text)
        assert not re.search(r"[{}#|~]|  |\.\.| [.,]", text), (clause, text)


def test_no_text_waits_for_a_line_in_vain() -> None:
    used = {"players", "for", "alike", "title_players"}
    commands = (SOURCE / "commands" / "rules.py").read_text(encoding="utf-8")
    elsewhere = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    listed = {key for key in texts("en", "sheets") if key.startswith("list.")}
    used |= {key for key in listed if f'"sheets.{key}"' in elsewhere or f'"{key[5:]}"' in commands}
    for rules in all_variants():
        for section in sheet_sections(rules):
            used.add(f"section.{section.key}")
            used |= {picture.label.code for picture in pictures_of(section.key, rules)}
            for line in section.lines:
                used.add(line.code)
                for fact in line.facts.values():
                    if not isinstance(fact, int):
                        used |= {one.code for one in ([fact] if isinstance(fact, Phrase) else fact)}
    assert used == {key.partition("~")[0] for key in texts("en", "sheets")}


@pytest.mark.parametrize("language", languages()[1:])
def test_no_english_is_left(language: str) -> None:
    for name in preset_names():
        sheet = rule_sheet(load_ruleset(name), language)
        english = rule_sheet(load_ruleset(name))
        ours = {line.text for section in sheet.sections for line in section.lines}
        theirs = {line.text for section in english.sections for line in section.lines}
        assert not ours & theirs
        assert sheet.subtitle != english.subtitle


@pytest.mark.parametrize(
    ("language", "caliente", "jaques"),
    [
        ("de", "Eine gezogene Bonuskarte wird sofort", "Eine gezogene rote Drei wird sofort"),
        ("es", "Al robar una carta Bonus,", "Al robar un tres rojo,"),
        ("fr", "On étale aussitôt une carte Bonus", "On étale aussitôt un trois rouge"),
        ("it", "Se si pesca una carta Bonus,", "Se si pesca un tre rosso,"),
        ("pt", "Quem compra uma carta Bônus põe", "Quem compra um três vermelho põe"),
    ],
)
def test_each_game_has_its_own_names(language: str, caliente: str, jaques: str) -> None:
    texts_of = [
        " ".join(rule_sheet(load_ruleset(name), language).text().split()) for name in ("caliente", "jaques")
    ]
    assert caliente in texts_of[0]
    assert jaques in texts_of[1]
    assert caliente not in texts_of[1]


@pytest.mark.parametrize(
    ("language", "draws_one", "draws_two"),
    [
        ("en", "When you draw, take one card from", "When you draw, take two cards from"),
        ("de", "Gezogen wird eine Karte vom", "Gezogen werden zwei Karten vom"),
        ("es", "Se roba una carta del", "Se roban dos cartas del"),
        ("fr", "On pioche une carte au", "On pioche deux cartes au"),
        ("it", "Si pesca una carta dal", "Si pescano due carte dal"),
        ("pt", "Compra-se uma carta do", "Compram-se duas cartas do"),
    ],
)
def test_one_card_and_two(language: str, draws_one: str, draws_two: str) -> None:
    assert draws_one in rule_sheet(load_ruleset("jaques"), language).text()
    assert draws_two in rule_sheet(load_ruleset("jaques-samba"), language).text()
