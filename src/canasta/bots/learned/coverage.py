"""The games that a network was trained for, and its output under their rules."""

from collections.abc import Mapping
from dataclasses import replace
from math import exp, log
from typing import Final

from canasta.bots.learned.network import LearnedNetwork
from canasta.engine.actions.legal import legal_steps
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.observation.encoder import Observer
from canasta.engine.observation.layout import Marks, universal_actions, universal_layout
from canasta.engine.state import HandState
from canasta.rules import RulesetError, load_ruleset
from canasta.rules.field_types import Value
from canasta.rules.loader import values_of
from canasta.rules.model import Ruleset


class TrainedNetwork:
    """A network applied to the rules of a match."""

    def __init__(self, network: LearnedNetwork, compiled: CompiledRules, side_of: list[int]) -> None:
        self.network: LearnedNetwork = network
        self.compiled: CompiledRules = compiled
        self.marks: Marks = Marks(compiled, side_of, universal_layout())
        self._action_of: list[int] = universal_actions(compiled)
        self.unit: float = unit_of(compiled.rules)

    def ranked(self, state: HandState, observer: Observer, seat: int) -> list[tuple[float, int]]:
        """Return the legal steps with their log probabilities, the likeliest first."""
        steps = legal_steps(state)
        actions = self.actions(steps)
        logits = self.network.logits(observer.observe(state, seat), actions)
        most = max(logits)
        whole = log(sum([exp(much - most) for much in logits]))
        ranking = sorted([(most + whole - much, step) for much, step in zip(logits, steps, strict=True)])
        return [(-less, step) for less, step in ranking]

    def actions(self, steps: list[int]) -> list[int]:
        """Return the network's action numbers of these steps."""
        return [self._action_of[step] for step in steps]


def unit_of(rules: Ruleset) -> float:
    """Return the points per unit of the network's values: roughly the usual winning margin of a hand."""
    scoring, melds = rules.scoring, rules.melds
    bonus = scoring.natural_canasta + scoring.mixed_canasta
    if melds.runs:
        bonus += scoring.samba // 2
    if melds.wild_melds:
        bonus += scoring.wild_canasta // 4
    return bonus * rules.deck.decks / 2.5


def was_trained(network: LearnedNetwork, rules: Ruleset, numbers: bytes) -> bool:
    """Return whether the network was trained for these rules, or for these rules changed by known house
    rules.

    `numbers` are the rule numbers of `rules`. They don't cover every field, so all other fields must be equal
    too.
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


MOST_CHANGED: Final = 3
"""Maximum number of options changed at a training table."""

_YES_OR_NO: Final = (
    "deck.caliente_cards",
    "turn.lay_bonus_by_hand",
    "pile.always_frozen",
    "pile.put_back",
    "melds.wild_melds",
    "opening.top_card_counts",
    "opening.canasta_bonus_counts",
    "scoring.canasta_for_positive_score",
)
_WILDS: Final = ("fewer", "equal")
_TARGETS: Final = range(1000, 20_001, 500)
_CANASTAS: Final = range(1, 4)
_MORE_OR_FEWER: Final = 2
"""Maximum change of the number of cards dealt."""


def other_values(values: Mapping[str, Value]) -> dict[str, list[Value]]:
    """Return, by field, the other values that training may give it under these rules."""
    found: dict[str, list[Value]] = {path: [not values[path]] for path in _YES_OR_NO}
    size = values["deal.hand_size"]
    assert isinstance(size, int), "a number of cards"
    found["deal.hand_size"] = list(range(size - _MORE_OR_FEWER, size + _MORE_OR_FEWER + 1))
    if values["melds.wilds_to_naturals"] in _WILDS:
        found["melds.wilds_to_naturals"] = list(_WILDS)
    if values["match.rounds"] == 0:
        found["match.target"] = list(_TARGETS)
    if values["going_out.canastas"] != 0:
        found["going_out.canastas"] = list(_CANASTAS)
    return {path: [value for value in others if value != values[path]] for path, others in found.items()}


def house_rules(usual: Mapping[str, Value], values: Mapping[str, Value]) -> dict[str, Value] | None:
    """Return the changed fields with their values, or `None` if training can't have drawn these changes.

    Consequences of a change are left out: applying the change again reproduces them.
    """
    changed: dict[str, Value] = {}
    for path, others in other_values(usual).items():
        if values[path] != usual[path]:
            if values[path] not in others:
                return None
            changed[path] = values[path]
    return changed if 0 < len(changed) <= MOST_CHANGED else None
