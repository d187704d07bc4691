"""What the expert found out: a move against the next best one."""

from canasta.bots.expert.race import Candidate, Comparison
from canasta.bots.protocol import Bot, Reason, whole_move
from canasta.engine.moves.refusals import Facts
from canasta.engine.moves.types import Move
from canasta.engine.view import View


class _Follower(Bot):
    """Makes the steps of a plan; where it only begins a first meld, another brings that to its minimum."""

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
    """The whole moves that candidates begin with, and the best candidate of each."""

    def __init__(
        self, view: View, candidates: list[Candidate], chosen: list[int], done: int, finisher: Bot
    ) -> None:
        """`done`: steps that were made already. `finisher`: who plays on where a candidate ends."""
        self._done: int = done
        self.found: list[tuple[Move, Candidate]] = []
        """The chosen move first, then the others from the best down."""
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
        """What came of a move, by world; nothing where it was not tried."""
        return [value for other, candidate in self.found if other == move for value in candidate.values]

    def expected(self, move: Move) -> float:
        """Points to expect after a move that was tried: those of the chosen one, and its gain on that in the
        deals of both. So what is expected of two moves differs by what one is said to bring more."""
        chosen = self.found[0][1]
        points = 0.0
        for other, candidate in self.found:
            if other == move:
                base = chosen if chosen.values else candidate
                points = sum(base.values) / len(base.values) + Comparison(candidate, base).gain
        return points

    def steps(self, move: Move) -> list[int]:
        """The steps by which a move was tried; none where it was not."""
        return [
            step for other, candidate in self.found if other == move for step in candidate.steps[self._done :]
        ]

    def moves(self, most: int) -> list[Move]:
        return [move for move, _ in self.found[:most]]


def _by_gain(candidates: list[Candidate], ahead: list[Candidate]) -> list[Candidate]:
    """The others, the best first."""
    others: list[tuple[float, int]] = []
    for index in range(len(candidates)):
        if ahead and candidates[index] is ahead[0]:
            continue
        gain = Comparison(candidates[index], ahead[0]).gain if ahead else 0.0
        others.append((-gain, index))
    others.sort()
    return [candidates[index] for _, index in others]


def plan_move(view: View, steps: list[int], finisher: Bot) -> Move:
    """The whole move that a plan begins with."""
    return whole_move(_Follower(steps[1:], finisher), view, steps[0])


def verdict(alternatives: Alternatives, move: Move, numbers: dict[str, float]) -> list[Reason]:
    """The gain of a move over the next best one; adds the numbers behind it."""
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
    found = Comparison(mine, rival)
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
        # The player has not believed what so few deals say, and goes on as it would have.
        return [Reason("too_few_deals", facts)]
    facts["points"] = points
    return [Reason("brings_more" if found.gain > 0 else "brings_less", facts)]
