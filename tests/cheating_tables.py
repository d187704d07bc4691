"""Tables at which the server cheats: each cheat, and the alarm that it must raise."""

import copy
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

from witnessed_table import Viewing, WitnessedTable, decoded

from canasta.engine.fairness import FairRound, commit_to
from canasta.engine.seating import cut_cards
from canasta.notation.cards import format_card
from canasta.rules import resolve_ruleset
from canasta.table.frames import round_view, welcome
from canasta.table.log import Entry, ListClosed, Option, RoundVoided
from canasta.table.seed_rounds import SeedRound
from canasta.table.views import game_view
from canasta.table.wire import AnyFrame, CutView, EventView, FairView, MeldView, TableState, Welcome
from canasta.table.wire_commands import (
    ChangeGame,
    LeaveSeat,
    RemovePlayer,
    SeatBot,
    StartGame,
    TakeSeat,
)

SMALL: Final[dict[str, Any]] = {"hand_size": 4, "canastas_to_go_out": 0, "match.target": 20_000}
Cheat = Callable[[], tuple[WitnessedTable, Viewing]]


def two_players(people: int = 1, seed: object = 1) -> tuple[WitnessedTable, Viewing]:
    watched = WitnessedTable("two-player", 2, people, seed=seed, options=SMALL)
    return watched, watched.viewings[0]


def bend_states(viewing: Viewing, change: Callable[[TableState], None]) -> None:
    """Have the server change the states that a viewer is sent."""

    def bend(frame: AnyFrame) -> AnyFrame:
        if isinstance(frame, TableState):
            change(frame)
        return frame

    viewing.bend = bend


def send(watched: WitnessedTable, viewing: Viewing, change: Callable[[TableState], None]) -> None:
    """Send a viewer one more state, changed."""
    state = decoded(watched._state(viewing, []))
    assert isinstance(state, TableState)
    change(state)
    watched.now += 0.1
    viewing.inbox.append(state)
    watched.settle()


def deal_from(watched: WitnessedTable, change: Callable[[FairRound], FairRound]) -> None:
    """Have the server deal from another round than the one it has collected."""
    collected = watched.table._round

    def changed() -> FairRound | None:
        fair = collected()
        assert fair is not None
        return change(fair)

    watched.table._round = changed  # type: ignore[method-assign]  # a cheating server


# -- rounds of seeds -----------------------------------------------------------------------------------------


def own_seed_dropped() -> tuple[WitnessedTable, Viewing]:
    """Deal as if the viewer had not revealed the seed that the list has a commitment to."""
    watched, viewing = two_players()
    deal_from(watched, lambda fair: replace(fair, parts=tuple(replace(part, seed="") for part in fair.parts)))
    watched.start()
    watched.play_hand()
    return watched, viewing


class PaddedRound(SeedRound):
    """A round to whose list the server adds a seat that doesn't exist."""

    def after(self, entry: Entry) -> SeedRound:
        made = super().after(entry)
        if not isinstance(entry, ListClosed):
            return made
        seed = "5e" * 32
        commitment = commit_to(seed, table=self.table, hand=self.hand, number=self.number, seat=2)
        return replace(made, commitments=made.commitments | {2: commitment}, seeds=made.seeds | {2: seed})


class ForgivingRound(SeedRound):
    """A round after whose end everybody is let in again."""

    def after(self, entry: Entry) -> SeedRound:
        made = super().after(entry)
        if isinstance(entry, RoundVoided):
            return ForgivingRound(**{**_values(made), "allowed": None})
        return made


def _values(made: SeedRound) -> dict[str, Any]:
    return {each.name: getattr(made, each.name) for each in fields(SeedRound)}


def unknown_seat() -> tuple[WitnessedTable, Viewing]:
    watched, viewing = two_players()
    watched.table.shuffling = PaddedRound(**_values(watched.table.shuffling))
    watched.start()
    watched.play_hand()
    return watched, viewing


def voids_without_end() -> tuple[WitnessedTable, Viewing]:
    """Let an accomplice who doesn't reveal try again."""
    watched, viewing = two_players(2)
    watched.table.shuffling = ForgivingRound(**_values(watched.table.shuffling))
    accomplice = watched.viewings[1]
    accomplice.reveals = False
    watched.start()
    watched.void_round()
    accomplice.reveals = True
    watched.void_round()
    watched.play_hand()
    return watched, viewing


# -- states that are not observed ----------------------------------------------------------------------------


