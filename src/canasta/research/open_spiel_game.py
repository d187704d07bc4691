"""Canasta for OpenSpiel: a hand as the Python game `canasta`.

Chance is sampled through the deal's seed: four chance nodes of 256 equally likely outcomes each choose one of
2**32 decks. A node for every card would be exact, but a hand draws over a hundred cards, most of which nobody
sees for a long time. With a seed, a history is short, replays to the same cards everywhere, and needs no
generator whose state would have to be saved.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyspiel

from canasta.engine.actions.codec import PUT_BACK
from canasta.engine.observation.layout import pieces
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.state import cards_held
from canasta.notation.cards import format_cards
from canasta.research.describe import action_names, action_text, as_text
from canasta.research.episode import (
    Episode,
    EpisodeGame,
    SavedEpisode,
    largest_hand,
    more_cards,
    saved_episode,
    side_rewards,
)
from canasta.rules import default_players, load_ruleset, parse_option
from canasta.rules.field_types import Value
from canasta.rules.loader import options_of
from canasta.rules.rules_file import is_rules_file

SEED_NODES: Final = 4
SEED_OUTCOMES: Final = 256
SEEDS: Final = [(outcome, 1 / SEED_OUTCOMES) for outcome in range(SEED_OUTCOMES)]
CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
LONGEST: Final = 2000
"""Number of actions after which a hand is scored as it is; random play never gets near it."""
MOST_PLAYERS: Final = 6
HISTORY_NUMBERS: Final = 3
"""Numbers per action in the history: the actor, counted from the viewer, and the action in two digits."""
MOST_GAINED: Final = 400
"""Maximum number of cards that a seat, or the pile, gains in a hand, as recorded in the information state."""

_GAME_TYPE: Final = pyspiel.GameType(
    short_name="canasta",
    long_name="Canasta",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"rules": "caliente", "players": 0, "options": "", "idle_questions": True},
)


def load_game(
    rules: str = "caliente",
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    *,
    idle_questions: bool = True,
) -> Any:
    """Return the OpenSpiel game, as `pyspiel.load_game("canasta(rules=…,players=…,options=…)")` does.

    Without `idle_questions` a player may ask the partner only if going out could be possible.

    In the text form, house rules are `name:value` separated by semicolons, and the numbers of a list are
    separated by spaces: `options=hand_size:13;opening.minimums:50 90 120`.
    """
    if is_rules_file(rules):  # a game is saved by its parameters, without the file
        read = load_ruleset(rules, players, options)
        rules, players, options = read.name, read.seats.players, options_of(read)
    return pyspiel.load_game(
        "canasta",
        {
            "rules": rules,
            "players": players or default_players(rules),
            "options": _as_text(options or {}),
            "idle_questions": idle_questions,
        },
    )


def _as_text(options: Mapping[str, object]) -> str:
    """Format house rules as a parameter, in which OpenSpiel allows neither commas nor equals signs."""
    texts = []
    for name, value in sorted(options.items()):
        numbers = value if isinstance(value, list | tuple) else [value]
        texts.append(f"{name}:{' '.join(map(str, numbers))}")
    return ";".join(texts)


def _as_options(text: str) -> dict[str, Value]:
    return dict(parse_option(each.replace(":", "=", 1)) for each in text.split(";") if each.strip())


class SharedGameData:
    """The data shared by all states of a game. It isn't copied or saved with them, but rebuilt from the
    game's parameters.
    """

    def __init__(self, rules: str, players: int, options: str, idle_questions: bool) -> None:
        ruleset = load_ruleset(rules, players, _as_options(options))
        self.game = EpisodeGame(ruleset, whole_match=False, idle_questions=idle_questions)
        self.names = action_names(ruleset)
        self._asked = (rules, players, options, idle_questions)

    def __deepcopy__(self, memo: dict[int, object]) -> "SharedGameData":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (shared_game_data, self._asked)


@cache
def shared_game_data(
    rules: str, players: int, options: str = "", idle_questions: bool = True
) -> SharedGameData:
    return SharedGameData(rules, players, options, idle_questions)


class SavedTable:
    """A hand, saved without the data that all hands of its game share."""

    def __init__(self, shared: SharedGameData, episode: Episode) -> None:
        self.shared = shared
        self.episode = episode

    def act(self, action: int) -> None:
        self.episode.step(self.shared.game.steps[action])

    def __deepcopy__(self, memo: dict[int, object]) -> "SavedTable":
        return SavedTable(self.shared, self.episode.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return (saved_table, (self.shared, self.episode.saved()))


def dealt_table(shared: SharedGameData, seed: str) -> SavedTable:
    episode = Episode(shared.game)
    episode.begin(seed)
    return SavedTable(shared, episode)


def saved_table(shared: SharedGameData, saved: SavedEpisode) -> SavedTable:
    return SavedTable(shared, saved_episode(shared.game, saved))


class CanastaGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel's classes are untyped
    """One hand of a preset. Players are seats, and each player's return is its side's margin in points."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        settings = dict(params or {})
        rules = str(settings.get("rules", "caliente"))
        players = int(settings.get("players", 0)) or default_players(rules)
        self.shared = shared_game_data(
            rules, players, str(settings.get("options", "")), bool(settings.get("idle_questions", True))
        )
        # A margin is the difference of two sides' points.
        most = 2.0 * largest_hand(self.shared.game.tables)
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.shared.game.actions,
                max_chance_outcomes=SEED_OUTCOMES,
                num_players=players,
                min_utility=-most,
                max_utility=most,
                utility_sum=None,
                max_game_length=LONGEST,
            ),
            settings,
        )

    def new_initial_state(self) -> "CanastaState":
        return CanastaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "CanastaObserver":
        return CanastaObserver(
            self.shared.game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params
        )

    def max_chance_nodes_in_history(self) -> int:
        return SEED_NODES


