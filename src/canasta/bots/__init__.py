"""Computer players, from `random` to `grandmaster`, behind one small protocol, and players from elsewhere.

What a player does lives here; who asks it and when is decided by the tables, the arena and the server.
"""

from canasta.bots.protocol import Bot, Explanation, Hint, SeatedBot

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

_LADDER = ("random", "novice", "casual", "club", "expert", "master", "grandmaster")
SEARCHERS = ("expert", "grandmaster")
"""Players that think as long as they are given."""
MAY_SEARCH = (*SEARCHERS, "master")
"""… and those that do so where they have not learned the game."""
_LEARNED = ("master", "grandmaster")
"""Players that need NumPy: where it is not installed they are not offered, and say so when they are named."""


def bot_names() -> tuple[str, ...]:
    """The ladder, weakest first; then the players of installed packages and those that were loaded."""
    from importlib.util import find_spec

    from canasta.bots.outsiders import outside_names

    has_numpy = find_spec("numpy") is not None
    ladder = [name for name in _LADDER if has_numpy or name not in _LEARNED]
    return (*ladder, *(name for name in outside_names() if name not in _LADDER))


def load_bot(text: str) -> str:
    """The name of a player, which may be one of your own: `my_bot:MyBot` or `path/to/my_bot.py:MyBot`.

    From then on it is known by that name in this process. Raises `BotError`. A program that lets strangers
    choose gives `get_bot` what they chose, and never this: it runs the file that it is given.
    """
    if ":" in text:
        from canasta.bots.outsiders import load

        load(text)
    elif text in _LEARNED:
        get_bot(text)  # so that weights which cannot be read are told before a table is laid
    elif text not in (*_LADDER, *bot_names()):
        raise _no_such_player(text)
    return text


def get_bot(name: str, seed: str = "", budget: float | None = None) -> SeatedBot:
    """A player of this name for one seat of one match; `budget` is seconds a turn where it searches.

    Raises `BotError`, which is a `ValueError`, where no player of this name is known, or it cannot sit down.
    """
    if name == "random":
        from canasta.bots.random_bot import RandomBot

        return RandomBot(seed)
    if name == "expert":
        from canasta.bots.expert.player import ExpertBot

        return ExpertBot(seed, budget)
    if name in _LEARNED:
        return _learned(name, seed, budget)
    if name in _LADDER:
        from canasta.bots.club.player import ClubBot

        return ClubBot(name)
    if name not in bot_names():
        raise _no_such_player(name)
    from canasta.bots.outsiders import sit_down

    return sit_down(name, seed, budget)


def _learned(name: str, seed: str, budget: float | None) -> SeatedBot:
    from canasta.bots.outsiders import BotError

    try:
        from canasta.bots.learned.grandmaster import GrandmasterBot
        from canasta.bots.learned.network import WrongWeights
        from canasta.bots.learned.player import MasterBot
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise BotError("NEEDS_NUMPY", {"name": name}) from None
    try:
        return MasterBot(seed, budget) if name == "master" else GrandmasterBot(seed, budget)
    except WrongWeights as error:
        raise BotError("NO_WEIGHTS", {"name": name}) from error


def _no_such_player(name: str) -> Exception:
    from canasta.bots.outsiders import BotError
    from canasta.notation.errors import nearest, short

    names = bot_names()
    near = nearest(name, names)
    facts: dict[str, int | str] = {"name": short(name), "written": near, "choices": ", ".join(names)}
    return BotError("NEARLY_A_PLAYER" if near else "NO_SUCH_PLAYER", facts)
