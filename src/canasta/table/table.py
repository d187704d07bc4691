"""A table, rebuilt from its log. The program that hosts it adds players, storage for the log, and clocks."""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from canasta.engine.fairness import CUT, FairRound
from canasta.engine.hand import TriedMove
from canasta.engine.match import Match
from canasta.engine.moves.types import Undo
from canasta.engine.seating import Cut, cut_cards, is_cut, seeded_cut, sides_of_seats
from canasta.notation.cards import format_card
from canasta.notation.moves import parse_move
from canasta.notation.record import Entry as RecordEntry
from canasta.notation.record import (
    HandEnds,
    Header,
    Record,
    RoundVoid,
    cut_entries,
    entries_after,
    hand_starts,
)
from canasta.notation.record_fairness import RecordChain
from canasta.rules import Ruleset, resolve_ruleset
from canasta.table import log
from canasta.table.event_views import MOVE_STARTS, Change
from canasta.table.log import Created, Entry
from canasta.table.practice import GoalAttempt
from canasta.table.seats import Chair, Person, TableSeats, rearranged, resized
from canasta.table.seed_rounds import SeedRound, following_entries
from canasta.table.wire import EventView

PER_ENTRY: Final = 1000
"""State numbers per log entry.

A state's number is the length of the log times this, plus the number of unlogged changes since the last
entry. Numbers survive a restart and rise with every change.
"""

MOST_HAND_EVENTS: Final = 4000
"""Maximum number of events of a hand that are kept for viewers who connect during it: three times the longest
hand."""


def _rules_of(created: Created) -> Ruleset:
    rules = resolve_ruleset(created.rules, created.players, created.options, version=created.version)
    if created.version > rules.version:
        raise log.LogError(
            f"version {created.version} of {created.rules}, and here is {rules.version}", has_newer_rules=True
        )
    return rules


