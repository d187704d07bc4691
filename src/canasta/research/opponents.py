"""Opponents in a batch: scripted players, and networks evaluated for many tables together."""

from collections.abc import Mapping
from typing import Final

from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import Weights, weights_of
from canasta.bots.learned.network import LearnedNetwork
from canasta.bots.random_bot import random_rng, random_step
from canasta.engine.rng import Rng
from canasta.research.episode import NO_STEP, Episode, EpisodeGame

BY_CHANCE: Final = "random"
BY_WEIGHTS: Final = ("novice", "casual", "club")

LEARNER: Final = 0
RANDOM: Final = 1
SCRIPTED: Final = 2
LEARNED: Final = 3


class Opponents:
    """Players by seat, the same at all tables of a batch."""

    def __init__(
        self,
        game: EpisodeGame,
        players: Mapping[int, str],
        networks: Mapping[str, LearnedNetwork] | None = None,
    ) -> None:
        """Seat players by seat: `random`, one of `BY_WEIGHTS`, or the name of one of the networks."""
        by_name = networks or {}
        names = list(by_name)
        self._game: EpisodeGame = game
        self._networks: list[LearnedNetwork] = [by_name[name] for name in names]
        self._kind: list[int] = [LEARNER] * game.seats
        self._weights: list[Weights] = [Weights()] * game.seats
        self._network_of: list[int] = [-1] * game.seats
        for seat, name in players.items():
            if name == BY_CHANCE:
                self._kind[seat] = RANDOM
            elif name in BY_WEIGHTS:
                self._kind[seat] = SCRIPTED
                self._weights[seat] = weights_of(name, game.tables)
            else:
                self._kind[seat] = LEARNED
                self._network_of[seat] = names.index(name)
        self.have_learned: bool = LEARNED in self._kind
        """Whether some of them are networks."""
        self._rngs: list[Rng] = []
        """A generator per table for random players, so that their play does not depend on other tables."""

    def begin(self, seed: str, first: int, count: int) -> None:
        """Prepare for this many newly dealt tables, numbered from `first`."""
        if RANDOM in self._kind:
            self._rngs = [random_rng(f"{seed}/{first + index}") for index in range(count)]

    def step(self, index: int, table: Episode) -> int:
        """Return the opponent's step; `NO_STEP` if a learner is to act or a network has a choice."""
        seat = table.to_act()
        kind = self._kind[seat]
        if kind == SCRIPTED:
            return club_step(table.state, seat, self._weights[seat])
        if kind == RANDOM:
            return random_step(table.state, self._rngs[index])
        if kind == LEARNED and table.legal_count() == 1:
            return table.legal_at(0)
        return NO_STEP

    def must_think(self, table: Episode) -> bool:
        """Return whether a network is to act."""
        return self._kind[table.to_act()] == LEARNED

    def thought_out(self, tables: list[Episode]) -> list[int]:
        """Return the step of each table at which a network is to act.

        Each network is evaluated once for all its tables.
        """
        action_of = self._game.action_of
        steps = [NO_STEP] * len(tables)
        for number in range(len(self._networks)):
            places: list[int] = []
            seen: list[bytes] = []
            actions: list[list[int]] = []
            for place in range(len(tables)):
                table = tables[place]
                seat = table.to_act()
                if self._network_of[seat] == number:
                    places.append(place)
                    seen.append(table.observe(seat))
                    actions.append([action_of[step] for step in table.legal])
            if places:
                best = self._networks[number].choose(seen, actions)
                for at in range(len(places)):
                    steps[places[at]] = tables[places[at]].legal_at(best[at])
        return steps
