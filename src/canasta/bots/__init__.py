"""Computer players, from `random` to `grandmaster`, behind one small protocol, and third-party players.

This package only chooses moves. The tables, the arena and the server decide which player to ask, and when.
"""

from canasta.bots.levels import LADDER
from canasta.bots.protocol import Bot, BotError, Explanation, Hint, SeatedBot, bot_error

__all__ = [
    "MAY_SEARCH",
    "SEARCHERS",
    "Bot",
    "Explanation",
    "Hint",
    "SeatedBot",
    "bot_names",
    "get_bot",
    "load_bot",
]

SEARCHERS = tuple(name for name, level in LADDER.items() if level.searches)
"""Players that search for as long as their time allows."""
MAY_SEARCH = tuple(name for name, level in LADDER.items() if level.may_search)
"""The searchers, and players that fall back to searching in games they were not trained on."""


def bot_names() -> tuple[str, ...]:
    """Return the names of the ladder, weakest first, then those of installed packages and loaded players."""
    from importlib.util import find_spec

    from canasta.bots.plugins import plugin_names

    has_numpy = find_spec("numpy") is not None
    ladder = [name for name, level in LADDER.items() if has_numpy or not level.needs_numpy]
    return (*ladder, *(name for name in plugin_names() if name not in LADDER))


def load_bot(text: str) -> str:
    """Return the name of a player, which may be your own: `my_bot:MyBot` or `path/to/my_bot.py:MyBot`.

    Your own player is then known by that name in this process. Raise `BotError` if it cannot be loaded. This
    runs the file it is given, so a program that lets strangers choose must call `get_bot` instead.
    """
    if ":" in text:
        from canasta.bots.plugins import load

        load(text)
    elif text in LADDER and LADDER[text].needs_numpy:
        get_bot(text)  # report unreadable weights before a table is created
    elif text not in (*LADDER, *bot_names()):
        raise _no_such_player(text)
    return text


def get_bot(name: str, seed: str = "", budget: float | None = None) -> SeatedBot:
    """Return a player of this name for one seat of one match. `budget` is its seconds per turn if it
    searches.

    Raise `BotError` (a `ValueError`) if the name is unknown or the player cannot be created.
    """
    level = LADDER.get(name)
    if level is not None:
        return level.create(name, seed, budget)
    if name not in bot_names():
        raise _no_such_player(name)
    from canasta.bots.plugins import create_bot

    return create_bot(name, seed, budget)


def _no_such_player(name: str) -> BotError:
    from canasta.i18n.safe_text import closest, short

    names = bot_names()
    near = closest(name, names)
    facts: dict[str, int | str] = {"name": short(name), "written": near, "choices": ", ".join(names)}
    return bot_error("NEARLY_A_PLAYER" if near else "NO_SUCH_PLAYER", facts)