class CanastaState(pyspiel.State):  # type: ignore[misc] # as above
    """A hand in progress. Attributes are never modified in place, so copies are cheap."""

    def __init__(self, game: CanastaGame) -> None:
        super().__init__(game)
        self.shared = game.shared
        self.seed = ""
        self.table: SavedTable | None = None
        self.made = 0
        self.history_bytes = b""
        """Every action as seat and number, three bytes each."""
        self.gained: tuple[bytes, ...] = (b"",) * game.shared.game.seats
        """The cards that came into each hand, in order."""
        self.piled = b""
        """The cards put on the pile, in order. Everyone has seen them, even if the pile has been taken
        since.
        """
        self.following: list[tuple[int, int]] = []
        """Seats and actions of another state whose history is being replayed into this one."""

    @property
    def episode(self) -> Episode | None:
        """The hand; `None` before it is dealt."""
        return None if self.table is None else self.table.episode

    def current_player(self) -> int:
        # OpenSpiel calls this several times per action.
        if self.following:
            return self.following[-1][0]
        table = self.table
        if table is None:
            return CHANCE
        episode = table.episode
        return TERMINAL if episode.over or self.made >= LONGEST else episode.to_act()

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        if self.table is None or player != self.current_player():
            return []
        return self.table.episode.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return SEEDS

    def _apply_action(self, action: int) -> None:
        if self.following:
            self.following.pop()
            return
        if self.table is None:
            self.seed += f"{action:02x}"
            if len(self.seed) == 2 * SEED_NODES:
                self.table = dealt_table(self.shared, self.seed)
                state = self.table.episode.state
                self.piled = bytes(state.pile)
                self.gained = tuple(bytes(cards_held(state, seat)) for seat in range(self.shared.game.seats))
            return
        episode = self.table.episode
        seat = episode.to_act()
        turn = episode.state.turn
        before = episode.state.cards_of(turn)
        pile = episode.state.pile_size()
        self.table.act(action)
        if episode.state.pile_size() == pile + 1 and self.shared.game.steps[action] != PUT_BACK:
            self.piled += bytes(episode.state.pile[-1:])
        self.history_bytes += bytes([seat, action >> 8, action & 255])
        came = bytes(more_cards(before, episode.state.cards_of(turn)))
        if came:
            self.gained = tuple(
                cards + came if seat == turn else cards for seat, cards in enumerate(self.gained)
            )
        self.made += 1

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"seed {action:02x}"
        step = self.shared.game.steps[action]
        if self.episode is not None and self.episode.is_legal(step):
            return action_text(self.episode.state, step)
        return self.shared.names[action]

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "CanastaState":
        """Return another state that this player can't distinguish from this one, with hidden cards dealt
        again.

        Its history has another seed, because the seed of this state would reveal the cards.
        """
        if self.table is None:
            other: CanastaState = self.clone()
            return other
        rng = Rng(f"{probability_sampler()!r}/{probability_sampler()!r}")
        imagined = self.table.episode.determinized(player_id, rng)
        new: CanastaState = self.get_game().new_initial_state()
        for _ in range(SEED_NODES):
            new.apply_action(rng.below(SEED_OUTCOMES))
        made = [
            (self.history_bytes[at], self.history_bytes[at + 1] << 8 | self.history_bytes[at + 2])
            for at in range(0, len(self.history_bytes), HISTORY_NUMBERS)
        ]
        new.following = made[::-1]
        for _, action in made:
            new.apply_action(action)
        new.table = SavedTable(self.shared, imagined)
        new.made = self.made
        new.history_bytes = self.history_bytes
        new.piled = self.piled
        before, now = self.table.episode.state, imagined.state
        new.gained = tuple(
            _exchanged(cards, before.cards_of(seat), now.cards_of(seat))
            for seat, cards in enumerate(self.gained)
        )
        return new

    def returns(self) -> list[float]:
        game = self.shared.game
        if self.episode is None or not self.is_terminal():
            return [0.0] * game.seats
        points = self.episode.points
        if not self.episode.over:
            points = [sheet.total for sheet in score_hand(self.episode.state)]
        by_side = side_rewards("margin", points, points, True)
        return [by_side[game.side_of[seat]] for seat in range(game.seats)]

    def __str__(self) -> str:
        if self.episode is None:
            return f"before the deal, seed {self.seed or 'not drawn'}"
        texts = [as_text(self.episode, seat).splitlines()[-2] for seat in self.episode.state.order]
        return "\n".join([as_text(self.episode, self.episode.state.order[0]), *texts[1:]])


