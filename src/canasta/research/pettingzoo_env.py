"""Canasta for PettingZoo: the turn-based (AEC) and the parallel environment."""

import secrets
from collections.abc import Mapping
from typing import Any, Final, TypeAlias, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv

from canasta.engine.cards import RANK_OF, RANKS
from canasta.engine.observation.layout import Piece, pieces
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.view import melds_of
from canasta.research.describe import EPISODES, action_text, as_text, draws_scores, one_of, rules_for
from canasta.research.episode import REWARDS, Episode, EpisodeGame, cost_of_illegal, side_rewards
from canasta.rules import Ruleset

Observation: TypeAlias = dict[str, npt.NDArray[Any]]

RENDER_MODES: Final = ("human", "ansi", "rgb_array")


class EnvOptions(TypedDict, total=False):
    """Options of a table besides its rules; `env` explains each."""

    options: Mapping[str, object] | None
    episode: str
    rewards: str
    start_scores: str
    idle_questions: bool
    max_cycles: int | None
    render_mode: str | None


def env(
    rules: str | Ruleset = "caliente", players: int | None = None, **chosen: Unpack[EnvOptions]
) -> "CanastaTable":
    """Return a table for agents that act in turn.

    An episode is a hand or a match. Rewards are paid at the end of a hand: `points` as scored, `margin` over
    the other sides, or the `result` of the episode as 1, 0 or -1. A hand starts from totals of zero or, with
    `start_scores="random"`, from totals that make every first-meld minimum occur. Without `idle_questions`
    the mask excludes asking the partner if going out is impossible this turn. After `max_cycles` actions per
    player the episode is truncated. An action that the mask excludes ends the episode and costs its agent
    more than any hand could; `raw_env` rejects it instead. (PettingZoo's wrappers would do the same at a
    fifth of the speed.)
    """
    table = raw_env(rules, players, **chosen)
    table.ends_on_illegal = True
    return table


