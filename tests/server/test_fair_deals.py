"""Fair deals at a table: every seed counts, nobody is waited for too long, every stop is recoverable."""

import asyncio
from pathlib import Path
from typing import Any

from server.fair_table import FairTable, Someone, new_name, whole
from server.running_server import running

from canasta.bots import get_bot
from canasta.engine.fairness import FairRound
from canasta.table.seats import FACE_OF, FACES
from canasta.table.wire import Done, Refused, TableState
from canasta.table.wire_commands import CommitSeed, LeaveSeat, MakeMove, RevealSeed, StartGame, TakeSeat
from canasta.terminal.fairness import CHECKED, WITHOUT_YOU, FairnessClient


def rounds(record: str) -> list[FairRound]:
    """Return the fair rounds from which the hands of a record were dealt."""
    return [hand.fair for hand in whole(record).fair_hands if isinstance(hand.fair, FairRound)]


def reason(answer: object) -> str:
    assert isinstance(answer, Refused), answer
    return answer.why.reason


# -- everybody contributes --------------------------------------------------------------------------------


async def test_two_people_and_two_hands() -> None:
    table = await FairTable.open("ben")
    await table.start()
    await table.play_hand()
    await table.next_hand()
    assert table.live.table.match is not None
    assert table.live.table.match.hand_number == 2
    await table.play_hand()
    record = table.live.table.record()
    assert [fair.contributors for fair in rounds(record)] == [(0, 1), (0, 1)]
    assert [fair.number for fair in rounds(record)] == [1, 1]
    for person in table.people:
        assert person.results == [(1, CHECKED), (2, CHECKED)]
        own = {kept.seed for kept in person.witness.kept if kept.acknowledged}
        seat = table.live.table.seat_of(person.player)
        assert own >= {fair.parts[seat or 0].seed for fair in rounds(record)}
    await table.close()


async def test_computer_players_give_no_seed() -> None:
    table = await FairTable.open(rules="caliente")
    await table.start()
    fair = table.live.table.fair
    assert isinstance(fair, FairRound)
    assert fair.contributors == (0,)
    await table.close()


async def test_no_seed_is_shown_before_its_time() -> None:
    table = await FairTable.open("ben")
    ada, ben = table.people
    await table.start()
    assert table.live.table.match is not None
    fair = table.live.table.fair
    assert isinstance(fair, FairRound)
    for text in [*ada.texts, *ben.texts]:
        assert fair.server_seed not in text
        assert table.live.table.shuffling.server_seed not in text
        assert not any(part.seed in text for part in fair.parts)
    await table.play_hand()
    assert fair.server_seed in ada.texts[-1]
    await table.close()


async def test_a_table_begun_over_rest_waits_for_the_page() -> None:
    table = await FairTable.open(rules="caliente", start=True)
    assert not table.is_dealt
    assert table.live.table.is_dealing
    await table.settle()
    fair = table.live.table.fair
    assert isinstance(fair, FairRound)
    assert fair.contributors == (0,)
    await table.close()


async def test_nobody_is_connected_and_the_server_deals_alone(tmp_path: Path) -> None:
    async with running(tmp_path, fair_patience=0.05) as server:
        ada = await server.guest("Ada")
        table = await ada.open_table(rules="two-player", start=True)
        live = await server.services.registry.find(table)
        assert live is not None
        async with ada.join(table) as seat:
            await seat.until(lambda state: state.hand == 1)
            assert isinstance(live.table.fair, FairRound)
            assert live.table.fair.contributors == ()


async def test_a_real_page_takes_part(tmp_path: Path) -> None:
    """Test over WebSocket, with computer players on the other seats."""
    async with running(tmp_path, fair_patience=3600.0) as server:
        ada, ben = await server.guest("Ada"), await server.guest("Ben")
        table = await ada.open_table(rules="caliente")
        async with ada.join(table, fair=True) as first, ben.join(table, fair=True) as second:
            await second.ask("sit", seat=2)
            await first.until(lambda state: len(state.fair.next.seats) == 2)
            await first.ask("start")
            await asyncio.gather(*(seat.until(lambda state: state.hand == 1) for seat in (first, second)))
            live = await server.services.registry.find(table)
            assert live is not None
            assert isinstance(live.table.fair, FairRound)
            assert live.table.fair.contributors == (0, 2)


# -- slow players, and players who do not reveal ----------------------------------------------------------


async def test_who_does_not_commit_is_left_out() -> None:
    table = await FairTable.open("ben")
    ada, ben = table.people
    ben.witness = Silent(table.live.table.name)
    await table.settle()
    await table.tell(ada, StartGame(id=new_name()))
    await table.settle()
    assert not table.is_dealt, "the table waits"
    await table.patience_ends()
    assert table.live.table.match is not None
    await table.play_hand()
    assert [fair.contributors for fair in rounds(table.live.table.record())] == [(0,)]
    assert ada.results == [(1, CHECKED)]
    assert ben.results == [(1, WITHOUT_YOU)]
    await table.close()


