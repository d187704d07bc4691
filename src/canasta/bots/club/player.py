"""The players that do not search: `random`, `club`, and `novice` and `casual`, which use weaker weights."""

from canasta.bots.club.going_out import NOTHING_BARS, what_bars
from canasta.bots.club.melds import NO_MELD
from canasta.bots.club.policy import club_step, take_worth
from canasta.bots.club.style import style_of
from canasta.bots.club.weights import Weights, weights_of
from canasta.bots.explanations import explain_move
from canasta.bots.protocol import Explanation, Hint, Reason, SeatedBot, seat_of, whole_move
from canasta.engine.actions.codec import (
    ANSWER_NO,
    ANSWER_YES,
    ASK,
    DRAW_STOCK,
    KEEP,
    PASS,
    PLAY_CALIENTE,
    PUT_BACK,
    is_discard,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.moves.types import Meld, Move, Take
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, DRAW, PLAY, SAID_YES, HandState
from canasta.engine.view import View

_UNWANTED = -1e6
"""Mark of a step that no player would choose; it is shown only if nothing else is possible."""


class ClubBot(SeatedBot):
    """A player that follows evaluation weights: `club` itself, or one of its weaker variants."""

    def __init__(self, name: str = "club") -> None:
        self.name: str = name
        self._compiled: CompiledRules | None = None
        self._weights: Weights = Weights()

    def weights(self, view: View) -> Weights:
        """Return this player's weights, computed once per match because the rules do not change."""
        compiled = view.state.compiled
        if self._compiled is not compiled:
            self._compiled = compiled
            self._weights = weights_of(self.name, compiled)
        return self._weights

    def step(self, view: View) -> int:
        seat = seat_of(view)
        return club_step(view.state, seat, self.weights(view))

    def explain(self, view: View, move: Move) -> Explanation:
        return explain_move(view, move, self.weights(view))

    def hint(self, view: View, most: int = 3) -> list[Hint]:
        weights = self.weights(view)
        first = self.step(view)
        others = [step for step in legal_steps(view.state) if step != first]
        marked: list[tuple[float, int]] = []
        seat = seat_of(view)
        for step in others:
            marked.append((-step_mark(view.state, seat, weights, step), step))
        marked.sort()
        hints: list[Hint] = []
        shown: list[tuple[object, ...]] = []
        for mark, step in [(0.0, first), *marked]:
            if len(hints) >= most or (hints and mark >= -_UNWANTED):
                break
            move = whole_move(self, view, step)
            content = _content(move)
            if content not in shown:
                shown.append(content)
                hints.append(Hint(move, explain_move(view, move, weights)))
        return hints


def _content(move: Move) -> tuple[object, ...]:
    """Return the cards that a move lays, regardless of the order of its melds."""
    if isinstance(move, Meld):
        return (Meld, sorted([sorted(cards) for cards in move.melds]))
    if isinstance(move, Take):
        return (Take, sorted(move.cards), move.onto, sorted([sorted(cards) for cards in move.melds]))
    return (move,)


def step_mark(state: HandState, seat: int, weights: Weights, step: int) -> float:
    """Return the value of a step, on one scale for all steps that are possible in this phase."""
    decoded = state.compiled.layout.decoded[step]
    if state.phase == ANSWER:
        return _UNWANTED if step == ANSWER_YES and what_bars(state) != NOTHING_BARS else 0.0
    if state.phase == DRAW:
        if step == DRAW_STOCK:
            return weights.draw_card * state.compiled.draw
        if decoded.takes:
            return take_worth(state, seat, weights, step)
        return 0.0 if step in (PASS, PLAY_CALIENTE) else _UNWANTED
    if step in (KEEP, PASS):
        return 0.0
    if step == PUT_BACK:
        return _UNWANTED
    if is_discard(step):
        return -style_of(state).discarding(state, seat, weights).price(decoded.row, decoded.suit)
    score = style_of(state).melding(state, weights).score(step)
    return score if score > NO_MELD else _UNWANTED


class RandomBot(SeatedBot):
    def __init__(self, seed: str) -> None:
        self.name: str = "random"
        self._rng: Rng = random_rng(seed)

    def step(self, view: View) -> int:
        return random_step(view.state, self._rng)

    def explain(self, view: View, move: Move) -> Explanation:  # noqa: ARG002 - all moves are equal to it
        count = len(legal_steps(view.state))
        return Explanation([Reason("by_chance", {"count": count})], {"legal steps": float(count)})


def random_rng(seed: str) -> Rng:
    """Return the random generator from which a player with this seed draws its steps."""
    return Rng("random:" + seed)


def random_step(state: HandState, rng: Rng) -> int:
    steps = _choices(state)
    return steps[rng.below(len(steps))]


def _choices(state: HandState) -> list[int]:
    """Return the legal steps without pointless questions: ask only
    to go out, and say yes only if it can help."""
    steps = legal_steps(state)
    if state.phase == ANSWER:
        return steps if what_bars(state) == NOTHING_BARS else [ANSWER_NO]
    if state.phase == PLAY and state.asked == SAID_YES:
        step = style_of(state).out_step(state, False)
        if step >= 0:
            return [step]
    if ASK in steps and (state.phase != PLAY or style_of(state).out_step(state, True) < 0):
        steps.remove(ASK)
    return steps
