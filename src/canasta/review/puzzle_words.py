"""What is said of a puzzle: its options, the best of them and why, and what another one gives away."""

from canasta.bots.club.player import ClubBot
from canasta.engine.cards import card_text
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.state import ANSWER, OVER
from canasta.notation.moves import parse_move
from canasta.review.judging import Decision
from canasta.review.puzzles import Option, Puzzle
from canasta.review.telling import of_decision, tell, told_moves
from canasta.words import Voice, tell_reasons
from canasta.words.events import Speaker
from canasta.words.facts import CARD


def moves_of(option: Option) -> tuple[Move, ...]:
    return tuple(map(parse_move, option.moves))


def told_option(puzzle: Puzzle, option: Option, voice: Voice) -> str:
    """Its moves. A sequence is known by its first and last card: nobody counts which one was laid second."""
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
    """The best option, by how much it is, and what speaks for it."""
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
    """What speaks for the best option, in card players' words."""
    moves = moves_of(puzzle.options[0])
    if not moves:
        return ""
    hand = puzzle.match().hand
    return tell_reasons(ClubBot().explain(hand.view(hand.turn), moves[0]).reasons, voice)


def told_mistake(puzzle: Puzzle, option: Option, speaker: Speaker) -> str:
    """What this option gives away, in a sentence; empty for the best."""
    if option == puzzle.options[0]:
        return ""
    match = puzzle.match()
    best, played = moves_of(puzzle.options[0]), moves_of(option)
    froze, went_out = _leads_to(match, played)
    best_froze, best_went_out = _leads_to(match, best)
    decision = Decision(
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
    # What would have been better, and in how many deals, is told with the best option.
    return tell(of_decision(decision), speaker)[0]


def _leads_to(match: Match, moves: tuple[Move, ...]) -> tuple[bool, bool]:
    """Whether the pile is frozen by them, and whether they end the hand or ask to."""
    hand = match.hand.copy()
    for move in moves:
        hand.apply(move)
    return hand.frozen and not match.hand.frozen, hand.state.phase in (OVER, ANSWER)