def _exchanged(gained: bytes, before: list[int], now: list[int]) -> bytes:
    """Return the cards gained by a hand whose cards have been exchanged."""
    gone = [0] * len(now)
    for kind in more_cards(now, before):
        gone[kind] += 1
    came = more_cards(before, now)
    cards = bytearray(gained)
    for at in range(len(cards) - 1, -1, -1):
        if gone[cards[at]] > 0 and came:
            gone[cards[at]] -= 1
            cards[at] = came.pop()
    return bytes(cards)


class CanastaObserver:
    """A seat's observation, as a tensor and as text.

    With perfect recall it also contains every action so far and every card that came onto the pile or into
    the viewer's hand. With `params={"pieces": True}`, it has a named tensor for each piece, with the same
    numbers.
    """

    def __init__(self, game: EpisodeGame, observed: Any, params: Any) -> None:
        settings = dict(params or {})
        by_piece = bool(settings.pop("pieces", False))
        if settings:
            raise ValueError(f"an observation of canasta takes the parameter 'pieces'; {settings} were given")
        self._game = game
        self._sees_public = bool(observed.public_info)
        self._sees_hand = observed.private_info != pyspiel.PrivateInfoType.NONE
        self._recalls = bool(observed.perfect_recall)
        layout = game.marks.layout
        self._width = layout.width
        self._size = layout.size
        size = layout.size + self._recalls * (HISTORY_NUMBERS * LONGEST + 2 * MOST_GAINED)
        self.tensor: npt.NDArray[np.float32] = np.zeros(size, np.float32)
        # OpenSpiel copies tensors one by one; for all pieces that takes longer than everything else.
        self.dict: dict[str, npt.NDArray[np.float32]] = {"observation": self.tensor[: layout.size]}
        if by_piece:
            self.dict = {
                piece.name: self.tensor[piece.offset : piece.offset + piece.length]
                for piece in pieces(layout)
            }
        if self._recalls:
            at = layout.size + HISTORY_NUMBERS * LONGEST
            self.dict["history"] = self.tensor[layout.size : at]
            self.dict["piled"] = self.tensor[at : at + MOST_GAINED]
            self.dict["gained"] = self.tensor[at + MOST_GAINED :]

    def set_from(self, state: CanastaState, player: int) -> None:
        self.tensor.fill(0)
        if state.episode is None:
            return
        viewer = player if self._sees_hand else 0
        seen = np.frombuffer(state.episode.observe(viewer), np.uint8)
        if self._sees_public:
            self.tensor[: self._size] = seen
            if not self._sees_hand:
                self.tensor[: self._width] = 0
        elif self._sees_hand:
            self.tensor[: self._width] = seen[: self._width]
        if self._recalls:
            self._recall(state, viewer)

    def _recall(self, state: CanastaState, viewer: int) -> None:
        if self._sees_public:
            history = np.frombuffer(state.history_bytes, np.uint8).reshape(-1, HISTORY_NUMBERS).copy()
            history[:, 0] = (history[:, 0] - viewer) % self._game.seats + 1
            self.dict["history"][: history.size] = history.reshape(-1)
            piled = state.piled[:MOST_GAINED]
            self.dict["piled"][: len(piled)] = np.frombuffer(piled, np.uint8) + 1
        if self._sees_hand:
            gained = state.gained[viewer][:MOST_GAINED]
            self.dict["gained"][: len(gained)] = np.frombuffer(gained, np.uint8) + 1

    def string_from(self, state: CanastaState, player: int) -> str:
        if state.episode is None:
            return "before the deal"
        lines = as_text(state.episode, player).splitlines()
        hand = next(at for at, line in enumerate(lines) if line.startswith(f"seat {player} holds "))
        held = lines.pop(hand)
        shown = lines if self._sees_public else []
        if self._recalls and self._sees_public:
            shown.append(f"actions {state.history_bytes.hex()}")
            shown.append(f"piled {format_cards(state.piled)}")
        if self._sees_hand:
            shown.append(held)
            if self._recalls:
                shown.append(f"gained {format_cards(state.gained[player])}")
        return "\n".join(shown)


pyspiel.register_game(_GAME_TYPE, CanastaGame)