class Silent(FairnessClient):
    """A witness that watches but contributes no seeds."""

    def hear(self, frame: Any) -> list[CommitSeed | RevealSeed]:
        super().hear(frame)
        self.kept.clear()
        return []


async def test_nobody_holds_up_a_deal_by_connecting_again_and_again() -> None:
    table = await FairTable.open("ben")
    ada, ben = table.people
    ben.witness = Silent(table.live.table.name)
    await table.settle()
    await table.tell(ada, StartGame(id=new_name()))
    await table.settle()
    table.live._seed_timeouts._since -= 4 * 3600.0  # move the start of the wait into the past
    again = Someone("ben", table.live.table.name)
    await table.live.enter(again)
    await table.live._do_what_is_due()
    await table.settle()
    assert table.is_dealt
    await table.live.leave(again)
    await table.close()


async def test_who_does_not_reveal_makes_the_round_void_and_is_out() -> None:
    table = await FairTable.open("ben")
    ada, ben = table.people
    ben.reveals = False
    await table.start()
    assert not table.is_dealt
    assert table.live.table.shuffling.unrevealed == [1]
    await table.patience_ends()
    assert table.live.table.match is not None
    # In the next hand, Ben may take part again.
    ben.reveals = True
    await table.play_hand()
    await table.next_hand()
    await table.play_hand()
    replayer = whole(table.live.table.record())
    assert [void.unrevealed for void in replayer.void_rounds] == [(1,)]
    assert [(fair.number, fair.contributors) for fair in rounds(table.live.table.record())] == [
        (2, (0,)),
        (1, (0, 1)),
    ]
    # All seeds of a void round are discarded, including the server's.
    void, dealt = replayer.void_rounds[0], rounds(table.live.table.record())[0]
    assert void.server_seed != dealt.server_seed
    assert void.parts[0].seed != dealt.parts[0].seed
    assert ada.results == [(1, CHECKED), (2, CHECKED)]
    assert ben.results == [(1, WITHOUT_YOU), (2, CHECKED)]
    await table.close()


async def test_there_are_no_more_rounds_than_people_and_one() -> None:
    table = await FairTable.open("ben", "cem", "dora", rules="caliente")
    for person in table.people:
        person.reveals = False
    await table.start()
    await table.patience_ends()
    assert table.live.table.match is not None
    fair = table.live.table.fair
    assert isinstance(fair, FairRound)
    assert (fair.number, fair.contributors) == (2, ())
    assert len(table.live.table.voids) == 1
    await table.close()


async def test_one_after_the_other_drops_out() -> None:
    table = await FairTable.open("ben", "cem", "dora", rules="caliente")
    await table.settle()
    await table.tell(table.people[0], StartGame(id=new_name()))
    for dropping in (3, 2, 1, 0):
        table.people[dropping].reveals = False
        await table.settle()
        if dropping == 3:
            assert not table.is_dealt
        await table.patience_ends()
    fair = table.live.table.fair
    assert isinstance(fair, FairRound)
    assert fair.number <= 5
    await table.close()


async def test_seeds_that_are_refused() -> None:
    table = await FairTable.open("ben")
    ada, ben = table.people
    ada.reveals = ben.reveals = False
    room = table.live.table
    await table.settle()
    good = ada.witness.kept[-1]
    other = "ee" * 32

    async def commit(**parts: Any) -> str:
        usual: dict[str, Any] = {"hand": 1, "round": 1, "commitment": other}
        return reason(await table.tell(ada, CommitSeed(id=new_name(), **(usual | parts))))

    async def reveal(person: Someone, **parts: Any) -> str:
        usual: dict[str, Any] = {"hand": 1, "round": 1, "seed": other}
        return reason(await table.tell(person, RevealSeed(id=new_name(), **(usual | parts))))

    assert await commit(commitment="EE" * 32) == "BAD_SEED"
    assert await commit(hand=2) == "LATE_SEED"
    assert await commit(round=2) == "LATE_SEED"
    assert await reveal(ada, seed=good.seed) == "EARLY_SEED"
    await table.tell(ada, StartGame(id=new_name()))
    assert room.shuffling.closed
    assert await commit() == "LATE_SEED"
    assert await reveal(ada) == "BAD_SEED"
    assert await reveal(ada, seed="x") == "BAD_SEED"
    # Another player's seed doesn't match, whoever sends it.
    assert await reveal(ben, seed=good.seed) == "BAD_SEED"
    assert await reveal(ada, seed=good.seed, round=2) == "LATE_SEED"
    assert isinstance(await table.tell(ada, RevealSeed(id=new_name(), hand=1, round=1, seed=good.seed)), Done)
    assert room.shuffling.seeds == {0: good.seed}
    stranger = Someone("eve", room.name)
    await table.live.enter(stranger)
    assert await reveal(stranger) == "WATCHING"
    await table.live.leave(stranger)
    await table.close()


