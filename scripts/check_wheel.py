"""Check that the installed canasta is compiled and plays a hand; run for every wheel that is built."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES

from canasta.bots import get_bot
from canasta.engine import cards
from canasta.engine.match import Match
from canasta.rules import load_ruleset


def main() -> int:
    if not (cards.__file__ or "").endswith(tuple(EXTENSION_SUFFIXES)):
        print("this wheel is not compiled")
        return 1
    match = Match.new(load_ruleset("caliente"), "wheel")
    players = [get_bot("club", str(seat)) for seat in range(4)]
    while not match.hand.over:
        seat = match.hand.turn
        match.apply(players[seat].choose(match.hand.view(seat)))
    print(f"compiled; a hand was played: {match.scores}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
