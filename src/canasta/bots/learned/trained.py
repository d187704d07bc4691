"""What a network was trained for, and what it says to a position of such a game."""

from dataclasses import replace
from math import exp, log

from canasta.bots.learned.house_rules import house_rules
from canasta.bots.learned.network import LearnedNetwork
from canasta.engine.observing.actions import universal_actions
from canasta.engine.observing.marks import Marks
from canasta.engine.observing.observer import Observer
from canasta.engine.observing.pieces import universal_layout
from canasta.engine.prepared import PreparedRules
from canasta.engine.state import HandState
from canasta.engine.steps.legal import legal_steps
from canasta.rules import RulesetError, load_ruleset
from canasta.rules.fields import Value
from canasta.rules.loader import values_of
from canasta.rules.model import Ruleset


class Trained:
    """The network under the rules of a match."""

    def __init__(self, network: LearnedNetwork, prepared: PreparedRules, side_of: list[int]) -> None:
        self.network: LearnedNetwork = network
        self.prepared: PreparedRules = prepared
        self.marks: Marks = Marks(prepared, side_of, universal_layout())
        self._action_of: list[int] = universal_actions(prepared)
        self.unit: float = unit_of(prepared.rules)

    def ranked(self, state: HandState, observer: Observer, seat: int) -> list[tuple[float, int]]:
        """The legal steps with the logarithm of their chances, the likeliest first."""
        steps = legal_steps(state)
        actions = self.actions(steps)
        wanted = self.network.look(observer.observe(state, seat), actions)
        most = max(wanted)
        whole = log(sum([exp(much - most) for much in wanted]))
        found = sorted([(most + whole - much, step) for much, step in zip(wanted, steps, strict=True)])
        return [(-less, step) for less, step in found]

    def actions(self, steps: list[int]) -> list[int]:
        """As the network numbers them."""
        return [self._action_of[step] for step in steps]


def unit_of(rules: Ruleset) -> float:
    """Points that the network calls one: about what hands are won or lost by."""
    scoring, melds = rules.scoring, rules.melds
    bonus = scoring.natural_canasta + scoring.mixed_canasta
    if melds.runs:
        bonus += scoring.samba // 2
    if melds.wild_melds:
        bonus += scoring.wild_canasta // 4
    return bonus * rules.deck.decks / 2.5


def was_trained(network: LearnedNetwork, rules: Ruleset, numbers: bytes) -> bool:
    """These rules, of which it is told these numbers, are those of a game that it was trained for, or differ
    from them by house rules as it has met them.

    The numbers are not all that rules can say: what they leave out must be as in that game, too.
    """
    values = values_of(rules)
    for game, learned in zip(network.games, network.rules, strict=True):
        preset, _, players = game.partition("/")
        if int(players) != rules.seats.players:
            continue
        if learned == numbers and _is_same(rules, load_ruleset(preset, int(players))):
            return True
        if network.knows_house_rules:
            changed = house_rules(values_of(load_ruleset(preset, int(players))), values)
            if changed is not None and _is_made_by(changed, rules, preset):
                return True
    return False


def _is_same(rules: Ruleset, known: Ruleset) -> bool:
    return replace(rules, name=known.name, title=known.title, version=known.version) == known


def _is_made_by(changed: dict[str, Value], rules: Ruleset, preset: str) -> bool:
    try:
        return _is_same(rules, load_ruleset(preset, rules.seats.players, changed))
    except RulesetError:
        return False
