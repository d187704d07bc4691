"""Positions as text: complete and exact, or refused with a message."""

import pickle

import pytest
from preset_tables import EVERY_TABLE, one_table_per_preset

import canasta
from canasta.engine.cards import CALIENTE_KIND
from canasta.engine.determinize import determinize
from canasta.engine.rng import Rng
from canasta.scenarios.positions import match_from_position


@pytest.mark.parametrize(("rules", "players"), one_table_per_preset(EVERY_TABLE))
def test_every_turn_begins_with_a_position_that_can_be_written(rules: str, players: int) -> None:
    match = canasta.Match(rules, players, seed="positions")
    club = canasta.get_bot("club")
    written = 0
    for number in range(260):
        if match.is_over:
            break
        if match.hand_over:
            match.deal()
        elif match.phase == "draw" and number % 3 == 0:
            position = match.position
            again = canasta.Position.parse(str(position))
            assert str(again) == str(position)
            assert (again, hash(again)) == (position, hash(position))
            assert again.legal_moves == match.legal_moves
            assert (again.turn, again.pile, again.stock) == (match.turn, match.pile, match.stock)
            written += 1
        else:
            match.push(club.choose(match.view(match.turn)))
    assert written > 5


@pytest.mark.interpreted
def test_a_match_goes_on_from_a_position_as_it_would_have() -> None:
    match = canasta.Match("hand-and-foot", seed="go on")
    for _ in range(120):
        match.push(canasta.get_bot("club").choose(match.view(match.turn)))
    while match.phase != "draw":
        match.push(canasta.get_bot("club").choose(match.view(match.turn)))
    other = canasta.Match.from_position(match.position)
    assert repr(other).startswith("<Match: Hand & Foot, 4 players, from a position: hand 1, seat ")
    assert other == canasta.Match.from_position(str(match.position))
    # Players who remember which pile was taken would play differently; the random player remembers nothing.
    for one in (match, other):
        one.play([canasta.get_bot("random", str(seat)) for seat in range(4)], hands=1)
    assert match.scores == other.scores
    assert match.moves[-len(other.moves) :] == other.moves
    assert pickle.loads(pickle.dumps(other)) == other  # noqa: S301 - our own bytes


@pytest.mark.parametrize(("rules", "players"), one_table_per_preset(EVERY_TABLE))
def test_every_moment_of_a_hand_can_be_written(rules: str, players: int) -> None:
    """This covers asking, taking, melding and Caliente cards: the moves of the turn complete the position."""
    match = canasta.Match(rules, players, seed="moments", options=_all_that_can_happen(rules))
    seated = [canasta.get_bot("random", f"{rules} {seat}") for seat in range(players)]
    in_mid_turn = 0
    for number in range(90):
        if match.hand_over:
            break
        if number % 2 == 0:
            position = match.position
            again = canasta.Position.parse(str(position))
            assert (again, hash(again), str(again)) == (position, hash(position), str(position))
            assert (again.turn, again.phase) == (match.turn, match.phase)
            assert again.legal_moves == match.legal_moves
            assert [again.cards(seat) for seat in range(players)] == [
                match.cards(seat) for seat in range(players)
            ]
            in_mid_turn += "when: [" in str(position)
        match.push(seated[match.turn].choose(match.view(match.turn)))
    assert in_mid_turn > 1


def _all_that_can_happen(rules: str) -> dict[str, object]:
    return {"put_back": True} if rules == "caliente" else {}


