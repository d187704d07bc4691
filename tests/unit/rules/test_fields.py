"""The declarations of the model's fields: complete, allowed, and true to the clauses."""

import dataclasses

import pytest
from unit.rules.by_hand import defects_of

from canasta.rules import load_ruleset, model, preset_names
from canasta.rules.clauses import CLAUSES
from canasta.rules.field_types import CHOICE, NUMBER, TEXT, YES_NO, Field, check_value
from canasta.rules.loader import OPTIONS, values_of
from canasta.rules.model import FIELDS, SECTIONS, usual_values


def leaves() -> list[str]:
    paths: list[str] = []
    for part in dataclasses.fields(model.Ruleset):
        section = getattr(load_ruleset("caliente"), part.name)
        if dataclasses.is_dataclass(section):
            paths += [f"{part.name}.{leaf.name}" for leaf in dataclasses.fields(section)]
        else:
            paths.append(part.name)
    return paths


def test_every_leaf_of_the_model_has_one_entry_in_order() -> None:
    assert list(FIELDS) == leaves()


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.path)
def test_an_entry_is_complete(field: Field) -> None:
    assert field.label
    assert field.meaning.endswith(".")
    assert set(field.clauses) <= set(CLAUSES)
    assert field.clauses or field.path in ("name", "title", "version")
    assert (field.kind == CHOICE) == bool(field.choices)
    assert field.kind != NUMBER or field.low < field.high
    assert not field.section or field.section in SECTIONS
    assert field.allowed()
    assert not field.needs or FIELDS[field.needs].kind in (YES_NO, NUMBER)
    assert {f"{field.section}.{name}" for name in field.clears} <= set(FIELDS)


def test_the_usual_values_are_a_game() -> None:
    """They are the defaults of the model, and the start of a preset without a base."""
    assert values_of(model.Ruleset()) == usual_values()
    assert defects_of(model.Ruleset()) == []


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_value_is_allowed_and_shown(name: str) -> None:
    for path, value in values_of(load_ruleset(name)).items():
        assert check_value(FIELDS[path], value) is None
        assert FIELDS[path].show(value)


def test_labels_are_distinct() -> None:
    labels = [field.label for field in FIELDS.values()]
    assert len(set(labels)) == len(labels)


def test_the_options_are_those_of_the_contract() -> None:
    assert set(OPTIONS) == {
        "caliente_cards",
        "always_frozen",
        "equal_wilds",
        "same_suit_runs",
        "lay_bonus_by_hand",
        "canastas_to_go_out",
        "top_card_counts",
        "canasta_bonus_counts",
        "canasta_for_positive_score",
        "wild_melds",
        "put_back",
        "extra_deck",
        "sides",
        "sit_out",
        "hand_size",
        "target",
        "wild_moves",
        "victory_points",
    }


def test_fields_name_their_options() -> None:
    named = {field.option: path for path, field in FIELDS.items() if field.option}
    assert named == {name: option.path for name, option in OPTIONS.items() if option.path}


def test_words_for_values() -> None:
    assert FIELDS["going_out.natural"].show(0) == "none needed"
    assert FIELDS["opening.scores"].show((0, 1500)) == "0, 1500"
    assert FIELDS["opening.scores"].show(()) == "none, it goes by rounds"
    assert FIELDS["melds.sets_per_rank"].show("one_open") == "one open set at a time"
    assert FIELDS["title"].show("Bolivia") == "Bolivia"
    assert FIELDS["title"].kind == TEXT
