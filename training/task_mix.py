"""The mixture of games in training: the number of tables for each game, and the opponents."""

import random
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.bots.learned.coverage import MOST_CHANGED, other_values
from canasta.engine.families.factory import compile_rules
from canasta.engine.observation.layout import universal_actions
from canasta.engine.seating import sides_of_seats
from canasta.errors import CanastaError, InputError
from canasta.rules import Ruleset, RulesetError, default_players, load_ruleset, player_numbers, preset_names
from canasta.rules.loader import values_of

USUAL: Final = 10.0
"""Weight of a preset with its usual number of players, relative to other numbers of players."""
HEAVIEST: Final = 1e6
"""Upper bound on the weight of a game."""


class WrongMixture(CanastaError):
    """Raised if the tables can't be distributed like this; the message says why."""


@dataclass(frozen=True)
class Mix:
    """Shares of a game's tables that have special settings. A share of less than one table means none."""

    club: float = 0.08
    """Share of tables at which `club` plays all sides but one."""
    league: float = 0.0
    """Share of tables at which an earlier version of the network plays all sides but one."""
    house_rules: float = 0.0
    random_scores: float = 0.25
    """Share of the remaining tables with single hands that start from random totals."""

    def __post_init__(self) -> None:
        if self.club + self.league + self.house_rules > 1 + 1e-9:
            raise WrongMixture("club, the league and house rules together ask for more than all tables.")


def rules_of(game: str) -> tuple[str, int]:
    """Parse a preset and a number of players, such as `caliente/4`. Raise `WrongMixture` if it is invalid."""
    name, _, players = game.partition("/")
    try:
        return name, int(players or default_players(name))
    except RulesetError:
        raise
    except ValueError as error:
        raise WrongMixture(f"{game!r} is no game: write it as caliente/4.") from error


def parse_games(games: str) -> dict[str, float]:
    """Parse games and their weights, such as `caliente/4=3,jaques/4`.

    `all` means every preset with every number of players; a game named after it replaces its weight. Raise
    `WrongMixture` or `RulesetError` if the text is invalid.
    """
    found: dict[str, float] = {}
    for each in games.split(","):
        name, is_weighed, weight = each.partition("=")
        if name == "all":
            if is_weighed:
                raise WrongMixture(f"{each!r}: all games together have no weight, each has its own.")
            found |= {
                f"{preset}/{players}": USUAL if players == default_players(preset) else 1.0
                for preset in preset_names()
                for players in player_numbers(preset)
            }
        else:
            rules = rules_of(name)
            load_ruleset(*rules)
            found["{}/{}".format(*rules)] = _weight(each, weight) if is_weighed else 1.0
    return found


def _weight(game: str, weight: str) -> float:
    try:
        number = float(weight)
    except ValueError:
        number = 0.0
    if not 0 < number <= HEAVIEST:
        raise WrongMixture(f"{game!r}: a weight is a number above 0, and {HEAVIEST:,.0f} at most.")
    return number


@dataclass(frozen=True)
class TableSet:
    """Tables of one game with the same settings; each process has some of them."""

    rules: Ruleset
    game: int
    """Index of the game."""
    count: int
    """Number of tables in each process."""
    whole_match: bool = True
    opponents: dict[int, str] = field(default_factory=dict)
    """Scripted players by seat; their turns are not shown."""
    earlier_sides: int = 0
    """Bit set of the sides played by an earlier version of the network."""
    is_shown: bool = False
    """Whether `club` plays every seat at these tables while it is imitated."""

    @property
    def learns(self) -> int:
        """A seat of these tables that learns."""
        return next(
            seat
            for seat, side in enumerate(sides_of_seats(self.rules))
            if seat not in self.opponents and not self.earlier_sides >> side & 1
        )


def drawn_rules(game: str, choice: random.Random) -> Ruleset:
    """Return the game with a few random house rules."""
    preset, players = rules_of(game)
    others = other_values(values_of(load_ruleset(preset, players)))
    while True:
        paths = choice.sample(sorted(others), choice.randint(1, MOST_CHANGED))
        with suppress(RulesetError, InputError):
            rules = load_ruleset(preset, players, {path: choice.choice(others[path]) for path in paths})
            universal_actions(compile_rules(rules))
            return rules


def distribute_tables(
    games: dict[str, float], tables: int, mix: Mix, seed: str = "", shown: Collection[str] = ()
) -> list[TableSet]:
    """Distribute about this many tables over the games by weight.

    The seed determines the house rules. `shown` lists the games in which `club` is imitated.
    """
    whole = sum(games.values())
    choice = random.Random(seed)
    found: list[TableSet] = []
    for number, (game, weight) in enumerate(games.items()):
        rules = load_ruleset(*rules_of(game))
        count = left = max(1, round(tables * weight / whole))
        sides = rules.seats.sides
        by_club = min(round(count * mix.club / sides), left // sides)
        in_league = min(round(count * mix.league / sides), left // sides - by_club)
        for side in range(sides):
            if by_club:
                others = [seat for seat, its in enumerate(sides_of_seats(rules)) if its != side]
                found.append(TableSet(rules, number, by_club, opponents=dict.fromkeys(others, "club")))
            if in_league:
                found.append(TableSet(rules, number, in_league, earlier_sides=(1 << sides) - 1 - (1 << side)))
            left -= by_club + in_league
        for _ in range(min(int(count * mix.house_rules), left)):
            found.append(TableSet(drawn_rules(game, choice), number, 1))
            left -= 1
        drawn = 0 if rules.opening.by_round else int(left * mix.random_scores)
        if drawn:
            found.append(TableSet(rules, number, drawn, whole_match=False))
        if left > drawn:
            found.append(TableSet(rules, number, left - drawn))
    names = list(games)
    return [replace(table_set, is_shown=names[table_set.game] in shown) for table_set in found]
