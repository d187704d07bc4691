"""The deal of the day: the same moves, cards and answers everywhere, and what its table allows."""

from datetime import date, timedelta

import pytest

from canasta.bots import get_bot
from canasta.engine.fairness import FairRound
from canasta.notation.replay import replay
from canasta.server.workers.bot_worker import BotQuestion, BotWorker
from canasta.table import day
from canasta.table.commands import CommandError, propose, why_no_hint
from canasta.table.frames import Frames
from canasta.table.log import BotSeated, Moved, decode_entry, encode_entry
from canasta.table.next_action import Turn, next_action
from canasta.table.seats import Person
from canasta.table.table import Table
from canasta.table.wire_commands import LeaveSeat, PlayAgain, SeatBot, TakeSeat

MONDAY = date(2026, 11, 16)
ADA = Person("ada", "Ada")
SEED = day.local_seed(MONDAY)

pytestmark = pytest.mark.interpreted


def dealt(when: date = MONDAY, *, name: str = "here", counts: bool = True) -> Table:
    game = day.game_of(when)
    table = day.day_table(name, when, game, seed=day.local_seed(when), made=0.0, counts=counts)
    day.start(table, ADA)
    return table


def due_at(table: Table) -> Turn | None:
    due = next_action(table, {day.SEAT})
    assert due is None or isinstance(due, Turn)
    return due


def played(table: Table) -> list[str]:
    """Play a hand in which the person does what a casual player would; return its moves."""
    moves: list[str] = []
    while (due := due_at(table)) is not None:
        assert table.match is not None
        move = str(get_bot(due.level or "casual").choose(table.match.hand.view(due.seat)))
        moves.append(move)
        table.apply([Moved(seat=due.seat, move=move, by="bot" if due.level else "person")])
    return moves


WEEK = {
    "original": (1695, 106),
    "two-player": (400, 101),
    "jaques-samba": (2985, 110),
    "burraco": (650, 109),
    "caliente": (775, 142),
    "hand-and-foot": (5260, 369),
    "american": (1660, 113),
}
"""For the game of each day of a week: a casual player's points, and the number of moves in the
hand.

They are the same on every machine, compiled or not.
"""


@pytest.mark.parametrize("weekday", range(7))
def test_the_same_moves_meet_the_same_answers(weekday: int) -> None:
    when = MONDAY + timedelta(days=weekday)
    one, two = dealt(when, name="one"), dealt(when, name="two", counts=False)
    moves = played(one)
    assert played(two) == moves
    assert (day.points_of(one), len(moves)) == WEEK[one.rules.name]


def test_the_cards_are_those_committed_to_and_a_record_shows_it() -> None:
    table = dealt()
    played(table)
    fair = table.fair
    assert isinstance(fair, FairRound)
    assert fair.commitment == day.commitment_of(MONDAY, SEED)
    assert (fair.table, fair.parts, fair.holds) == ("day-2026-11-16", (), True)
    assert f"server {fair.commitment} {SEED}" in table.record()
    assert replay(table.record()).problem is None


def test_a_thinking_process_sees_the_same_table() -> None:
    table = dealt()
    while (due := due_at(table)) is not None and not due.level:
        assert table.match is not None
        move = str(get_bot("casual").choose(table.match.hand.view(due.seat)))
        table.apply([Moved(seat=due.seat, move=move)])
    assert due is not None
    created = table.created
    question = BotQuestion(
        table=table.name, rules=created.rules, version=created.version, players=created.players,
        options=created.options, since=0, steps=table.steps, seat=due.seat, level=due.level, budget=0,
        time_limit=9,
    )  # fmt: skip
    assert table.match is not None
    expected = get_bot(due.level).choose(table.match.hand.view(due.seat))
    assert BotWorker().answer(question).move == str(expected)


def test_nobody_joins_leaves_changes_the_company_or_asks_for_a_hint() -> None:
    table = dealt()
    assert table.open_seats() == []
    assert not table.may_watch("ben")
    for command in (SeatBot(id="1", seat=1, level="novice"), PlayAgain(id="2")):
        with pytest.raises(CommandError) as refused:
            propose(table, ADA, command)
        assert refused.value.why.reason == "DAY_AS_IT_IS"
    with pytest.raises(CommandError):
        propose(table, Person("ben", "Ben"), TakeSeat(id="3"))
    assert propose(table, ADA, LeaveSeat(id="4")).entries == [], "the hand waits"
    why = why_no_hint(table)
    assert why is not None
    assert why.reason == "DAY_WITHOUT_HINTS"
    assert why_no_hint(dealt(counts=False)) is None
    played(table)
    assert why_no_hint(table) is None


def test_no_seed_is_shown_before_the_hand_is_over() -> None:
    table = dealt()
    frames = Frames(table, [], present={day.SEAT})
    assert SEED not in frames.text_for("ada")
    assert SEED not in table.record()
    played(table)
    assert SEED in Frames(table, [], present={day.SEAT}).text_for("ada")


def test_a_log_tells_the_table_again() -> None:
    table = day.day_table("here", MONDAY, day.game_of(MONDAY), seed=SEED, made=0.0, counts=True)
    log = [table.created, *day.start(table, BotSeated(seat=0, level="club"))]
    again = Table.opened("here", decode_entry(encode_entry(log[0])))
    for entry in log[1:]:
        again.apply([decode_entry(encode_entry(entry))])
    assert again.match == table.match


def test_days_are_those_of_utc_and_a_seed_is_told_at_noon_of_the_day_after() -> None:
    midnight = day.start_of(MONDAY)
    assert day.day_of(midnight) == MONDAY
    assert day.day_of(midnight - 0.001) == MONDAY - timedelta(days=1)
    assert day.revealed_at(MONDAY) - midnight == 36 * 3600
    assert day.parse_day("2026-11-16") == MONDAY
    for wrong in ("20261116", "2026-11-31", "", "2026-W47-1", "\0"):
        assert day.parse_day(wrong) is None


def test_how_one_stands_among_others() -> None:
    assert day.percentile(100, []) is None
    assert day.percentile(100, [50, 100, 150, 60]) == 62
    days = [MONDAY + timedelta(days=count) for count in range(5)]
    today = days[-1]
    assert day.streak_of(days, set(days), today) == 5
    assert day.streak_of(days, set(days[:-1]), today) == 4, "today may still come"
    assert day.streak_of(days, {days[0], days[2], days[4]}, today) == 1
    assert day.streak_of([days[0], days[4]], {days[0], days[4]}, today) == 2, (
        "a server that was off breaks nothing"
    )