def _hidden_play(hide: Callable[[TableState], None]) -> tuple[WitnessedTable, Viewing]:
    """Show other cards in states that are hidden from the witness, and then the true history."""
    watched, viewing = two_players()

    def bend(frame: AnyFrame) -> AnyFrame:
        if not isinstance(frame, TableState) or not frame.hand:
            return frame
        if frame.phase == "over":
            return decoded(watched._state(viewing, [], first=True))
        frame.events, frame.log = [], []
        assert frame.you is not None
        frame.you.cards = ["4c"] * len(frame.you.cards)
        hide(frame)
        return frame

    viewing.bend = bend
    watched.start()
    watched.play_hand()
    return watched, viewing


def hand_zero() -> tuple[WitnessedTable, Viewing]:
    return _hidden_play(lambda state: setattr(state, "hand", 0))


def no_phase() -> tuple[WitnessedTable, Viewing]:
    return _hidden_play(lambda state: setattr(state, "phase", "none"))


def no_seat() -> tuple[WitnessedTable, Viewing]:
    return _hidden_play(lambda state: setattr(state, "seat", -1))


def hand_99() -> tuple[WitnessedTable, Viewing]:
    return _hidden_play(lambda state: setattr(state, "hand", 99))


def invented_hands() -> tuple[WitnessedTable, Viewing]:
    """Show many hands that are never played, to push out the one that is."""
    watched, viewing = two_players()
    watched.start()
    for hand in range(5000, 5101):

        def change(state: TableState, hand: int = hand) -> None:
            state.hand = hand

        send(watched, viewing, change)
    watched.play_hand()
    return watched, viewing


def same_meld_twice() -> tuple[WitnessedTable, Viewing]:
    """Show a false meld beside each true one."""
    watched, viewing = two_players()

    def change(state: TableState) -> None:
        for side in state.sides:
            side.melds = [MeldView(name=meld.name, cards=["2c"] * 7) for meld in side.melds] + side.melds

    bend_states(viewing, change)
    watched.start()
    watched.play_hand()
    return watched, viewing


def skipped_hand(*, reconnects: bool) -> tuple[WitnessedTable, Viewing]:
    """Call the second hand the third, so that its dealer can be chosen when the seeds are known."""
    watched, viewing = two_players()
    watched.start()
    watched.play_hand()
    table = watched.table
    assert table.match is not None
    table.shuffling = SeedRound(table.bound_to, 3, "5e" * 32)
    table.match.course.hand_number = 2
    hidden: list[bool] = []

    def bend(frame: AnyFrame) -> AnyFrame | None:
        if isinstance(frame, TableState) and frame.hand == 2:
            frame.hand = 1
        return None if hidden else frame

    viewing.bend = bend
    watched.show([])
    watched.settle()

    def changed(fair: FairRound) -> FairRound:
        hidden.extend([True] * reconnects)
        return fair

    deal_from(watched, changed)
    watched.next_hand()
    hidden.clear()
    if reconnects:
        watched.connect(viewing)
        watched.settle()
    watched.play_hand()
    return watched, viewing


# -- a hand that is over -------------------------------------------------------------------------------------


def over_at_once() -> tuple[WitnessedTable, Viewing]:
    """Show the seeds with the deal, as if the hand were over, and play on."""
    watched, viewing = two_players()
    states: list[TableState] = []

    def change(state: TableState) -> None:
        match = watched.table.match
        if state.hand and match is not None and state.fair is not None and watched.table.fair is not None:
            states.append(state)
            state.fair.dealt = round_view(watched.table.fair) if len(states) == 1 else None
            if len(states) == 1:
                state.phase = "over"
                for seat in state.seats:
                    seat.shows = [format_card(card) for card in match.hand.hand_cards(seat.seat)]

    bend_states(viewing, change)
    watched.start()
    watched.play_hand()
    return watched, viewing


def played_on() -> tuple[WitnessedTable, Viewing]:
    """Continue a hand after its seeds were shown."""
    watched, viewing = two_players()
    watched.start()
    watched.play_hand()
    send(watched, viewing, lambda state: setattr(state, "phase", "play"))
    return watched, viewing


def cards_after_the_end() -> tuple[WitnessedTable, Viewing]:
    """Show other cards after the hand was judged, without the seeds."""
    watched, viewing = two_players()
    watched.start()
    watched.play_hand()

    def change(state: TableState) -> None:
        state.fair = None
        for seat in state.seats:
            seat.shows = ["Jo"] * len(seat.shows)

    send(watched, viewing, change)
    return watched, viewing


def events_after_the_end() -> tuple[WitnessedTable, Viewing]:
    watched, viewing = two_players()
    watched.start()
    watched.play_hand()
    event = EventView(what="drew", seat=1, count=1, move=4000)

    def change(state: TableState) -> None:
        state.fair, state.events = None, [event]

    send(watched, viewing, change)
    return watched, viewing


