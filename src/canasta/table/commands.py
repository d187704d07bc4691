"""Player commands, checked and translated into log entries or refused. Nothing here changes a table."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from canasta.engine.fairness import is_seed
from canasta.engine.hand import TriedMove
from canasta.engine.law import reasons
from canasta.engine.moves.refusals import RefusedMove, refuse
from canasta.engine.moves.types import Move, Undo
from canasta.errors import CanastaError, InputError
from canasta.i18n import Facts
from canasta.notation.errors import NotationError
from canasta.notation.moves import parse_move
from canasta.rules import RulesetError, resolve_ruleset
from canasta.table import log
from canasta.table.errors import why_not, why_not_here
from canasta.table.log import Entry
from canasta.table.names import LONGEST_NAME, clean_name, is_guest_name, is_reserved, name_key, name_keys
from canasta.table.next_action import all_ready
from canasta.table.rematch import rematch_entries
from canasta.table.seats import FACES, LEVELS, STAND_IN, Person, name_for
from canasta.table.seed_rounds import new_seed
from canasta.table.table import Table
from canasta.table.views import melds_after
from canasta.table.wire import PHRASES, Checked, WhyNot
from canasta.table.wire_commands import (
    AnyCommand,
    ArrangeSeats,
    ChangeGame,
    CheckMove,
    CommitSeed,
    LeaveSeat,
    MakeMove,
    NextHand,
    PlayAgain,
    RemovePlayer,
    RevealSeed,
    Say,
    SeatBot,
    StartGame,
    TakeSeat,
)

MOST_TAKEN_BACK: Final = 20
"""Maximum number of undone melds per turn. Without it a player could meld and undo forever, and each undo is
logged."""


class CommandError(CanastaError):
    """A command that the table refuses."""

    def __init__(self, why: WhyNot, *, stale: bool = False) -> None:
        super().__init__(why.message)
        self.why = why
        self.stale = stale


def not_now(
    reason: str, facts: Facts | None = None, *, clause: str = "", stale: bool = False
) -> CommandError:
    """Return a refusal by the table rather than by the rules of the game."""
    return CommandError(why_not_here(reason, facts, clause=clause), stale=stale)


class Proposal(NamedTuple):
    """The log entries for a command, not yet written; empty if the command changes nothing."""

    entries: list[Entry]
    move: TriedMove | None = None
    """The move among the entries."""


def propose(
    table: Table,
    who: Person,
    command: AnyCommand,
    *,
    present: Collection[int] = (),
    places: Mapping[int, Collection[str]] | None = None,
    owners: Mapping[str, str] | None = None,
) -> Proposal:
    """Return the log entries for a command. Raise `CommandError`.

    present: seats whose players are connected. places: hashes of their addresses by seat. owners: the owners
    of the names that `names_to_look_up` returns.
    """
    if isinstance(command, MakeMove):
        return _move(table, who.player, command)
    if isinstance(command, TakeSeat):
        return Proposal(_sit(table, who, command, places or {}, owners or {}))
    return Proposal(_entries_of(table, who.player, command, present))


def _entries_of(table: Table, player: str, command: AnyCommand, present: Collection[int]) -> list[Entry]:
    if table.created.day and isinstance(command, (SeatBot, PlayAgain)):
        raise not_now("DAY_AS_IT_IS")  # everybody plays against the same opponents, once
    match command:
        case LeaveSeat():
            joining = table.joining_seat(player)
            if joining is not None:
                return [log.Withdrew(seat=joining)]
            seat = _own_seat(table, player, even_left=True)
            if table.created.day:
                return []  # nobody else may finish a deal of the day
            leaves: list[Entry] = [] if table.chairs[seat].left else [log.WentAway(seat=seat, left=True)]
            return [*leaves, *rematch_entries(table, leaves)]
        case SeatBot():
            return _seat_bot(table, player, command, present)
        case RemovePlayer():
            return _remove(table, player, command)
        case ChangeGame():
            return _change_game(table, player, command)
        case ArrangeSeats():
            return _arrange(table, player, command)
        case StartGame():
            return _start(table, player)
        case NextHand():
            return _next(table, player, present)
        case PlayAgain():
            return _again(table, player, command)
        case Say(phrase=phrase):
            if phrase not in PHRASES:
                raise not_now("NO_SUCH_PHRASE", {"choices": ", ".join(PHRASES)})
            return [log.Said(seat=_own_seat(table, player), phrase=phrase)]
        case CommitSeed():
            return _commit_seed(table, player, command)
        case RevealSeed():
            return _reveal_seed(table, player, command)
    return []


# -- moves ---------------------------------------------------------------------------------------------------


def _move(table: Table, player: str, command: MakeMove) -> Proposal:
    seat = _own_seat(table, player)
    if command.state < table.move_state:
        raise not_now("STALE", stale=True)
    tried = _try_move(table, seat, read_move(command.move))
    if isinstance(tried.move, Undo) and table.taken_back >= MOST_TAKEN_BACK:
        raise not_now("TOO_OFTEN", {"count": MOST_TAKEN_BACK})
    return Proposal([log.Moved(seat=seat, move=str(tried.move))], tried)


def read_move(text: str) -> Move:
    """Parse a move. Raises `CommandError` if it can't be read."""
    try:
        return parse_move(text)
    except NotationError as error:
        raise CommandError(why_not(refuse(reasons.UNREADABLE, error.facts))) from None


