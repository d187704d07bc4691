"""The random player makes only legal moves."""

from canasta.bots.club.player import RandomBot
from canasta.engine.match import Match
from canasta.rules import load_ruleset


def test_it_never_puts_a_pile_back_that_it_has_not_taken_yet() -> None:
    """A first meld that takes the pile is one move, so there is nothing to put back in the middle of it."""
    rules = load_ruleset("caliente", 4, {"put_back": True, "pile.first_meld_needs_pair": False})
    bot = RandomBot("put back")
    put_back = 0
    for number in range(6):
        match = Match.new(rules, seed=f"put back {number}")
        while not match.hand.over:
            move = bot.choose(match.hand.view(match.hand.turn))
            put_back += type(move).__name__ == "PutBack"
            assert match.hand.check(move) is None
            match.hand.apply(move)
    assert put_back > 0
