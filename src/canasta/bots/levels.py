"""The levels of the computer players, weakest first.

The commands, the tables, the portraits and the browser all read this list. A new level also needs a name and
description in `i18n/catalogues/*/levels.json`, and a figure in the browser's `portraits.ts`.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from canasta.bots.protocol import SeatedBot, bot_error


def _random(_name: str, seed: str, _budget: float | None) -> SeatedBot:
    from canasta.bots.club.player import RandomBot

    return RandomBot(seed)


def _club(name: str, _seed: str, _budget: float | None) -> SeatedBot:
    from canasta.bots.club.player import ClubBot

    return ClubBot(name)


def _expert(_name: str, seed: str, budget: float | None) -> SeatedBot:
    from canasta.bots.expert.player import ExpertBot

    return ExpertBot(seed, budget)


def _learned(name: str, seed: str, budget: float | None) -> SeatedBot:

    try:
        from canasta.bots.learned.network import WeightsError
        from canasta.bots.learned.player import GrandmasterBot, MasterBot
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise bot_error("NEEDS_NUMPY", {"name": name}) from None
    try:
        return MasterBot(seed, budget) if name == "master" else GrandmasterBot(seed, budget)
    except WeightsError as error:
        raise bot_error("NO_WEIGHTS", {"name": name}) from error


class Level(NamedTuple):
    """A level of computer players."""

    create: Callable[[str, str, float | None], SeatedBot]
    """Creates a player, given the level's name, a seed, and seconds per turn."""
    people: tuple[str, ...] = ()
    """First names of its players at a table, each used once: as many as the largest table has computer
    players.

    A level without names can't be chosen in the browser.
    """
    searches: bool = False
    """Whether its players search for as long as their time allows."""
    may_search: bool = False
    """Whether its players search in games they were not trained on."""
    needs_numpy: bool = False
    """Whether the level requires NumPy. Without it, the level isn't listed, and using its name raises an
    error that says so.
    """


LADDER: Final[dict[str, Level]] = {
    "random": Level(_random),
    "novice": Level(_club, ("Lupe", "Nico", "Mimi", "Beto", "Tina")),
    "casual": Level(_club, ("Irma", "Hugo", "Elena", "Pepe", "Olga")),
    "club": Level(_club, ("Celia", "Nora", "Rosa", "Delia", "Berta")),
    "expert": Level(
        _expert, ("Anselmo", "Augusto", "Tobías", "Ernesto", "Teodoro"), searches=True, may_search=True
    ),
    "master": Level(
        _learned, ("Leonor", "Ramiro", "Inés", "Octavio", "Julia"), may_search=True, needs_numpy=True
    ),
    "grandmaster": Level(
        _learned,
        ("Aurora", "Néstor", "Minerva", "Ulises", "Olimpia"),
        searches=True,
        may_search=True,
        needs_numpy=True,
    ),
}

PEOPLE: Final = {name: level.people for name, level in LADDER.items() if level.people}
"""First names of the players, by level, for the levels that a table offers."""
