"""Which games are played in training, at how many tables, and against whom."""

from dataclasses import dataclass
from typing import Final

from canasta.rules import Ruleset, default_players, load_ruleset, player_numbers, preset_names

USUAL: Final = 10.0
"""Tables of a preset with its usual number of players, for one with another number."""
AGAINST_CLUB: Final = 0.08
RANDOM_SCORES: Final = 0.25
"""Of the tables of a game where all seats learn: hands on their own, from totals drawn at random."""


def rules_of(game: str) -> tuple[str, int]:
    """`caliente/4`: a preset and a number of players."""
    name, _, players = game.partition("/")
    return name, int(players or default_players(name))


def weighed(games: str) -> dict[str, float]:
    """`caliente/4=3,jaques/4`: games and their weights; `all`: every preset with every number of players,
    of which those named after it get another weight."""
    found: dict[str, float] = {}
    for each in games.split(","):
        name, _, weight = each.partition("=")
        if name == "all":
            found |= {
                f"{preset}/{players}": USUAL if players == default_players(preset) else 1.0
                for preset in preset_names()
                for players in player_numbers(preset)
            }
        else:
            found["{}/{}".format(*rules_of(name))] = float(weight or 1)
    return found


def unit_of(rules: Ruleset) -> float:
    """Points that the network calls one: about what hands are won or lost by."""
    scoring, melds = rules.scoring, rules.melds
    bonus = scoring.natural_canasta + scoring.mixed_canasta
    if melds.runs:
        bonus += scoring.samba // 2
    if melds.wild_melds:
        bonus += scoring.wild_canasta // 4
    return bonus * rules.deck.decks / 2.5


@dataclass(frozen=True)
class Sort:
    """Tables of one game, some in each process."""

    rules: Ruleset
    game: int
    """Its number among the games."""
    count: int
    """Tables in each process."""
    whole_match: bool = True
    club_sides: int = 0
    """A bit for each side that `club` plays."""


def sorts_of(games: dict[str, float], tables: int) -> list[Sort]:
    """So many tables, about, spread over the games by weight."""
    whole = sum(games.values())
    found: list[Sort] = []
    for number, (game, weight) in enumerate(games.items()):
        rules = load_ruleset(*rules_of(game))
        left = max(1, round(tables * weight / whole))
        sides = rules.seats.sides
        if left * AGAINST_CLUB >= sides:
            for side in range(sides):
                # All sides but one.
                count = round(left * AGAINST_CLUB / sides)
                found.append(Sort(rules, number, count, club_sides=(1 << sides) - 1 - (1 << side)))
            left -= sides * round(left * AGAINST_CLUB / sides)
        drawn = 0 if rules.opening.by_round else int(left * RANDOM_SCORES)
        if drawn:
            found.append(Sort(rules, number, drawn, whole_match=False))
        found.append(Sort(rules, number, left - drawn))
    return found
