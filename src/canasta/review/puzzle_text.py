"""The texts of a puzzle: its options, the best one and why, and what the others give away."""

from canasta.bots.club.player import ClubBot
from canasta.engine.cards import card_text
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.state import ANSWER, OVER
from canasta.i18n import Voice, tell_reasons
from canasta.i18n.events import Speaker
from canasta.i18n.facts import CARD
from canasta.notation.moves import parse_move
from canasta.review.evaluation import JudgedDecision
from canasta.review.narrative import of_decision, tell, told_moves
from canasta.review.puzzles import Puzzle, PuzzleOption


def moves_of(option: PuzzleOption) -> tuple[Move, ...]:
    return tuple(map(parse_move, option.moves))


def told_option(puzzle: Puzzle, option: PuzzleOption, voice: Voice) -> str:
    """Describe the option's moves.

    A sequence is named by its ends, because nobody remembers the order of laying.
    """
    runs: dict[str, str] = {}
    if any("run#" in move for move in option.moves):
        hand = puzzle.match().hand
        for meld in hand.melds(hand.state.side_of[hand.turn]):
            if str(meld.name).startswith("run#"):
                ends = "–".join(voice.fact(CARD, card_text(meld.cards[at])) for at in (0, -1))
                runs[str(meld.name)] = f"run#{ends}"
    moves = [" ".join(runs.get(word, word) for word in move.split(" ")) for move in option.moves]
    return told_moves(moves, voice)


def told_best(puzzle: Puzzle, voice: Voice) -> str:
    """Describe the best option: by how much it is best, and why."""
    best = puzzle.options[0]
    said = voice.say(
        "review.puzzle.best",
        {
            "text": told_option(puzzle, best, voice),
            "points": round(min(each.behind for each in puzzle.options[1:])),
            "count": puzzle.worlds,
        },
    )
    return f"{said} {why(puzzle, voice)}".strip()


def why(puzzle: Puzzle, voice: Voice) -> str:
    """Return the reasons for the best option, in card players' words."""
    moves = moves_of(puzzle.options[0])
    if not moves:
        return ""
    hand = puzzle.match().hand
    return tell_reasons(ClubBot().explain(hand.view(hand.turn), moves[0]).reasons, voice)


def told_mistake(puzzle: Puzzle, option: PuzzleOption, speaker: Speaker) -> str:
    """Return what this option gives away, in one sentence; empty for the best."""
    if option == puzzle.options[0]:
        return ""
    match = puzzle.match()
    best, played = moves_of(puzzle.options[0]), moves_of(option)
    froze, went_out = _leads_to(match, played)
    best_froze, best_went_out = _leads_to(match, best)
    decision = JudgedDecision(
        hand=1,
        turn=1,
        number=0,
        seat=match.hand.turn,
        kind=puzzle.theme,
        played=played,
        best=best,
        loss=option.behind,
        error=option.error,
        lost=(),
        worlds=puzzle.worlds,
        ahead=0.0,
        candidates=len(puzzle.options),
        freezes=froze,
        best_freezes=best_froze,
        goes_out=went_out,
        best_goes_out=best_went_out,
        pile=match.hand.state.pile_size(),
        view=match.hand.view(match.hand.turn),
    )
    # The better move, and in how many deals, is part of the text for the best option.
    return tell(of_decision(decision), speaker)[0]


def _leads_to(match: Match, moves: tuple[Move, ...]) -> tuple[bool, bool]:
    """Return whether the moves freeze the pile, and whether they end the hand or ask to."""
    hand = match.hand.copy()
    for move in moves:
        hand.apply(move)
    return hand.frozen and not match.hand.frozen, hand.state.phase in (OVER, ANSWER)