def check_move(table: Table, player: str, command: CheckMove) -> Checked:
    """Return why this player may not make this move now, or the melds as they would be after it."""
    seat = table.viewing_seat(player)
    if seat is None:
        return Checked(id=command.id, why=not_now("WATCHING").why)
    try:
        tried = _try_move(table, seat, read_move(command.move))
    except CommandError as refusal:
        return Checked(id=command.id, why=refusal.why)
    return Checked(id=command.id, why=None, melds=melds_after(tried))


def _try_move(table: Table, seat: int, move: Move) -> TriedMove:
    """Try a move for this seat. Raise `CommandError`.

    Fast enough for the server's event loop: the engine limits the search, whatever the house rules are.
    """
    match = table.match
    if match is None:
        raise not_now("NOT_STARTED")
    if match.hand.over:
        raise CommandError(why_not(refuse(reasons.HAND_IS_OVER)))
    if match.hand.turn != seat:
        raise not_now("NOT_YOUR_TURN", {"name": table.names[match.hand.turn]}, clause="TURN-1")
    try:
        return match.try_move(move)
    except RefusedMove as refused:
        raise CommandError(why_not(refused.refusal)) from None


def why_no_hint(table: Table) -> WhyNot | None:
    """Return why hints are refused, or `None`. A ranked deal of the day is played without help."""
    is_counted = table.created.counts and table.is_in_hand
    return not_now("DAY_WITHOUT_HINTS").why if is_counted else None


# -- seats ---------------------------------------------------------------------------------------------------


def _own_seat(table: Table, player: str, *, even_left: bool = False) -> int:
    seat = table.seat_of(player)
    if seat is None:
        raise not_now("WATCHING")
    if table.chairs[seat].left and not even_left:
        raise not_now("LEFT")
    return seat


