"""Canastas, and going out, as substitutes for the minimum of a first meld."""

from canasta.engine.cards import CALIENTE, NATURAL_RANKS
from canasta.engine.cards_in_play import MIXED, NATURAL, SAMBA, WILD
from canasta.engine.feasibility.opening_hand import OpeningHand
from canasta.engine.law.melding import why_not_cards
from canasta.engine.law.reasons import OK
from canasta.engine.melds import NO_SUIT, ROW_WILD, SMALLEST_MELD, run_length, run_low, run_suit


def has_other_ways(hand: OpeningHand, is_tight: bool) -> bool:
    """Return whether a canasta, or going out at once, could replace
    the minimum or the cards that must be kept."""
    compiled = hand.state.compiled
    if compiled.canasta_suffices or compiled.canasta_bonus_counts:
        if canasta_in_reach(hand) or (compiled.runs and _samba_in_reach(hand)):
            return True
    if hand.state.foot_waits(hand.state.turn) or not hand.may_leave:
        return False
    if is_tight or compiled.concealed_suffices or hand.black_threes >= SMALLEST_MELD:
        return compiled.runs or (cards_stranded(hand) <= 1 and canastas_in_reach(hand, 0))
    return False


def cards_stranded(hand: OpeningHand) -> int:
    """Return a lower bound on the cards that cannot be melded in sets.

    Going out allows at most one such card.
    """
    compiled = hand.state.compiled
    stranded = hand.state.count(hand.state.turn, CALIENTE) + hand.red_threes
    if hand.black_threes < SMALLEST_MELD:
        stranded += hand.black_threes
    pairs = 0
    for rank in range(NATURAL_RANKS):
        if 0 < hand.counts[rank] < SMALLEST_MELD and hand.naturals[compiled.slots.first_slot(rank)] == 0:
            if hand.counts[rank] == 1:
                stranded += 1
            else:
                pairs += 1
    return stranded + 2 * max(0, pairs - hand.twos - hand.jokers)


def canastas_in_reach(hand: OpeningHand, sambas: int) -> bool:
    """Return whether the side could get the canastas to go out, with
    `sambas` new sambas and the best possible sets."""
    compiled = hand.state.compiled
    if hand.due_kind >= 0:
        return True
    size = compiled.canasta_size
    wilds = hand.twos + hand.jokers
    natural = 0
    wild = 0
    lacking: list[int] = []
    """Number of wilds needed for each possible canasta, one entry per canasta."""
    for row in range(ROW_WILD + 1):
        naturals = hand.counts[row] if row < NATURAL_RANKS else 0
        cards = naturals
        for slot in range(compiled.slots.first_slot(row), compiled.slots.first_slot(row + 1)):
            naturals += hand.naturals[slot]
            cards += hand.naturals[slot] + hand.wilds[slot]
        if row == ROW_WILD:
            most = (cards + wilds) // size if compiled.wild_melds else 0
            wild = most
        else:
            most = min(1, (cards + wilds) // size) if compiled.one_set else (cards + wilds) // size
            natural += min(most, naturals // size)
        before = 0
        for number in range(1, most + 1):
            needed = max(0, number * size - cards)
            lacking.append(needed - before)
            before = needed
    total = 0
    for needed in sorted(lacking):
        wilds -= needed
        if wilds >= 0:
            total += 1
    sambas += hand.state.canastas(hand.side, SAMBA)
    kinds = compiled.kinds_needed
    return (
        total + sambas >= compiled.canastas_needed
        and natural >= kinds[NATURAL]
        and total >= kinds[MIXED]
        and wild >= kinds[WILD]
        and sambas >= kinds[SAMBA]
    )


def canasta_in_reach(hand: OpeningHand) -> bool:
    """Return whether some set, on the table or new, can grow into a canasta."""
    compiled = hand.state.compiled
    wilds = hand.twos + hand.jokers
    slots = compiled.slots
    for rank in range(NATURAL_RANKS):
        # One slot beyond those in use represents a new set, made of the hand's cards alone.
        for slot in range(slots.first_slot(rank), slots.first_slot(rank + 1)):
            naturals = hand.naturals[slot] + hand.counts[rank]
            room = min(compiled.wild_room[naturals], wilds + hand.wilds[slot])
            if naturals + room >= compiled.canasta_size:
                return True
            if hand.naturals[slot] == 0:
                break
    if compiled.wild_melds:
        for slot in range(slots.first_slot(ROW_WILD), slots.first_slot(ROW_WILD + 1)):
            if wilds + hand.wilds[slot] >= compiled.canasta_size:
                return True
            if hand.wilds[slot] == 0:
                break
    return False


def opens_by_one_canasta(hand: OpeningHand, need: int) -> bool:
    """Return whether one set alone can grow into a canasta that is a
    valid first meld, and the turn can then end."""
    compiled = hand.state.compiled
    if not compiled.canasta_suffices and not compiled.canasta_bonus_counts:
        return False
    slots = compiled.slots
    for row in range(ROW_WILD + 1 if compiled.wild_melds else NATURAL_RANKS):
        for slot in range(slots.first_slot(row), slots.first_slot(row + 1)):
            size = hand.naturals[slot] + hand.wilds[slot]
            if size < compiled.canasta_size and _is_good_canasta(hand, row, slot, need):
                return True
            if size == 0 or compiled.one_set or (compiled.one_open_set and size < compiled.canasta_size):
                break
    return False


def _is_good_canasta(hand: OpeningHand, row: int, slot: int, need: int) -> bool:
    compiled = hand.state.compiled
    compiled.looked_at += 1
    there = hand.naturals[slot]
    wilds_there = hand.wilds[slot]
    cards = compiled.canasta_size - there - wilds_there
    naturals = min(cards, hand.counts[row]) if row < NATURAL_RANKS else 0
    wilds = cards - naturals
    if wilds > hand.twos + hand.jokers:
        return False
    if why_not_cards(compiled, row, there, wilds_there, naturals, wilds) != OK:
        return False
    if not hand.can_stop_with(hand.size - cards):
        return False
    if compiled.canasta_suffices:
        return True
    points = hand.wild_points(wilds) + (naturals * compiled.values[row] if naturals else 0)
    kind = hand.state.canasta_kind(there + naturals, wilds_there + wilds)
    return points + compiled.canasta_bonus[kind] >= need


def _samba_in_reach(hand: OpeningHand) -> bool:
    """Return whether seven consecutive ranks are available, including runs laid this turn."""
    size = hand.state.compiled.canasta_size
    for suit in range(4) if hand.state.compiled.same_suit else [NO_SUIT]:
        streak = 0
        for rank in range(NATURAL_RANKS):
            have = hand.holds(rank, suit)
            for run in hand.runs:
                if run_suit(run) == suit and run_low(run) <= rank < run_low(run) + run_length(run):
                    have = True
            streak = streak + 1 if have else 0
            if streak >= size:
                return True
    return False
