"""What a network was trained for, and what it says to a position of such a game."""

from dataclasses import replace
from math import exp, log

from canasta.bots.learned.network import LearnedNetwork
from canasta.engine.observing.actions import universal_actions
from canasta.engine.observing.observer import Marks, Observer
from canasta.engine.observing.pieces import universal_layout
from canasta.engine.prepared import PreparedRules
from canasta.engine.state import HandState
from canasta.engine.steps.legal import legal_steps
from canasta.rules import load_ruleset
from canasta.rules.model import Ruleset


class Trained:
    """The network under the rules of a match."""

    def __init__(self, network: LearnedNetwork, prepared: PreparedRules, side_of: list[int]) -> None:
        self.network: LearnedNetwork = network
        self.prepared: PreparedRules = prepared
        self.marks: Marks = Marks(prepared, side_of, universal_layout())
        self._action_of: list[int] = universal_actions(prepared)

    def ranked(self, state: HandState, observer: Observer, seat: int) -> list[tuple[float, int]]:
        """The legal steps with the logarithm of their chances, the likeliest first."""
        steps = legal_steps(state)
        actions = [self._action_of[step] for step in steps]
        wanted, _ = self.network.look(observer.observe(state, seat), actions)
        most = max(wanted)
        whole = log(sum([exp(much - most) for much in wanted]))
        found = sorted([(most + whole - much, step) for much, step in zip(wanted, steps, strict=True)])
        return [(-less, step) for less, step in found]


def was_trained(network: LearnedNetwork, rules: Ruleset, numbers: bytes) -> bool:
    """These rules, of which it is told these numbers, are those of a game that it was trained for.

    The numbers are not all that rules can say: what they leave out must be as in that game, too.
    """
    for game, learned in zip(network.games, network.rules, strict=True):
        if learned == numbers:
            preset, _, players = game.partition("/")
            known = load_ruleset(preset, int(players))
            if replace(rules, name=known.name, title=known.title, version=known.version) == known:
                return True
    return False
