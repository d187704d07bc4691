"""Data that can be copied, deep-copied and pickled, compiled or not."""

from dataclasses import fields
from typing import Any


class PlainData:
    """What a frozen dataclass inherits from: it is made again from its fields.

    Python would fill an empty copy field by field, which a frozen class that is compiled refuses.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        value: Any = self
        return (type(self), tuple(getattr(value, field.name) for field in fields(value)))
