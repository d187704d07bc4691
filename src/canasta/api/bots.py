"""Computer players in the public API."""

from typing import Final

from canasta.api.validation import seed_of, text_of, wrong
from canasta.bots import SeatedBot
from canasta.bots import get_bot as seat_bot

LONGEST_BUDGET: Final = 86_400
"""Maximum seconds per turn: one day."""


def get_bot(name: str, seed: int | str = "", budget: float | None = None) -> SeatedBot:
    """Return a player of this name, as listed by `bot_names`, for one seat of one match.

    `seed` is for players that use chance; `budget` is in seconds per turn for players that search. Raise
    `BotError` (a `ValueError`) if the name is unknown.
    """
    return seat_bot(text_of(name, "a computer player is asked for by name"), seed_of(seed), _seconds(budget))


def _seconds(budget: object) -> float | None:
    if budget is None:
        return None
    if not isinstance(budget, (int, float)) or not 0 < budget <= LONGEST_BUDGET:
        raise wrong(budget, f"a budget is a number of seconds above 0 and up to {LONGEST_BUDGET}")
    return float(budget)  # compiled code does not accept an `int` as a `float`
