"""Every step number has one meaning, and every meaning one number."""

import pytest

from canasta.engine.actions import codec
from canasta.engine.actions.codec import Step, StepLayout, layout_for

pytestmark = pytest.mark.interpreted


def packed(layout: StepLayout, step: Step) -> int:
    """Return the number of a step, computed back from its meaning."""
    made = {
        codec.START_WILDS: lambda: codec.start_wilds_step(step.jokers),
        codec.TAKE_PAIR: lambda: codec.take_pair_step(codec.PAIRS.index(step.suits)),
        codec.TAKE_MIXED: lambda: codec.take_mixed_step(step.suit, step.jokers),
        codec.DISCARD: lambda: codec.discard_step(step.row, step.suit),
        codec.START_RUN: lambda: codec.start_run_step(step.row, step.suit),
        codec.START_NATURALS: lambda: codec.start_naturals_step(step.row, codec.TRIPLES.index(step.suits)),
        codec.START_PAIR: lambda: codec.start_pair_step(step.row, codec.PAIRS.index(step.suits), step.jokers),
        codec.TAKE_ONTO_SET: lambda: layout.take_onto_set_step(step.number),
        codec.TAKE_ONTO_RUN: lambda: layout.take_onto_run_step(step.number),
        codec.EXTEND_RUN: lambda: layout.extend_run_step(step.number, step.high_end),
        codec.ADD_NATURAL: lambda: layout.add_natural_step(step.slot, step.suit),
        codec.ADD_WILD: lambda: layout.add_wild_step(step.slot, step.jokers),
        codec.LAY_SPECIAL: lambda: layout.lay_special,
    }
    return made[step.what]() if step.what in made else step.what


@pytest.mark.parametrize("slots", [1, 3, 10])
def test_every_step_is_unpacked_and_packed_again(slots: int) -> None:
    layout = layout_for(slots)
    assert [packed(layout, step) for step in layout.decoded] == list(range(layout.size))
    assert layout_for(slots) is layout


def test_a_step_means_the_same_in_a_wider_layout() -> None:
    own, wide = layout_for(2), layout_for(5)
    numbers = [own.number_in(wide, step) for step in range(own.size)]
    assert len(set(numbers)) == own.size
    for step, number in zip(own.decoded, numbers, strict=True):
        meant = wide.decoded[number]
        assert (meant.what, meant.row, meant.suits) == (step.what, step.row, step.suits)
        assert (meant.number, meant.high_end, meant.jokers) == (step.number, step.high_end, step.jokers)
        assert wide.slots.number_of(meant.slot) == own.slots.number_of(step.slot) or step.slot < 0


def test_steps_say_how_many_cards_they_lay() -> None:
    cards = {
        codec.START_WILDS: 3,
        codec.TAKE_PAIR: 2,
        codec.TAKE_MIXED: 2,
        codec.START_NATURALS: 3,
        codec.START_PAIR: 3,
        codec.ADD_NATURAL: 1,
        codec.ADD_WILD: 1,
    }
    for step in layout_for(2).decoded:
        if step.what in cards:
            assert len(step.suits) + step.twos + step.jokers == cards[step.what]


def test_discards_takes_and_cards_laid_are_told_apart() -> None:
    takes = (codec.TAKE_PAIR, codec.TAKE_MIXED, codec.TAKE_ONTO_SET, codec.TAKE_ONTO_RUN)
    for number, step in enumerate(layout_for(2).decoded):
        assert codec.is_discard(number) == (step.what == codec.DISCARD)
        assert codec.lays_cards(number) == (step.what > codec.PUT_BACK and step.what != codec.DISCARD)
        assert step.takes == (step.what in takes)
        assert step.onto == (step.what in takes[2:])
