"""Any input as a choice of rules gives a ruleset or a `RulesetError`, nothing else."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from unit.rules.by_hand import defects_of

from canasta.rules import Defect, Ruleset, RulesetError, player_numbers, preset_names, resolve_ruleset
from canasta.rules.field_types import CHOICE, NUMBER, NUMBERS, YES_NO, Field
from canasta.rules.games import compare
from canasta.rules.loader import OPTIONS, options_of, parse_option
from canasta.rules.model import FIELDS
from canasta.rules.sheet.sections import rule_sheet

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=5)
    | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)

NAMES = st.sampled_from([*OPTIONS, *FIELDS])


def fitting(field: Field) -> st.SearchStrategy[Any]:
    """Return values of the right type, mostly within the range."""
    if field.kind == YES_NO:
        return st.booleans()
    if field.kind == CHOICE:
        return st.sampled_from([value for value, _ in field.choices])
    number = st.integers(field.low, min(field.high, field.low + 20)) | st.integers(field.low, field.high)
    if field.kind == NUMBER:
        return number
    if field.kind == NUMBERS:
        return st.lists(number, max_size=5)
    return st.text(max_size=5)


FORMS = {**FIELDS, **{name: option.form for name, option in OPTIONS.items()}}
GOOD_OPTIONS = st.lists(
    NAMES.flatmap(lambda name: st.tuples(st.just(name), fitting(FORMS[name]))), max_size=5
).map(dict)


def resolves(name: object, players: object, options: object) -> None:
    defects: list[Defect] = []
    rules: Ruleset | None = None
    try:
        rules = resolve_ruleset(name, players, options)
    except RulesetError as error:
        defects = error.defects
    if rules is None:
        assert defects
        assert all(defect.problem and str(defect) for defect in defects)
    else:
        assert defects_of(rules) == []
        assert resolve_ruleset(rules.name, rules.seats.players, options_of(rules)) == rules
        assert rule_sheet(rules).text()
        assert rule_sheet(rules).markdown()
        assert compare(rules, resolve_ruleset(rules.name)).text()


@given(
    name=st.sampled_from(preset_names()) | ANYTHING,
    players=st.integers(1, 7) | ANYTHING,
    options=st.dictionaries(NAMES | st.text(max_size=12), ANYTHING, max_size=4) | ANYTHING,
)
def test_anything(name: object, players: object, options: object) -> None:
    resolves(name, players, options)


@given(name=st.sampled_from(preset_names()), data=st.data(), options=GOOD_OPTIONS)
def test_values_of_the_right_type(name: str, data: st.DataObject, options: dict[str, object]) -> None:
    resolves(name, data.draw(st.sampled_from(player_numbers(name))), options)


@given(text=st.text() | NAMES.flatmap(lambda name: st.text(max_size=12).map(lambda value: f"{name}={value}")))
def test_text_options(text: str) -> None:
    try:
        name, value = parse_option(text)
    except RulesetError:
        return
    resolves("caliente", 6, {name: value})
