"""The facts of a refusal: numbers, and short texts in notation."""

from canasta.engine.cards import NATURAL_RANKS, RANK_OF, RANK_TEXTS, card_text
from canasta.engine.families.contract import points_apart
from canasta.engine.law.going_out import canastas_asked
from canasta.engine.meld_names import KIND_NAMES, NEW
from canasta.engine.moves.refusals import Facts
from canasta.engine.state import ANSWER, DRAW, HandState
from canasta.rules.model import GoingOutRules


def situation(state: HandState, asking: bool = False) -> str:
    """Return the situation of the turn: `question`, `unasked`, `drawing` or `drawn`."""
    if state.phase == ANSWER:
        return "question"
    if state.answering < 0 and asking:
        return "unasked"
    return "drawing" if state.phase == DRAW else "drawn"


def pile_facts(state: HandState, naturals: int) -> Facts:
    rank = RANK_OF[state.top_card()]
    return {
        "rank": RANK_TEXTS[rank],
        "naturals": naturals,
        "held": state.count(state.turn, rank),
        "pile": state.pile_size(),
        "short": state.compiled.canasta_size - 1,
    }


def meld_facts(state: HandState, row: int, slot: int, naturals: int, wilds: int) -> Facts:
    """Return the facts of the set that these cards would form."""
    compiled = state.compiled
    side = state.side_of[state.turn]
    if slot != NEW:
        naturals += state.naturals(side, slot)
        wilds += state.wilds(side, slot)
    melds = compiled.rules.melds
    most = melds.most_wilds
    if row >= NATURAL_RANKS:
        most = compiled.canasta_size
    elif naturals + wilds > compiled.largest_set:
        most = compiled.largest_set
    return {
        "size": naturals + wilds,
        "naturals": naturals,
        "wilds": wilds,
        # If there are enough naturals for a set, the wild card is what lacks naturals (MELD-11).
        "needed": max(melds.least_naturals, melds.naturals_before_wild)
        if naturals >= melds.least_naturals
        else melds.least_naturals,
        "most": most,
        "room": compiled.wild_room[min(naturals, len(compiled.wild_room) - 1)],
    }


def end_facts(state: HandState) -> Facts:
    """Return what the side needs to open or to go out, and what it has."""
    side = state.side_of[state.turn]
    if state.is_opening():
        needed = state.minimum(side) + state.minimum_surcharge
        # If the first meld must come from the hand alone, the top card counts on neither side.
        top = state.minimum_surcharge if state.compiled.from_hand else 0
        return {"needed": needed - top, "have": state.opening_points - top - points_apart(state)}
    facts: Facts = {
        "canastas": _canastas_needed(state.compiled.rules.going_out),
        "there": _counted(state.canasta_counts(side)),
        "keeping": "last" if state.compiled.keep_last_card else "two",
    }
    if state.top_due:
        facts["card"] = card_text(state.taken_top)
    return facts


def _canastas_needed(rules: GoingOutRules) -> str:
    """Return the canastas required by OUT-1, as in `2 natural 1 wild`. A leading `any` is the total."""
    return " ".join([f"{count} {kind}" for kind, count in canastas_asked(rules)])


def _counted(counts: list[int]) -> str:
    return " ".join([f"{count} {kind}" for count, kind in zip(counts, KIND_NAMES, strict=True) if count > 0])
