"""Computer players, from `random` to `expert`, behind one small protocol."""

from canasta.bots.club.player import ClubBot
from canasta.bots.expert.player import ExpertBot
from canasta.bots.protocol import Bot, Explanation, Hint
from canasta.bots.random_bot import RandomBot

__all__ = ["Bot", "Explanation", "Hint", "bot_names", "get_bot"]

_NAMES = ("random", "novice", "casual", "club", "expert")


def bot_names() -> tuple[str, ...]:
    """The ladder, weakest first."""
    return _NAMES


def get_bot(name: str, seed: str = "", budget: float | None = None) -> Bot:
    """A player of this name for one seat of one match; `budget` is seconds a turn where it searches."""
    if name not in _NAMES:
        raise ValueError(f"there is no computer player called {name!r}; choose one of {', '.join(_NAMES)}")
    if name == "random":
        return RandomBot(seed)
    if name == "expert":
        return ExpertBot(seed, budget)
    return ClubBot(name)
