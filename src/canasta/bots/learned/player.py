"""`master`: the network alone, without a search. Where a game was not trained, `expert` sits in."""

from dataclasses import replace
from math import exp

from canasta.bots.club.policy import weights_for
from canasta.bots.expert.player import ExpertBot
from canasta.bots.learned.memory import Memory
from canasta.bots.learned.network import LearnedNetwork, master_network
from canasta.bots.protocol import Explanation, Hint, Reason, SeatedBot, whole_move
from canasta.bots.reasons import explain_move
from canasta.engine.events import Event
from canasta.engine.moves.types import Move
from canasta.engine.observing.actions import universal_actions
from canasta.engine.observing.observer import Marks, Observer
from canasta.engine.observing.pieces import universal_layout
from canasta.engine.observing.rule_numbers import rule_numbers
from canasta.engine.play.course import order_of_hand
from canasta.engine.prepared import PreparedRules
from canasta.engine.steps.legal import legal_steps
from canasta.engine.view import View
from canasta.rules import load_ruleset
from canasta.rules.model import Ruleset


class Trained:
    """What the network needs to know of the rules of a match."""

    def __init__(self, prepared: PreparedRules, side_of: list[int]) -> None:
        self.prepared: PreparedRules = prepared
        self.marks: Marks = Marks(prepared, side_of, universal_layout())
        self.action_of: list[int] = universal_actions(prepared)


class MasterBot(SeatedBot):
    """Greedy play by the network. It remembers what it has heard since the deal."""

    def __init__(self, seed: str = "", budget: float | None = None) -> None:
        self.name: str = "master"
        self._network: LearnedNetwork = master_network()
        self._stand_in: ExpertBot = ExpertBot(seed, budget)
        self._prepared: PreparedRules | None = None
        self._trained: Trained | None = None
        self._memory: Memory | None = None
        self.hand_number: int = 0
        """Of the hand that it has heard the deal of."""

    def begin(self, view: View) -> None:
        self.hand_number = _hand_number(view, self.hand_number)
        trained = self._for(view)
        self._memory = None
        if trained is not None:
            self._memory = Memory(trained.prepared, trained.marks.layout, len(view.state.side_of))
            self._memory.begin(view.state)

    def hear(self, event: Event) -> None:
        if self._memory is not None:
            self._memory.hear(event)

    def step(self, view: View) -> int:
        trained = self._for(view)
        if trained is None:
            return self._stand_in.step(view)
        wanted, _ = self._wanted(trained, view)
        return wanted[0][1]

    def choose(self, view: View) -> Move:
        if self._for(view) is None:
            return self._stand_in.choose(view)
        return whole_move(self, view, self.step(view))

    def explain(self, view: View, move: Move) -> Explanation:
        trained = self._for(view)
        if trained is None:
            return _for_another(self._stand_in.explain(view, move))
        return explain_move(view, move, weights_for(trained.prepared))

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        trained = self._for(view)
        if trained is None:
            return [Hint(hint.move, _for_another(hint.reason)) for hint in self._stand_in.hint(view, most)]
        wanted, whole = self._wanted(trained, view)
        hints: list[Hint] = []
        for much, step in wanted:
            if len(hints) >= most:
                break
            move = whole_move(self, view, step)
            if move not in [hint.move for hint in hints]:
                said = self.explain(view, move)
                numbers = {**said.numbers, "chance": exp(much) / whole}
                hints.append(Hint(move, Explanation(said.reasons, numbers)))
        return hints

    def _for(self, view: View) -> Trained | None:
        """The rules of a match stay the same."""
        prepared = view.state.prepared
        if self._prepared is not prepared:
            self._prepared = prepared
            self._trained = None
            # None of the games that it was trained for is larger than the layout has room for.
            if was_trained(self._network, prepared.rules, rule_numbers(prepared)):
                self._trained = Trained(prepared, view.state.side_of)
        return self._trained

    def _wanted(self, trained: Trained, view: View) -> tuple[list[tuple[float, int]], float]:
        """The legal steps, the one that is wanted most first, and the sum of their weights."""
        seat = view.seat
        assert seat is not None, "a player has a seat"
        state = view.state
        steps = legal_steps(state)
        observer = Observer(trained.marks)
        if self._memory is None:
            observer.begin(state, view.scores, max(1, self.hand_number))
        else:
            observer.begin_again(state, view.scores, max(1, self.hand_number), self._memory.blocks())
        actions = [trained.action_of[step] for step in steps]
        wanted, _ = self._network.look(observer.observe(state, seat), actions)
        most = max(wanted)
        ranked = sorted([(most - much, step) for much, step in zip(wanted, steps, strict=True)])
        weighed = [(-less, step) for less, step in ranked]
        return weighed, sum([exp(much) for much, _ in weighed])


def _for_another(said: Explanation) -> Explanation:
    """The expert's reasons, and that they are the expert's."""
    return Explanation([Reason("untrained"), *said.reasons], said.numbers)


def _hand_number(view: View, before: int) -> int:
    """The number of a hand that has been dealt; of those that this seat sits out it hears no deal."""
    state = view.state
    number = before + 1
    for later in range(number, number + len(state.side_of)):
        if sorted(order_of_hand(state.prepared.rules, later)) == sorted(state.order):
            return later
    return number


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
