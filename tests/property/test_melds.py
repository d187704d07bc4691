"""Which sets may be on the table, against a table of sizes written from the rulebook."""

from functools import cache

import pytest
from property.definitions import is_set, is_wild_set
from property.tables import classic_presets

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.families.factory import compile_rules
from canasta.engine.law.melding import why_not_cards
from canasta.engine.law.reasons import OK
from canasta.engine.melds import ROW_BLACK_THREES, ROW_WILD
from canasta.rules import load_ruleset

MOST = 14
KING = 9

MOST_WILDS: dict[str, dict[int, int]] = {
    # MELD-2 and MELD-3: the number of naturals, and the most wilds with that many; the last entry is for
    # more, too.
    "caliente": {2: 1, 3: 2, 4: 3},
    "caliente-samba": {2: 2},
    "hand-and-foot": {2: 1, 3: 2},
    "jaques": {2: 3},
    "jaques-samba": {2: 2},
    "bolivia": {2: 2},
    "original": {2: 3},
    "samba-common": {2: 2},
    "bolivia-common": {2: 2},
    "uruguay": {2: 3},
    "american": {2: 2},
    "two-player": {naturals: naturals for naturals in range(2, MOST + 1)},
}
LARGEST_SET = {"hand-and-foot": 7, "american": 7}
WILDS_JOIN_CANASTAS = {"caliente", "jaques", "original", "uruguay", "two-player"}
"""MELD-4; in hand-and-foot and american no card joins a canasta."""
WILD_SETS = {"hand-and-foot", "bolivia", "bolivia-common", "uruguay", "american"}


def may_lie(preset: str, naturals: int, wilds: int) -> bool:
    """Return whether a set of one rank with these cards exists in this game."""
    limits = MOST_WILDS[preset]
    if naturals + wilds < 3 or naturals < min(limits):
        return False
    if preset == "jaques" and wilds > {3: 1, 4: 2}.get(naturals + wilds, 3):
        return False
    return wilds <= limits[min(naturals, max(limits))] and naturals + wilds <= LARGEST_SET.get(
        preset, naturals + wilds
    )


@cache
def tables_of(preset: str) -> CompiledRules:
    return compile_rules(load_ruleset(preset))


def sizes(preset: str) -> list[tuple[int, int]]:
    """Return all numbers of naturals and wilds up to fourteen; each deck has four naturals of a rank."""
    naturals = min(MOST, 4 * load_ruleset(preset).deck.decks)
    return [(n, w) for n in range(naturals + 1) for w in range(MOST + 1)]


def test_every_preset_is_in_the_table() -> None:
    assert set(MOST_WILDS) == set(classic_presets())


@pytest.mark.parametrize("preset", classic_presets())
def test_new_sets(preset: str) -> None:
    tables = tables_of(preset)
    for naturals, wilds in sizes(preset):
        if naturals == 0:
            continue
        allowed = why_not_cards(tables, KING, 0, 0, naturals, wilds) == OK
        # If no wild may join a canasta, at most seven of the cards are on the table when the last wild is
        # laid.
        assert allowed == may_lie(preset, naturals, wilds), (naturals, wilds)


@pytest.mark.parametrize("preset", classic_presets())
def test_definitions_of_the_other_tests_agree_with_the_table(preset: str) -> None:
    rules = load_ruleset(preset)
    for naturals, wilds in sizes(preset):
        assert is_set(rules, naturals, wilds) == may_lie(preset, naturals, wilds), (naturals, wilds)


def reachable(preset: str, start: tuple[int, int]) -> set[tuple[int, int]]:
    """Return what a set can become card by card."""
    most_naturals = 4 * load_ruleset(preset).deck.decks
    found = {start}
    to_try = [start]
    while to_try:
        naturals, wilds = to_try.pop()
        ways = [(naturals + 1, wilds)] if naturals < most_naturals else []
        if naturals + wilds < 7 or preset in WILDS_JOIN_CANASTAS:
            ways.append((naturals, wilds + 1))
        for way in ways:
            if may_lie(preset, *way) and way not in found:
                found.add(way)
                to_try.append(way)
    return found


@pytest.mark.parametrize("preset", classic_presets())
def test_additions(preset: str) -> None:
    """Several cards may join a set at once exactly if they may join it one by one in some order."""
    tables = tables_of(preset)
    for there in sizes(preset):
        if not may_lie(preset, *there):
            continue
        goals = reachable(preset, there)
        for naturals, wilds in sizes(preset):
            if naturals + wilds == 0 or there[0] + naturals > 4 * tables.rules.deck.decks:
                continue
            goal = (there[0] + naturals, there[1] + wilds)
            allowed = why_not_cards(tables, KING, *there, naturals, wilds) == OK
            assert allowed == (goal in goals), (there, naturals, wilds)


@pytest.mark.parametrize("preset", classic_presets())
def test_sets_of_wilds(preset: str) -> None:
    tables = tables_of(preset)
    for wilds in range(1, MOST + 1):
        expected = preset in WILD_SETS and 3 <= wilds <= 7
        assert (why_not_cards(tables, ROW_WILD, 0, 0, 0, wilds) == OK) == expected
        assert is_wild_set(tables.rules, wilds) == expected
        for more in range(1, MOST + 1):
            joined = expected and wilds + more <= 7
            assert not expected or (why_not_cards(tables, ROW_WILD, 0, wilds, 0, more) == OK) == joined


@pytest.mark.parametrize("preset", classic_presets())
def test_sets_of_black_threes(preset: str) -> None:
    tables = tables_of(preset)
    for threes in range(1, 2 * tables.rules.deck.decks + 1):
        # They are laid only in going out, so no set of them is ever too large.
        assert (why_not_cards(tables, ROW_BLACK_THREES, 0, 0, threes, 0) == OK) == (threes >= 3)


EQUAL_WILDS = {"caliente": {2: 2, 3: 3}, "hand-and-foot": {2: 2}}


@pytest.mark.parametrize("preset", EQUAL_WILDS)
def test_equal_wilds(preset: str) -> None:
    """Reading 1: the booklet's other sentence, as an option."""
    tables = compile_rules(load_ruleset(preset, options={"equal_wilds": True}))
    limits = EQUAL_WILDS[preset]
    for naturals, wilds in sizes(preset):
        size = naturals + wilds
        if naturals == 0:
            continue
        expected = (
            size >= 3
            and naturals >= 2
            and wilds <= limits[min(naturals, max(limits))]
            and size <= LARGEST_SET.get(preset, size)
        )
        assert (why_not_cards(tables, KING, 0, 0, naturals, wilds) == OK) == expected, (naturals, wilds)