@pytest.mark.interpreted
def test_the_middle_of_a_turn_goes_on_from_its_text() -> None:
    match = canasta.Match.from_position("{rules: caliente, phase: play, hands: {0: K K K K 9 9 9 4 5 6}}")
    assert "when" not in str(match.position)
    match.push("meld K K K + 9 9 9")
    position = match.position
    assert str(position).endswith(", when: [meld K K K + 9 9 9]}")
    other = canasta.Match.from_position(str(position))
    assert (other.position, other.melds(0)) == (position, match.melds(0))
    for move in ("add K to K", "discard 4"):
        assert match.push(move) == other.push(move)
    assert match.position == other.position
    assert "when" not in str(match.position)
    assert other != canasta.Match.from_position(position)
    assert pickle.loads(pickle.dumps(other)) == other  # noqa: S301 - our own bytes
    assert [other.undo(), other.undo()] == ["discard 4", "add K to K"]
    assert (other, other.position) == (canasta.Match.from_position(position), position)


@pytest.mark.interpreted
def test_a_hand_that_is_over_has_no_position() -> None:
    match = canasta.Match("two-player", seed="over")
    match.play("novice", hands=1)
    with pytest.raises(canasta.CanastaError, match="the hand is over"):
        _ = match.position
    match.deal()
    assert match.position.phase == "draw"


@pytest.mark.interpreted
def test_house_rules_are_part_of_it() -> None:
    text = "{rules: caliente, options: {hand_size: 13, scoring.natural_canasta: 700}, pile: 7 6 K}"
    position = canasta.Position.parse(text)
    assert position.rules.deal.hand_size == 13
    assert canasta.Position.parse(str(position)).rules == position.rules
    assert position != canasta.Position.parse("{rules: caliente, pile: 7 6 K}")


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a position is written as"),
        ("[1, 2]", "a position is written as"),
        ("{rules: caliente", "this isn’t YAML"),
        ("{turn: 0}", "rules: expected the name of a preset"),
        ("{rules: calinete}", "did you mean caliente"),
        ("{rules: caliente, trun: 0}", "did you mean turn"),
        ("{rules: caliente, hands: {0: Kx}}", "isn’t a card"),
        ("{rules: caliente, hands: {9: K}}", "there’s no seat 9"),
        ("{rules: caliente, pile: K*9}", "K: 9 are given, but the decks hold 8"),
        ("{rules: caliente, melds: {0: [K 9 4]}}", "neither a set nor a sequence"),
        ("{rules: caliente, when: [draw, medl K K K]}", "did you mean meld"),
        ("{rules: caliente, when: [draw, draw]}", "when: draw is against the rules (TURN-1)"),
        ("{rules: caliente, when: [deal]}", "no other is dealt in it"),
        ("{rules: caliente, when: {0: draw}}", "when: "),
        ("{rules: caliente, put_backs: {5: 1}}", "there’s no side 5"),
        ("{rules: caliente, put_backs: {0: 70000}}", "put_backs[0]: 70000 is more than 400"),
        ("{rules: caliente, caliente_played: {0: -1}}", "caliente_played"),
        ("{rules: caliente, caliente_played: {0: 1}}", "only with the option caliente_cards"),
        ("{rules: caliente, options: {caliente_cards: true}, caliente_played: {0: 300}}", "the decks hold 2"),
        ("{rules: caliente, cut: {0: K}}", "a position can’t have a cut: its cards are already dealt"),
        ("{rules: hand-and-foot, foot_unplayed: [0]}", "seat 0 hasn’t picked up its foot"),
        ("{rules: " + "[" * 5000, "nested too deeply"),
    ],
)
def test_what_is_no_position_is_told(text: str, said: str) -> None:
    with pytest.raises(canasta.CanastaError) as told:
        canasta.Position.parse(text)
    assert said in str(told.value)


@pytest.mark.interpreted
def test_a_caliente_card_that_was_played_lies_nowhere_else() -> None:
    text = "{rules: caliente, options: {caliente_cards: true}, caliente_played: {0: 1, 1: 1}}"
    match, _ = match_from_position(text)
    state = determinize(match.hand.view(0), Rng("played"))
    assert state.stock_size() == match.hand.stock_size
    assert CALIENTE_KIND not in match.hand.state.deck
    assert all(match.hand.state.held(seat, CALIENTE_KIND) == 0 for seat in range(4))
