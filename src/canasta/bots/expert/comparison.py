"""The expert's findings about a position: a move compared with the next best one."""

from canasta.bots.expert.race import Candidate, Margin
from canasta.bots.protocol import Bot, Reason, whole_move
from canasta.engine.moves.refusals import Facts
from canasta.engine.moves.types import Move
from canasta.engine.view import View


class _Follower(Bot):
    """Makes the steps of a plan. If the plan stops within a first meld, another bot completes it."""

    def __init__(self, steps: list[int], finisher: Bot) -> None:
        self.name: str = "plan"
        self._steps: list[int] = steps
        self._finisher: Bot = finisher
        self._next: int = 0

    def step(self, view: View) -> int:
        if self._next == len(self._steps):
            return self._finisher.step(view)
        step = self._steps[self._next]
        self._next += 1
        return step


class Alternatives:
    """The whole moves with which candidates start, and the best candidate of each."""

    def __init__(
        self, view: View, candidates: list[Candidate], chosen: list[int], done: int, finisher: Bot
    ) -> None:
        """`done` is the number of steps already made; `finisher` plays on after a candidate ends."""
        self._done: int = done
        self.found: list[tuple[Move, Candidate]] = []
        """Moves and candidates: the chosen move first, then the others from the best down."""
        kept = [
            candidate
            for candidate in candidates
            if len(candidate.steps) > done and candidate.steps[:done] == chosen[:done]
        ]
        ahead = [candidate for candidate in kept if candidate.steps == chosen]
        for candidate in [*ahead, *_by_gain(kept, ahead)]:
            move = plan_move(view, candidate.steps[done:], finisher)
            if all(move != other for other, _ in self.found):
                self.found.append((move, candidate))

    def values(self, move: Move) -> list[float]:
        """Return the outcomes of a move, by world; empty if it was not tried."""
        return [value for other, candidate in self.found if other == move for value in candidate.values]

    def expected(self, move: Move) -> float:
        """Return the expected points of a move that was tried.

        This is the chosen move's mean plus the move's gain over it in the deals that both were tried in, so
        that the expectations of two moves differ by exactly the gain that is reported.
        """
        chosen = self.found[0][1]
        points = 0.0
        for other, candidate in self.found:
            if other == move:
                base = chosen if chosen.values else candidate
                points = sum(base.values) / len(base.values) + Margin(candidate, base).gain
        return points

    def steps(self, move: Move) -> list[int]:
        """Return the steps by which a move was tried; empty if it was not."""
        return [
            step for other, candidate in self.found if other == move for step in candidate.steps[self._done :]
        ]

    def moves(self, most: int) -> list[Move]:
        return [move for move, _ in self.found[:most]]


def _by_gain(candidates: list[Candidate], ahead: list[Candidate]) -> list[Candidate]:
    """Return the other candidates, the best first."""
    others: list[tuple[float, int]] = []
    for index in range(len(candidates)):
        if ahead and candidates[index] is ahead[0]:
            continue
        gain = Margin(candidates[index], ahead[0]).gain if ahead else 0.0
        others.append((-gain, index))
    others.sort()
    return [candidates[index] for _, index in others]


def plan_move(view: View, steps: list[int], finisher: Bot) -> Move:
    """Return the whole move with which a plan starts."""
    return whole_move(_Follower(steps[1:], finisher), view, steps[0])


def verdict(alternatives: Alternatives, move: Move, numbers: dict[str, float]) -> list[Reason]:
    """Return the gain of a move over the next best one as a reason, and add the figures to `numbers`."""
    mine: Candidate | None = None
    rival: Candidate | None = None
    rival_move: Move | None = None
    for other_move, candidate in alternatives.found:
        if other_move == move:
            mine = candidate
        elif rival is None:
            rival = candidate
            rival_move = other_move
    if mine is None or rival is None or rival_move is None:
        return []
    found = Margin(mine, rival)
    if found.worlds == 0:
        return []
    numbers["possible deals"] = float(found.worlds)
    numbers["gain"] = round(found.gain, 1)
    numbers["gain error"] = round(found.error, 1)
    points = abs(round(found.gain))
    facts: Facts = {"count": found.worlds, "move": str(rival_move)}
    if points < 1 or abs(found.gain) < found.error:
        return [Reason("about_same", facts)]
    is_chosen = alternatives.found[0][0] == move
    if (found.gain < 0) == is_chosen:
        # The player did not trust the result of so few deals and kept its choice.
        return [Reason("too_few_deals", facts)]
    facts["points"] = points
    return [Reason("brings_more" if found.gain > 0 else "brings_less", facts)]
