"""Defects of chosen rules: one code with facts, in every language."""

import pickle
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from canasta.i18n.catalogue import CATALOGUES, languages, texts
from canasta.rules import Defect, RulesetError, load_ruleset, parse_option, resolve_ruleset
from canasta.rules.loader import with_labels
from canasta.rules.preset_files import read_preset
from canasta.rules.rules_file import RulesFile, read_rules_file

SOURCE = CATALOGUES.parents[1]
PARTS_OF_LINES = {"line", "label", "labelled"}

WORTHLESS = {
    **{f"deck.{card}_value": 0 for card in ("joker", "two", "ace", "high", "low", "black_three")},
    **{f"scoring.{bonus}": 0 for bonus in ("natural_canasta", "mixed_canasta", "going_out", "concealed")},
    "scoring.red_three": 0,
    "scoring.red_three_extra": 0,
    "opening.below_zero": 0,
}
CHOICES: tuple[tuple[str, Any, Any], ...] = (
    ("caliente", 4, {"seats.first_dealer": "alternate"}),
    ("caliente", 4, {"extra_deck": True, "sides": 3, "sit_out": True}),
    ("caliente", 5, {"sit_out": False}),
    ("caliente", 6, {"sit_out": True, "sides": 3}),
    ("caliente", 6, {"sit_out": True, "extra_deck": True}),
    ("caliente", 4, {"deal.foot_size": 2, "hand_size": 30, "deck.decks": 1}),
    ("caliente", 4, {"melds.largest_set": 5, "melds.sets_per_rank": "one_open"}),
    ("caliente", 4, {"melds.wilds_by_size": [3, 1], "going_out.sequence": 1, "going_out.wild": 1}),
    ("caliente", 4, {"melds.wilds_by_size": [0, 0], "going_out.mixed": 1}),
    ("caliente", 4, {"melds.wilds_by_size": [0, 3], "going_out.canastas": 12, "melds.canasta_size": 10}),
    ("caliente", 4, {"deck.decks": 1, "going_out.natural": 1}),
    ("jaques", 4, {"opening.minimums": []}),
    ("jaques", 4, {"opening.minimums": [90, 50], "opening.scores": [100, 50, 10]}),
    ("jaques", 4, {"opening.by_round": True}),
    ("jaques", 4, {"opening.minimums": [3000], "opening.scores": [0], "hand_size": 3}),
    ("caliente", 4, {"hand_size": 1, "pile.add_to_run": True}),
    ("jaques", 4, {"equal_wilds": True}),
    ("jaques", 4, {**WORTHLESS, "match.target": 100_000, "opening.minimums": [0], "opening.scores": [0]}),
    ("jaques", 4, {"stock_end.last_red_three": "goes_on", "turn.keep_last_card": False}),
    ("jaques", 4, {"stock_end.after_last_card": "top_card", "stock_end.forced": False}),
    ("jaques", 4, {"scoring.red_threes_minus": "few_canastas", "scoring.red_threes_minus_canastas": 0}),
    ("jaques", 4, {"scoring.red_three_extra_from": 9, "match.target": 0}),
    ("jaques", 4, {"match.rounds": 3, "match.target": 5000, "scoring.put_back_penalty": 7}),
    ("jaques", 4, {"deal.pots": [11, 11], "match.victory_points": [100, 300]}),
    ("burraco", 4, {"same_suit_runs": False, "melds.run_most": 5, "deal.pots": [3, 3]}),
    ("calient", 4, {"hand_size": "13", "put_back": "maybe", "title": "x", "seats.players": 3}),
    ("caliente", 9, {"xyzzy": 1, "hand_sise": 2, 3: 4, "opening.minimums": "many"}),
    ("two-player", 4, None),
    ("caliente", 4, {"melds.dead_ranks": True}),
    ("nothing like it", None, "options"),
    ("caliente", 4, {"hand_size": 9, "deal.hand_size": 10, "melds.sets_per_rank": "one-open"}),
)
FILES = (
    *("", 'base = "jaque"', 'base = ""', 'base = "jaques"\ndefault_players = 9\nversion = 3\ntitle = 4'),
    *('base = "jaques"\n[deal]\nhand_sise = 3\n[owls]\nx = 1', 'base = "jaques"\ntarget = 9\nturn = 4'),
    *('base = "jaques"\n[turn]\ndraw = "2"\n[pile]\nput_back = "yes"', 'base = "jaques"\nplayers = 3'),
    *('base = "two-player"\n[players.4]\n', 'base = "two-player"\ndefault_players = 4'),
    *(
        'base = "jaques"\n[pile]\nput_back = yes',
        "base = jaques",
        'base = "jaques"\nbase = "jaques"',
        "words",
    ),
    *('base = "jaques', "x" * 40_000, "#" * 2000, "a = " + "[" * 900, "\udcff"),
    *('base = "jaques"\n[players.3]\ndeal = 4', 'base = "jaques"\n[turn]\ndraw = 2.0'),
)
PRESETS = (
    ("Owls", 'players = 3\nversion = "new"\n[languages.de]\nname = "x"\n'),
    ("owls", 'title = "Owls"\nbase = "hawks"\n'),
    ("owls", 'title = "Owls"\nplayer_numbers = [3]\ndefault_players = 4\nwhen = 7\nextra_deck = 4\n'),
)


