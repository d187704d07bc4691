"""Computer players at the front door."""

from typing import Final

from canasta.bots import SeatedBot
from canasta.bots import get_bot as seat_bot
from canasta.front.asked import seed_of, text_of, wrong

LONGEST_BUDGET: Final = 86_400
"""Seconds a turn: a day."""


def get_bot(name: str, seed: int | str = "", budget: float | None = None) -> SeatedBot:
    """A player of this name, as `bot_names` lists them, for one seat of one match. `seed` is for players that
    leave something to chance, `budget` is seconds a turn for one that searches.

    Raises `BotError`, which is a `ValueError`, where no player of this name is known.
    """
    return seat_bot(text_of(name, "a computer player is asked for by name"), seed_of(seed), _seconds(budget))


def _seconds(budget: object) -> float | None:
    if budget is None:
        return None
    if not isinstance(budget, (int, float)) or not 0 < budget <= LONGEST_BUDGET:
        raise wrong(budget, f"a budget is a number of seconds above 0 and up to {LONGEST_BUDGET}")
    return float(budget)  # a whole number is no float where canasta is compiled
