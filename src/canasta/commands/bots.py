"""Which computer player somebody asked for on the command line."""

import sys
from contextlib import redirect_stdout

from canasta.bots import load_bot
from canasta.bots.outsiders import BotError
from canasta.commands.output import fail_saying
from canasta.commands.spoken import spoken


def bot_asked_for(text: str) -> str:
    """The name of a player, also of one's own (`my_bot:MyBot`); what cannot be had ends the command."""
    try:
        with redirect_stdout(sys.stderr):  # a file may print when it is loaded, and that is no result of ours
            return load_bot(text)
    except BotError as error:
        said = error.told(spoken())
        fail_saying(said if said.endswith("?") else f"{said}.")
