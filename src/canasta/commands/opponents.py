"""Who plays the other seats: the project's computer players where they are there, else a modest one."""

from importlib import import_module
from typing import Protocol

from canasta.commands.house_player import HousePlayer
from canasta.engine.moves import Move
from canasta.engine.view import View


class ComputerPlayer(Protocol):
    """All that the table asks of a computer player: a move for what its seat can see."""

    def choose_move(self, view: View) -> Move: ...


def computer_player(name: str | None = None) -> ComputerPlayer:
    """A fresh player of that name, or the usual one."""
    try:
        bots = import_module("canasta.bots")
        bot = bots.get_bot(name) if name is not None else bots.get_bot()
    except (ModuleNotFoundError, AttributeError, TypeError):
        return HousePlayer()
    return bot if callable(getattr(bot, "choose_move", None)) else HousePlayer()


def hint_of(player: ComputerPlayer, view: View) -> tuple[Move, str]:
    """What a player would do, and why, where it can say so."""
    hint = getattr(player, "hint", None)
    if callable(hint):
        answer = hint(view)
        if isinstance(answer, tuple) and len(answer) == 2:
            return answer[0], str(answer[1])
    return player.choose_move(view), ""
