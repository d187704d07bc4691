"""Whole matches of random moves, as people make them, recorded as they are played."""

import random
from collections.abc import Callable

from hands import begin_record, note_deal, note_move
from property.tables import Table

from canasta.engine.cards import ANY
from canasta.engine.events import Event
from canasta.engine.match import Match
from canasta.engine.moves.types import Add, Ask, Discard, LayBonus, Meld, Move, Take, Undo

Watch = Callable[[Match, Move], None]


class PlayedMatch:
    """A match in progress with its record; `play` runs to the end or for a number of moves."""

    def __init__(self, table: Table, seed: str) -> None:
        self.table = table
        self.choice = random.Random(f"match/{table}/{seed}")
        self.match = Match.new(table.rules(), seed)
        options = {name: list(value) if isinstance(value, tuple) else value for name, value in table.options}
        self.record = begin_record(self.match, seed=seed, options=options)
        self.moves = 0
        self.eager = 0.7
        """The probability of preferring a move that lays cards."""

    def play(self, moves: int, *, hands: int = 1000, watch: Watch | None = None) -> None:
        most = self.moves + moves
        while self.moves < most and not self.match.over:
            if self.match.hand.over:
                if self.match.hand_number == hands:
                    return
                self.match.deal_next()
                note_deal(self.record, self.match)
            self.make(self.choose(), watch)

    def make(self, move: Move, watch: Watch | None = None) -> list[Event]:
        if watch is not None:
            watch(self.match, move)
        seat = self.match.hand.turn
        events = self.match.apply(move)
        note_move(self.record, self.match, seat, move)
        self.moves += 1
        return events

    def choose(self) -> Move:
        moves = self.match.hand.legal_moves()
        if self.choice.random() < self.eager:
            wanted: list[Move] = [move for move in moves if isinstance(move, (Meld, Add, Take, LayBonus))]
            moves = wanted or [move for move in moves if not isinstance(move, (Undo, Ask))]
        return self._in_some_words(self.choice.choice(moves))

    def _in_some_words(self, move: Move) -> Move:
        """Name the suit of a discard now and then, as a person would."""
        if isinstance(move, Discard) and move.card >= ANY and self.choice.random() < 0.5:
            held = self.match.hand.hand_cards(self.match.hand.turn)
            named = [kind for kind in held if self.match.check(Discard(kind)) is None]
            return Discard(self.choice.choice(named)) if named else move
        return move
