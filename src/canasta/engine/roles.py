"""Card roles: how each rank is used under a ruleset."""

from canasta.engine.cards import (
    BLACK_THREE,
    BONUS_CARD,
    CALIENTE,
    CALIENTE_CARD,
    JOKER,
    NATURAL_CARD,
    RANKS,
    RED_THREE,
    STOP_CARD,
    TWO,
    WILD_CARD,
)
from canasta.rules.model import Ruleset


def roles_of_ranks(rules: Ruleset) -> list[int]:
    """Return the role of each rank. This is the only place where a ruleset changes the use of a rank."""
    roles = [NATURAL_CARD] * RANKS
    roles[TWO] = WILD_CARD
    roles[JOKER] = WILD_CARD
    if rules.deck.threes == "special":
        roles[RED_THREE] = BONUS_CARD
        roles[BLACK_THREE] = STOP_CARD
    elif rules.deck.threes == "bonus":
        roles[RED_THREE] = BONUS_CARD
        roles[BLACK_THREE] = BONUS_CARD
    roles[CALIENTE] = CALIENTE_CARD
    return roles
