"""`ask` is offered where going out could be reached in this turn; the rules allow it elsewhere too."""

import pytest
from unit.engine.builders import match_at, refusal

from canasta.table.player_view import your_view

FOOT = "rules: hand-and-foot\ngiven: {phase: play, "
FIVE = "melds: {0: [K*7, Q*7, J*6 2, T*5 2 2, 2*4 Jo*3]}}"


@pytest.mark.parametrize(
    "given",
    [
        # the canasta exists, and all cards but one can be melded
        "rules: caliente\ngiven: {phase: play, hands: {0: Q Q Q 9}, melds: {0: [K*7]}}",
        # the canasta can be made in the same turn
        "rules: caliente\ngiven: {phase: play, hands: {0: K 9}, melds: {0: [K*6]}}",
        # the cards are enough before drawing, or one more would be
        "rules: caliente\ngiven: {hands: {0: Q Q Q}, melds: {0: [K*7]}, stock: 9 4}",
        "rules: caliente\ngiven: {hands: {0: Q Q}, melds: {0: [K*7]}, stock: 9 4}",
        # the pile takes the last cards
        "rules: caliente\ngiven: {hands: {0: Q Q}, melds: {0: [K*7]}, pile: Q, stock: 9 4}",
        f"{FOOT}picked_up: [0, 2], hands: {{0: 9}}, {FIVE}",
    ],
)
def test_a_question_is_offered(given: str) -> None:
    hand = match_at(given).hand
    assert "ask" in your_view(hand, hand.view(0)).can


@pytest.mark.parametrize(
    "given",
    [
        # no canasta, and no way to make one
        "rules: caliente\ngiven: {phase: play, hands: {0: Q Q Q 9}, melds: {0: [K*4]}}",
        # cards that nobody can meld
        "rules: caliente\ngiven: {phase: play, hands: {0: Q Q Q 9 7 4}, melds: {0: [K*7]}}",
        "rules: caliente\ngiven: {phase: play, hands: {0: Q Q Q 3b 3b}, melds: {0: [K*7]}}",
        "rules: caliente\ngiven: {hands: {0: A Q 9 7 5 4}, melds: {0: [K*7]}, pile: 8 6, stock: 9 4}",
        # the partner's foot
        f"{FOOT}picked_up: [0], hands: {{0: 9 9 9}}, {FIVE}",
        # one kind of canasta is missing
        f"{FOOT}picked_up: [0, 2], hands: {{0: 9 9 9}}, melds: {{0: [K*7, Q*7]}}}}",
    ],
)
def test_an_idle_question_is_legal_but_not_offered(given: str) -> None:
    match = match_at(given)
    assert refusal(match, "ask") is None
    assert "ask" not in your_view(match.hand, match.hand.view(0)).can
