"""The facts behind a refusal: numbers and words that its sentence names."""

from typing import Final

from canasta.engine.cards import NATURAL_RANKS, RANK_NAMES, RANK_OF, plural, with_article
from canasta.engine.meld_names import NEW
from canasta.engine.prepared import PreparedRules
from canasta.engine.state import ANSWER, DRAW, HandState

Facts = dict[str, int | str]


def situation(state: HandState, asking: bool = False) -> Facts:
    """Where the turn stands, and what is to be done."""
    if state.phase == ANSWER:
        return {
            "situation": "a question waits for its answer",
            "next_action": "The partner answers yes or no.",
        }
    if state.answering < 0 and asking:
        return {"situation": "nobody has asked", "next_action": ""}
    if state.phase == DRAW:
        return {"situation": "the turn begins with drawing", "next_action": "Draw, or take the pile."}
    return {"situation": "cards have been drawn in this turn", "next_action": "Meld, or discard."}


def pile_facts(state: HandState, naturals: int) -> Facts:
    rank = RANK_OF[state.pile[-1]]
    return {
        "top": RANK_NAMES[rank],
        "a_top": with_article(rank),
        "rank": plural(rank),
        "naturals": naturals,
        "held": state.counts[state.turn][rank],
        "pile": len(state.pile),
        "short": state.prepared.canasta_size - 1,
    }


def meld_facts(state: HandState, row: int, slot: int, naturals: int, wilds: int) -> Facts:
    """What a set would hold with these cards."""
    prepared = state.prepared
    side = state.side_of[state.turn]
    if slot != NEW:
        naturals += state.naturals[side][slot]
        wilds += state.wilds[side][slot]
    most = prepared.rules.melds.most_wilds
    if row >= NATURAL_RANKS:
        most = prepared.canasta_size
    elif naturals + wilds > prepared.largest_set:
        most = prepared.largest_set
    return {
        "size": naturals + wilds,
        "naturals": naturals,
        "wilds": wilds,
        "needed": prepared.rules.melds.least_naturals,
        "most": most,
        "room": prepared.wild_room[min(naturals, len(prepared.wild_room) - 1)],
    }


def end_facts(state: HandState) -> Facts:
    """What the side needs to open or to go out, and what it has."""
    side = state.side_of[state.turn]
    if state.is_opening():
        return {
            "needed": state.minimum[side] + state.opening_extra,
            "have": state.opening_points,
        }
    if state.prepared.keep_last_card:
        keeping = "Keep your last card instead of discarding it."
    else:
        keeping = "Keep at least two cards before you discard."
    return {
        "needed": canastas_needed(state.prepared),
        "have": canastas_there(state, side),
        "keeping": keeping,
    }


_KIND_NAMES: Final = ("natural", "mixed", "wild", "sequence")


def canastas_needed(prepared: PreparedRules) -> str:
    """What OUT-1 asks for, in words."""
    kinds = [
        f"{count} {name}" for count, name in zip(prepared.kinds_needed, _KIND_NAMES, strict=True) if count > 0
    ]
    total = prepared.canastas_needed
    if kinds and sum(prepared.kinds_needed) >= total:
        return _listed(kinds) + (" canasta" if sum(prepared.kinds_needed) == 1 else " canastas")
    words = "1 canasta" if total == 1 else f"{total} canastas"
    return f"{words} ({_listed(kinds)} among them)" if kinds else words


def canastas_there(state: HandState, side: int) -> str:
    kinds = [
        f"{count} {name}" for count, name in zip(state.canastas[side], _KIND_NAMES, strict=True) if count > 0
    ]
    if not kinds:
        return "none"
    return _listed(kinds) + (" canasta" if sum(state.canastas[side]) == 1 else " canastas")


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]
