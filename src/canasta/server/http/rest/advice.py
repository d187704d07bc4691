"""REST: advice, with positions that can be tried."""

from functools import cache

from litestar import get
from msgspec import Struct

from canasta.lessons import Tip, tips
from canasta.notation.cards import format_card
from canasta.server.http.rest.calls import mistakes
from canasta.table.deals_and_moves import LaidStep
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
    """What the tip advises: any of these moves."""
    ahead: int
    """Points by which that is better than anything else, on average."""


class TipRow(Struct, kw_only=True):
    id: str
    group: str
    rules: str
    """The game that it is about, or shown by."""
    trial: Trial | None


@get("/api/advice", summary="Tips, some with a position to try", responses=mistakes(), sync_to_thread=True)
def advice() -> list[TipRow]:
    return list(_rows())


@cache
def _rows() -> tuple[TipRow, ...]:
    """Laid out once."""
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
