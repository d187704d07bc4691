"""Refusals: every reason of the catalogue is met somewhere, and every text comes out whole."""

import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from canasta.engine.law import why_not as reasons
from canasta.engine.match import Match
from canasta.engine.meld_names import MeldName
from canasta.engine.moves.refusals import CATALOGUE, Refusal, in_caliente_words, refuse
from canasta.engine.moves.types import Add, Discard, LayBonus, Meld, Move, Take
from canasta.notation.scenarios.file import Scenario, load_file, load_text
from canasta.notation.scenarios.given import GivenError, build_position, hand_number_of
from canasta.notation.scenarios.run import refusal_of, run_scenario
from canasta.rules import load_ruleset, resolve_ruleset
from canasta.rules.clauses import CLAUSES

RULEBOOK = Path(__file__).parents[2] / "rulebook"

NAMES: dict[int, str] = {
    number: name for name, number in vars(reasons).items() if name.isupper() and isinstance(number, int)
}


def template(text: str) -> str:
    """A text of the catalogue as a pattern, its facts left open."""
    parts = string.Formatter().parse(text)
    return "".join(re.escape(literal) + (".+?" if fact is not None else "") for literal, fact, _, _ in parts)


def is_said(text: str, message: str) -> bool:
    """A sentence of the catalogue came out as this, perhaps with the names of the Caliente booklets."""
    renamed = in_caliente_words(Refusal("", text)).message
    return any(re.fullmatch(template(form), message) for form in (text, renamed))


def reason_of(refusal: Refusal) -> int:
    """The reason whose text this is."""
    found = [
        number
        for number, entry in CATALOGUE.items()
        if entry.clauses[0] == refusal.clause and is_said(entry.message, refusal.message)
    ]
    assert len(found) == 1, refusal
    return found[0]


def refusals_in(scenario: Scenario) -> Iterator[Refusal]:
    """Every refusal by the rules that a scenario leads to."""
    if scenario.defects or scenario.given.cut is not None:
        return
    rules = resolve_ruleset(scenario.rules, scenario.given.players, scenario.options)
    try:
        position = build_position(scenario, rules)
    except GivenError:
        return
    match = Match.from_position(rules, position, hand_number=hand_number_of(rules, scenario.given))
    for step in scenario.when:
        refusal = refusal_of(match, step)
        if refusal is not None:
            if step.move is not None:
                yield refusal
        elif step.move is None:
            match.deal_next()
        else:
            match.apply(step.move)
    for step in scenario.cannot:
        refusal = refusal_of(match, step)
        if refusal is not None and step.move is not None:
            yield refusal


@cache
def in_rulebook() -> list[Refusal]:
    """Every refusal that the scenarios of the rulebook meet."""
    scenarios = [
        scenario for path in sorted(RULEBOOK.glob("*.yaml")) for scenario in load_file(path).scenarios
    ]
    return [refusal for scenario in scenarios for refusal in refusals_in(scenario)]


EXPLICIT = """
- name: NOT_ONTO_MELD
  rules: caliente
  options: {pile.add_to_meld: false}
  given: {hands: {0: K 5 6 7}, melds: {0: [Q Q Q]}, pile: 4 Q}
  when: [take onto Q]
  then: {illegal: PILE-5}
- name: CALIENTE_NEVER_MELDED
  rules: caliente
  options: {caliente_cards: true}
  given: {phase: play, hands: {0: Ca K K 7}, melds: {0: [Q Q Q]}}
  when: [meld K K Ca]
  then: {illegal: MELD-1}
"""
"""Reasons that the rulebook's scenarios leave out, each named after its reason."""


NO_MOVES: tuple[Move, ...] = (
    Meld(()),
    Meld(((),)),
    Meld(((9, 9, 999),)),
    Take(),
    Take((9, 9), MeldName(9)),
    Take((9, -1)),
    Take(onto=MeldName(-1)),
    Add((), MeldName(9)),
    Add((9,), MeldName(9, 0)),
    Add((9,), MeldName(99)),
    Discard(-1),
    Discard(63),
    LayBonus(1000),
)
"""What no text can say, but a program could: there is no such card, no such meld, nothing laid."""


@cache
def all_refusals() -> list[Refusal]:
    scenarios = load_text(EXPLICIT).scenarios
    match = Match.new(load_ruleset("caliente"), "no move")
    no_moves = [match.check(move) for move in NO_MOVES]
    return [
        *in_rulebook(),
        *(refusal for scenario in scenarios for refusal in refusals_in(scenario)),
        *(refusal for refusal in no_moves if refusal is not None),
    ]


@cache
def reasons_met() -> set[int]:
    return {reason_of(refusal) for refusal in all_refusals()}


@pytest.mark.parametrize("move", NO_MOVES, ids=str)
def test_what_is_no_move_is_refused_as_such(move: Move) -> None:
    match = Match.new(load_ruleset("caliente"), "no move")
    refusal = match.check(move)
    assert refusal is not None
    assert NAMES[reason_of(refusal)] == "NOT_A_MOVE"


@pytest.mark.parametrize("scenario", load_text(EXPLICIT).scenarios, ids=lambda scenario: scenario.name)
def test_explicit_scenario(scenario: Scenario) -> None:
    assert run_scenario(scenario) == []
    assert [NAMES[reason_of(refusal)] for refusal in refusals_in(scenario)] == [scenario.name]


@pytest.mark.parametrize("reason", CATALOGUE, ids=NAMES.get)
def test_reason_is_met(reason: int) -> None:
    """A reason that no scenario leads to is either untested or dead."""
    assert reason in reasons_met()


def test_texts_are_whole() -> None:
    for refusal in all_refusals():
        for text in (refusal.message, refusal.remedy):
            assert not set("{}") & set(text), text
            assert "  " not in text
        assert refusal.message[0].isupper()
        assert refusal.message.endswith(".")
        assert not refusal.remedy or refusal.remedy.endswith(".")


def test_every_reason_has_a_text() -> None:
    assert set(CATALOGUE) == set(NAMES) - {reasons.OK}


@pytest.mark.parametrize("reason", CATALOGUE, ids=NAMES.get)
def test_clauses_of_a_reason_exist(reason: int) -> None:
    clauses = CATALOGUE[reason].clauses
    assert clauses
    assert set(clauses) <= set(CLAUSES) | {"NOTATION"}
    assert len(set(clauses)) == len(clauses)


def test_numbers_of_reasons_are_their_own() -> None:
    numbers = [number for name, number in vars(reasons).items() if name.isupper()]
    assert len(set(numbers)) == len(numbers)


def test_texts_tell_reasons_apart() -> None:
    messages = [(entry.clauses[0], entry.message) for entry in CATALOGUE.values()]
    assert len(set(messages)) == len(messages)


def test_facts_fill_the_text() -> None:
    refusal = refuse(reasons.BELOW_MINIMUM, {"needed": 90, "have": 75}, ("PILE-2", "OPEN-2"))
    assert "90" in refusal.message
    assert "75" in refusal.message
    assert refusal.clauses == ("OPEN-1", "OPEN-2", "PILE-2")
    assert refusal.facts == {"needed": 90, "have": 75}
