"""REST: tips, some with a position to try."""

from functools import cache

from litestar import get
from msgspec import Struct

from canasta.lessons import Tip, tips
from canasta.notation.cards import format_card
from canasta.server.http.rest.common import mistakes
from canasta.table.log import LaidStep
from canasta.table.views import game_view, meld_view, pile_view
from canasta.table.wire import GameView, MeldView, PileView


class Trial(Struct, kw_only=True):
    """A position to try, as its player sees it."""

    game: GameView
    hand: list[str]
    ours: list[MeldView]
    theirs: list[MeldView]
    pile: PileView
    best: list[str]
    """The recommended moves; any of them is right."""
    ahead: int
    """Average advantage in points over any other move."""


class TipRow(Struct, kw_only=True):
    id: str
    group: str
    rules: str
    """The game that the tip is about, or that illustrates it."""
    trial: Trial | None


@get("/api/advice", summary="Tips, some with a position to try", responses=mistakes(), sync_to_thread=True)
def advice() -> list[TipRow]:
    return list(_rows())


@cache
def _rows() -> tuple[TipRow, ...]:
    """Return all tips; the positions are computed only once."""
    return tuple(
        TipRow(id=tip.id, group=tip.group, rules=tip.rules, trial=_trial(tip) if tip.position else None)
        for tip in tips().values()
    )


def _trial(tip: Tip) -> Trial:
    match = LaidStep(position=tip.position).match()
    hand, seat = match.hand, match.hand.turn
    melds = [
        (side == match.side_of[seat], meld_view(hand.state, side, meld))
        for side in range(match.rules.seats.sides)
        for meld in hand.melds(side)
    ]
    return Trial(
        game=game_view(match.rules),
        hand=[format_card(card) for card in hand.hand_cards(seat)],
        ours=[meld for is_ours, meld in melds if is_ours],
        theirs=[meld for is_ours, meld in melds if not is_ours],
        pile=pile_view(match, hand.view(seat)),
        best=tip.best,
        ahead=tip.ahead,
    )


ADVICE = [advice]