def raw_env(
    rules: str | Ruleset = "caliente",
    players: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    episode: str = "hand",
    rewards: str = "points",
    start_scores: str = "zero",
    idle_questions: bool = True,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> "CanastaTable":
    """Return the same table, except that an illegal action raises `ValueError` and changes nothing."""
    return CanastaTable(
        EnvSettings(
            _game(rules, players, options, episode, start_scores, idle_questions),
            one_of("rewards", rewards, REWARDS),
            max_cycles,
            None if render_mode is None else one_of("render_mode", render_mode, RENDER_MODES),
        )
    )


def parallel_env(
    rules: str | Ruleset = "caliente", players: int | None = None, **chosen: Unpack[EnvOptions]
) -> "ParallelTable":
    """Return a table at which all agents submit an action in every cycle; only that of the seat to act
    counts.

    The masks of the other agents allow only action 0, which does nothing. If the action of the seat to act is
    illegal, a random legal one is made instead, and its info reports that.
    """
    most = chosen.pop("max_cycles", None)
    return ParallelTable(raw_env(rules, players, **chosen), most)


def _game(
    rules: str | Ruleset,
    players: int | None,
    options: Mapping[str, object] | None,
    episode: str,
    start_scores: str,
    idle_questions: bool,
) -> EpisodeGame:
    whole_match = one_of("episode", episode, EPISODES) == "match"
    random_scores = draws_scores(start_scores, whole_match=whole_match)
    return EpisodeGame(rules_for(rules, players, options), whole_match, random_scores, idle_questions)


class EnvSettings:
    """The settings of a table."""

    def __init__(
        self, game: EpisodeGame, rewards: str, max_cycles: int | None, render_mode: str | None
    ) -> None:
        self.game = game
        self.rewards = rewards
        self.max_cycles = max_cycles
        self.render_mode = render_mode


class CanastaTable(AECEnv):  # type: ignore[misc] # PettingZoo's classes are untyped
    """One table. Agent `player_2` is at seat 2."""

    metadata: Final[dict[str, Any]] = {
        "name": "canasta_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, settings: EnvSettings) -> None:
        super().__init__()
        self.game = settings.game
        self.render_mode = settings.render_mode
        self._settings = settings
        self._episode = Episode(self.game)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size = self._episode.observer.size
        spaces = Dict(
            {
                "observation": Box(0, 255, (size,), np.uint8),
                "action_mask": Box(0, 1, (self.game.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces)
        self.action_spaces = {agent: Discrete(self.game.actions) for agent in self.possible_agents}
        self._no_actions = np.zeros(self.game.actions, np.int8)
        self._paid = False
        self._made = 0
        self.ends_on_illegal = False
        self.agent_selection = ""

    def __str__(self) -> str:
        return "canasta_v1"

    @property
    def episode(self) -> Episode:
        """The hand or match in play, hidden cards included."""
        return self._episode

    @property
    def pieces(self) -> list[Piece]:
        """The pieces of an observation, with their meaning."""
        return pieces(self._episode.observer.layout)

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "Discrete[Any]":
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's form
        if seed is not None:
            self._episode.begin(str(seed))
        elif self._episode.seed:
            self._episode.begin_next()
        else:
            self._episode.begin(secrets.token_hex(8))
        self.agents = self.possible_agents.copy()
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._paid = False
        self._made = 0
        self.agent_selection = self.possible_agents[self._episode.to_act()]

    def observe(self, agent: str) -> Observation:
        if not self.agent_selection:
            raise RuntimeError("reset() deals the first hand; call it before anything else")
        seat = self._seat_of[agent]
        episode = self._episode
        return {
            "observation": np.frombuffer(episode.observe(seat), np.uint8),
            "action_mask": np.frombuffer(episode.mask(), np.int8)
            if seat == episode.to_act() and not episode.over
            else self._no_actions,
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if not agent:
            raise RuntimeError("reset() deals the first hand; call it before anything else")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self._episode
        steps = self.game.steps
        if action is None or not 0 <= action < len(steps) or not episode.is_legal(steps[action]):
            if not self.ends_on_illegal:
                raise ValueError(f"action {action} is not legal for {agent}; see its mask")
            self._end_by_mistake(agent)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._paid = False
        episode.step(steps[action])
        self._made += 1
        if episode.hand_ended:
            self._pay()
        if episode.over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[episode.to_act()]
            most = self._settings.max_cycles
            if most is not None and self._made >= most * self.game.seats:
                self.truncations = dict.fromkeys(self.agents, True)
        if self.render_mode == "human":
            self.render()

    def _end_by_mistake(self, agent: str) -> None:
        self.rewards = dict.fromkeys(self.agents, 0.0)
        cost = cost_of_illegal(self._settings.rewards, self.game.tables)
        self.rewards[agent] = cost
        self._cumulative_rewards[agent] = cost
        self.infos[agent] = {"illegal": True}
        self.terminations = dict.fromkeys(self.agents, True)

    def _pay(self) -> None:
        episode = self._episode
        by_side = side_rewards(self._settings.rewards, episode.points, episode.standing(), episode.over)
        for agent in self.agents:
            reward = by_side[self.game.side_of[self._seat_of[agent]]]
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        self._paid = True

    def action_text(self, action: int) -> str:
        """Return a legal action in notation, as in `discard 7`."""
        return action_text(self._episode.state, self.game.steps[action])

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        if not self.agent_selection:
            raise RuntimeError("reset() deals the first hand; call it before anything else")
        viewer = self._seat_of[self.agent_selection]
        if self.render_mode == "rgb_array":
            return as_picture(self._episode, viewer)
        text = as_text(self._episode, viewer)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            print(text, flush=True)  # noqa: T201 - the purpose of this mode
        return None

    def close(self) -> None:
        """Do nothing: no resources are held."""


class ParallelTable(ParallelEnv):  # type: ignore[misc] # as above
    """One table at which all agents act at once, all but one of them by waiting."""

    metadata: Final[dict[str, Any]] = {**CanastaTable.metadata, "is_parallelizable": True}

    def __init__(self, table: CanastaTable, max_cycles: int | None) -> None:
        self.table = table
        self.render_mode = table.render_mode
        self.possible_agents = table.possible_agents
        self.agents: list[str] = []
        self.observation_spaces = table.observation_spaces
        self.action_spaces = table.action_spaces
        self._max_cycles = max_cycles
        self._made = 0
        self._waiting = np.zeros(table.game.actions, np.int8)
        self._waiting[0] = 1

    def observation_space(self, agent: str) -> Dict:
        return self.table.observation_space(agent)

    def action_space(self, agent: str) -> "Discrete[Any]":
        return self.table.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.table.reset(seed, options)
        self.agents = self.possible_agents.copy()
        self._made = 0
        self._choice = np.random.default_rng(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        """Make a step. Return observations, rewards, terminations, truncations and infos."""
        table = self.table
        agent = table.agent_selection
        infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        mask = table.observe(agent)["action_mask"]
        action = int(actions.get(agent, -1))
        if not 0 <= action < len(mask) or not mask[action]:
            infos[agent]["illegal"] = True
            action = int(self._choice.choice(np.flatnonzero(mask)))
        table.step(action)
        self._made += 1
        at_end = self._max_cycles is not None and self._made >= self._max_cycles
        observations = self._observations()
        rewards = {name: table.rewards[name] for name in self.agents}
        terminations = {name: table.terminations[name] for name in self.agents}
        truncations = dict.fromkeys(self.agents, at_end and not table.episode.over)
        if table.episode.over or at_end:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _observations(self) -> dict[str, Observation]:
        observations = {agent: self.table.observe(agent) for agent in self.possible_agents}
        for agent, observation in observations.items():
            if agent != self.table.agent_selection or self.table.episode.over:
                observation["action_mask"] = self._waiting
        return observations

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        shown: str | npt.NDArray[np.uint8] | None = self.table.render()
        return shown

    def close(self) -> None:
        self.table.close()


# -- pictures ------------------------------------------------------------------------------------------------

Picture = npt.NDArray[np.uint8]

_RANK_TEXTS: Final = (*"456789TJQKA", "2", "*", "3", "3", "!")
_GLYPHS: Final = {
    "2": "110001010100111",
    "3": "110001010001110",
    "4": "101101111001001",
    "5": "111100110001110",
    "6": "011100110101010",
    "7": "111001010010010",
    "8": "010101010101010",
    "9": "010101011001110",
    "T": "111010010010010",
    "J": "001001001101010",
    "Q": "010101101011001",
    "K": "101101110101101",
    "A": "010101111101101",
    "*": "101010111010101",
    "!": "010010010000010",
    "x": "000101010101000",
}
"""Glyphs of three by five points each, row by row."""
_BAIZE: Final = (33, 94, 67)
_PAPER: Final = (250, 247, 238)
_INK: Final = (34, 34, 34)
_RED: Final = (190, 40, 40)
_BACK: Final = (58, 84, 140)
_GOLD: Final = (201, 154, 58)
_SCALE: Final = 2
_CARD: Final = (9, 14)
"""Width and height of a card in points."""


def as_picture(episode: Episode, viewer: int) -> Picture:
    """Draw the table as this seat sees it: rows of melds for each side, the centre, the viewer's hand."""
    state = episode.state
    width, height = _CARD
    rows = 2 * episode.game.sides + 2
    wide = 16 * (width + 1) + 3
    picture = np.empty((rows * (height + 2) + 2, wide, 3), np.uint8)
    picture[:] = _BAIZE
    for side in range(episode.game.sides):
        _draw_side(picture, state, side, 2 * side)
    _draw_middle(picture, state, 2 * episode.game.sides)
    for rank in range(RANKS):
        if state.count(viewer, rank) > 0:
            _draw_card(picture, rank, state.count(viewer, rank), rank, 2 * episode.game.sides + 1)
    acting = state.answering if state.phase == ANSWER else state.turn
    if acting == viewer and state.phase != OVER:
        picture[-2:, :] = _GOLD
    return picture.repeat(_SCALE, 0).repeat(_SCALE, 1)


def _draw_side(picture: Picture, state: HandState, side: int, row: int) -> None:
    melds = melds_of(state, side)
    for index, meld in enumerate(melds[:32]):
        ranks = [RANK_OF[kind] for kind in meld.cards]
        _draw_card(picture, min(ranks), len(ranks), index % 16, row + index // 16)


def _draw_middle(picture: Picture, state: HandState, row: int) -> None:
    x, y = _corner(0, row)
    if state.stock_size() > 0:
        picture[y : y + _CARD[1], x : x + _CARD[0]] = _BACK
    if state.pile:
        _draw_card(picture, RANK_OF[state.top_card()], state.pile_size(), 2, row)
        if state.frozen:
            x, y = _corner(3, row)
            picture[y : y + _CARD[1], x : x + 2] = _GOLD


def _corner(column: int, row: int) -> tuple[int, int]:
    return 2 + column * (_CARD[0] + 1), 2 + row * (_CARD[1] + 2)


def _draw_card(picture: Picture, rank: int, count: int, column: int, row: int) -> None:
    """Draw a card with its rank above and one bar per card below."""
    x, y = _corner(column, row)
    picture[y : y + _CARD[1], x : x + _CARD[0]] = _PAPER
    _draw_glyph(picture, _RANK_TEXTS[rank], x + 3, y + 1, _RED if rank >= 11 else _INK)
    for bar in range(min(count, 18)):
        across, down = bar % 6, bar // 6
        picture[y + 8 + 2 * down, x + 1 + across + (across > 2)] = _INK


def _draw_glyph(picture: Picture, text: str, x: int, y: int, colour: tuple[int, int, int]) -> None:
    for at, point in enumerate(_GLYPHS[text]):
        if point == "1":
            picture[y + at // 3, x + at % 3] = colour
