"""Matches for programs: move by move, played by computer players, and undone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from canasta.api.cards import Card, list_of, number_of, seat_of, seed_of, text_of, wrong_type
from canasta.api.position import DealtCards, Position, as_move
from canasta.bots import Bot, SeatedBot, load_bot
from canasta.bots import get_bot as seat_bot
from canasta.bots.protocol import Listeners
from canasta.engine.events import Event
from canasta.engine.match import Match as EngineMatch
from canasta.engine.match import MatchError
from canasta.engine.moves.types import Move
from canasta.engine.play.scoring import ScoreSheet
from canasta.engine.position import PositionError
from canasta.notation.record import (
    LONGEST_NAME,
    Entry,
    GameLeft,
    GameResult,
    HandStarts,
    Header,
    MoveMade,
    Record,
    entries_after,
    hand_starts,
    one_line,
)
from canasta.notation.record_reader import RecordError, parse_record
from canasta.notation.replay import Replayer
from canasta.rules import Ruleset, load_ruleset

LONGEST_BUDGET: Final = 86_400
"""Maximum seconds per turn: one day."""


class _Before(NamedTuple):
    """The state that `undo` restores."""

    engine: EngineMatch
    entries: int


class Match(DealtCards):
    """A match of any of the games: deals, accepts moves in notation, scores, and keeps its record.

    >>> match = Match("caliente", players=4, seed=7)
    >>> match
    <Match: Canasta Caliente, 4 players, seed 7: hand 1, seat 2 to draw, scores 0 0>
    >>> match.legal_moves
    ['draw', 'ask']
    >>> match.push("draw")
    [Drew(seat=2, count=1, cards='6s')]
    >>> match.turn, match.phase, match.scores
    (2, 'play', (0, 0))
    >>> match.undo()
    'draw'

    The same rules and seed always deal the same cards. A match without a seed chooses one, which its record
    contains."""

    def __init__(
        self,
        rules: Ruleset | str = "caliente",
        players: int | None = None,
        *,
        seed: int | str | None = None,
        options: Mapping[str, object] | None = None,
        dealer: int | None = None,
    ) -> None:
        """Start a match.

        `rules` is the name of a game, with a number of `players` and house rules (`options`), or a complete
        `Ruleset`. `dealer` deals first; by default the seed decides.
        """
        if isinstance(rules, str):
            rules = load_ruleset(rules, players, options)
        elif not isinstance(rules, Ruleset):
            raise wrong_type(rules, "rules are a name or a Ruleset")
        elif players is not None or options is not None:
            raise MatchError("these rules are complete: players and options are chosen with load_rules")
        text = _fresh_seed() if seed is None else seed_of(seed)
        if dealer is not None:
            seat_of(dealer, rules.seats.players)
        try:
            header = Header.of(rules, seed=text, first_dealer=dealer)
        except ValueError as error:
            raise MatchError(str(error)) from None
        self._begin(EngineMatch.new(rules, text, first_dealer=dealer), header)

    def _begin(
        self, start: EngineMatch | Position, header: Header | None, entries: Sequence[Entry] = ()
    ) -> None:
        """Start from a new deal or a position, and make the moves of these entries."""
        engine = (start._engine if isinstance(start, Position) else start).copy()
        self._start = start
        self._engine = engine
        self._header = header
        self._entries: list[Entry] = []
        self._before: list[_Before] = []
        for entry in entries or [hand_starts(engine.hand_number, None)]:
            if isinstance(entry, MoveMade):
                self._before.append(_Before(engine.copy(), len(self._entries)))
            _apply_entry(engine, entry, None)
            self._entries.append(entry)

    @classmethod
    def from_position(cls, position: Position | str) -> "Match":
        """Return a match that continues from a position, or from the text of one."""
        match = cls.__new__(cls)
        match._begin(position if isinstance(position, Position) else Position.parse(position), None)
        return match

    @classmethod
    def from_record(cls, record: Record | str) -> "Match":
        """Return the match of a record, as it is after the last line.

        Raise `RecordError` if the record cannot be read or contains an illegal move.
        """
        text = (
            str(record) if isinstance(record, Record) else text_of(record, "a record is a text or a Record")
        )
        replayer = Replayer(text)
        start = None if replayer.replay.match is None else replayer.replay.match.copy()
        while replayer.step() is not None:
            pass
        replayed = replayer.replay
        if replayed.problem is not None:
            raise RecordError(replayed.problem)
        assert start is not None
        assert replayed.header is not None
        entries = [entry for entry in parse_record(text).entries if not isinstance(entry, GameLeft)]
        match = cls.__new__(cls)
        match._begin(start, replace(replayed.header, result=None, unfinished=False), entries)
        return match

    # -- state --------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        players = self.rules.seats.players
        seed = "from a position" if self._header is None else f"seed {self._header.seed}"
        scores = " ".join(map(str, self.scores))
        does = f"seat {self.turn} to {self.phase}"
        if self.hand_over:
            does = "the match is over" if self.is_over else "the hand is over"
        return (
            f"<Match: {self.rules.title}, {players} players, {seed}: hand {self.hand_number}, {does}, "
            f"scores {scores}>"
        )

    def __str__(self) -> str:
        """Return the table with all cards open, for debugging."""
        lines = [f"{self.rules.title}, hand {self.hand_number}, scores {' '.join(map(str, self.scores))}"]
        lines.append(f"pile: {_row(self.pile[-12:]) or 'empty'}; stock: {self.stock}")
        for side, seats in enumerate(self.sides):
            melds = " + ".join(map(_row, self.melds(side))) or "nothing melded"
            lines.append(f"side {side}: {melds}")
            for seat in seats:
                acts = f"  to {self.phase}" if seat == self.turn and not self.hand_over else ""
                lines.append(f"  seat {seat}: {_row(self.cards(seat)) or 'no cards'}{acts}")
        return "\n".join(lines)

    @property
    def seed(self) -> str:
        """The seed of the cards; empty for a match that started from a position."""
        return "" if self._header is None else self._header.seed

    @property
    def hand_number(self) -> int:
        """Number of the hand, from 1."""
        return self._engine.hand_number

    @property
    def dealer(self) -> int:
        """The seat that dealt this hand."""
        return self._engine.dealer

    @property
    def hand_over(self) -> bool:
        """Whether the hand is over and its points are in the scores. Call `deal` for the next one."""
        return self._engine.hand.over

    @property
    def is_over(self) -> bool:
        """Whether the whole match is over."""
        return self._engine.over

    @property
    def winner(self) -> int | None:
        """The winning side; `None` before the end, and for a draw."""
        return self._engine.winner

    @property
    def victory_points(self) -> tuple[int, ...]:
        """Victory points by side once the match is over, in games that award them; otherwise empty."""
        return tuple(self._engine.victory_points)

    @property
    def score_sheets(self) -> list[list[ScoreSheet]]:
        """The score sheets of each finished hand, by side."""
        return [list(sheets) for sheets in self._engine.sheets]

    @property
    def position(self) -> Position:
        """The current position, which can be printed, compared and put in a set.

        Raise `PositionError` if the hand is over.
        """
        if self.hand_over:
            raise PositionError(
                "the hand is over, and a position is of a hand that goes on; deal comes first"
            )
        engine = self._engine
        moves: list[Move] = []
        # Melds and questions of this turn are part of the position as moves, so go back to before them.
        for before in reversed(self._before):
            try:
                return Position(engine, moves)
            except PositionError:
                if before.engine.hand_number != engine.hand_number:
                    raise
            made = self._entries[before.entries]
            assert isinstance(made, MoveMade)
            moves.insert(0, made.move)
            engine = before.engine
        return self._start._after(moves) if isinstance(self._start, Position) else Position(engine, moves)

    @property
    def moves(self) -> list[tuple[int, str]]:
        """The moves so far, each with the seat that made it."""
        return [(entry.seat, str(entry.move)) for entry in self._entries if isinstance(entry, MoveMade)]

    # -- playing ------------------------------------------------------------------------------------------

    def push(self, move: Move | str) -> list[Event]:
        """Make a move for the seat to act, and return its events.

        Raise `RefusedMove`, which says why and what to do instead, or `NotationError` if the text is not a
        move. In both cases nothing has changed.
        """
        made = as_move(move)
        seat = self.turn
        before = _Before(self._engine.copy(), len(self._entries))
        events = self._engine.apply(made)
        self._before.append(before)
        self._entries += entries_after(self._engine, seat, made)
        return events

    def undo(self) -> str:
        """Take back the last move, whatever the rules say, and return it. A hand dealt after it is removed
        too.

        (The move `undo`, in contrast, takes back a meld as far as the rules allow; push it like any other
        move.)
        """
        if not self._before:
            raise MatchError("no move has been made that could be taken back")
        before = self._before.pop()
        made = self._entries[before.entries]
        assert isinstance(made, MoveMade)
        self._engine = before.engine.copy()
        del self._entries[before.entries :]
        return str(made.move)

    def deal(self) -> None:
        """Deal the next hand.

        Raise `MatchError` during a hand, after the end of the match, and for a match from a record whose
        cards came from all players' seeds, because those of further hands are unknown.
        """
        if any(isinstance(entry, HandStarts) and entry.fair is not None for entry in self._entries):
            raise MatchError("the cards of this game came from the seeds of everybody at its table")
        self._engine.deal_next()
        self._entries.append(hand_starts(self._engine.hand_number, None))

    def play(self, bots: str | Sequence[str | Bot], hands: int | None = None) -> None:
        """Let computer players continue to the end of the match or for a number of hands.

        `bots` is one name for all seats, or for each seat a name from `bot_names` or a player of your own.
        """
        if hands is not None and number_of(hands, "hands are counted") < 1:
            raise MatchError("one hand at the least is played on")
        seats = self.rules.seats.players
        players = (
            [bots] * seats if isinstance(bots, str) else list_of(bots, "players are one name or several")
        )
        if len(players) != seats:
            raise MatchError(f"{seats} players sit at this table, and {len(players)} are named")
        seated = [self._seated(bot, seat) for seat, bot in enumerate(players)]
        listeners = Listeners(dict(enumerate(seated)))
        self._tell_all(listeners)
        last = None if hands is None else self.hand_number + hands - (0 if self.hand_over else 1)
        while not self.is_over:
            if not self.hand_over:
                listeners.tell(self.push(seated[self.turn].choose(self.view(self.turn))))
            elif self.hand_number == last:
                return
            else:
                self.deal()
                listeners.deal(self._engine.hand.state, self._engine.hand.scores)

    def _seated(self, bot: str | Bot, seat: int) -> Bot:
        if isinstance(bot, str):
            return seat_bot(load_bot(bot), f"{self.seed}/seat/{seat}")
        if isinstance(bot, type):
            raise wrong_type(bot, f"seat {seat} needs a player, made as {bot.__name__}()")
        if not callable(getattr(bot, "choose", None)):
            raise wrong_type(bot, f"seat {seat} needs the name of a player, or a Bot with choose(self, view)")
        return bot

    def _tell_all(self, listeners: Listeners) -> None:
        """Report the match from its start to the players that listen."""
        if listeners.bots:
            engine = (self._start._engine if isinstance(self._start, Position) else self._start).copy()
            listeners.deal(engine.hand.state, engine.hand.scores)
            for entry in self._entries:
                _apply_entry(engine, entry, listeners)

    # -- keeping ------------------------------------------------------------------------------------------

    def record(self, names: Sequence[str] = ()) -> Record:
        """Return the record so far. Its `str` is the text that `canasta replay` and `from_record` read.

        `names` are by seat. Raise `MatchError` for a match that started from a position rather than a deal.
        """
        if self._header is None:
            raise MatchError("a record begins with a deal, and this match with a position")
        header = replace(self._header)
        names = [text_of(name, "a name is a text") for name in list_of(names, "names are a list of texts")]
        if names and len(names) != self.rules.seats.players:
            raise MatchError(f"{self.rules.seats.players} players sit here, and {len(names)} are named")
        if names:
            header.names = {seat: one_line(name, LONGEST_NAME) for seat, name in enumerate(names)}
        if self.is_over:
            header.result = GameResult(self.winner, self.scores)
        return Record(header, [*self._entries, *([] if self.is_over else [GameLeft()])])

    def copy(self) -> "Match":
        """Return an independent match: moves made on one do not affect the other."""
        new = Match.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new._engine = self._engine.copy()
        new._entries = self._entries.copy()
        new._before = self._before.copy()
        return new

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Return whether both matches have the same deals and the same moves."""
        return isinstance(other, Match) and self._course() == other._course()

    __hash__ = None  # type: ignore[assignment]  # a match changes; its position can be kept in a set

    def _course(self) -> tuple[object, ...]:
        start = self._start if isinstance(self._start, Position) else self._start.dealer
        done = [entry for entry in self._entries if isinstance(entry, HandStarts | MoveMade)]
        return (self.rules, self.seed, start, done)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (self._start, self._header, self._entries))


def _fresh_seed() -> str:
    from secrets import token_hex

    return token_hex(8)


def _rebuilt(start: EngineMatch | Position, header: Header | None, entries: list[Entry]) -> Match:
    match = Match.__new__(Match)
    match._begin(start, header, entries)
    return match


def _apply_entry(engine: EngineMatch, entry: Entry, listeners: Listeners | None) -> None:
    """Apply an entry of a record."""
    if isinstance(entry, MoveMade):
        events = engine.apply(entry.move)
        if listeners is not None:
            listeners.tell(events)
    elif isinstance(entry, HandStarts) and entry.number > engine.hand_number:
        engine.deal_next(entry.fair)
        if listeners is not None:
            listeners.deal(engine.hand.state, engine.hand.scores)


def _row(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


# -- computer players ---------------------------------------------------------------------------------------


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
        raise wrong_type(budget, f"a budget is a number of seconds above 0 and up to {LONGEST_BUDGET}")
    return float(budget)  # compiled code does not accept an `int` as a `float`
