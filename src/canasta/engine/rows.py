"""Mutable byte buffers that hold the state of many tables."""

import copyreg
from collections.abc import Callable
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64, u8

TOO_LARGE: Final = "a number of two bytes is at least 0 and at most 65535"


def bytes_writer(written: bytes) -> BytesWriter:
    """Return a mutable buffer that initially contains these bytes."""
    writer = BytesWriter()
    writer.write(written)
    return writer


def two_bytes(row: BytesWriter, at: i64) -> i64:
    """Read a two-byte number, low byte first."""
    return i64(row[at]) + (i64(row[at + 1]) << 8)


def set_two_bytes(row: BytesWriter, at: i64, number: i64) -> None:
    if number >> 16 != 0:
        raise ValueError(TOO_LARGE)
    row[at] = u8(number & 255)
    row[at + 1] = u8(number >> 8)


def append_two_bytes(row: BytesWriter, number: i64) -> None:
    if number >> 16 != 0:
        raise ValueError(TOO_LARGE)
    row.append(u8(number & 255))
    row.append(u8(number >> 8))


def _reduced(writer: BytesWriter) -> tuple[Callable[[bytes], BytesWriter], tuple[bytes]]:
    return (bytes_writer, (writer.getvalue(),))


# Register a reducer, so that states can be pickled and deep-copied.
copyreg.pickle(BytesWriter, _reduced)
