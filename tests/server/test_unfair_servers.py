"""Cheating servers, and what an honest page and `canasta verify` find: see `docs/fair-cards.md`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from server.fair_table import FairTable, Someone
from typer.testing import CliRunner

from canasta.commands.cli import app
from canasta.engine.fairness import FairRound, commit_to
from canasta.notation.cards import format_card
from canasta.rules import Ruleset
from canasta.table import frames
from canasta.table.event_views import Change
from canasta.table.log import RoundVoided
from canasta.table.seed_rounds import SeedRound
from canasta.table.table import Table
from canasta.table.views import game_view
from canasta.table.wire import FairView, GameView
from canasta.terminal.fairness import CHECKED, PROBLEMS, UNKNOWN_RULES, UNSEEN

CHOSEN = "0c" * 32
"""The seed that the server would prefer."""


def before_the_cards(table: Table, cheat: Callable[[], None]) -> None:
    """Make the server cheat once it knows all seeds."""
    rounds = table._round  # patches a method of the server

    def cheated() -> FairRound | None:
        cheat()
        return rounds()

    table._round = cheated  # type: ignore[method-assign]


def change(table: Table, **parts: Any) -> None:
    table.shuffling = replace(table.shuffling, **parts)


def commitment(table: Table, seat: int, seed: str) -> str:
    now = table.shuffling
    return commit_to(seed, table=table.name, hand=now.hand, number=now.number, seat=seat)


def pick_its_seed_last(table: Table) -> None:
    before_the_cards(table, lambda: change(table, server_seed=CHOSEN))


def swap_a_seed(table: Table) -> None:
    """Replace Ben's seed, on seat 1, together with its commitment."""
    before_the_cards(
        table,
        lambda: change(
            table,
            commitments=table.shuffling.commitments | {1: commitment(table, 1, CHOSEN)},
            seeds=table.shuffling.seeds | {1: CHOSEN},
        ),
    )


def add_a_seed_for_a_computer_player(table: Table) -> None:
    before_the_cards(
        table,
        lambda: change(
            table,
            commitments=table.shuffling.commitments | {2: commitment(table, 2, CHOSEN)},
            seeds=table.shuffling.seeds | {2: CHOSEN},
        ),
    )


def leave_everybody_out(table: Table) -> None:
    before_the_cards(table, lambda: change(table, commitments={}, seeds={}, server_seed=CHOSEN))


def deal_other_cards(table: Table) -> None:
    """Keep the record consistent, but deal cards that don't come from its seeds."""
    dealt = table._dealt

    def other(fair: Any, first_dealer: int | None) -> Change:
        told = dealt(FairRound.of_seeds(table.name, fair.hand, CHOSEN, {}), first_dealer)
        table.fair = fair
        return told

    table._dealt = other  # type: ignore[method-assign]


async def a_hand(cheat: Callable[[Table], None]) -> FairTable:
    table = await FairTable.open("ben", "cem", rules="caliente", players=3)
    cheat(table.live.table)
    await table.start()
    await table.play_hand()
    return table


def verified(table: FairTable, person: Someone) -> bool:
    """Return whether `canasta verify` accepts the record, given what this person's page noted."""
    words = person.witness.verify_options().split()
    assert words, "the page has noted something"
    result = CliRunner().invoke(app, ["verify", "-", *words], input=table.live.table.record())
    return result.exit_code == 0


async def test_an_honest_server() -> None:
    table = await a_hand(lambda room: None)
    for person in table.people:
        assert person.results == [(1, CHECKED)]
        assert verified(table, person)
    await table.close()


@pytest.mark.parametrize(
    ("cheat", "told"),
    [
        (pick_its_seed_last, "server_changed"),
        (swap_a_seed, "list_changed"),
        (add_a_seed_for_a_computer_player, "list_changed"),
        (leave_everybody_out, "server_changed"),
    ],
)
async def test_what_is_changed_after_the_reveals_is_seen_by_everybody(
    cheat: Callable[[Table], None], told: str
) -> None:
    table = await a_hand(cheat)
    for person in table.people:
        assert person.results == [(1, told)]
        assert person.verdicts[0].result in PROBLEMS
        assert told in PROBLEMS
        assert not verified(table, person)
    await table.close()


