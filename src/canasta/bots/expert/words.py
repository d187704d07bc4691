"""What the expert found out, in words: a move against the next best one."""

from canasta.bots.expert.race import Candidate, Comparison
from canasta.bots.protocol import Bot, whole_move
from canasta.engine.cards import ANY, RANK_OF, card_name, plural, with_article
from canasta.engine.moves.types import (
    Add,
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    LayBonus,
    Meld,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Take,
)
from canasta.engine.view import View

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class _Follower(Bot):
    """Makes the steps of a plan."""

    def __init__(self, steps: list[int]) -> None:
        self.name: str = "plan"
        self._steps: list[int] = steps
        self._next: int = 0

    def step(self, view: View) -> int:
        assert view.seat is not None, "a plan is carried out by a player"
        step = self._steps[self._next]
        self._next += 1
        return step


class Alternatives:
    """The whole moves that candidates begin with, and the best candidate of each."""

    def __init__(self, view: View, candidates: list[Candidate], chosen: list[int], done: int) -> None:
        self.found: list[tuple[Move, Candidate]] = []
        """The chosen move first, then the others from the best down."""
        kept = [
            candidate
            for candidate in candidates
            if len(candidate.steps) > done and candidate.steps[:done] == chosen[:done]
        ]
        ahead = [candidate for candidate in kept if candidate.steps == chosen]
        for candidate in [*ahead, *_by_gain(kept, ahead)]:
            move = plan_move(view, candidate.steps[done:])
            if all(move != other for other, _ in self.found):
                self.found.append((move, candidate))

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


def plan_move(view: View, steps: list[int]) -> Move:
    """The whole move that a plan begins with."""
    return whole_move(_Follower(steps[1:]), view, steps[0])


def verdict(alternatives: Alternatives, move: Move, numbers: dict[str, float]) -> str:
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
        return ""
    found = Comparison(mine, rival)
    if found.worlds == 0:
        return ""
    numbers["possible deals"] = float(found.worlds)
    numbers["gain"] = round(found.gain, 1)
    numbers["gain error"] = round(found.error, 1)
    deals = "1 possible deal" if found.worlds == 1 else f"{found.worlds} possible deals"
    rest = f"than {in_words(rival_move)}"
    points = abs(round(found.gain))
    if points < 1 or abs(found.gain) < found.error:
        return f"Tried out in {deals}, it comes to about the same as {in_words(rival_move)}."
    more = "more" if found.gain > 0 else "less"
    return f"Tried out in {deals}, it brings about {points} points {more} {rest}."


def in_words(move: Move) -> str:
    """
    >>> in_words(Discard(ANY + 3)), in_words(Draw())
    ('discarding a seven', 'drawing')
    """
    if isinstance(move, Discard):
        return f"discarding {card_name(move.card)}"
    if isinstance(move, Take):
        if move.onto is not None:
            return "taking the pile onto a meld"
        return "taking the pile with " + _cards(move.cards)
    if isinstance(move, Meld):
        return "melding " + " and ".join([_cards(meld) for meld in move.melds])
    if isinstance(move, Add):
        return f"adding {_cards(move.cards)} to a meld"
    if isinstance(move, Answer):
        return "saying yes" if move.yes else "saying no"
    if isinstance(move, LayBonus):
        return "laying out a red three"
    return _plain(move)


def _plain(move: Move) -> str:
    if isinstance(move, Draw):
        return "drawing"
    if isinstance(move, Keep):
        return "keeping the last card"
    if isinstance(move, Pass):
        return "passing"
    if isinstance(move, PlayCaliente):
        return "playing the Caliente card"
    if isinstance(move, Ask):
        return "asking the partner"
    if isinstance(move, PutBack):
        return "putting the pile back"
    return "taking the move back"


def _cards(cards: tuple[int, ...]) -> str:
    """
    >>> _cards((ANY + 3, ANY + 3, ANY + 11))
    'two sevens and a two'
    """
    counts: dict[int, int] = {}
    for card in cards:
        rank = card - ANY if card >= ANY else RANK_OF[card]
        counts[rank] = counts.get(rank, 0) + 1
    return _listed([_some(rank, count) for rank, count in counts.items()])


def _some(rank: int, count: int) -> str:
    if count == 1:
        return with_article(rank)
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {plural(rank)}"


def _listed(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1]