def _sit(
    table: Table,
    who: Person,
    command: TakeSeat,
    places: Mapping[int, Collection[str]],
    owners: Mapping[str, str],
) -> list[Entry]:
    player = who.player
    if not player:
        raise not_now("NO_NAME")
    name = _name_wanted(who, command)
    if player in table.removed or who.place in table.removed_places:
        raise not_now("REMOVED")
    own = table.seat_of(player)
    if own is not None and command.seat in (None, own):
        entries: list[Entry] = []
        if command.name is not None and table.match is None:
            entries.append(_named(table, who, name, owners).sits(own))
        elif table.chairs[own].away:
            entries.append(log.CameBack(seat=own))
        if command.face in FACES and command.face != table.chairs[own].face:
            entries.append(log.Faced(seat=own, face=command.face))
        return entries
    if own is not None and table.match is not None:
        raise not_now("SEATED")
    _must_not_be_dealing(table)
    if own is not None and table.cut is not None:
        raise not_now("SEATED")
    if table.status == "over":
        raise not_now("GAME_OVER")
    joining = table.joining_seat(player)
    if joining is not None and command.seat in (None, joining):
        return []
    seat = _seat_to_take(table, command.seat)
    mine = (seat, own, joining)
    if table.created.one_seat and any(who.place in shared for at, shared in places.items() if at not in mine):
        raise not_now("SAME_ADDRESS")
    named = _named(table, who, name, owners)
    if table.is_in_hand:
        return [named.joins(seat)]
    wears = table.chairs[own].face if own is not None else ""
    chosen = command.face if command.face in FACES and command.face != wears else ""
    return [named.sits(seat), *([log.Faced(seat=seat, face=chosen)] if chosen else [])]


def _must_not_be_dealing(table: Table) -> None:
    """Refuse while the seeds for the first cards are being collected. Before that, anyone can take a seat."""
    if table.match is None and table.is_dealing:
        raise not_now("DEALING", stale=True)


def _seat_to_take(table: Table, wanted: int | None) -> int:
    open_seats = table.open_seats()
    if wanted is None:
        if not open_seats:
            raise not_now("FULL")
        chairs = table.chairs
        return min(open_seats, key=lambda seat: (not chairs[seat].is_free, bool(chairs[seat].player)))
    if not 0 <= wanted < len(table.chairs):
        raise not_now("NO_SUCH_SEAT", {"most": len(table.chairs) - 1})
    if wanted not in open_seats:
        chair = table.chairs[wanted]
        if chair.newcomer is not None:
            raise not_now("TAKEN_NEXT", {"name": chair.newcomer.name})
        raise not_now("TAKEN", {"name": chair.name})
    return wanted


def _name_wanted(who: Person, command: TakeSeat) -> str:
    if command.name is None:
        return who.name
    try:
        name = clean_name(command.name)
    except InputError as problem:
        if problem.message.key == "NAME_MIXED":
            raise not_now("NAME_MIXED") from None
        raise not_now("BAD_NAME", {"most": LONGEST_NAME}) from None
    if name != who.name and is_reserved(name) and (who.account or not is_guest_name(name)):
        raise not_now("NAME_RESERVED", {"name": name})
    return name


def _names_here(table: Table, name: str) -> list[str]:
    """Return the names to try, in order, for a player who asks for `name` at this table."""
    return [name, *(f"{name} {number}" for number in range(2, 2 * len(table.chairs) + 2))]


def names_to_look_up(table: Table, who: Person, command: AnyCommand) -> set[str]:
    """Return the keys of all names that this command could give a player. `propose` needs to know who owns
    them.

    Raises `CommandError`.
    """
    if not isinstance(command, TakeSeat):
        return set()
    name = _name_wanted(who, command)
    return {key for tried in _names_here(table, name) for key in name_keys(tried)}


def _named(table: Table, who: Person, name: str, owners: Mapping[str, str]) -> Person:
    """Return the player with this name, numbered if it belongs to someone else or looks like another name at
    this table."""
    owned = {key for key, owner in owners.items() if owner != who.player}
    if owners.get(name_key(name)) == who.player:
        owned -= name_keys(name)  # the owner of a name may keep it
    if not name_keys(name).isdisjoint(owned):
        raise not_now("NAME_OWNED", {"name": name})
    people = [person for chair in table.chairs for person in (chair, chair.newcomer) if person is not None]
    for person in people:
        if person.player != who.player:
            owned |= name_keys(person.name)
    free = next(tried for tried in _names_here(table, name) if name_keys(tried).isdisjoint(owned))
    return replace(who, name=free, account=not name_keys(name).isdisjoint(owners))


