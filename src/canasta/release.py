"""Which canasta this is."""

from importlib.metadata import PackageNotFoundError, version
from typing import Final

SOURCE: Final = "source"
"""In place of a number, where canasta runs from its source folder and is not installed."""


def _installed() -> str:
    try:
        return version("canasta")
    except PackageNotFoundError:
        return SOURCE


VERSION: Final = _installed()
"""The number of the installed package."""