# -- rules ---------------------------------------------------------------------------------------------------


def other_rules() -> tuple[WitnessedTable, Viewing]:
    """Deal by other rules when all seeds are known, and show them after a broken connection."""
    watched, viewing = two_players()
    other = resolve_ruleset("two-player", 2, SMALL | {"deck.decks": 3})

    def changed(fair: FairRound) -> FairRound:
        watched.table.rules = other
        return fair

    deal_from(watched, changed)

    def bend(frame: AnyFrame) -> AnyFrame:
        if isinstance(frame, Welcome):
            frame.game = game_view(watched.table.rules)
        return frame

    viewing.bend = bend
    watched.start()
    watched.connect(viewing)
    watched.settle()
    watched.play_hand()
    return watched, viewing


# -- the cut -------------------------------------------------------------------------------------------------


def jaques() -> tuple[WitnessedTable, Viewing]:
    watched = WitnessedTable("jaques", 4, 1, seed=3, options={"hand_size": 4, "canastas_to_go_out": 0})
    return watched, watched.viewings[0]


def _cut_without(change: Callable[[FairView], None]) -> tuple[WitnessedTable, Viewing]:
    """Take no commitment for the cut; `change` is made to every state before it."""
    watched = WitnessedTable("jaques", 4, 0, seed=3, options={"hand_size": 4, "canastas_to_go_out": 0})
    watched.table.shuffling = replace(watched.table.shuffling, allowed=frozenset())
    viewing = watched.seat_person(0)

    def bend(state: TableState) -> None:
        if state.fair is not None and state.fair.next is not None and state.fair.next.hand == 0:
            state.fair.next.allowed = None
            change(state.fair)

    bend_states(viewing, bend)
    watched.connect(viewing)
    watched.settle()
    watched.start()
    return watched, viewing


def cut_without_asking() -> tuple[WitnessedTable, Viewing]:
    return _cut_without(lambda fair: setattr(fair, "next", None))


def cut_commitment_refused() -> tuple[WitnessedTable, Viewing]:
    """Refuse the commitment for the cut, and never show the closed list."""

    def hide(fair: FairView) -> None:
        if fair.next is not None and fair.next.closed:
            fair.next = None

    return _cut_without(hide)


def false_cut(dealer: int | None = None) -> tuple[WitnessedTable, Viewing]:
    """Show a cut in a game without one, with no seed but the server's."""
    watched, viewing = two_players()
    fair = FairRound.of_seeds(watched.table.bound_to, 0, "5e" * 32, {})
    cut = cut_cards(watched.rules, fair.cut_rng())
    players = cut.seating.players
    cards = [[format_card(card) for card in cut.cards[seat]] for seat in players]
    chosen = cut.seating.dealer if dealer is None else dealer
    view = CutView(cards=cards, before=list(players), dealer=chosen, round=round_view(fair))

    def change(state: TableState) -> None:
        if state.hand == 1 and state.phase == "over":
            state.cut = copy.deepcopy(view)

    bend_states(viewing, change)
    watched.start()
    watched.play_hand()
    return watched, viewing


def unknown_dealer_of_the_cut() -> tuple[WitnessedTable, Viewing]:
    watched, viewing = jaques()

    def change(state: TableState) -> None:
        if state.cut is not None:
            state.cut.dealer = 77

    bend_states(viewing, change)
    watched.start()
    watched.play_hand()
    return watched, viewing


# -- seats ---------------------------------------------------------------------------------------------------


def not_asked(seat: int) -> tuple[WitnessedTable, Viewing]:
    """Never ask for a seed for hand 2; show one state with another seat between the hands."""
    watched, viewing = two_players()

    def change(state: TableState) -> None:
        if state.fair is not None and state.fair.next is not None and state.fair.next.hand == 2:
            state.fair.next = None

    bend_states(viewing, change)
    watched.start()
    watched.play_hand()

    def elsewhere(state: TableState) -> None:
        change(state)
        state.seat = seat

    send(watched, viewing, elsewhere)
    watched.show([])
    watched.settle()
    watched.table.shuffling = replace(watched.table.shuffling, allowed=frozenset())
    watched.next_hand()
    return watched, viewing


