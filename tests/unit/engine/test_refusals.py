"""Refusals: every reason of the catalogue occurs somewhere, and every text is complete."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from refusal_texts import check_refusal_text

from canasta.engine.law import reasons
from canasta.engine.match import Match
from canasta.engine.melds import MeldName
from canasta.engine.moves.refusals import CLAUSES_OF, Refusal, refuse
from canasta.engine.moves.types import Add, Discard, LayBonus, Meld, Move, Take
from canasta.i18n.catalogue import languages, texts
from canasta.notation.errors import ScenarioError
from canasta.rules import load_ruleset, resolve_ruleset
from canasta.rules.clauses import CLAUSES
from canasta.scenarios.run import refusal_of, run_scenario
from canasta.scenarios.schema import Scenario, load_file, load_text
from canasta.scenarios.setup import build_position, hand_number_of

RULEBOOK = Path(__file__).parents[2] / "rulebook"

OF_THE_RULES = set(CLAUSES_OF) - {reasons.UNREADABLE, reasons.HAND_IS_NOT_OVER, reasons.GAME_IS_OVER}
"""The engine's answers to a move; the other reasons are for lines of text that are not moves."""

NAMES: dict[int, str] = {
    number: name for name, number in vars(reasons).items() if name.isupper() and isinstance(number, int)
}


def refusals_in(scenario: Scenario) -> Iterator[Refusal]:
    """Yield every refusal by the rules that a scenario leads to."""
    if scenario.defects or scenario.given.cut is not None:
        return
    rules = resolve_ruleset(scenario.rules, scenario.given.players, scenario.options)
    try:
        position = build_position(scenario, rules)
    except ScenarioError:
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
    """Return every refusal that the scenarios of the rulebook lead to."""
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
- name: RUN_IS_FULL
  rules: burraco
  given: {phase: play, hands: {0: Ah 9c Kd}, melds: {0: [Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Jo]}}
  when: [add Ah to run#1]
  then: {illegal: MELD-14}
- name: WHICH_THREE
  rules: caliente
  given: {phase: play, hands: {0: 3s 9c Kd}}
  when: [discard 3]
  then: {illegal: NOTATION}
- name: TOP_CARD_FIRST
  rules: buraco-fechado
  given: {hands: {0: 5h 6h 9c Kd}, pile: Qs 8d 7h}
  when: [take]
  then: {illegal: PILE-16}
- name: TAKEN_AS_IT_LIES
  rules: burraco
  given: {hands: {0: 5h 6h 9c Kd}, pile: Qs 8d 7h}
  when: [take 5h 6h]
  then: {illegal: PILE-16}
- name: CALIENTE_NEVER_MELDED
  rules: caliente
  options: {caliente_cards: true}
  given: {phase: play, hands: {0: Ca K K 7}, melds: {0: [Q Q Q]}}
  when: [meld K K Ca]
  then: {illegal: MELD-1}
"""
"""Scenarios for reasons that the rulebook's scenarios leave out, each named after its reason."""


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
"""Moves that no text can express but a program can build: a missing card, a missing meld, nothing laid."""


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
    return {refusal.reason for refusal in all_refusals()}


@pytest.mark.parametrize("move", NO_MOVES, ids=repr)
def test_what_is_no_move_is_refused_as_such(move: Move) -> None:
    match = Match.new(load_ruleset("caliente"), "no move")
    refusal = match.check(move)
    assert refusal is not None
    assert refusal.code == "NOT_A_MOVE"


@pytest.mark.parametrize("scenario", load_text(EXPLICIT).scenarios, ids=lambda scenario: scenario.name)
def test_explicit_scenario(scenario: Scenario) -> None:
    assert run_scenario(scenario) == []
    assert [refusal.code for refusal in refusals_in(scenario)] == [scenario.name]


@pytest.mark.parametrize("reason", sorted(OF_THE_RULES), ids=NAMES.get)
def test_reason_is_met(reason: int) -> None:
    """A reason that no scenario leads to is either untested or dead code."""
    assert reason in reasons_met()


@pytest.mark.parametrize("language", languages())
def test_texts_are_whole(language: str) -> None:
    for refusal in all_refusals():
        check_refusal_text(refusal, language)


def test_no_sentence_is_half_english() -> None:
    """Each language has words of its own for every refusal."""
    for refusal in all_refusals():
        told = [str(refusal.text(language)) for language in languages()]
        assert len(set(told)) == len(told), told


def test_every_reason_has_a_text() -> None:
    assert set(CLAUSES_OF) == set(NAMES) - {reasons.OK}
    assert set(NAMES.values()) - {"OK"} <= set(texts("en", "refusals"))


@pytest.mark.parametrize("reason", CLAUSES_OF, ids=NAMES.get)
def test_clauses_of_a_reason_exist(reason: int) -> None:
    clauses = CLAUSES_OF[reason]
    assert clauses
    assert set(clauses) <= set(CLAUSES) | {"NOTATION"}
    assert len(set(clauses)) == len(clauses)


def test_numbers_of_reasons_are_their_own() -> None:
    numbers = [number for name, number in vars(reasons).items() if name.isupper()]
    assert len(set(numbers)) == len(numbers)


def test_texts_tell_reasons_apart() -> None:
    messages = [text for key, text in texts("en", "refusals").items() if not key.endswith(".remedy")]
    assert len(set(messages)) == len(messages)


def test_facts_fill_the_text() -> None:
    refusal = refuse(reasons.BELOW_MINIMUM, {"needed": 90, "have": 75}, ("PILE-2", "OPEN-2"))
    assert refusal.text().message == (
        "Your side’s first meld must be worth at least 90 points; this is worth 75."
    )
    assert refusal.clauses == ("OPEN-1", "OPEN-2", "PILE-2")
    assert str(refusal) == "OPEN-1: BELOW_MINIMUM (needed 90, have 75)"


def test_names_of_the_caliente_booklets() -> None:
    for language in languages():
        refusal = refuse(reasons.RED_THREE_DISCARD)
        plain = str(refusal.text(language))
        renamed = str(replace(refusal, caliente_names=True).text(language))
        assert "Bonus" in renamed.replace("ô", "o")
        assert "Bonus" not in plain.replace("ô", "o")
