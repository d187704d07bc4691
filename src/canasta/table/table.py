"""A table: its log tells who sits where and how the match stands. Whoever hosts one, on a server or in a
terminal, adds people, a place for the log, and clocks; the rules of a table are here and nowhere else.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from canasta.engine.cutting import Cut, cut_cards, is_cut, seeded_cut
from canasta.engine.fair import CUT, FairRound
from canasta.engine.match import Match
from canasta.engine.moves.types import Undo
from canasta.engine.play.deal import Fair
from canasta.engine.seating import sides_of_seats
from canasta.engine.shuffle import FairDeal
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
from canasta.notation.seat_names import SEAT_NAMES
from canasta.rules import Ruleset, resolve_ruleset
from canasta.table.chairs import Chair, Company, Person, rearranged, resized
from canasta.table.deals_and_moves import FairStep, LaidStep, Step
from canasta.table.due import Due, next_due
from canasta.table.frames import Change, Frames
from canasta.table.goals import Tried
from canasta.table.log import (
    Agreed,
    Arranged,
    BotSeated,
    CameBack,
    Committed,
    Continued,
    Created,
    DealAsked,
    Dealt,
    Entry,
    Faced,
    FairDealt,
    GameChanged,
    Joins,
    Laid,
    ListClosed,
    Moved,
    NewerRules,
    Readied,
    Revealed,
    RoundVoided,
    Said,
    Seated,
    SeatsCut,
    Seeded,
    WentAway,
    Withdrew,
    WrongLog,
    day_name,
    forget_in,
)
from canasta.table.orders import checked, not_now, orders_of, start_entries
from canasta.table.shuffling import Shuffling, what_follows
from canasta.table.wire import Checked, ClockView, Happened, WhyNot
from canasta.table.wire_commands import AnyCommand, CheckMove

PER_ENTRY: Final = 1000
"""A state is numbered by the length of the log times this; what is not logged counts in between. So the
numbers are the same after a restart, and still rise with everything that happens."""

MOST_TOLD: Final = 2000
"""Of one hand, for who comes to the table in the middle of it; the longest hands have a third of that."""


def _rules_of(created: Created) -> Ruleset:
    rules = resolve_ruleset(created.rules, created.players, created.options, version=created.version)
    if created.version > rules.version:
        raise NewerRules(f"version {created.version} of {created.rules}, and here is {rules.version}")
    return rules


class Table(Company):
    """One table."""

    def __init__(self, name: str, created: Created) -> None:
        self.name: str = name
        self.created: Created = created
        self.rules: Ruleset = _rules_of(created)
        self.side_of: list[int] = sides_of_seats(self.rules)
        super().__init__(created.players)
        self.match: Match | None = None
        self.length: int = 1
        """Entries of the log so far."""
        self.unlogged: int = 0
        """What has happened since the last entry and is in no log: people connecting and the like."""
        self.move_state: int = 0
        """The state in which the cards last changed: a move in view of an older one is stale."""
        self.room_state: int = 0
        """The state in which the game, or who sits where, last changed: the host may change them in view of
        no older one."""
        self.agreed: set[int] = set()
        """The seats of people who want another game."""
        self.next_table: str = ""
        """Where they go on; empty while that is open."""
        self.commands: dict[str, int] = {}
        """Commands that are in the log, with the state after each."""
        self.shuffling: Shuffling = Shuffling(
            self.bound_to,
            CUT if is_cut(self.rules) else 1,
            created.seed,
            allowed=frozenset() if created.day else None,
        )
        """The seeds of the next deal."""
        self._put_aside: dict[int, Shuffling] = {}
        """Rounds of the first cards of other games that were chosen before, by hand: what was committed to
        for a hand is not committed to anew."""
        self.fair: Fair | None = None
        """Of the hand in play."""
        self.dealt_to: list[str] = [""] * created.players
        """Who was given the cards of this hand, by seat; nobody else ever sees them."""
        self.voids: tuple[FairRound, ...] = ()
        """Rounds of seeds that came to nothing before it."""
        self.cut: Cut | None = None
        self.cut_round: FairRound | None = None
        self.went_out: list[int | None] = []
        """Who went out, by hand."""
        self.steps: list[Step] = []
        """All deals and moves."""
        self.taken_back: int = 0
        """Times that melds were taken back in this turn."""
        self.noted: list[RecordEntry] = []
        """What a record says of it all."""
        self.told: Change = []
        """What has happened since the last deal."""
        self.laid: Laid | None = None
        """Where the cards were laid out for practice."""

    @classmethod
    def opened(cls, name: str, first: Entry) -> "Table":
        """The table whose log begins with this entry."""
        if not isinstance(first, Created):
            raise WrongLog("the log does not begin with the opening of the table")
        return cls(name, first)

    # -- what is there ---------------------------------------------------------------------------------------

    @property
    def state(self) -> int:
        return self.length * PER_ENTRY + min(self.unlogged, PER_ENTRY - 1)

    @property
    def bound_to(self) -> str:
        """The name that the seeds of fair cards are bound to."""
        return day_name(self.created.day) if self.created.day else self.name

    @property
    def seed(self) -> str:
        """Of the match and its record: where the cards are fair, the name that their seeds are bound to."""
        return self.created.cards or self.bound_to

    @property
    def status(self) -> str:
        if self.match is None:
            return "waiting"
        # Practice ends with the hand.
        is_over = self.match.hand.over if self.created.practice else self.match.over
        return "over" if is_over else "playing"

    @property
    def is_fair(self) -> bool:
        """The cards are dealt from seeds of the server and of the players."""
        return not self.created.cards and not self.created.practice

    @property
    def hand_is_over(self) -> bool:
        """Between two hands."""
        return self.match is not None and self.match.hand.over and self.status != "over"

    @property
    def is_in_hand(self) -> bool:
        """Cards are dealt and the hand is not over."""
        return self.match is not None and not self.match.hand.over

    @property
    def is_dealing(self) -> bool:
        """The cards are wanted, and the seeds for them are being collected."""
        return self.shuffling.asked

    @property
    def waits_after_cut(self) -> bool:
        """The players have cut, and look at it before the first deal."""
        return self.cut is not None and self.match is None and not self.is_dealing

    @property
    def can_deal(self) -> bool:
        """The next hand can be asked for."""
        return (self.hand_is_over and not self.is_dealing) or self.waits_after_cut

    @property
    def to_act(self) -> int:
        """The seat whose move it is; -1 for none."""
        return -1 if self.match is None or self.match.hand.over else self.match.hand.turn

    def tried(self, laid: Laid) -> Tried:
        """What the person at a table for practice has done so far."""
        assert self.match is not None
        return Tried(self.match, laid.seat, [part for part in self.told if not isinstance(part, Happened)])

    def viewing_seat(self, player: str) -> int | None:
        """The seat whose cards this person sees: none once they have left it, and none before they were dealt
        some. So nobody sees two hands of one deal, whatever seats they take and leave."""
        seat = self.seat_of(player)
        if seat is None or self.chairs[seat].left:
            return None
        return seat if self.match is None or self.dealt_to[seat] == player else None

    def open_seats(self) -> list[int]:
        """Seats that somebody could take. In a game also those of people who are away: theirs until the hand
        is over."""
        if self.status == "over" or self.created.day or self.created.practice:
            return []
        return [
            seat
            for seat, chair in enumerate(self.chairs)
            if chair.newcomer is None and (not chair.player or (chair.away and self.match is not None))
        ]

    def header(self) -> Header:
        """Of its record. Raises `ValueError` where no record can hold the text that the cards follow from."""
        return Header.of(self.rules, seed=self.seed, names=self.names)

    def record(self, *, whole: bool = False) -> str:
        """`written`, as a text that can be replayed and verified."""
        return self.written(whole=whole).text()

    def written(self, *, whole: bool = False) -> Record:
        """The hands that are over; `whole`: the hand in play, too, with all that could be known of its
        cards. It changes no more, so that its text can be made elsewhere while the table plays on."""
        ends = [at for at, entry in enumerate(self.noted) if isinstance(entry, HandEnds)]
        last = ends[-1] + 1 if ends else 0
        if whole or (self.match is not None and self.match.over):
            last = len(self.noted)
        record = Record(self.header(), self.noted[:last])
        if self.status != "over":
            record.note_left()
        return record

    # -- what people see and want ----------------------------------------------------------------------------

    def frames(
        self,
        change: Change,
        *,
        present: Collection[int],
        watching: int = 0,
        clock: ClockView | None = None,
        same_address: Collection[int] = (),
    ) -> Frames:
        """The table as it is now, for whoever looks at it; `change` is what led there."""
        return Frames(
            self, change, present=present, watching=watching, clock=clock, same_address=same_address
        )

    def may_look(self, player: str) -> bool:
        """Spectators where the table wants them, players always, and before the first deal whoever could
        still sit down: after it nobody can look first and then sit."""
        if self.created.spectators or self.seat_of(player) is not None:
            return True
        return self.match is None and any(not chair.player for chair in self.chairs)

    def order(
        self,
        who: Person,
        command: AnyCommand,
        *,
        present: Collection[int] = (),
        places: Mapping[int, Collection[str]] | None = None,
        owners: Mapping[str, str] | None = None,
    ) -> list[Entry]:
        """What the log has to say for this command; nothing where it is so already. `present` are the seats
        whose people are connected, `places` by seat where its people come from, `owners` to whom the names
        belong (see `names_to_look_up`). Raises `NotNow`."""
        return orders_of(self, who, command, present, places or {}, owners or {})

    def why_no_hint(self) -> WhyNot | None:
        """While a deal of the day counts, everybody plays it alone."""
        is_counted = self.created.counts and self.is_in_hand
        return not_now("DAY_WITHOUT_HINTS").why if is_counted else None

    def check(self, player: str, command: CheckMove) -> Checked:
        """Why this person may not make this move now, or what would lie there then."""
        return checked(self, self.viewing_seat(player), command)

    # -- what comes next -------------------------------------------------------------------------------------

    def next_due(self, present: Collection[int], *, out_of_time: bool = False) -> Due | None:
        """What the table waits for."""
        return next_due(self, present, out_of_time=out_of_time)

    def deal(self) -> list[Entry]:
        """What the log says when the next cards are wanted."""
        return start_entries(self)

    def what_follows(self, entries: Sequence[Entry], is_awaited: Callable[[int], bool]) -> list[Entry]:
        """What the log says for the cards after these entries: a closed list, a cut, a deal. `is_awaited`
        tells whether somebody's seed is still waited for, by seat."""
        people = self.people if self.is_fair else []
        return what_follows(self.shuffling, entries, people, is_awaited)

    # -- the log ---------------------------------------------------------------------------------------------

    def apply(self, entries: Sequence[Entry], command: str | None = None) -> Change:
        """Take over what the log says; the caller has checked that the rules allow it."""
        change: Change = []
        for entry in entries:
            sat = [(chair.player, chair.level) for chair in self.chairs]
            made = self._apply(entry)
            change += made
            if isinstance(entry, (Dealt, FairDealt, Laid)):
                self.told = []
            if self.match is not None and not isinstance(entry, Said):
                self.told += made
                del self.told[:-MOST_TOLD]
            # A commitment is its owner's: who sits down there, or moves, commits anew.
            sit = [(chair.player, chair.level) for chair in self.chairs]
            seats = enumerate(zip_longest(sat, sit, fillvalue=("", "")))
            changed = [seat for seat, (before, after) in seats if before[0] != after[0]]
            self.shuffling = self.shuffling.without(changed)
            self._put_aside = {hand: one.without(changed) for hand, one in self._put_aside.items()}
            self.length += 1
            self.unlogged = 0
            if sit != sat or isinstance(entry, GameChanged):
                self.room_state = self.state
            if isinstance(entry, (Dealt, FairDealt, Laid, Moved)):
                self.move_state = self.state
        if command is not None:
            self.commands[command] = self.state
        return change

    def _apply(self, entry: Entry) -> Change:
        match entry:
            case Moved():
                return self._move(entry)
            case Dealt():
                return self._deal_by_version_1(entry)
            case FairDealt():
                return self._deal(entry)
            case Laid():
                return self._lay_out(entry)
            case SeatsCut():
                return self._cut(entry)
            case DealAsked() | Committed() | ListClosed() | Revealed() | RoundVoided():
                self.shuffling = self.shuffling.after(entry)
            case Seated():
                return self._seat(entry)
            case Joins():
                return self._promise(entry)
            case Withdrew(seat=seat):
                self.chairs[seat].newcomer = None
                return [Happened(what="will_not_join", seat=seat)]
            case BotSeated(seat=seat, level=level, name=name):
                self.chairs[seat] = Chair(
                    name=(name or SEAT_NAMES[len(self.chairs)][seat]) if level else "",
                    level=level,
                    newcomer=self.chairs[seat].newcomer,
                )
                self.pass_host_on()
                return [Happened(what="sat_down" if level else "left", seat=seat)]
            case Faced(seat=seat, face=face):
                self.chairs[seat].face = face
            case WentAway(seat=seat, left=left):
                return self._go_away(seat, left=left)
            case CameBack(seat=seat):
                self.chairs[seat].away = self.chairs[seat].left = False
                self.chairs[seat].newcomer = None
                self.pass_host_on()
                return [Happened(what="came_back", seat=seat)]
            case Seeded():
                pass  # the deal of version 1 tells all seeds once more
            case Readied(seat=seat):
                self.chairs[seat].ready = True
            case Said(seat=seat, phrase=phrase):
                return [Happened(what="said", seat=seat, phrase=phrase)]
            case GameChanged():
                self._change_game(entry)
            case Arranged(seats=seats):
                self.chairs = rearranged(self.chairs, seats)
            case Agreed(seat=seat):
                self.agreed.add(seat)
            case Continued(table=following):
                self.next_table = following
            case Created():
                raise WrongLog("a table is opened twice")
        return []

    def _change_game(self, entry: GameChanged) -> None:
        """Nobody has shown a seed yet, so no choice of a game is a choice of cards. Each hand has one seed of
        the server's: who comes back to a game finds its round as it was."""
        if self.match is not None or self.cut is not None or self.is_dealing:
            raise WrongLog("another game while one is played")
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
            self.shuffling = self._put_aside.pop(first, Shuffling(self.name, first, entry.seed))

    def _seat(self, entry: Seated) -> Change:
        before = self.seat_of(entry.player)
        face = ""
        if before is not None:
            face = self.chairs[before].face
            self.chairs[before] = Chair()
        self.chairs[entry.seat] = Chair.of(Person.of(entry))
        self.chairs[entry.seat].face = face
        if self.is_in_hand:
            # Only logs from before there were newcomers: whoever sat down had the cards at once.
            self.dealt_to[entry.seat] = entry.player
        self.pass_host_on()
        return [Happened(what="sat_down", seat=entry.seat)]

    def _promise(self, entry: Joins) -> Change:
        before = self.joining_seat(entry.player)
        if before is not None:
            self.chairs[before].newcomer = None
        self.chairs[entry.seat].newcomer = Person.of(entry)
        return [Happened(what="will_join", seat=entry.seat)]

    def _let_in(self) -> Change:
        """The hand is over: newcomers have their seats. They were dealt nothing and see nothing yet."""
        change: Change = []
        for seat, chair in enumerate(self.chairs):
            new, chair.newcomer = chair.newcomer, None
            if new is not None and self.status != "over":
                self.chairs[seat] = Chair.of(new)
                change.append(Happened(what="sat_down", seat=seat))
        self.pass_host_on()
        return change

    def forget(self, player: str) -> None:
        """Without a name, as the log has it after `write_anew`; a seat of a game that is over stays taken."""
        forget_in(self.created, player)
        for chair in self.chairs:
            if chair.player == player:
                chair.name, chair.account, chair.place = "", False, ""

    def _go_away(self, seat: int, *, left: bool) -> Change:
        chair = self.chairs[seat]
        if left and self.match is None and self.cut is None and not self.is_dealing:
            self.chairs[seat] = Chair()
        else:
            chair.away, chair.left = True, left
            if left:
                self.agreed.discard(seat)
        self.pass_host_on()
        return [Happened(what="left", seat=seat)]

    def _cut(self, entry: SeatsCut) -> Change:
        """Everybody sits down where the cut says; computer players have the names of their seats."""
        if self.match is not None or self.cut is not None:
            raise WrongLog("the players cut twice")
        fair = self._round()
        self.cut = (
            seeded_cut(self.rules, self.created.cards)
            if fair is None
            else cut_cards(self.rules, fair.cut_rng())
        )
        self.cut_round = fair
        self.noted += [*map(RoundVoid, self.shuffling.voids), *cut_entries(self.cut, fair)]
        following = self.shuffling.after(entry)
        self.shuffling = self._put_aside.pop(following.hand, following)
        self.chairs = rearranged(self.chairs, self.cut.seating.players)
        for chair in self.chairs:
            chair.ready = False
        cards = [[format_card(card) for card in self.cut.cards[at]] for at in self.cut.seating.players]
        return [Happened(what="cut", seat=seat, cards=own) for seat, own in enumerate(cards)]

    def _round(self) -> FairRound | None:
        """The seeds of the cards, all of them; None where they are not fair."""
        if self.created.cards:
            return None
        fair = self.shuffling.fair_round()
        if not self.shuffling.closed or fair.unrevealed or not fair.holds:
            raise WrongLog("cards without all of their seeds")
        return fair

    def _deal(self, entry: FairDealt) -> Change:
        fair = self._round()
        dealer = None if self.cut is None or self.match is not None else self.cut.seating.dealer
        self.voids = self.shuffling.voids
        self.noted.extend(map(RoundVoid, self.voids))
        self.steps.append(
            FairStep(
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

    def _deal_by_version_1(self, entry: Dealt) -> Change:
        fair = FairDeal(self.shuffling.server_seed, tuple(entry.player_seeds))
        self.steps.append((fair.server_seed, fair.player_seeds))
        hand = 1 if self.match is None else self.match.hand_number + 1
        self.shuffling = Shuffling(self.name, hand + 1, entry.next_seed)
        return self._dealt(fair, None)

    def _dealt(self, fair: Fair | None, first_dealer: int | None) -> Change:
        self.fair = fair
        if self.match is None:
            self.match = Match.new(self.rules, self.seed, fair=fair, first_dealer=first_dealer)
        else:
            self.match.deal_next(fair)
        for chair in self.chairs:
            chair.ready = False
        self.dealt_to = [chair.player for chair in self.chairs]
        match = self.match
        self.noted.append(hand_starts(match.hand_number, fair))
        return [Happened(what="dealt", seat=match.dealer, count=match.hand_number), *self._ending()]

    def _lay_out(self, entry: Laid) -> Change:
        step = LaidStep(position=entry.position)
        match = step.match()
        if self.match is not None or not self.created.practice or match.rules != self.rules:
            raise WrongLog("cards are laid out at a table that is not for it")
        self.match, self.laid = match, entry
        self.steps.append(step)
        self.dealt_to = [chair.player for chair in self.chairs]
        return self._ending()

    def _move(self, entry: Moved) -> Change:
        match = self.match
        if match is None:
            raise WrongLog("a move before the first deal")
        move = parse_move(entry.move)
        turn = (match.hand_number, match.hand.state.turn)
        change: Change = [Happened(what="time_ran_out", seat=entry.seat)] if entry.by == "clock" else []
        if entry.hurried:
            change.append(Happened(what="hurried", seat=entry.seat))
        change += match.apply(move)
        if (match.hand_number, match.hand.state.turn) != turn or match.hand.over:
            self.taken_back = 0
        elif isinstance(move, Undo):
            self.taken_back += 1
        self.steps.append(entry.move)
        self.noted += entries_after(match, entry.seat, move)
        return change + self._ending()

    def _ending(self) -> Change:
        match = self.match
        if match is None or not match.hand.over:
            return []
        self.went_out.append(match.hand.out)
        return [*self._let_in(), *([Happened(what="game_over")] if match.over else [])]
