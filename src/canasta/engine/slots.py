"""Slots: where the sets of a side are stored. Each row has as many consecutive slots as it may have sets."""

from canasta.engine.meld_names import ROWS, MeldName


class Slots:
    """The slots of one side, with `per_row` slots in each row."""

    def __init__(self, per_row: int) -> None:
        self.per_row: int = per_row
        self.count: int = ROWS * per_row
        """Number of slots in all rows. The numbers of sequences continue after them."""
        self.rows: bytes = bytes([slot // per_row for slot in range(self.count)])
        """The row of each slot, as bytes for hot loops that avoid calling `row_of`."""

    def first_slot(self, row: int) -> int:
        """Return the slot of the row's first set; the row's other sets follow in the order laid."""
        return row * self.per_row

    def slot_of(self, row: int, number: int) -> int:
        """Return the slot of a set by its number in the row, counting from 1."""
        return row * self.per_row + number - 1

    def row_of(self, slot: int) -> int:
        return self.rows[slot]

    def number_of(self, slot: int) -> int:
        """Return the number of the set in its row, from 1 in the order laid."""
        return slot % self.per_row + 1

    def name_of(self, slot: int) -> MeldName:
        return MeldName(self.row_of(slot), self.number_of(slot))
