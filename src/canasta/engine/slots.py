"""Where the sets of a side are kept: each row has as many slots, one after the other, as it may have sets."""

from canasta.engine.meld_names import ROWS, MeldName


class Slots:
    """The slots of a side, where each row has so many."""

    def __init__(self, per_row: int) -> None:
        self.per_row: int = per_row
        self.count: int = ROWS * per_row
        """Of all rows; runs count on after them."""
        self.rows: bytes = bytes([slot // per_row for slot in range(self.count)])
        """The row of each slot, for loops that cannot wait for `row_of`."""

    def first_slot(self, row: int) -> int:
        """The slot of the first set of this row; those after it follow in the order laid."""
        return row * self.per_row

    def slot_of(self, row: int, number: int) -> int:
        """The slot of a set by its number in the row, which counts from 1."""
        return row * self.per_row + number - 1

    def row_of(self, slot: int) -> int:
        return self.rows[slot]

    def number_of(self, slot: int) -> int:
        """The number of the set in its row, from 1 in the order laid."""
        return slot % self.per_row + 1

    def name_of(self, slot: int) -> MeldName:
        return MeldName(self.row_of(slot), self.number_of(slot))
