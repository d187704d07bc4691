"""Which games are played in training, at how many tables, and against whom."""

import random
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from canasta.bots.learned.house_rules import MOST_CHANGED, other_values
from canasta.engine.observing.actions import NoRoom, universal_actions
from canasta.engine.prepared import PreparedRules
from canasta.engine.seating import sides_of_seats
from canasta.errors import CanastaError
from canasta.rules import (
    Ruleset,
    RulesetError,
    default_players,
    load_ruleset,
    player_numbers,
    preset_names,
)
from canasta.rules.loader import values_of

USUAL: Final = 10.0
"""Tables of a preset with its usual number of players, for one with another number."""
HEAVIEST: Final = 1e6
"""No game has more weight."""


class WrongMixture(CanastaError):
    """Tables cannot be shared out so; the message says why."""


@dataclass(frozen=True)
class Mix:
    """What is played at which part of the tables of a game; where it comes to less than a table, at none."""

    club: float = 0.08
    """All sides but one are played by `club`."""
    league: float = 0.0
    """… by an earlier self."""
    house_rules: float = 0.0
    random_scores: float = 0.25
    """Of those that are left: hands on their own, from totals drawn at random."""

    def __post_init__(self) -> None:
        if self.club + self.league + self.house_rules > 1 + 1e-9:
            raise WrongMixture("club, the league and house rules together ask for more than all tables.")


def rules_of(game: str) -> tuple[str, int]:
    """`caliente/4`: a preset and a number of players. Raises `WrongMixture`."""
    name, _, players = game.partition("/")
    try:
        return name, int(players or default_players(name))
    except RulesetError:
        raise
    except ValueError as error:
        raise WrongMixture(f"{game!r} is no game: write it as caliente/4.") from error


def weighed(games: str) -> dict[str, float]:
    """`caliente/4=3,jaques/4`: games and their weights; `all`: every preset with every number of players,
    of which those named after it get another weight. Raises `WrongMixture` or `RulesetError`."""
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
        found = float(weight)
    except ValueError:
        found = 0.0
    if not 0 < found <= HEAVIEST:
        raise WrongMixture(f"{game!r}: a weight is a number above 0, and {HEAVIEST:,.0f} at most.")
    return found


@dataclass(frozen=True)
class Sort:
    """Tables of one game, some in each process."""

    rules: Ruleset
    game: int
    """Its number among the games."""
    count: int
    """Tables in each process."""
    whole_match: bool = True
    opponents: dict[int, str] = field(default_factory=dict)
    """Scripted players by seat: nothing is shown of their turns."""
    earlier_sides: int = 0
    """A bit for each side that an earlier self plays."""
    is_shown: bool = False
    """As long as `club` is imitated it plays here, at every seat."""

    @property
    def learns(self) -> int:
        """A seat that learns here."""
        return next(
            seat
            for seat, side in enumerate(sides_of_seats(self.rules))
            if seat not in self.opponents and not self.earlier_sides >> side & 1
        )


def drawn_rules(game: str, choice: random.Random) -> Ruleset:
    """The game with a few house rules."""
    preset, players = rules_of(game)
    others = other_values(values_of(load_ruleset(preset, players)))
    while True:
        paths = choice.sample(sorted(others), choice.randint(1, MOST_CHANGED))
        with suppress(RulesetError, NoRoom):
            rules = load_ruleset(preset, players, {path: choice.choice(others[path]) for path in paths})
            universal_actions(PreparedRules(rules))
            return rules


def sorts_of(
    games: dict[str, float], tables: int, mix: Mix, seed: str = "", shown: Collection[str] = ()
) -> list[Sort]:
    """So many tables, about, spread over the games by weight; the seed draws house rules. `shown`: the games
    in which `club` is imitated."""
    whole = sum(games.values())
    choice = random.Random(seed)
    found: list[Sort] = []
    for number, (game, weight) in enumerate(games.items()):
        rules = load_ruleset(*rules_of(game))
        count = left = max(1, round(tables * weight / whole))
        sides = rules.seats.sides
        by_club = min(round(count * mix.club / sides), left // sides)
        in_league = min(round(count * mix.league / sides), left // sides - by_club)
        for side in range(sides):
            if by_club:
                others = [seat for seat, its in enumerate(sides_of_seats(rules)) if its != side]
                found.append(Sort(rules, number, by_club, opponents=dict.fromkeys(others, "club")))
            if in_league:
                found.append(Sort(rules, number, in_league, earlier_sides=(1 << sides) - 1 - (1 << side)))
            left -= by_club + in_league
        for _ in range(min(int(count * mix.house_rules), left)):
            found.append(Sort(drawn_rules(game, choice), number, 1))
            left -= 1
        drawn = 0 if rules.opening.by_round else int(left * mix.random_scores)
        if drawn:
            found.append(Sort(rules, number, drawn, whole_match=False))
        if left > drawn:
            found.append(Sort(rules, number, left - drawn))
    names = list(games)
    return [replace(sort, is_shown=names[sort.game] in shown) for sort in found]