def entries_for_deletion(table: Table, player: str) -> list[Entry]:
    """Return the entries for a player who deletes their account. A computer player takes their seat in a game
    in progress."""
    seat, joining = table.seat_of(player), table.joining_seat(player)
    entries: list[Entry] = [] if joining is None else [log.Withdrew(seat=joining)]
    if seat is not None and table.status != "over":
        level = "" if table.match is None else table.created.level or STAND_IN
        entries.append(_bot(table, seat, level))
    elif seat is not None and not table.chairs[seat].left:
        entries.append(log.WentAway(seat=seat, left=True))
    return [*entries, *rematch_entries(table, entries)]


def _must_be_host(table: Table, player: str) -> None:
    if table.host != player or not player:
        raise not_now("NOT_HOST")


def _seat_bot(table: Table, player: str, command: SeatBot, present: Collection[int]) -> list[Entry]:
    _must_be_host(table, player)
    seat, level = command.seat, command.level
    if not 0 <= seat < len(table.chairs):
        raise not_now("NO_SUCH_SEAT", {"most": len(table.chairs) - 1})
    if level and level not in LEVELS:
        raise not_now("NO_SUCH_LEVEL", {"choices": ", ".join(LEVELS)})
    _must_not_be_dealing(table)
    chair = table.chairs[seat]
    if chair.player == player:
        raise not_now("OWN_SEAT")
    if chair.player and not chair.away and (seat in present or table.match is not None):
        raise not_now("STILL_THERE", {"name": chair.name})
    if chair.player and table.is_in_hand:
        raise not_now("KEPT", {"name": chair.name})
    if not level and table.match is not None:
        raise not_now("PLAYING")
    if chair.level == level and not chair.player:
        return []
    return [_bot(table, seat, level)]


def _remove(table: Table, player: str, command: RemovePlayer) -> list[Entry]:
    _must_be_host(table, player)
    seat = command.seat
    if not 0 <= seat < len(table.chairs):
        raise not_now("NO_SUCH_SEAT", {"most": len(table.chairs) - 1})
    if table.status == "over":
        raise not_now("GAME_OVER")
    if table.is_dealing:
        raise not_now("DEALING", stale=True)
    if command.state < table.room_state:
        raise not_now("STALE", stale=True)
    chair = table.chairs[seat]
    person = chair.newcomer if chair.newcomer is not None else Person.of(chair)
    if person.player == player:
        raise not_now("OWN_SEAT")
    if not person.player:
        raise not_now("NOBODY_THERE")
    removed = log.Removed(seat=seat, player=person.player, place=person.place)
    if chair.newcomer is not None or (table.match is None and table.cut is None):
        return [removed]
    return [removed, _bot(table, seat, table.created.level or STAND_IN)]


def _bot(table: Table, seat: int, level: str, also: Collection[log.BotSeated] = ()) -> log.BotSeated:
    """Return a computer player of this level with a free name; `also` are those seated at the same time."""
    taken = [name for at, name in enumerate(table.names) if at != seat]
    return log.BotSeated(seat=seat, level=level, name=name_for(level, [*taken, *(bot.name for bot in also)]))


# -- the room before the game -------------------------------------------------------------------------------


def _must_wait(table: Table, state: int) -> None:
    """Refuse if the game or the seats can no longer be changed, or have changed since the state that the host
    saw."""
    if table.match is not None or table.cut is not None:
        raise not_now("STARTED")
    _must_not_be_dealing(table)
    if state < table.room_state:
        raise not_now("STALE", stale=True)


