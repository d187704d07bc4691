"""The computer player named on the command line."""

import sys
from contextlib import redirect_stdout

from canasta.bots import load_bot
from canasta.bots.plugins import BotError
from canasta.commands.language import spoken
from canasta.commands.output import fail_saying


def bot_asked_for(text: str) -> str:
    """Load a bot, possibly the user's own (`my_bot:MyBot`), and return its name; exit on failure."""
    try:
        with redirect_stdout(sys.stderr):  # a user's file may print on import; keep that out of our output
            return load_bot(text)
    except BotError as error:
        said = error.told(spoken())
        fail_saying(said if said.endswith("?") else f"{said}.")
