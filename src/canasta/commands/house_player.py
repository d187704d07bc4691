"""A modest computer player, for as long as no better one is at the table. It sees only its own view."""

from canasta.engine.cards import BLACK_THREE, is_natural, is_wild
from canasta.engine.hand_cards import rank_of
from canasta.engine.moves import (
    ROW_RUN,
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
    Take,
)
from canasta.engine.scoring import canasta_count
from canasta.engine.state import HandState
from canasta.engine.view import View
from canasta.engine.whole_moves import legal_whole_moves

_WORTH_TAKING = 3
"""Cards in a pile from which on it is taken whenever the rules allow it."""


class HousePlayer:
    """Melds what it can, keeps its wild cards for canastas, discards a single low card."""

    def choose_move(self, view: View) -> Move:
        state = view.state
        moves = legal_whole_moves(state)
        for move in moves:
            if isinstance(move, LayBonus) or (isinstance(move, Answer) and move.yes):
                return move
        if view.phase == "draw":
            return _draw_or_take(state, moves)
        return _play(view, moves)


def _draw_or_take(state: HandState, moves: list[Move]) -> Move:
    takes = [move for move in moves if isinstance(move, Take)]
    takes.sort(key=lambda take: (_wilds_in(take), take.onto is None, len(take.melds)))
    draw = next((move for move in moves if isinstance(move, Draw)), None)
    if takes and (draw is None or len(state.pile) >= _WORTH_TAKING or takes[0].onto is not None):
        return takes[0]
    return draw or next((move for move in moves if isinstance(move, Pass)), moves[0])


def _play(view: View, moves: list[Move]) -> Move:
    state = view.state
    seat, side = state.turn, state.side_of[state.turn]
    may_go_out = canasta_count(state, side) >= state.tables.canastas_needed
    if may_go_out and state.tables.rules.going_out.ask == "must" and state.size[seat] <= 6:
        for move in moves:
            if isinstance(move, Ask):
                return move
    # two cards stay back until the side may go out: one to discard and one to go on with
    spare = state.size[seat] - (0 if may_go_out else 2)
    laying = [move for move in moves if isinstance(move, (Meld, Add)) and _count(move) <= spare]
    laying = [move for move in laying if _is_worth_it(view, move)]
    if laying:
        return min(laying, key=lambda move: (_wilds_in(move), isinstance(move, Meld), -_count(move)))
    discards = [move for move in moves if isinstance(move, Discard)]
    if discards:
        return min(discards, key=lambda move: _regret(state, move.card))
    return next((move for move in moves if isinstance(move, (Keep, Pass))), moves[0])


def _is_worth_it(view: View, move: Meld | Add) -> bool:
    """Wild cards go into a first meld, and onto melds that are nearly canastas."""
    state = view.state
    side = state.side_of[state.turn]
    if not _wilds_in(move) or not state.opened[side] or isinstance(move, Meld):
        return isinstance(move, Add) or not state.opened[side] or not _wilds_in(move)
    size = next((len(meld.cards) for meld in view.melds(side) if meld.name == move.to), 0)
    wanted = state.tables.canasta_size
    return move.to.row != ROW_RUN and wanted - 2 <= size < wanted


def _regret(state: HandState, card: int) -> int:
    """How little a card should be discarded."""
    rank = rank_of(card)
    if rank == BLACK_THREE:
        return 0
    if is_wild(rank):
        return 1000 + rank
    if not is_natural(rank):
        return 500
    held = state.counts[state.turn][rank]
    theirs = sum(
        4 for side in range(state.sides) if side != state.side_of[state.turn] and _has_meld(state, side, rank)
    )
    return 10 * held + 10 * theirs + rank


def _has_meld(state: HandState, side: int, rank: int) -> bool:
    return any(slot // state.tables.slots == rank for slot in state.sets[side])


def _wilds_in(move: Take | Meld | Add) -> int:
    cards = list(move.cards) if isinstance(move, (Take, Add)) else []
    if isinstance(move, (Take, Meld)):
        cards += [card for meld in move.melds for card in meld]
    return sum(is_wild(rank_of(card)) for card in cards)


def _count(move: Meld | Add) -> int:
    return len(move.cards) if isinstance(move, Add) else sum(map(len, move.melds))
