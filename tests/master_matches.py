"""Matches started by learned players, which need NumPy."""

from canasta.bots.learned.player import MasterBot
from canasta.bots.protocol import Listeners
from canasta.engine.match import Match
from canasta.rules import load_ruleset


def master_match(preset: str, moves: int, seed: str = "reasons") -> tuple[Match, list[MasterBot]]:
    """Return a match in which masters have made this many moves, and the masters."""
    match = Match.new(load_ruleset(preset), seed)
    bots = [MasterBot(str(seat)) for seat in range(match.rules.seats.players)]
    listeners = Listeners(dict(enumerate(bots)))
    listeners.deal(match.hand.state, match.hand.scores)
    for _ in range(moves):
        seat = match.hand.turn
        listeners.tell(match.apply(bots[seat].choose(match.hand.view(seat))))
    return match, bots
