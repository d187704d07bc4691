"""Opponents at a learner's tables: scripted players, and networks that are evaluated for many tables
together.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from canasta.bots import SEARCHERS
from canasta.bots.club.player import random_rng, random_step
from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import Weights, weights_of
from canasta.bots.learned.coverage import was_trained
from canasta.bots.learned.network import LearnedNetwork, WeightsError, master_network
from canasta.engine.families.factory import compile_rules
from canasta.engine.observation.layout import rule_numbers
from canasta.engine.rng import Rng
from canasta.errors import InputError
from canasta.research.describe import whole_number
from canasta.research.episode import NO_STEP, Episode, EpisodeGame
from canasta.rules import Ruleset

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
        """Whether any opponent is a network."""
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
        """Return the step of each table at which a network is to act, evaluating each network once for all
        its tables.
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


MASTER: Final = "master"
PLAYERS: Final = (BY_CHANCE, *BY_WEIGHTS, MASTER)
WEIGHTS: Final = ".npz"
"""File extension of weights."""
EXPORT: Final = "`python -m training export` writes files of weights"


class OpponentMix:
    """The opponents at the tables of all processes. Each process loads the weights for itself."""

    def __init__(self, players: dict[int, str], weights: dict[str, bytes]) -> None:
        """`players` are by seat; `weights` are the contents of the files among them."""
        self.players = players
        self._weights = weights
        self.networks = {name: _network(name, content) for name, content in weights.items()}
        if MASTER in players.values():
            self.networks[MASTER] = _network(MASTER)

    def __reduce__(self) -> tuple[object, ...]:
        return (OpponentMix, (self.players, self._weights))

    def at(self, game: EpisodeGame) -> Opponents | None:
        """Return the opponents for the tables of a batch, or `None`."""
        return Opponents(game, self.players, self.networks) if self.players else None


def _network(name: str, content: bytes = b"") -> LearnedNetwork:
    try:
        return master_network() if name == MASTER else LearnedNetwork(content, name)
    except WeightsError as error:
        raise InputError(str(error) if name == MASTER else f"{error}; {EXPORT}") from error


def opponent_mix(
    opponents: Mapping[int, str | os.PathLike[str]] | None, rules: Ruleset, *, universal: bool
) -> OpponentMix:
    """Return the opponents with these names by seat. Raise `InputError` if a name is invalid."""
    if opponents is None:
        opponents = {}
    if not isinstance(opponents, Mapping):
        raise InputError(f"opponents are named by seat, as {{1: 'club'}}; {opponents!r} was given")
    seats = rules.seats.players
    given: Mapping[Any, Any] = opponents  # compiled code would check the declared types first
    players = {_seat(seat, seats): _name(player) for seat, player in given.items()}
    if len(players) == seats:
        raise InputError("opponents sit at every seat; leave one of them out for the learner")
    weights = {name: _content(name) for name in players.values() if name not in PLAYERS}
    if not universal and (weights or MASTER in players.values()):
        name = next(name for name in players.values() if name == MASTER or name in weights)
        raise InputError(f"{name} reads the universal layout: add layout='universal'")
    company = OpponentMix(players, weights)
    for name, network in company.networks.items():
        if not was_trained(network, rules, rule_numbers(compile_rules(rules))):
            raise InputError(
                f"{name} was not trained for these rules of {rules.name} with {seats} players; choose another"
            )
    return company


def _seat(seat: object, seats: int) -> int:
    try:
        number = whole_number("seat", seat, 0)
    except ValueError:
        number = seats
    if number >= seats:
        raise InputError(f"there is no seat {seat!r}; the seats of this table are 0 to {seats - 1}")
    return number


def _name(given: object) -> str:
    player = os.fspath(given) if isinstance(given, str | os.PathLike) else ""
    if player in SEARCHERS:
        raise InputError(
            f"{player} searches, which takes too long at many tables; "
            f"choose one of {', '.join(PLAYERS)}, or a file of weights"
        )
    if player not in PLAYERS and not _names_weights(player):
        raise InputError(
            f"there is no opponent {(player or given)!r}; choose one of {', '.join(PLAYERS)}, "
            f"or a file of weights (its name ends in {WEIGHTS})"
        )
    return player


def _names_weights(file: object) -> bool:
    """Return whether this can be a file of weights: no NUL and no broken characters."""
    return (
        isinstance(file, str)
        and file.endswith(WEIGHTS)
        and "\0" not in file
        and file == file.encode(errors="replace").decode()
    )


def _content(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}; {EXPORT}") from error
