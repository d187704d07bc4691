"""The program on the screen: which table is open."""

import sys
import tempfile
from pathlib import Path
from typing import ClassVar

from rich.console import Console
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen


class TerminalTable(App[None]):
    """Shows one screen after the other; the first is given."""

    TITLE = "Canasta"
    CSS_PATH = "look.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, first: Screen[None]) -> None:
        super().__init__()
        self._first_screen = first

    def on_mount(self) -> None:
        _ = self.push_screen(self._first_screen)

    def _print_error_renderables(self) -> None:
        """A defect of the program is told in a sentence; its traceback goes to a file."""
        if not self._exit_renderables:
            return
        path = Path(tempfile.gettempdir()) / "canasta-terminal-error.txt"
        told = f"its details are in {path}"
        try:
            with path.open("w", encoding="utf-8") as file:
                Console(file=file, width=120).print(*self._exit_renderables)
        except OSError:
            told = "its details could not be written"
        self._exit_renderables.clear()
        sys.stderr.write(f"canasta: the table had to close because of a defect of this program; {told}.\n")