async def test_cards_that_are_not_those_of_the_seeds() -> None:
    table = await a_hand(deal_other_cards)
    for person in table.people:
        # Other cards cause other events too: the first difference depends on the deal.
        assert person.results[0][1] in ("cards", "dealer", "gap")
        assert not verified(table, person)
    await table.close()


@pytest.mark.parametrize("told", [None, FairView(version=1)])
async def test_a_server_that_never_shows_its_seed(
    monkeypatch: pytest.MonkeyPatch, told: FairView | None
) -> None:
    """Such a server could deal any cards it likes."""
    fair = frames._fair
    monkeypatch.setattr(frames, "_fair", lambda room, match: told if match.hand.over else fair(room, match))
    table = await a_hand(deal_other_cards)
    for person in table.people:
        assert person.results == [(1, "not_shown")]
        assert person.verdicts[0].result in PROBLEMS
    await table.close()


async def test_a_seed_shown_before_the_hand_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards drawn afterwards can't be checked, so the hand never counts as checked."""
    monkeypatch.setattr(frames, "_in_play", frames.round_view)
    table = await a_hand(lambda room: None)
    for person in table.people:
        assert person.results == [(1, "early_seed")]
        assert person.verdicts[0].result in PROBLEMS
    await table.close()


async def test_cards_in_another_hand_that_are_still_in_the_stock() -> None:
    table = await FairTable.open("ben")
    await table.start()
    ada, room = table.people[0], table.live.table
    await table.play_hand()
    assert room.match is not None
    assert ada.results == [(1, CHECKED)]
    ada.witness.verdicts.clear()
    seats = [msgspec.structs.replace(seat) for seat in ada.state.seats]
    # Every card that has left the stock has been shown by now, so one more must come from the stock.
    seats[1].shows = [*seats[1].shows, format_card(room.match.hand.state.deck[-1])]
    ada.witness.hear(msgspec.structs.replace(ada.state, seats=seats, events=[]))
    assert ada.results == [(1, "cards")]
    await table.close()


async def test_a_server_that_skips_the_end_of_a_hand() -> None:
    """The person may have been disconnected: this is reported, and nobody is accused."""
    table = await FairTable.open("ben")
    await table.start()
    person = table.people[1]
    person.witness.hear(msgspec.structs.replace(person.state, hand=2, events=[]))
    await table.close()
    assert person.results == [(1, UNSEEN)]
    assert person.verdicts[0].result not in PROBLEMS


async def test_a_cut_of_which_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_cut", lambda room: None)
    table = await FairTable.open("ben", rules="jaques", players=4)
    await table.start()
    await table.next_hand()
    results = [person.results for person in table.people]
    await table.close()
    assert table.is_dealt
    assert results == [[(0, "not_shown")]] * 2


async def test_a_game_whose_rules_one_does_not_know_is_not_called_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    def strange(rules: Ruleset) -> GameView:
        view = game_view(rules)
        view.options = {"no.such_rule": True}
        return view

    monkeypatch.setattr(frames, "game_view", strange)
    table = await a_hand(deal_other_cards)
    for person in table.people:
        assert person.results == [(1, UNKNOWN_RULES)]
    await table.close()


async def test_a_player_who_is_said_not_to_have_revealed() -> None:
    """The server has acknowledged Ben's seed. Ben knows, and the record shows a void round."""
    table = await FairTable.open("ben")
    ada, ben = table.people
    room = table.live.table

    def forget_ben() -> None:
        change(room, seeds={0: room.shuffling.seeds[0]})
        room.shuffling = room.shuffling.after(RoundVoided(next_seed="dd" * 32))

    await lied_after_reveals(table, forget_ben)
    await table.play_hand()
    assert ada.results == [(1, CHECKED)]
    assert ben.results == [(1, "blamed")]
    assert verified(table, ada)
    assert not verified(table, ben)
    assert "did not reveal" in CliRunner().invoke(app, ["verify", "-"], input=room.record()).output
    await table.close()


