"""The expert stays within its time, is repeatable, and knows no more than its view."""

import pytest
from hands import dealt
from preset_tables import EVERY_TABLE, one_table_per_preset

from canasta.bots.club.policy import club_step
from canasta.bots.club.weights import weights_for
from canasta.bots.expert.player import ExpertBot
from canasta.engine.actions.codec import ANSWER_NO, ANSWER_YES, ASK
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.determinize import determinize
from canasta.engine.moves.apply import try_move
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, DRAW, OVER, HandState
from canasta.engine.view import View


def to_act(state: HandState) -> int:
    return state.answering if state.phase == ANSWER else state.turn


def club_makes_a_step(state: HandState) -> None:
    make_step(state, club_step(state, to_act(state), weights_for(state.compiled)))


def late(preset: str, players: int, seed: str, left: int = 14) -> HandState:
    """Return a hand near its end, from which rollouts are short."""
    state = dealt(preset, players, seed)
    kept = state.copy()
    while state.phase != OVER and state.stock_size() > left:
        if state.phase == DRAW:
            kept = state.copy()
        club_makes_a_step(state)
    return kept if state.phase == OVER else state


def seen(state: HandState, seat: int | None = None) -> View:
    return View(state, to_act(state) if seat is None else seat, [0] * state.sides)


@pytest.mark.parametrize(("preset", "players"), one_table_per_preset(EVERY_TABLE))
def test_plays_legally_at_every_table(preset: str, players: int) -> None:
    state = late(preset, players, "legal")
    bots = [ExpertBot(f"seat {seat}", -12) for seat in range(players)]
    for bot in bots:
        # So reckless that chance decides: the steps must be legal whatever it chooses.
        bot.caution = -100.0
    for _ in range(10):
        if state.phase == OVER:
            break
        seat = to_act(state)
        step = bots[seat].step(seen(state))
        assert step in legal_steps(state)
        make_step(state, step)


class Ticking:
    """A clock that advances by a thousandth of a second whenever it is read."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 1000


def test_keeps_its_budget() -> None:
    state = dealt("caliente", 4, "time")
    clock = Ticking()
    bot = ExpertBot("time", 0.25, clock)
    turns: list[int] = []
    while len(turns) < 4 and state.phase != OVER:
        if state.turn != 0:
            club_makes_a_step(state)
            continue
        clock.looks = 0
        while state.phase != OVER and state.turn == 0:
            make_step(state, bot.step(seen(state)))
        turns.append(clock.looks)
    assert len(turns) == 4
    # The bot uses more than half of its time, and never more than all of it.
    assert max(turns) <= 250
    assert min(turns) > 125


def test_a_budget_of_nothing_plays_like_the_club() -> None:
    state = dealt("jaques", 4, "none")
    for _ in range(30):
        seat = to_act(state)
        step = ExpertBot("none", 0.0).step(seen(state))
        assert step == club_step(state, seat, weights_for(state.compiled))
        make_step(state, step)


@pytest.mark.parametrize(("preset", "players"), [("caliente", 4), ("two-player", 2), ("jaques-samba", 4)])
def test_counting_worlds_it_repeats_itself(preset: str, players: int) -> None:
    state = late(preset, players, "again")
    one = [ExpertBot(f"{seat}", -12) for seat in range(players)]
    two = [ExpertBot(f"{seat}", -12) for seat in range(players)]
    for _ in range(6):
        if state.phase == OVER:
            break
        seat = to_act(state)
        step = one[seat].step(seen(state))
        assert two[seat].step(seen(state)) == step
        make_step(state, step)


@pytest.mark.parametrize(("preset", "players"), [("caliente", 4), ("hand-and-foot", 4), ("caliente", 3)])
def test_does_not_see_hidden_cards(preset: str, players: int) -> None:
    state = late(preset, players, "hidden")
    rng = Rng("other cards")
    for _ in range(5):
        if state.phase == OVER:
            break
        seat = to_act(state)
        other = determinize(seen(state), rng)
        assert (
            other.packed.getvalue() != state.packed.getvalue()
            or other.deck[other.at :] != state.deck[state.at :]
        )
        one = ExpertBot("hidden", -12)
        two = ExpertBot("hidden", -12)
        step = one.step(seen(state))
        assert two.step(seen(other, seat)) == step
        make_step(state, step)


def asked() -> HandState:
    """Return a state in which a partner must answer."""
    for number in range(50):
        state = late("caliente", 4, f"asked {number}", 30)
        while state.phase != OVER:
            if ASK in legal_steps(state) and sum(state.canasta_counts(state.side_of[state.turn])) > 0:
                make_step(state, ASK)
                return state
            club_makes_a_step(state)
    raise AssertionError("nobody could ask")


def test_answers() -> None:
    state = asked()
    view = seen(state)
    assert view.turn == state.answering
    step = ExpertBot("answer", -12).step(view)
    assert step in (ANSWER_YES, ANSWER_NO)
    assert ExpertBot("answer", -12).answer(view) == (step == ANSWER_YES)


def test_explains_with_the_gain_over_the_next_best() -> None:
    state = late("caliente", 4, "why")
    while len(legal_steps(state)) < 4:
        club_makes_a_step(state)
    view = seen(state)
    bot = ExpertBot("why", -12)
    move = bot.choose(view)
    reason = bot.explain(view, move)
    assert reason.numbers["possible deals"] > 0
    assert {"gain", "gain error"} <= set(reason.numbers)
    assert "simulated deals" in reason.text
    # An expert that did not choose the move itself finds the same reason.
    assert ExpertBot("why", -12).explain(view, move) == reason


def test_explaining_does_not_change_the_play() -> None:
    state = late("two-player", 2, "aside")
    plain = ExpertBot("aside", -12)
    talking = ExpertBot("aside", -12)
    for _ in range(8):
        if state.phase == OVER:
            break
        if state.turn == 0:
            view = seen(state)
            step = plain.step(view)
            talking.hint(view)
            assert talking.step(view) == step
            talking.hint(view)
            make_step(state, step)
        else:
            club_makes_a_step(state)


@pytest.mark.parametrize(("preset", "players"), [("caliente", 4), ("jaques-samba", 4), ("hand-and-foot", 4)])
def test_hints_are_legal_moves_the_best_first(preset: str, players: int) -> None:
    state = late(preset, players, "hint")
    for _ in range(4):
        if state.phase == OVER:
            break
        view = seen(state)
        bot = ExpertBot("hint", -12)
        hints = bot.hint(view)
        assert 1 <= len(hints) <= 3
        assert hints[0].move == ExpertBot("hint", -12).choose(view)
        for hint in hints:
            assert hint.reason.text
            try_move(state.copy(), hint.move)
        club_makes_a_step(state)
