"""Data classes that can be copied, deep-copied and pickled, compiled or not."""

from dataclasses import fields
from typing import Any


class PlainData:
    """Base class of frozen dataclasses, which rebuilds an object from its fields.

    By default Python would fill an empty copy field by field, which a compiled frozen class rejects.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        value: Any = self
        return (type(self), tuple(getattr(value, field.name) for field in fields(value)))
