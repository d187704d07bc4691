"""The slots in which the sets of a side are stored."""

import pytest

from canasta.engine.layout import Slots
from canasta.engine.melds import ROWS, MeldName


@pytest.mark.parametrize("per_row", [1, 3, 10])
def test_every_set_of_every_row_has_a_slot_of_its_own(per_row: int) -> None:
    slots = Slots(per_row)
    names = [MeldName(row, number) for row in range(ROWS) for number in range(1, per_row + 1)]
    assert [slots.slot_of(name.row, name.number) for name in names] == list(range(slots.count))
    assert [slots.name_of(slot) for slot in range(slots.count)] == names
    assert [slots.row_of(slots.first_slot(row)) for row in range(ROWS)] == list(range(ROWS))
