"""Record the facts of a hand by watching it."""

from dataclasses import dataclass

from canasta.arena.duplicate import GameSpec
from canasta.arena.play import BotSpec, play_match
from canasta.bots.protocol import BotFailed
from canasta.engine.actions.codec import PUT_BACK
from canasta.engine.play.scoring import score_hand
from canasta.engine.seating import sides_of_seats
from canasta.engine.state import OVER, HandState


@dataclass(frozen=True)
class HandRecord:
    """The facts of one hand as it was played. Lists are by side or by seat."""

    turns: int
    steps: int
    first: int
    """The seat to the dealer's left, which plays first."""
    order: tuple[int, ...]
    out: int
    """The seat that went out; -1 if the stock ended the hand."""
    points: tuple[int, ...]
    by_seat: tuple[float, ...]
    """Points that each seat contributed to its side; they add up to the side's points."""
    canastas: tuple[tuple[int, int, int, int], ...]
    """Natural, mixed and wild canastas and sambas of each side."""
    red_threes: tuple[int, ...]
    opened: tuple[int, ...]
    """By side, the turn of the first meld, counting the turns of all players from 1; 0 if there was none."""
    taken: tuple[tuple[int, int], ...]
    """Every taking of the pile, as the seat and the number of cards."""
    special: bool
    """Whether a special hand ended the hand."""
    feet: tuple[int, ...]
    """By seat, the turn in which the foot was picked up, counted
    like `opened`; empty in a game without feet."""


class HandWatcher:
    """Records every hand that it sees to its end."""

    def __init__(self) -> None:
        self.records: list[HandRecord] = []
        self._state: HandState | None = None
        self._first: int = 0
        self._turn: int = 0
        self._turns: int = 0
        self._steps: int = 0
        self._by_seat: list[float] = []
        self._opened: list[int] = []
        self._taken: list[tuple[int, int]] = []
        self._feet: list[int] = []
        self._taking: int = 0
        """Cards of the pile taken this turn and not put back."""
        self._points_before: int = 0
        self._canastas_before: list[int] = []

    def before_step(self, state: HandState, seat: int, step: int) -> None:
        if state is not self._state:
            self._begin(state)
        if state.compiled.layout.decoded[step].takes:
            self._taking = state.pile_size()
        elif step == PUT_BACK:
            self._taking = 0
        side = state.side_of[seat]
        self._points_before = state.points(side)
        self._canastas_before = state.canasta_counts(side)

    def after_step(self, state: HandState, seat: int) -> None:
        self._steps += 1
        side = state.side_of[seat]
        brought = state.points(side) - self._points_before
        for now, before, bonus in zip(
            state.canasta_counts(side), self._canastas_before, state.compiled.canasta_bonus, strict=True
        ):
            brought += (now - before) * bonus
        self._by_seat[seat] += brought
        for other in range(state.sides):
            if state.opened(other) and not self._opened[other]:
                self._opened[other] = self._turns
        if self._feet and not self._feet[seat] and not state.foot_waits(seat):
            self._feet[seat] = self._turns
        if state.turn != self._turn or state.phase == OVER:
            if self._taking:
                self._taken.append((self._turn, self._taking))
                self._taking = 0
            if state.phase != OVER:
                self._turns += 1
                self._turn = state.turn
        if state.phase == OVER:
            self._finish(state)

    def _begin(self, state: HandState) -> None:
        self._state = state
        self._first = self._turn = state.turn
        self._turns = 1
        self._steps = 0
        self._by_seat = [0.0] * len(state.side_of)
        self._opened = [0] * state.sides
        self._taken = []
        self._taking = 0
        self._feet = [0] * len(state.side_of) if state.compiled.has_foot else []

    def _finish(self, state: HandState) -> None:
        sheets = score_hand(state)
        by_seat = self._by_seat
        if state.out >= 0:
            lines = sheets[state.side_of[state.out]].lines
            by_seat[state.out] += lines["going_out"] + lines["concealed"]
        # Points that no single player earned (red threes, leftover cards, penalties) are shared by the side.
        for side, sheet in enumerate(sheets):
            team = [seat for seat in state.order if state.side_of[seat] == side]
            rest = sheet.total - sum(by_seat[seat] for seat in team)
            for seat in team:
                by_seat[seat] += rest / len(team)
        self.records.append(
            HandRecord(
                turns=self._turns,
                steps=self._steps,
                first=self._first,
                order=tuple(state.order),
                out=state.out,
                points=tuple(sheet.total for sheet in sheets),
                by_seat=tuple(by_seat),
                canastas=tuple(
                    (kinds[0], kinds[1], kinds[2], kinds[3])
                    for kinds in map(state.canasta_counts, range(state.sides))
                ),
                red_threes=tuple(len(cards) for cards in state.bonus),
                opened=tuple(self._opened),
                taken=tuple(self._taken),
                special=state.special_by >= 0,
                feet=tuple(self._feet),
            )
        )
        self._state = None


@dataclass(frozen=True)
class MatchTask:
    """A match of a bot against itself, in a form that can be sent to another process."""

    game: GameSpec
    bot: BotSpec
    seed: str


def watch_match(task: MatchTask) -> list[HandRecord]:
    """Play the match and return the record of each hand."""
    rules = task.game.rules()
    watcher = HandWatcher()
    bots = [task.bot.sit_down(task.seed, seat) for seat in range(len(sides_of_seats(rules)))]
    try:
        play_match(rules, bots, task.seed, watcher)
    except BotFailed as failure:
        raise BotFailed(
            f"{failure} ({task.game.preset} with {task.game.players} players, seed {task.seed!r})"
        ) from None
    return watcher.records
