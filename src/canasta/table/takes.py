"""The ways to take the pile that a hand offers."""

from canasta.engine.cards import BLACK_THREE, JOKER, KINDS_OF, NATURAL_RANKS, RANK_OF, TWO
from canasta.engine.meld_names import ROW_RUN, MeldName
from canasta.engine.moves.types import Take
from canasta.engine.view import View


def ways_to_take(view: View) -> list[Take]:
    """What may take the pile, by the cards alone; the rules are asked about each."""
    looks = view.state
    assert view.seat is not None
    if not looks.pile:
        return []
    top = looks.pile[-1]
    rank = RANK_OF[top]
    side = looks.side_of[view.seat]
    ways = [
        Take(onto=meld.name)
        for meld in view.melds(side)
        if meld.name.row == ROW_RUN or meld.name == MeldName(rank, meld.name.number)
    ]
    naturals = _held(view, rank)
    wilds = [*_held(view, TWO)[:1], *_held(view, JOKER)[:1]]
    if rank < NATURAL_RANKS:
        if len(naturals) >= 2:
            ways.append(Take(tuple(naturals[:2])))
        if naturals:
            ways += [Take((naturals[0], wild)) for wild in wilds]
        if looks.prepared.runs:
            ways += _runs_with(view, top, rank)
    elif rank == BLACK_THREE and len(naturals) >= 2:
        ways.append(Take(tuple(naturals[:2])))
    return ways


def _runs_with(view: View, top: int, rank: int) -> list[Take]:
    """Pairs from the hand that make a sequence of three with the top card."""
    suited = view.state.prepared.same_suit
    ways: list[Take] = []
    for low, high in ((rank - 2, rank - 1), (rank - 1, rank + 1), (rank + 1, rank + 2)):
        if low < 0 or high >= NATURAL_RANKS:
            continue
        pair = [
            next((card for card in _held(view, other) if not suited or card & 3 == top & 3), None)
            for other in (low, high)
        ]
        if pair[0] is not None and pair[1] is not None:
            ways.append(Take((pair[0], pair[1])))
    return ways


def _held(view: View, rank: int) -> list[int]:
    """The viewer's cards of a rank."""
    assert view.seat is not None
    held = view.state.cards_of(view.seat)
    return [kind for kind in KINDS_OF[rank] for _ in range(held[kind])]
