"""Melds on the table, as shown to players."""

from dataclasses import dataclass

from canasta.engine.cards_in_play import SAMBA
from canasta.engine.families.burraco import kinds_in
from canasta.engine.law.melding import canasta_of_run
from canasta.engine.meld_names import ROW_RUN, MeldName
from canasta.engine.runs import run_length
from canasta.engine.state import HandState
from canasta.rules.copyable import PlainData


@dataclass(frozen=True)
class MeldOnTable(PlainData):
    name: MeldName
    cards: tuple[int, ...]
    """In the order laid; a long sequence from low to high, with wilds at the places they fill."""
    canasta: int
    """`NATURAL`, `MIXED`, `WILD`, `SAMBA` or `NOT_A_CANASTA`."""


def melds_of(state: HandState, side: int) -> list[MeldOnTable]:
    """Return a side's melds in the order in which they were started."""
    cards: dict[int, list[int]] = {}
    for card in state.cards_laid_by(side):
        cards.setdefault(card >> 6, []).append(card & 63)
    melds: list[MeldOnTable] = []
    slots = state.compiled.slots
    for meld, kinds in cards.items():
        if meld >= slots.count:
            index = meld - slots.count
            if state.compiled.long_runs:
                run = state.runs[side][index]
                name = MeldName(ROW_RUN, index + 1)
                melds.append(MeldOnTable(name, tuple(kinds_in(run)), canasta_of_run(state.compiled, run)))
                continue
            done = run_length(state.runs[side][index]) == state.compiled.canasta_size
            melds.append(MeldOnTable(MeldName(ROW_RUN, index + 1), tuple(kinds), SAMBA if done else -1))
        else:
            kind = state.canasta_kind(state.naturals(side, meld), state.wilds(side, meld))
            melds.append(MeldOnTable(state.compiled.set_name(meld), tuple(kinds), kind))
    return melds
