"""The action space of a ruleset: its possible steps numbered without gaps, and the mask of the legal ones."""

from canasta.engine.actions.codec import (
    ADD_BLACK_THREE,
    ANSWER_NO,
    ANSWER_YES,
    ANY_PAIR,
    ANY_SUIT,
    ANY_TRIPLE,
    ASK,
    DRAW_STOCK,
    KEEP,
    LAY_BONUS,
    PASS,
    PLAY_CALIENTE,
    PUT_BACK,
    RUN_SLOTS,
    START_BLACK_THREES,
    discard_step,
    start_naturals_step,
    start_pair_step,
    start_run_step,
    start_wilds_step,
    take_mixed_step,
    take_pair_step,
)
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import BLACK_THREE, CALIENTE, JOKER, NATURAL_RANKS, PLACES, TWO, WILD_CODES
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.melds import ROW_WILD, SMALLEST_MELD
from canasta.engine.sequences import LOCKED
from canasta.engine.state import HandState


class StepSpace:
    """The possible steps of one ruleset: `steps[i]` is the step of action i."""

    def __init__(self, compiled: CompiledRules) -> None:
        self.steps: list[int] = compiled.family.possible_steps(compiled)
        self.index: dict[int, int] = {step: index for index, step in enumerate(self.steps)}

    @property
    def size(self) -> int:
        return len(self.steps)

    def mask(self, state: HandState) -> bytearray:
        """Return one byte per action: 1 if it is legal now, 0 otherwise."""
        mask = bytearray(len(self.steps))
        for step in legal_steps(state):
            mask[self.index[step]] = 1
        return mask


def possible_long_steps(compiled: CompiledRules) -> list[int]:
    """Return every step that could be legal in a game with long sequences, in order."""
    layout = compiled.layout
    wilds = range(1, WILD_CODES + 1)
    steps = [DRAW_STOCK, PASS, layout.take_pile_step]
    for rank in (*range(NATURAL_RANKS), TWO, BLACK_THREE):
        steps += [discard_step(rank, suit) for suit in range(4)]
    steps.append(discard_step(JOKER, ANY_SUIT))
    for row in compiled.set_rows:
        steps += [layout.start_set_step(row, triple) for triple in range(ANY_TRIPLE)]
        steps += [layout.start_pair_with_step(row, pair, wild) for pair in range(ANY_PAIR) for wild in wilds]
        for slot in range(compiled.slots.first_slot(row), compiled.slots.first_slot(row + 1)):
            steps += [layout.add_to_set_step(row, slot, suit) for suit in range(4)]
            steps += [layout.add_any_wild_step(row, slot, wild) for wild in wilds]
    for suit in range(4):
        for low in range(1, PLACES - 1):
            steps.append(layout.start_long_run_step(suit, low, 0, 0))
            places = range(low, low + SMALLEST_MELD)
            steps += [
                layout.start_long_run_step(suit, low, place, wild) for place in places for wild in wilds
            ]
    ends = (False, True) if compiled.run_rules.wild_moves == LOCKED else (False,)
    for number in range(RUN_SLOTS):
        for end in ends:
            steps += [layout.add_to_run_step(number, place, 0, end) for place in range(1, PLACES + 1)]
            steps += [layout.add_to_run_step(number, 0, wild, end) for wild in wilds]
    return sorted(steps)


def possible_steps(compiled: CompiledRules) -> list[int]:
    """Return every step that could ever be legal, in order."""
    same_suit = compiled.same_suit
    suits = list(range(4)) if same_suit else [ANY_SUIT]
    pairs = list(range(ANY_PAIR)) if same_suit else [ANY_PAIR]
    triples = list(range(ANY_TRIPLE)) if same_suit else [ANY_TRIPLE]
    layout = compiled.layout

    steps = [DRAW_STOCK, PASS]
    if compiled.stop_ranks:
        steps += [START_BLACK_THREES, ADD_BLACK_THREE]
    if compiled.keep_last_card:
        steps.append(KEEP)
    if compiled.rules.deck.caliente_cards:
        steps.append(PLAY_CALIENTE)
    if compiled.may_ask and compiled.rules.seats.players > compiled.rules.seats.sides:
        steps += [ASK, ANSWER_YES, ANSWER_NO]
    if compiled.by_hand or compiled.keep_three:
        steps.append(LAY_BONUS)
    if compiled.special_hands:
        steps.append(layout.lay_special)
    if compiled.put_back:
        steps.append(PUT_BACK)
    steps += [take_pair_step(pair) for pair in pairs]
    if compiled.natural_and_wild:
        steps += [take_mixed_step(suit, joker) for suit in suits for joker in range(2)]
    steps += [layout.take_onto_set_step(number) for number in range(compiled.slots.per_row)]
    steps += [discard_step(rank, suit) for rank in range(NATURAL_RANKS) for suit in suits]
    others = [TWO, JOKER, *compiled.stop_ranks] + ([CALIENTE] if compiled.rules.deck.caliente_cards else [])
    steps += [discard_step(rank, ANY_SUIT) for rank in others]
    for rank in range(NATURAL_RANKS):
        steps += [start_naturals_step(rank, triple) for triple in triples]
        steps += [start_pair_step(rank, pair, joker) for pair in pairs for joker in range(2)]
        for slot in range(compiled.slots.first_slot(rank), compiled.slots.first_slot(rank + 1)):
            steps += [layout.add_natural_step(slot, suit) for suit in suits]
            steps += [layout.add_wild_step(slot, joker) for joker in range(2)]
    if compiled.wild_melds:
        steps += [start_wilds_step(jokers) for jokers in range(4)]
        for slot in range(compiled.slots.first_slot(ROW_WILD), compiled.slots.first_slot(ROW_WILD + 1)):
            steps += [layout.add_wild_step(slot, joker) for joker in range(2)]
    if compiled.runs:
        steps += [start_run_step(low, suit) for low in range(NATURAL_RANKS - 2) for suit in suits]
        steps += [layout.extend_run_step(index, high) for index in range(RUN_SLOTS) for high in (False, True)]
        if compiled.add_to_run:
            steps += [layout.take_onto_run_step(index) for index in range(RUN_SLOTS)]
    return sorted(steps)
