"""Positions with an obvious best move: the review finds it and reports a clear mistake otherwise."""

from dataclasses import replace

import pytest

from canasta.bots.club.player import ClubBot
from canasta.engine.match import Match
from canasta.engine.moves.types import Discard, Move, Take
from canasta.i18n.catalogue import languages
from canasta.i18n.events import Speaker
from canasta.i18n.voice import Voice
from canasta.notation.moves import parse_move
from canasta.review.evaluation import (
    DISCARDS,
    FEWEST_CLEAR,
    GOING_OUT,
    TAKES,
    EvaluatedDecision,
    choices_of,
    discard_of,
    evaluate_decision,
)
from canasta.review.hand import Change, HandReview
from canasta.review.narrative import most_important, tell, turning_points
from canasta.rules import load_ruleset
from canasta.scenarios.positions import match_from_position

BIG_PILE = (
    "{rules: original, players: 4, turn: 0, hands: {0: K K 9 5 4 8 6}, "
    "melds: {0: [Q Q Q Q, 7 7 7], 1: [J J J]}, pile: 4 5 6 8 9 T 5 4 A A A 8 9 9 5 6 T K}"
)
CAN_GO_OUT = (
    "{rules: original, players: 4, turn: 0, phase: play, hands: {0: K K K 4, 1: A A 2 Jo Q T T 9 8 7 6 5, "
    "3: A A 2 2 Jo T T 9 8 6 6 5}, melds: {0: [Q Q Q Q Q Q Q]}, pile: 5 7 9}"
)
FEEDS_THE_NEXT = (
    "{rules: original, players: 4, turn: 0, phase: play, hands: {0: 9 4 A Q}, "
    "melds: {0: [7 7 7], 1: [9 9 9 9 9, J J J, A A A, K K K, Q Q Q]}, "
    "pile: 5 5 4 4 4 8 T T 6 6 8 K K A A A Q 5 5 8}"
)


def decisions(position: str, *moves: str, worlds: int = 16) -> list[EvaluatedDecision]:
    match, _ = match_from_position(position)
    made = [parse_move(move) for move in moves]
    found = [evaluate_decision(choice, 1, "test", worlds) for choice in choices_of(match.hand, made)]
    return [each for each in found if each is not None]


def test_a_pile_of_eighteen_is_not_let_go() -> None:
    (decision,) = decisions(BIG_PILE, "draw")
    assert decision.kind == TAKES
    assert isinstance(decision.best[0], Take)
    assert decision.is_clear
    assert decisions(BIG_PILE, str(decision.best[0]))[0].loss == 0


def test_the_club_player_is_no_better_and_no_worse_than_itself() -> None:
    match = Match.new(load_ruleset("caliente", 4, {}), "evening")
    dealt, made = match.hand.copy(), list[Move]()
    while len(made) < 24:
        made.append(ClubBot().choose(match.hand.view(match.hand.turn)))
        match.apply(made[-1])
    found = [evaluate_decision(choice, 1, "test", 2) for choice in choices_of(dealt, made)]
    against = [each.against_club for each in found if each is not None]
    assert len(against) > 6
    assert set(against) == {0.0}
    (let_go,) = decisions(BIG_PILE, "draw")
    assert let_go.against_club < -2 * let_go.against_error < 0


def test_who_can_go_out_against_full_hands_does() -> None:
    laying, _ = decisions(CAN_GO_OUT, "discard K")
    assert laying.kind == GOING_OUT
    assert laying.played == ()
    assert laying.best_goes_out
    assert not laying.goes_out
    assert laying.is_clear


def test_the_card_that_the_next_player_waits_for_is_not_thrown() -> None:
    thrown = decisions(FEEDS_THE_NEXT, "discard 9", worlds=40)[-1]
    assert thrown.kind == DISCARDS
    assert discard_of(thrown.best) not in (None, discard_of([parse_move("discard 9")]))
    assert thrown.is_clear
    assert isinstance(thrown.best[0], Discard)


def test_what_the_player_could_not_see_is_not_held_against_him() -> None:
    """With the other hands exchanged, the view and the judgement stay the same."""
    here = (
        "{rules: original, players: 4, turn: 0, phase: play, "
        "hands: {0: 9 8 6 5 T J, 1: %s, 3: %s}, pile: 4 7}"
    )
    one = decisions(here % ("8 8 A A K Q", "K K Q J J 4"), "discard 8", worlds=4)
    other = decisions(here % ("K K Q J J 4", "8 8 A A K Q"), "discard 8", worlds=4)
    assert [(each.best, each.loss) for each in one] == [(each.best, each.loss) for each in other]


def test_a_turning_point_is_told_in_two_or_three_sentences() -> None:
    hand = HandReview(1, 16, 1, (0, 0), (0, 1, 0, 1), (0.0, 0.0), decisions=decisions(BIG_PILE, "draw"))
    (point,) = turning_points(hand)
    assert point.what == "let_go"
    assert most_important([point], seat=1) == []
    for language in languages():
        said = tell(point, Speaker(["South", "West", "North", "East"], voice=Voice(language)))
        assert 2 <= len(said) <= 3
        assert "18" in said[0]
        own = tell(point, Speaker(["Ada", "West", "North", "East"], 0, Voice(language)))
        assert "18" in own[0]
        assert not any("Ada" in sentence for sentence in own)


def test_one_deal_finds_nothing_better() -> None:
    for position, move in ((BIG_PILE, "draw"), (CAN_GO_OUT, "discard K"), (FEEDS_THE_NEXT, "discard 9")):
        for each in decisions(position, move, worlds=1):
            assert (each.best, each.loss, each.error) == (each.played, 0, 0)


@pytest.mark.parametrize("worlds", [1, FEWEST_CLEAR - 1, FEWEST_CLEAR])
def test_nothing_measured_in_a_few_deals_is_told(worlds: int) -> None:
    """This includes a pile of eighteen cards and a lucky draw."""
    decision = replace(decisions(BIG_PILE, "draw")[0], worlds=worlds)
    assert decision.is_clear == (worlds == FEWEST_CLEAR)
    match, _ = match_from_position(BIG_PILE)
    (choice,) = choices_of(match.hand, [parse_move("draw")])
    zero = (0.0, 0.0)
    lucky = Change(choice, zero, zero, (500.0, 0.0), zero, (500.0, 0.0))
    hand = HandReview(1, worlds, 1, (500, 0), (0, 1, 0, 1), zero, [lucky], [decision])
    assert len(turning_points(hand)) == (2 if worlds == FEWEST_CLEAR else 0)


def test_who_picks_up_the_foot_decides_anew() -> None:
    """The next choice then depends on cards that differ in every deal."""
    position = (
        "{rules: hand-and-foot, players: 4, turn: 0, phase: play, hands: {0: K K K}, "
        "melds: {0: [Q Q Q, 9 9 9]}}"
    )
    (laying,) = decisions(position, "meld K K K", worlds=4)
    assert [str(move) for move in laying.played] == ["meld K K K"]
    assert laying.candidates > 1
