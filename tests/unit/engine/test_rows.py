"""Numbers in mutable byte buffers."""

import pytest

from canasta.engine.layout import append_two_bytes, bytes_writer, set_two_bytes, two_bytes

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("number", [0, 1, 255, 256, 65535])
def test_a_number_of_two_bytes_comes_back(number: int) -> None:
    row = bytes_writer(bytes([7, 7, 7, 7]))
    set_two_bytes(row, 1, number)
    append_two_bytes(row, number)
    assert two_bytes(row, 1) == two_bytes(row, 4) == number
    assert (row[0], row[3], len(row)) == (7, 7, 6)


@pytest.mark.parametrize("number", [-1, -65536, 65536, 70000])
def test_what_two_bytes_cannot_hold_is_refused(number: int) -> None:
    row = bytes_writer(bytes(4))
    with pytest.raises(ValueError, match="65535"):
        set_two_bytes(row, 0, number)
    with pytest.raises(ValueError, match="65535"):
        append_two_bytes(row, number)
    assert row.getvalue() == bytes(4)