CHEATS: Final[dict[str, tuple[Cheat, int, str]]] = {
    "own seed dropped": (own_seed_dropped, 1, "seed_changed"),
    "unknown seat": (unknown_seat, 1, "list_changed"),
    "voids without end": (voids_without_end, 1, "restarted"),
    "hand 0": (hand_zero, 1, "gap"),
    "no phase": (no_phase, 1, "gap"),
    "no seat": (no_seat, 1, "no_deal"),
    "hand 99": (hand_99, 1, "gap"),
    "skipped hand": (lambda: skipped_hand(reconnects=False), 1, "gap"),
    "skipped hand while disconnected": (lambda: skipped_hand(reconnects=True), 3, "dealer"),
    "invented hands": (invented_hands, 1, "gap"),
    "same meld twice": (same_meld_twice, 1, "gap"),
    "over at once": (over_at_once, 1, "early_seed"),
    "played on": (played_on, 1, "early_seed"),
    "cards after the end": (cards_after_the_end, 1, "cards"),
    "events after the end": (events_after_the_end, 1, "gap"),
    "other rules": (other_rules, 1, "rules_changed"),
    "cut without asking": (cut_without_asking, 0, "not_asked"),
    "cut commitment refused": (cut_commitment_refused, 0, "refused"),
    "false cut": (false_cut, 0, "cut"),
    "false cut with an unknown dealer": (lambda: false_cut(77), 0, "cut"),
    "unknown dealer of the cut": (unknown_dealer_of_the_cut, 0, "cut"),
    "not asked, without a seat": (lambda: not_asked(-1), 2, "not_asked"),
    "not asked, on another seat": (lambda: not_asked(1), 2, "not_asked"),
}
"""Each cheat, the hand, and the alarm that it must raise for it."""


# -- honest tables -------------------------------------------------------------------------------------------


def void_cut() -> tuple[WitnessedTable, Viewing]:
    """Repeat the cut because one player doesn't reveal."""
    watched = WitnessedTable("jaques", 4, 3, seed=3, options={"hand_size": 4, "canastas_to_go_out": 0})
    lazy = watched.viewings[2]
    lazy.reveals = False
    watched.order(watched.viewings[0], StartGame(id="start"))
    watched.void_round()
    lazy.reveals = True
    watched.next_hand()
    watched.play_hand()
    return watched, watched.viewings[0]


def void_hands() -> tuple[WitnessedTable, Viewing]:
    """Repeat the rounds of two hands. The viewer misses the end of the first."""
    watched, viewing = two_players(2)
    lazy = watched.viewings[1]
    lazy.reveals = False
    watched.start()
    watched.void_round()
    lazy.reveals = True
    viewing.connected = False
    watched.play_hand()
    lazy.reveals = False
    watched.connect(viewing)
    watched.settle()
    watched.next_hand()
    watched.void_round()
    watched.connect(viewing)
    watched.settle()
    watched.play_hand()
    return watched, viewing


def removed_player() -> tuple[WitnessedTable, Viewing]:
    """Remove the viewer from the table in the middle of a hand; they watch the rest of it."""
    watched, host = two_players(2)
    watched.start()

    def each(move: int) -> None:
        if move == 5:
            watched.order(host, RemovePlayer(id="remove", seat=1, state=10**9))

    watched.play_hand(each)
    return watched, watched.viewings[1]


def newcomer() -> tuple[WitnessedTable, Viewing]:
    """Have the viewer leave the waiting room, and come back during the first hand."""
    watched, host = two_players(2)
    viewing = watched.viewings[1]
    watched.order(viewing, LeaveSeat(id="leave"))
    watched.order(host, SeatBot(id="bot", seat=1, level="novice"))
    watched.start()

    def each(move: int) -> None:
        if move == 3:
            watched.order(viewing, TakeSeat(id="sit", seat=1))

    watched.play_hand(each)
    watched.next_hand()
    watched.play_hand()
    return watched, viewing


def changed_game() -> tuple[WitnessedTable, Viewing]:
    """Change the game in the waiting room, when everybody has committed."""
    watched, host = two_players(2)
    options: dict[str, Option] = {"hand_size": 4, "canastas_to_go_out": 0}
    watched.order(host, ChangeGame(id="game", rules="jaques", players=4, options=options, state=10**9))
    for viewing in watched.viewings:
        watched._give(viewing, welcome(watched.table, viewing.player))
    watched.settle()
    watched.start()
    return watched, host


HONEST: Final[dict[str, tuple[Cheat, dict[int, str]]]] = {
    "void cut": (void_cut, {0: "checked", 1: "checked"}),
    "void hands": (void_hands, {1: "checked", 2: "checked"}),
    "removed player": (removed_player, {1: "checked"}),
    "newcomer": (newcomer, {1: "without_you", 2: "checked"}),
    "changed game": (changed_game, {0: "checked"}),
}
"""Honest tables, and the verdict on each hand."""
