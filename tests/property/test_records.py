"""Matches of random moves: the record holds what was played, and totals add up."""

import random

import pytest
from property.agreement import meaningful_steps
from property.invariants import check_state
from property.matches import PlayedMatch
from property.tables import Table, house_tables, one_table_per_preset, option_tables, plain_tables

from canasta.engine.match import Match
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Add, Meld, Move, Undo
from canasta.engine.view import state_facts
from canasta.notation.record_reader import parse_record
from canasta.notation.replay import Replayer, replay

SHORT_MOVES = 150
LONG_MOVES = 4_000

SOME_TABLES = [table for number, table in enumerate([*option_tables(), *house_tables()]) if number % 12 == 0]


def same_match(first: Match, second: Match) -> bool:
    """Return whether two matches are in the same state, down to the last hidden card."""
    facts = [
        (
            state_facts(match.hand.state),
            match.scores,
            match.hand_number,
            match.dealer,
            match.sitting_out,
            match.over,
            match.winner,
            [[sheet.lines for sheet in sheets] for sheets in match.sheets],
        )
        for match in (first, second)
    ]
    return facts[0] == facts[1]


def check_totals(match: Match) -> None:
    """GAME-1, GAME-2: check that totals are sums of the sheets and that the game ends when it should."""
    rules = match.rules.match
    assert len(match.sheets) == match.hand_number - (not match.hand.over)
    totals = [sum(sheets[side].total for sheets in match.sheets) for side in range(match.sides)]
    assert match.scores == totals
    for sheets in match.sheets:
        for sheet in sheets:
            assert list(sheet.lines) == match.compiled.score.lines
            assert sheet.total == sum(sheet.lines.values())
    leaders = [side for side, total in enumerate(totals) if total == max(totals)]
    if not match.hand.over:
        assert not match.over
    elif rules.rounds:
        assert match.over == (match.hand_number == rules.rounds)
    else:
        assert match.over == (max(totals) >= rules.target and len(leaders) == 1)
    assert match.winner == (leaders[0] if match.over and len(leaders) == 1 else None)


class Watcher:
    """Checks a match before each move: totals add up, and a refused undo changes nothing."""

    def __init__(self, seed: str) -> None:
        self.choice = random.Random(seed)
        self.last: Move | None = None
        self.before_last: tuple[object, ...] = ()

    def __call__(self, match: Match, move: Move) -> None:
        check_state(match.hand.state)
        check_totals(match)
        facts = state_facts(match.hand.state)
        assert match.check(move) is None
        if match.check(Undo()) is not None:
            with pytest.raises(RefusedMove):
                match.apply(Undo())
        assert state_facts(match.hand.state) == facts


def play_and_replay(table: Table, seed: str, moves: int) -> PlayedMatch:
    played = PlayedMatch(table, seed)
    played.play(moves, watch=Watcher(f"watch/{table}/{seed}"))
    text = played.record.text()
    assert parse_record(text) == played.record
    again = replay(text)
    assert again.problem is None, again.problem
    assert again.match is not None
    assert len(again.moves) == played.moves
    assert same_match(again.match, played.match)
    return played


@pytest.mark.parametrize("table", [*one_table_per_preset(), *SOME_TABLES], ids=str)
def test_a_record_replays_to_the_same_match(table: Table) -> None:
    played = play_and_replay(table, "short", SHORT_MOVES)
    assert played.moves == SHORT_MOVES or played.match.over


@pytest.mark.long
@pytest.mark.parametrize("plain", plain_tables(), ids=str)
def test_long_records_replay_to_the_same_match(plain: Table) -> None:
    for table in [plain, *SOME_TABLES]:
        if (table.preset, table.players) == (plain.preset, plain.players):
            play_and_replay(table, "long", LONG_MOVES)


@pytest.mark.parametrize("table", plain_tables(), ids=str)
def test_a_match_ends(table: Table) -> None:
    """With a small target, or over its rounds, somebody wins or the totals tie after the last round."""
    options: tuple[tuple[str, object], ...] = () if table.rules().match.rounds else (("target", 300),)
    if table.rules().scoring.melds_minus_below:
        # Random play rarely makes the canastas without which everything counts as minus points.
        options = (("match.target", 0), ("match.rounds", 3))
    played = PlayedMatch(Table(table.preset, table.players, options), "to the end")
    played.play(40_000)
    check_totals(played.match)
    assert played.match.over
    again = replay(played.record.text())
    assert again.match is not None
    assert again.problem is None
    assert same_match(again.match, played.match)


def test_replaying_move_by_move_passes_through_every_state() -> None:
    played = PlayedMatch(Table("caliente", 4), "step by step")
    states = [state_facts(played.match.hand.state)]
    played.play(120, hands=1, watch=lambda match, move: states.append(state_facts(match.hand.state)))
    states.append(state_facts(played.match.hand.state))
    replayer = Replayer(played.record.text())
    assert replayer.replay.match is not None
    for facts in states[1:]:
        assert state_facts(replayer.replay.match.hand.state) == facts
        replayer.step()
    assert replayer.replay.problem is None


@pytest.mark.parametrize("table", plain_tables(), ids=str)
def test_undo_restores_the_state_before_the_meld(table: Table) -> None:
    """MELD-9: undo goes back through all melds of the turn and restores each state exactly."""
    played = PlayedMatch(Table(table.preset, table.players, (("turn.undo", True),)), "undo")
    played.eager = 0.95
    undone = 0
    before: list[tuple[object, ...]] = []
    for _ in range(400):
        if played.match.hand.over:
            if played.match.over:
                break
            played.match.deal_next()
            before = []
        move = Undo() if before and played.choice.random() < 0.3 else played.choose()
        state = played.match.hand.state
        facts, at, feet = state_facts(state), state.at, state.feet_wait()
        played.make(move)
        now = played.match.hand.state
        if isinstance(move, Undo):
            assert state_facts(now) == before.pop()
            undone += 1
        elif isinstance(move, (Meld, Add)) and not played.match.hand.over:
            revealed = now.at != at or now.feet_wait() != feet
            before = [] if revealed else [*before, facts]
        else:
            before = []
        assert (played.match.check(Undo()) is None) == bool(before)
    assert undone > 3


def test_steps_mean_something_everywhere() -> None:
    """The watcher sees only states between whole moves: a first meld is never half made."""
    played = PlayedMatch(Table("bolivia", 4), "whole")

    def watch(match: Match, move: Move) -> None:
        assert not match.hand.state.is_opening()
        assert meaningful_steps(match.hand.state)

    played.play(300, watch=watch)
    assert played.moves == 300
