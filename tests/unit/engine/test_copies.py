"""Objects that users of the library hold can be copied, deep-copied and pickled, compiled or not."""

import copy
import dataclasses
import importlib
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import canasta.bots
import canasta.engine
from canasta.bots.protocol import Explanation, Hint
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import full_deck
from canasta.engine.determinize import determinize
from canasta.engine.fairness import FairStream
from canasta.engine.match import Match
from canasta.engine.melds import MeldName
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Discard, Draw, Meld, Take, Undo
from canasta.engine.position import Position
from canasta.engine.rng import Rng
from canasta.engine.seating import Seating
from canasta.engine.view import state_facts
from canasta.rules import load_ruleset, preset_names
from canasta.rules.model import PlainData

pytestmark = pytest.mark.interpreted


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own bytes


WAYS = pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled], ids=lambda way: way.__name__)
Way = Callable[[Any], Any]


def play(match: Match, moves: int) -> None:
    """Make this many random legal moves."""
    rng = Rng("play")
    for _ in range(moves):
        if match.over:
            break
        if match.hand.over:
            match.deal_next()
        legal = match.hand.legal_moves()
        match.apply(legal[rng.below(len(legal))])


def played(preset: str) -> Match:
    match = Match.new(load_ruleset(preset), "copies")
    play(match, 60)
    return match


def facts(match: Match) -> tuple[object, ...]:
    return (
        match.rules,
        match.seed,
        match.scores,
        match.hand_number,
        match.dealer,
        match.sitting_out,
        match.sheets,
        match.over,
        match.winner,
        match.hand.scores,
        state_facts(match.hand.state),
        match.hand.legal_moves(),
    )


@pytest.mark.parametrize("preset", preset_names())
@WAYS
def test_a_copy_is_equal_until_one_of_them_goes_on(again: Way, preset: str) -> None:
    match = played(preset)
    other = again(match)
    assert other == match
    assert other.hand == match.hand
    if match.hand.over:
        match.deal_next()
    match.apply(match.hand.legal_moves()[0])
    assert other != match
    assert other.hand != match.hand
    assert match != "a match"
    with pytest.raises(TypeError, match="unhashable"):
        hash(match)


def test_a_match_tells_how_it_stands_and_no_card() -> None:
    match = Match.new(load_ruleset("caliente"), "copies", first_dealer=0)
    hand = "<Hand: seat 1 to draw, 1 cards in the pile, 61 in stock>"
    assert repr(match) == f"<Match: caliente, hand 1, scores 0 0: {hand}>"


def everything_in_the_modules() -> Iterator[object]:
    for package in (canasta.engine, canasta.bots):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            yield from vars(importlib.import_module(found.name)).values()
    yield from vars(importlib.import_module("canasta.rules.model")).values()


def test_every_frozen_class_can_be_copied() -> None:
    found = {
        thing
        for thing in everything_in_the_modules()
        if isinstance(thing, type)
        and dataclasses.is_dataclass(thing)
        and thing.__name__[0] != "_"
        # Plain Python: copies by itself.
        and not thing.__module__.startswith("canasta.i18n")
        # The one dataclass that is not frozen and has a default for every field.
        and thing is not Position
    }
    assert len(found) > 40
    assert [thing for thing in found if not issubclass(thing, PlainData)] == []


@WAYS
@pytest.mark.parametrize("preset", preset_names())
def test_rules(preset: str, again: Way) -> None:
    rules = load_ruleset(preset)
    assert again(rules) == rules
    assert again(rules) is not rules


@WAYS
def test_values(again: Way) -> None:
    match = played("caliente")
    events = [*match.apply(match.hand.legal_moves()[0])]
    refusal = match.check(Discard(99))
    assert refusal is not None
    values: list[Any] = [
        Draw(),
        Take(cards=(1, 2), melds=((3, 4, 5),)),
        Take(onto=MeldName(3, 2)),
        *events,
        refusal,
        *match.hand.score_sheets(),
        *match.hand.melds(0),
        *match.hand.melds(1),
        Seating([0, 1], 1),
        Position(turn=1, hands={0: [1, 2]}),
        Hint(Draw(), Explanation.plain("why", {"points": 1.5})),
    ]
    for value in values:
        made = again(value)
        assert type(made) is type(value)
        assert made == value


@WAYS
def test_a_refused_move(again: Way) -> None:
    with pytest.raises(RefusedMove) as refused:
        Match.new(load_ruleset("caliente"), "x").apply(Discard(1))
    made = again(refused.value)
    assert str(made) == str(refused.value)
    assert made.refusal == refused.value.refusal


@WAYS
@pytest.mark.parametrize("preset", preset_names())
def test_a_match_plays_on_alone(preset: str, again: Way) -> None:
    match = played(preset)
    before = facts(match)
    made = again(match)
    assert facts(made) == before
    play(made, 40)
    assert facts(made) != before
    assert facts(match) == before
    hand = again(match.hand)
    hand.apply(hand.legal_moves()[0])
    assert facts(match) == before


@WAYS
def test_undo_is_copied_with_the_hand(again: Way) -> None:
    position = Position(
        phase="play", hands={0: [40, 41, 42, 4, 8], 1: [12], 2: [16], 3: [20]}, stock=[24] * 2
    )
    match = Match.from_position(load_ruleset("caliente", options={"turn.undo": True}), position)
    match.apply(Meld(((40, 41, 42),)))
    made = again(match)
    made.apply(Undo())
    assert made.hand.melds(0) == []
    assert len(match.hand.melds(0)) == 1


@WAYS
def test_a_state_and_its_tables(again: Way) -> None:
    state = played("hand-and-foot").hand.state
    made = again(state)
    assert state_facts(made) == state_facts(state)
    assert legal_steps(made) == legal_steps(state)
    assert again(state.compiled).rules == state.compiled.rules


@WAYS
def test_a_view_shows_no_more_than_before(again: Way) -> None:
    view = played("jaques").hand.view(1)
    made = again(view)
    assert made.facts() == view.facts()
    assert state_facts(determinize(made, Rng("y"))) == state_facts(determinize(view, Rng("y")))


@WAYS
@pytest.mark.parametrize("rng", [Rng("z"), FairStream(b"key", "deck")], ids=["seeded", "fair"])
def test_a_generator_goes_on_where_it_was(rng: Rng, again: Way) -> None:
    rng.word()
    made = again(rng)
    assert [made.below(100) for _ in range(5)] == [rng.below(100) for _ in range(5)]
    deck = full_deck(1, False)
    rng.shuffle(deck)
    assert deck != full_deck(1, False)