async def test_a_copied_commitment_cannot_be_opened() -> None:
    """The last player copies another's commitment, and later their revealed seed."""
    table = await FairTable.open("ben")
    ada, ben = table.people
    ben.witness = Silent(table.live.table.name)
    await table.settle()
    copied = ada.witness.kept[-1]
    command = CommitSeed(id=new_name(), hand=1, round=1, commitment=copied.commitment)
    assert isinstance(await table.tell(ben, command), Done)
    await table.start()
    stolen = RevealSeed(id=new_name(), hand=1, round=1, seed=copied.seed)
    assert reason(await table.tell(ben, stolen)) == "BAD_SEED"
    await table.close()


async def test_while_the_cards_are_shuffled_nobody_changes_places() -> None:
    table = await FairTable.open("ben", rules="caliente")
    ada, ben = table.people
    ben.reveals = False
    await table.start()
    assert reason(await table.tell(ben, TakeSeat(id=new_name(), seat=3))) == "DEALING"
    assert reason(await table.tell(ada, StartGame(id=new_name()))) == "STARTED"
    # Anyone who leaves now gives up a seat in a running game, so the list stays as it is.
    assert isinstance(await table.tell(ben, LeaveSeat(id=new_name())), Done)
    assert table.live.table.shuffling.unrevealed == [1]
    assert not table.live.table.chairs[1].is_free
    await table.patience_ends()
    assert table.live.table.match is not None
    await table.close()


async def test_who_moves_in_the_waiting_room_commits_anew() -> None:
    table = await FairTable.open("ben", rules="caliente")
    _, ben = table.people
    await table.settle()
    assert sorted(table.live.table.shuffling.commitments) == [0, 1]
    await table.tell(ben, TakeSeat(id=new_name(), seat=2))
    assert sorted(table.live.table.shuffling.commitments) == [0]
    await table.start()
    fair = table.live.table.fair
    assert isinstance(fair, FairRound)
    assert fair.contributors == (0, 2)
    await table.close()


# -- the cut ----------------------------------------------------------------------------------------------


async def test_the_cut_finds_seats_and_dealer() -> None:
    table = await FairTable.open("ben", "cem", "dora", rules="jaques")
    before = [chair.player for chair in table.live.table.chairs]
    await table.start()
    room = table.live.table
    assert not table.is_dealt
    assert room.cut is not None
    assert room.waits_after_cut
    after = [chair.player for chair in room.chairs]
    assert after == [before[seat] for seat in room.cut.seating.players]
    shown = table.people[0].state.cut
    assert shown is not None
    assert shown.before == room.cut.seating.players
    assert shown.round.server_seed
    if after != before:
        moved = next(seat for seat in range(4) if after[seat] != before[seat])
        person = next(person for person in table.people if person.player == after[moved])
        assert reason(await table.tell(person, TakeSeat(id=new_name(), seat=moved - 1))) in (
            "TAKEN",
            "SEATED",
        )
    await table.next_hand()
    assert room.match is not None
    assert room.match.dealer == room.cut.seating.dealer
    await table.play_hand()
    replayer = whole(room.record())
    assert replayer.cut == room.cut
    assert [fair.hand for fair in rounds(room.record())] == [0, 1]
    for person in table.people:
        assert person.results == [(0, CHECKED), (1, CHECKED)]
    await table.close()


async def test_computer_players_keep_their_names_on_their_new_seats() -> None:
    table = await FairTable.open(rules="jaques")
    await table.start()
    room = table.live.table
    assert sorted(room.names) == sorted(["Ada", *list(FACE_OF)[FACES.index("club-0") :][:3]])
    await table.close()


async def test_a_slow_client_gets_the_whole_log_in_place_of_what_it_missed() -> None:
    """States that were never sent are replaced, but their events must not be lost."""
    table = await FairTable.open("ben")
    await table.start()
    ada = table.people[0]
    room = table.live.table
    assert room.match is not None
    seated = {room.seat_of(person.player): person for person in table.people}
    ada.is_behind = True
    bot = get_bot("novice")
    for _ in range(3):
        move = str(bot.choose(room.match.hand.view(room.match.hand.turn)))
        await table.tell(seated[room.match.hand.turn], MakeMove(id=new_name(), state=10**12, move=move))
    assert not ada.state.events
    assert ada.state.log[0].what == "dealt"
    assert max(event.move for event in ada.state.log) == 3
    # All states but the latest were replaced.
    *replaced, _ = [frame for frame in ada.frames if isinstance(frame, TableState)]
    for frame in replaced:
        ada.frames.remove(frame)
    ada.is_behind = False
    await table.settle()
    await table.play_hand()
    assert ada.results == [(1, CHECKED)]
    await table.close()


async def test_the_time_for_which_a_list_stays_open_is_shown() -> None:
    table = await FairTable.open("ben", patience=30.0)
    ada = table.people[0]
    assert ada.state.fair is not None
    assert ada.state.fair.next is not None
    assert ada.state.fair.next.seconds == 30
    await table.start()
    await table.close()