class Table(TableSeats):
    """A table, rebuilt from its log."""

    def __init__(self, name: str, created: Created) -> None:
        self.name: str = name
        self.created: Created = created
        self.rules: Ruleset = _rules_of(created)
        self.side_of: list[int] = sides_of_seats(self.rules)
        super().__init__(created.players)
        self.match: Match | None = None
        self.length: int = 1
        """Number of entries in the log."""
        self.unlogged: int = 0
        """Number of changes since the last entry that are not logged, such as people connecting."""
        self.move_state: int = 0
        """The state in which the cards last changed. A move based on an older state is stale."""
        self.room_state: int = 0
        """The state in which the game or the seats last changed. The host can change neither from an older
        view."""
        self.removed: set[str] = set()
        """Ids of the people that the host has removed."""
        self.removed_places: set[str] = set()
        """Hashes of their addresses, at a table with one seat for each address."""
        self.agreed: set[int] = set()
        """The seats of people who want another game."""
        self.next_table: str = ""
        """The table of the next game; empty until it is open."""
        self.commands: dict[str, int] = {}
        """Commands that are in the log, with the state after each."""
        self.shuffling: SeedRound = SeedRound(
            self.bound_to,
            CUT if is_cut(self.rules) else 1,
            created.seed,
            allowed=frozenset() if created.day else None,
        )
        """The seeds of the next deal."""
        self._put_aside: dict[int, SeedRound] = {}
        """Open rounds for the first cards of games chosen earlier, by hand number."""
        self.fair: FairRound | None = None
        """The seeds of the hand in play."""
        self.dealt_to: list[str] = [""] * created.players
        """The players who were dealt this hand, by seat. Nobody else ever sees its cards."""
        self.voids: tuple[FairRound, ...] = ()
        """Void rounds of seeds before this hand."""
        self.cut: Cut | None = None
        self.cut_round: FairRound | None = None
        self.cut_voids: tuple[FairRound, ...] = ()
        self.went_out: list[int | None] = []
        """The seat that went out, by hand."""
        self.steps: list[log.Step] = []
        """All deals and moves."""
        self.taken_back: int = 0
        """Number of times that melds were taken back in this turn."""
        self.record_entries: list[RecordEntry] = []
        """Entries of the game's record."""
        self._chain = RecordChain(self.bound_to) if self.is_fair else None
        self.moves_of_hand: int = 0
        self.hand_events: Change = []
        """Events since the last deal."""
        self.laid: log.Laid | None = None
        """The layout of a practice table."""

    @classmethod
    def opened(cls, name: str, first: Entry) -> "Table":
        """Return the table whose log starts with this entry."""
        if not isinstance(first, Created):
            raise log.LogError("the log does not begin with the opening of the table")
        return cls(name, first)

    # -- status ----------------------------------------------------------------------------------------------

    @property
    def state(self) -> int:
        return self.length * PER_ENTRY + min(self.unlogged, PER_ENTRY - 1)

    @property
    def bound_to(self) -> str:
        """The name that the seeds of fair cards are bound to."""
        return log.day_name(self.created.day) if self.created.day else self.name

    @property
    def seed(self) -> str:
        """The seed of the match and its record. With fair cards, this is the name that the seeds are bound
        to."""
        return self.created.cards or self.bound_to

    @property
    def status(self) -> str:
        if self.match is None:
            return "waiting"
        # Practice ends with the hand.
        is_over = self.match.hand.over if self.created.practice else self.match.over
        return "over" if is_over else "playing"

    @property
    def chain(self) -> str:
        """The hash of the record so far; empty if the cards aren't fair."""
        return "" if self._chain is None else self._chain.value

    @property
    def is_fair(self) -> bool:
        """Whether the cards are dealt from seeds of the server and of the players."""
        return not self.created.cards and not self.created.practice

    @property
    def hand_is_over(self) -> bool:
        """Whether the table is between two hands."""
        return self.match is not None and self.match.hand.over and self.status != "over"

    @property
    def is_in_hand(self) -> bool:
        """Whether a hand is in play."""
        return self.match is not None and not self.match.hand.over

    @property
    def is_dealing(self) -> bool:
        """Whether a deal has been requested and its seeds are being collected."""
        return self.shuffling.asked

    @property
    def waits_after_cut(self) -> bool:
        """Whether the players have cut and are looking at the result before the first deal."""
        return self.cut is not None and self.match is None and not self.is_dealing

    @property
    def can_deal(self) -> bool:
        """Whether the next hand can be requested."""
        return (self.hand_is_over and not self.is_dealing) or self.waits_after_cut

    @property
    def to_act(self) -> int:
        """The seat that is to move; -1 for none."""
        return -1 if self.match is None or self.match.hand.over else self.match.hand.turn

    @property
    def current_turn(self) -> tuple[int, int]:
        """The number of the hand (0 before the first) and the seat that is to move (-1 for none)."""
        return (0 if self.match is None else self.match.hand_number, self.to_act)

    def goal_attempt(self, laid: log.Laid) -> GoalAttempt:
        """Return the progress of the player at a practice table."""
        assert self.match is not None
        return GoalAttempt(
            self.match, laid.seat, [part for part in self.hand_events if not isinstance(part, EventView)]
        )

    def viewing_seat(self, player: str) -> int | None:
        """Return the seat whose cards this player sees; `None` for a spectator.

        It is also `None` for a player who has left the seat or wasn't dealt cards there, so nobody sees two
        hands of one deal by changing seats.
        """
        seat = self.seat_of(player)
        if seat is None or self.chairs[seat].left:
            return None
        return seat if self.match is None or self.dealt_to[seat] == player else None

    def open_seats(self) -> list[int]:
        """Return the seats that anyone could take, including those of players who are away from a game in
        progress."""
        if self.status == "over" or self.created.day or self.created.practice:
            return []
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.newcomer is None and (not chair.player or (chair.away and self.match is not None))
        ]

    def header(self) -> Header:
        """Return the header of the record. Raises `ValueError` if no record can contain the seed."""
        return Header.of(self.rules, seed=self.seed, names=self.names)

    def record(self, *, whole: bool = False) -> str:
        """Return the record as text that can be replayed and verified; see `written`."""
        return self.written(whole=whole).text()

    def written(self, *, whole: bool = False) -> Record:
        """Return the record of all finished hands.

        The returned record no longer changes, so another thread can format it. whole: include the hand in
        play, which can reveal its cards.
        """
        ends = [at for at, entry in enumerate(self.record_entries) if isinstance(entry, HandEnds)]
        last = ends[-1] + 1 if ends else 0
        if whole or (self.match is not None and self.match.over):
            last = len(self.record_entries)
        record = Record(self.header(), self.record_entries[:last])
        if self.status != "over":
            record.note_left()
        return record

    def may_watch(self, player: str) -> bool:
        """Return whether this player may watch the table.

        At a table without spectators, only its players may, and before the first deal anyone who could still
        take a seat. So nobody can see cards first and then sit down.
        """
        if self.created.spectators or self.seat_of(player) is not None:
            return True
        return self.match is None and any(not chair.player for chair in self.chairs)

    def following_entries(self, entries: Sequence[Entry], is_awaited: Callable[[int], bool]) -> list[Entry]:
        """Return the entries that lead from these to the next cards: a closed list, a cut, a deal.

        `is_awaited` returns whether the table is still waiting for a seat's seed.
        """
        people = self.people if self.is_fair else []
        return following_entries(self.shuffling, entries, people, is_awaited)

    # -- the log ---------------------------------------------------------------------------------------------

    def apply(
        self, entries: Sequence[Entry], command: str | None = None, *, tried: TriedMove | None = None
    ) -> Change:
        """Apply log entries. The caller must have checked that the rules allow them.

        tried: the move among the entries, if it was tried on the current state.
        """
        change: Change = []
        for entry in entries:
            sat = [(chair.player, chair.level) for chair in self.chairs]
            made = self._apply(entry, tried)
            change += made
            if isinstance(entry, (log.FairDealt, log.Laid)):
                self.hand_events = []
            if self.match is not None and not isinstance(entry, log.Said):
                self.hand_events += made
                del self.hand_events[:-MOST_HAND_EVENTS]
            # A commitment is bound to a player: anyone who sits down or changes seats has to commit again.
            sit = [(chair.player, chair.level) for chair in self.chairs]
            seats = enumerate(zip_longest(sat, sit, fillvalue=("", "")))
            changed = [seat for seat, (before, after) in seats if before[0] != after[0]]
            self.shuffling = self.shuffling.without(changed)
            self._put_aside = {hand: one.without(changed) for hand, one in self._put_aside.items()}
            self.length += 1
            self.unlogged = 0
            if sit != sat or isinstance(entry, log.GameChanged):
                self.room_state = self.state
            if isinstance(entry, (log.FairDealt, log.Laid, log.Moved)):
                self.move_state = self.state
        if command is not None:
            self.commands[command] = self.state
        return change

    def _apply(self, entry: Entry, tried: TriedMove | None) -> Change:
        match entry:
            case log.Moved():
                return self._move(entry, tried)
            case log.FairDealt():
                return self._deal(entry)
            case log.Laid():
                return self._lay_out(entry)
            case log.SeatsCut():
                return self._cut(entry)
            case log.DealAsked() | log.Committed() | log.ListClosed() | log.Revealed() | log.RoundVoided():
                self.shuffling = self.shuffling.after(entry)
            case log.Seated(seat=seat):
                self.sit_down(seat, Person.of(entry))
                if self.is_in_hand:
                    # In logs from before `Joins`, people who sat down during a hand got its cards at once.
                    self.dealt_to[seat] = entry.player
                return [EventView(what="sat_down", seat=seat)]
            case log.Joins(seat=seat):
                self.promise(seat, Person.of(entry))
                return [EventView(what="will_join", seat=seat)]
            case log.Withdrew(seat=seat):
                self.chairs[seat].newcomer = None
                return [EventView(what="will_not_join", seat=seat)]
            case log.BotSeated(seat=seat, level=level, name=name):
                self.seat_bot(seat, level, name)
                return [EventView(what="sat_down" if level else "left", seat=seat)]
            case log.Removed():
                return self._remove(entry)
            case log.Faced(seat=seat, face=face):
                self.chairs[seat].face = face
            case log.WentAway(seat=seat, left=left):
                return self._go_away(seat, left=left)
            case log.CameBack(seat=seat):
                self.come_back(seat)
                return [EventView(what="came_back", seat=seat)]
            case log.Readied(seat=seat):
                self.chairs[seat].ready = True
            case log.Said(seat=seat, phrase=phrase):
                return [EventView(what="said", seat=seat, phrase=phrase)]
            case log.GameChanged():
                self._change_game(entry)
            case log.Arranged(seats=seats):
                self.chairs = rearranged(self.chairs, seats)
            case log.Agreed(seat=seat):
                self.agreed.add(seat)
            case log.Continued(table=following):
                self.next_table = following
            case Created():
                raise log.LogError("a table is opened twice")
        return []

    def _change_game(self, entry: log.GameChanged) -> None:
        """Switch to another game before any seed is revealed, so that nobody can choose cards by choosing a
        game.

        The server has one seed for each hand: switching back to an earlier game restores its seed round.
        """
        if self.match is not None or self.cut is not None or self.is_dealing:
            raise log.LogError("another game while one is played")
        self.created = msgspec.structs.replace(
            self.created,
            rules=entry.rules,
            version=entry.version,
            players=entry.players,
            options=entry.options,
        )
        self.rules = _rules_of(self.created)
        self.side_of = sides_of_seats(self.rules)
        self.chairs = resized(self.chairs, entry.players)
        self.dealt_to = [""] * entry.players
        first = CUT if is_cut(self.rules) else 1
        if first != self.shuffling.hand:
            self._put_aside[self.shuffling.hand] = self.shuffling
            self.shuffling = self._put_aside.pop(first, SeedRound(self.name, first, entry.seed))

    def _let_in(self) -> Change:
        """Give newcomers the seats promised to them, after a hand whose cards they never see."""
        change: Change = []
        for seat, chair in enumerate(self.chairs):
            new, chair.newcomer = chair.newcomer, None
            if new is not None and self.status != "over":
                self.chairs[seat] = Chair.of(new)
                change.append(EventView(what="sat_down", seat=seat))
        self.pass_host_on()
        return change

    def forget(self, player: str) -> None:
        """Erase the player's name, like `log.without_name`. A seat in a finished game stays taken."""
        log.forget_in(self.created, player)
        self.forget_name(player)

    def _go_away(self, seat: int, *, left: bool) -> Change:
        chair = self.chairs[seat]
        if left and self.match is None and self.cut is None and not self.is_dealing:
            self.chairs[seat] = Chair()
        else:
            chair.away, chair.left = True, left
            if left:
                self.agreed.discard(seat)
        self.pass_host_on()
        return [EventView(what="left", seat=seat)]

    def _remove(self, entry: log.Removed) -> Change:
        """Remove a player. During a game, the next entry seats a computer player."""
        chair = self.chairs[entry.seat]
        new = chair.newcomer
        if new is not None and new.player == entry.player:
            name, chair.newcomer = new.name, None
        else:
            name = self.names[entry.seat]
            self.chairs[entry.seat] = Chair(newcomer=new)
            self.agreed.discard(entry.seat)
        self.removed.add(entry.player)
        if entry.place and self.created.one_seat:
            self.removed_places.add(entry.place)
        self.pass_host_on()
        return [EventView(what="removed", seat=entry.seat, phrase=name)]

    def _cut(self, entry: log.SeatsCut) -> Change:
        """Seat everybody according to the cut. Computer players take the names of their new seats."""
        if self.match is not None or self.cut is not None:
            raise log.LogError("the players cut twice")
        fair = self._round()
        self.cut = (
            seeded_cut(self.rules, self.created.cards)
            if fair is None
            else cut_cards(self.rules, fair.cut_rng())
        )
        self.cut_round, self.cut_voids = fair, self.shuffling.voids
        self._note([*map(RoundVoid, self.shuffling.voids), *cut_entries(self.cut, fair)])
        following = self.shuffling.after(entry)
        self.shuffling = self._put_aside.pop(following.hand, following)
        self.chairs = rearranged(self.chairs, self.cut.seating.players)
        for chair in self.chairs:
            chair.ready = False
        cards = [[format_card(card) for card in self.cut.cards[at]] for at in self.cut.seating.players]
        return [EventView(what="cut", seat=seat, cards=own) for seat, own in enumerate(cards)]

    def _round(self) -> FairRound | None:
        """Return the seed round that the cards came from; `None` if the cards aren't fair."""
        if self.created.cards:
            return None
        fair = self.shuffling.fair_round()
        if not self.shuffling.closed or fair.unrevealed or not fair.holds:
            raise log.LogError("cards without all of their seeds")
        return fair

    def _deal(self, entry: log.FairDealt) -> Change:
        fair = self._round()
        dealer = None if self.cut is None or self.match is not None else self.cut.seating.dealer
        self.voids = self.shuffling.voids
        self._note(map(RoundVoid, self.voids))
        self.steps.append(
            log.FairStep(
                hand=self.shuffling.hand,
                number=self.shuffling.number,
                server_seed="" if fair is None else fair.server_seed,
                seeds={} if fair is None else {part.seat: part.seed for part in fair.parts},
                first_dealer=dealer,
                bound_to=self.bound_to if self.created.day else "",
            )
        )
        self.shuffling = self.shuffling.after(entry)
        return self._dealt(fair, dealer)

    def _dealt(self, fair: FairRound | None, first_dealer: int | None) -> Change:
        self.fair = fair
        if self.match is None:
            self.match = Match.new(self.rules, self.seed, fair=fair, first_dealer=first_dealer)
        else:
            self.match.deal_next(fair)
        for chair in self.chairs:
            chair.ready = False
        self.dealt_to = [chair.player for chair in self.chairs]
        match = self.match
        self.moves_of_hand = 0
        self._note([hand_starts(match.hand_number, fair)])
        return [EventView(what="dealt", seat=match.dealer, count=match.hand_number), *self._ending()]

    def _lay_out(self, entry: log.Laid) -> Change:
        step = log.LaidStep(position=entry.position)
        match = step.match()
        if self.match is not None or not self.created.practice or match.rules != self.rules:
            raise log.LogError("cards are laid out at a table that is not for it")
        self.match, self.laid = match, entry
        self.moves_of_hand = 0
        self.steps.append(step)
        self.dealt_to = [chair.player for chair in self.chairs]
        return self._ending()

    def _move(self, entry: log.Moved, tried: TriedMove | None) -> Change:
        match = self.match
        if match is None:
            raise log.LogError("a move before the first deal")
        tried = tried or match.try_move(parse_move(entry.move))
        move = tried.move
        turn = (match.hand_number, match.hand.state.turn)  # a question to the partner doesn't end it
        change: Change = [EventView(what="time_ran_out", seat=entry.seat)] if entry.by == "clock" else []
        if entry.hurried:
            change.append(EventView(what="hurried", seat=entry.seat))
        self.moves_of_hand += 1
        change.append(EventView(what=MOVE_STARTS, count=self.moves_of_hand))
        change += match.make(tried)
        if (match.hand_number, match.hand.state.turn) != turn or match.hand.over:
            self.taken_back = 0
        elif isinstance(move, Undo):
            self.taken_back += 1
        self.steps.append(entry.move)
        self._note(entries_after(match, entry.seat, move))
        return change + self._ending()

    def _note(self, entries: Iterable[RecordEntry]) -> None:
        """Append entries to the record and to its hash."""
        for entry in entries:
            self.record_entries.append(entry)
            if self._chain is not None:
                self._chain.extend(entry)

    def _ending(self) -> Change:
        match = self.match
        if match is None or not match.hand.over:
            return []
        self.went_out.append(match.hand.out)
        return [*self._let_in(), *([EventView(what="game_over")] if match.over else [])]
