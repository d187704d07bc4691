"""The app of the terminal, which shows one table."""

import sys
import tempfile
from pathlib import Path
from typing import ClassVar

from rich.console import Console
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from canasta.i18n import say


class TerminalTable(App[None]):
    """The app. It starts with the given screen and shows one screen at a time."""

    TITLE = "Canasta"
    CSS_PATH = "look.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, first: Screen[None], language: str = "en") -> None:
        super().__init__()
        self._first_screen = first
        self._language = language

    def on_mount(self) -> None:
        _ = self.push_screen(self._first_screen)

    def _print_error_renderables(self) -> None:
        """Report a bug in the program briefly and write its traceback to a file."""
        if not self._exit_renderables:
            return
        path = Path(tempfile.gettempdir()) / "canasta-terminal-error.txt"
        told = "commands.defect_noted"
        try:
            with path.open("w", encoding="utf-8") as file:
                Console(file=file, width=120).print(*self._exit_renderables)
        except OSError:
            told = "commands.defect_lost"
        self._exit_renderables.clear()
        sys.stderr.write(f"canasta: {say(told, {'name': str(path)}, self._language)}\n")