def caught(make: Callable[[], object]) -> list[Defect]:
    with pytest.raises(RulesetError) as found:
        make()
    assert str(pickle.loads(pickle.dumps(found.value))) == str(found.value)  # noqa: S301 - our own bytes
    return found.value.defects


def found() -> Iterator[Defect]:
    for choice in CHOICES:
        yield from caught(lambda choice=choice: resolve_ruleset(*choice))  # type: ignore[misc]
    for text in FILES:
        yield from caught(lambda text=text: RulesFile(text.encode("utf-8", "surrogateescape"), "x").ruleset())  # type: ignore[misc]
    for name, text in PRESETS:
        yield from caught(lambda name=name, text=text: read_preset(name, text.encode(), "x"))  # type: ignore[misc]
    for text in ("hand_size", "hand_size=many", "xyzzy=1", "name=x"):
        yield from caught(lambda text=text: parse_option(text))  # type: ignore[misc]
    yield from caught(lambda: read_rules_file("no/such/file.toml"))


@cache
def defects() -> tuple[Defect, ...]:
    return tuple(found())


def test_every_text_is_used_and_there() -> None:
    files = [*sorted(SOURCE.glob("rules/*.py")), SOURCE / "commands" / "options.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    named = set(re.findall(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"', source))
    known = set(texts("en", "defects")) - PARTS_OF_LINES
    assert {key for key in known if key.removesuffix(".remedy") not in named} == set()
    assert {defect.code for defect in defects()} <= known
    assert {defect.remedy_code for defect in defects()} - {""} <= known
    untried = {key.removesuffix(".remedy") for key in known} - {
        code for defect in defects() for code in (defect.code, defect.remedy_code)
    }
    assert untried == {"NO_WAY_HERE", "GIVEN_TWICE", "OTHER_SIDES", "MUST_BE_TEXT"}  # only by hand


def test_the_bare_error_says_the_english_of_the_catalogue() -> None:
    for defect in defects():
        assert tuple(defect.text()) == (defect.problem, defect.remedy)
        assert defect.line_in().rstrip(".") == str(defect).rstrip(".")


@pytest.mark.parametrize("language", languages()[1:])
def test_every_defect_is_told_in_the_language(language: str) -> None:
    for defect in defects():
        for by_label in (False, True):
            told = (with_labels(defect.message, language) if by_label else defect.message).text(language)
            assert told.message
            assert bool(told.remedy) == bool(defect.remedy)
            assert not re.search(r"[{}#|~]", f"{told}".replace("##", "")), told
            assert told.message != defect.problem, told
        line = defect.line_in(language)
        assert line.endswith((".", "?"))
        assert "line" not in line.split(":")[0]


def test_a_form_calls_fields_what_it_calls_them() -> None:
    (defect,) = caught(lambda: load_ruleset("caliente", options={"going_out.sequence": 1}))
    assert defect.facts == {"setting": "melds.runs=yes", "other": "going_out.sequence=0"}
    assert with_labels(defect.message, "de").text("de").remedy == (
        "setze „Sequenzen: ja“ oder „Sambas zum Ausmachen: keine nötig“"
    )
    assert defect.line_in("de") == (
        "going_out.sequence = 1: zum Ausmachen ist eine Sequenz verlangt, aber es gibt keine Sequenzen; "
        "setze melds.runs=yes oder going_out.sequence=0."
    )


def test_french_signs_stay_with_their_word() -> None:
    for defect in defects():
        line = defect.line_in("fr").replace(defect.named, "")
        assert not re.search(r"\w[;?]( |$)|\w: ", line.replace("nom: valeur", "")), line


def test_a_line_of_a_file_is_told_with_its_number(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('base = "jaques"\n[deal]\nhand_size = 0\n', encoding="utf-8")
    (defect,) = caught(lambda: read_rules_file(file))
    assert defect.line_in("pt") == (
        "club.toml, linha 3: deal.hand_size = 0: tem de ser um número inteiro de 1 a 30."
    )