def _change_game(table: Table, player: str, command: ChangeGame) -> list[Entry]:
    _must_be_host(table, player)
    _must_wait(table, command.state)
    try:
        rules = resolve_ruleset(command.rules, command.players, command.options)
    except RulesetError:
        raise not_now("BAD_RULES") from None
    seats = rules.seats.players
    people = sum(bool(chair.player) for chair in table.chairs)
    if people > seats:
        raise not_now("MANY_PEOPLE", {"count": people, "most": seats})
    if rules == table.rules:
        return []
    return [
        log.GameChanged(
            rules=command.rules,
            version=rules.version,
            players=seats,
            options=command.options,
            seed=new_seed(),
        )
    ]


def _arrange(table: Table, player: str, command: ArrangeSeats) -> list[Entry]:
    _must_be_host(table, player)
    _must_wait(table, command.state)
    every = list(range(len(table.chairs)))
    if sorted(command.seats) != every:
        raise not_now("BAD_SEATS", {"most": len(every) - 1})
    return [] if command.seats == every else [log.Arranged(seats=command.seats)]


def _again(table: Table, player: str, command: PlayAgain) -> list[Entry]:
    seat = _own_seat(table, player)
    if table.created.practice:
        raise not_now("LAID_OUT")
    if table.status != "over":
        raise not_now("NOT_OVER")
    if table.next_table:
        return []
    agrees: list[Entry] = [] if seat in table.agreed else [log.Agreed(seat=seat)]
    return [*agrees, *rematch_entries(table, agrees, at_once=command.now)]


# -- hands ---------------------------------------------------------------------------------------------------


def _start(table: Table, player: str) -> list[Entry]:
    _must_be_host(table, player)
    if table.match is not None or table.is_dealing:
        raise not_now("STARTED")
    return start_entries(table)


def start_entries(table: Table) -> list[Entry]:
    """Return the entries that put computer players on all free seats and ask for the first deal."""
    bots: list[log.BotSeated] = []
    for seat, chair in enumerate(table.chairs):
        if chair.is_free:
            bots.append(_bot(table, seat, table.created.level, also=bots))
    return [*bots, log.DealAsked()]


def _next(table: Table, player: str, present: Collection[int]) -> list[Entry]:
    seat = _own_seat(table, player)
    if table.is_dealing:
        return []
    if not table.can_deal:
        raise not_now("GAME_OVER") if table.status == "over" else not_now("NOT_BETWEEN_HANDS")
    entries: list[Entry] = [] if table.chairs[seat].ready else [log.Readied(seat=seat)]
    if all_ready(table, present, also=seat):
        entries += start_entries(table)
    return entries


# -- seeds ---------------------------------------------------------------------------------------------------


def _commit_seed(table: Table, player: str, command: CommitSeed) -> list[Entry]:
    seat = _own_seat(table, player)
    _must_be_this_round(table, command)
    if not is_seed(command.commitment):
        raise not_now("BAD_SEED")
    if not table.shuffling.may_commit(seat):
        raise not_now("LATE_SEED", stale=True)
    if table.shuffling.commitments.get(seat) == command.commitment:
        return []
    return [log.Committed(seat=seat, commitment=command.commitment)]


def _reveal_seed(table: Table, player: str, command: RevealSeed) -> list[Entry]:
    seat = _own_seat(table, player)
    _must_be_this_round(table, command)
    if not table.shuffling.closed:
        raise not_now("EARLY_SEED", stale=True)
    if not is_seed(command.seed) or not table.shuffling.fits(seat, command.seed):
        raise not_now("BAD_SEED")
    return [] if seat in table.shuffling.seeds else [log.Revealed(seat=seat, seed=command.seed)]


def _must_be_this_round(table: Table, command: CommitSeed | RevealSeed) -> None:
    shuffling = table.shuffling
    is_open = table.match is None or table.hand_is_over
    if not is_open or (command.hand, command.round) != (shuffling.hand, shuffling.number):
        raise not_now("LATE_SEED", stale=True)