async def lied_after_reveals(table: FairTable, lie: Callable[[], None]) -> None:
    """Once all seeds are in, let the server tell this lie instead of dealing, and then continue honestly."""
    room = table.live.table
    follows = table.live._seed_timeouts.following_entries

    def once(*args: Any) -> list[Any]:
        more = follows(*args)
        if any(type(entry).__name__ == "FairDealt" for entry in more):
            table.live._seed_timeouts.following_entries = follows  # type: ignore[method-assign]
            return [entry for entry in more if type(entry).__name__ != "FairDealt"]
        return more

    table.live._seed_timeouts.following_entries = once  # type: ignore[assignment]
    await table.start()
    assert room.match is None
    assert len(room.shuffling.seeds) == len(table.people)
    lie()
    table.live._show([])
    await table.settle()
    if not table.is_dealt:
        await table.patience_ends()
    assert table.is_dealt


@pytest.mark.parametrize("number", [1, 2])
async def test_a_server_that_begins_anew_after_the_reveals(number: int) -> None:
    """The server pretends that it was restarted and had lost its log."""
    table = await FairTable.open("ben")
    room = table.live.table

    def begin_anew() -> None:
        room.shuffling = SeedRound(room.name, 1, "dd" * 32, number=number, asked=True)

    await lied_after_reveals(table, begin_anew)
    await table.play_hand()
    for person in table.people:
        assert person.results[0][1] in ("restarted", "server_changed")
        assert person.verdicts[0].result in PROBLEMS
        assert not verified(table, person)
    await table.close()


async def test_a_commitment_in_ones_own_name_is_not_answered() -> None:
    """The server puts another commitment on Ada's seat: her page reveals nothing and reports it later."""
    table = await FairTable.open("ben")
    ada, ben = table.people
    room = table.live.table
    await table.settle()
    change(room, commitments=room.shuffling.commitments | {0: commitment(room, 0, CHOSEN)})
    await table.start()
    assert 0 not in room.shuffling.seeds
    change(room, seeds=room.shuffling.seeds | {0: CHOSEN})
    await table.patience_ends()
    assert table.is_dealt
    await table.play_hand()
    assert not any(kept.listed for kept in ada.witness.kept if kept.hand == 1)
    assert ada.results == [(1, "left_out")]
    # Ben's own seed was used, so for him nothing is wrong.
    assert ben.results == [(1, CHECKED)]
    await table.close()


async def test_a_server_that_changes_its_commitment_gets_no_seed() -> None:
    table = await FairTable.open("ben")
    room = table.live.table
    await table.settle()
    change(room, server_seed=CHOSEN)
    await table.start()
    assert not room.shuffling.seeds
    await table.close()


async def test_a_player_with_the_server_sees_one_more_order_and_the_record_shows_it() -> None:
    """Ben tells the server his seed but doesn't reveal it. Ben is then out, and the next round binds both."""
    table = await FairTable.open("ben")
    ada, ben = table.people
    ben.reveals = False
    await table.start()
    room = table.live.table
    first = room.shuffling
    assert first.unrevealed == [1]
    await table.patience_ends()
    assert table.is_dealt
    assert room.fair is not None
    assert isinstance(room.fair, FairRound)
    assert room.fair.contributors == (0,)
    assert room.fair.number == 2
    await table.play_hand()
    assert ada.results == [(1, CHECKED)]
    told = CliRunner().invoke(app, ["verify", "-"], input=room.record()).output
    assert "Hand 1, round 1 was void: Ben did not reveal." in told
    await table.close()
