"""Observation features of the later families of games (Burraco, American), appended after all others."""

from librt.strings import BytesWriter

from canasta.engine.actions.codec import RUN_SLOTS
from canasta.engine.cards import RANK_OF, RANKS, RED_THREE
from canasta.engine.families.burraco import wild_at, wild_in
from canasta.engine.state import HandState


def write_long_runs(row: BytesWriter, state: HandState, viewer: int, sides: int) -> None:
    """Append the features of games with long sequences, with room for `sides` sides."""
    own = state.side_of[viewer]
    for ahead in range(sides):
        first = len(row)
        row.write(bytes(2 * RUN_SLOTS + 1))
        if ahead >= state.sides:
            continue
        side = (own + ahead) % state.sides
        runs = state.runs[side]
        for index in range(min(len(runs), RUN_SLOTS)):
            row[first + 2 * index] = wild_at(runs[index])
            row[first + 2 * index + 1] = wild_in(runs[index])
        row[first + 2 * RUN_SLOTS] = 1 if state.pot_taker(side) >= 0 else 0
    row.append(min(255, len(state.pots)))
    row.append(min(255, len(state.pots[0])) if state.pots else 0)
    row.append(1 if state.top_due else 0)
    row.append(state.not_returned + 1)
    row.append(min(255, state.turns_without_draw))


def write_american(row: BytesWriter, state: HandState, viewer: int, seats: int, sides: int) -> None:
    """Append the features of games that judge a turn as a whole, with room for these seats and sides."""
    there = len(state.side_of)
    for ahead in range(seats):
        row.append(min(255, len(state.talons[(viewer + ahead) % there])) if ahead < there else 0)
    first = len(row)
    row.write(bytes(RANKS))
    for kind in state.talons[viewer]:
        at = first + state.compiled.rank_of[kind]
        row[at] = row[at] + 1
    own = state.side_of[viewer]
    for ahead in range(sides):
        red = 0
        black = 0
        asks = 0
        if ahead < state.sides:
            side = (own + ahead) % state.sides
            for kind in state.bonus[side]:
                if RANK_OF[kind] == RED_THREE:
                    red += 1
                else:
                    black += 1
            asks = min(255, state.asks(side))
        row.append(red)
        row.append(black)
        row.append(asks)
    row.append(min(255, state.talon_due))
    first = len(row)
    row.write(bytes(RANKS))
    if state.pile_due:
        row[first + state.compiled.rank_of[state.taken_top]] = 1
