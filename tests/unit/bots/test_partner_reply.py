"""The question "May I go out?": players ask only if they mean it, and never agree to the impossible."""

import pytest
from hands import dealt

from canasta.bots import Bot, get_bot
from canasta.bots.club.going_out import (
    ASKERS_FOOT_BARS,
    CANASTAS_BAR,
    NOTHING_BARS,
    TEAMMATES_FOOT_BARS,
    cards_to_canastas,
    what_bars,
)
from canasta.engine.actions.codec import ANSWER_NO, ANSWER_YES, ASK
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import ACE, EIGHT, FOUR, KINDS_OF, KING, SEVEN, TWO
from canasta.engine.layout import FOOT_PLAYED, FOOT_WAITS, OPENED
from canasta.engine.melds import NEW, ROW_WILD, pack_run
from canasta.engine.moves.types import Answer, Ask
from canasta.engine.play.melding import lay_on_set
from canasta.engine.state import ANSWER, OVER, PLAY, HandState
from canasta.engine.view import View

TEAM_GAMES = ("caliente", "jaques", "caliente-samba", "jaques-samba", "bolivia", "hand-and-foot")
BOTS = ("random", "novice", "casual", "club", "expert")


def lay(state: HandState, rank: int, naturals: int, wilds: int = 0) -> None:
    """Lay a set for the side to move, as if before this turn."""
    kinds = [KINDS_OF[rank][number % 4] for number in range(naturals)] + [KINDS_OF[TWO][0]] * wilds
    lay_on_set(state, state.turn, rank if naturals else ROW_WILD, NEW, kinds)
    state.mark_side(state.side_of[state.turn], OPENED, 1)
    state.melded_now = False


def hold(state: HandState, cards: int) -> None:
    """Give the player to move this many cards, all kings, after the draw."""
    seat = state.turn
    for kind in range(len(state.cards_of(seat))):
        while state.held(seat, kind) > 0:
            state.remove(seat, kind)
    for number in range(cards):
        state.give(seat, KINDS_OF[KING][number % 4])
    state.phase = PLAY


def bot(name: str) -> Bot:
    return get_bot(name, seed="answers", budget=-12 if name == "expert" else None)


def asked(state: HandState) -> View:
    """Return the view of the partner, who has just been asked."""
    after = state.copy()
    make_step(after, ASK)
    return View(after, after.answering, [0, 0])


def test_the_cards_that_the_canastas_lack() -> None:
    foot = dealt("hand-and-foot", 4, "lack")
    side = foot.side_of[foot.turn]
    assert cards_to_canastas(foot, side) == 5 * 7
    lay(foot, SEVEN, 7)
    lay(foot, EIGHT, 6)
    lay(foot, EIGHT + 1, 5, 2)
    lay(foot, ACE, 5)
    lay(foot, KING, 3, 1)
    # An eight for the second natural canasta; two aces, one of them a wild card, for the second mixed one.
    assert cards_to_canastas(foot, side) == 1 + 2 + 7
    lay(foot, TWO, 0, 4)
    assert cards_to_canastas(foot, side) == 1 + 2 + 3

    bolivia = dealt("bolivia", 4, "lack")
    side = bolivia.side_of[bolivia.turn]
    lay(bolivia, SEVEN, 7)
    lay(bolivia, EIGHT, 7)
    assert cards_to_canastas(bolivia, side) == 7, "one of the canastas must be a sequence"
    bolivia.runs[side] = [pack_run(0, FOUR, 5)]
    assert cards_to_canastas(bolivia, side) == 2

    classic = dealt("jaques", 4, "lack")
    side = classic.side_of[classic.turn]
    lay(classic, SEVEN, 3)
    lay(classic, EIGHT, 4, 1)
    assert cards_to_canastas(classic, side) == 2


@pytest.mark.parametrize("name", BOTS)
def test_no_to_canastas_that_the_cards_cannot_make(name: str) -> None:
    state = dealt("jaques", 4, "too few")
    lay(state, SEVEN, 4)
    hold(state, 2)
    view = asked(state)
    assert what_bars(view.state) == CANASTAS_BAR
    player = bot(name)
    assert [player.step(view) for _ in range(8)] == [ANSWER_NO] * 8
    assert not player.answer(view)
    hold(state, 3)
    assert what_bars(asked(state).state) == NOTHING_BARS


@pytest.mark.parametrize("name", BOTS)
def test_no_before_the_feet_are_played(name: str) -> None:
    state = dealt("hand-and-foot", 4, "feet")
    hold(state, 2)
    player = bot(name)
    view = asked(state)
    assert what_bars(view.state) == ASKERS_FOOT_BARS
    assert [player.step(view) for _ in range(8)] == [ANSWER_NO] * 8
    state.mark_seat(state.turn, FOOT_WAITS, False)
    state.mark_seat(state.turn, FOOT_PLAYED, True)
    view = asked(state)
    assert what_bars(view.state) == TEAMMATES_FOOT_BARS
    assert [player.step(view) for _ in range(8)] == [ANSWER_NO] * 8


def test_before_drawing_the_cards_to_come_count() -> None:
    state = dealt("jaques", 4, "to come")
    lay(state, SEVEN, 5)
    hold(state, 1)
    assert what_bars(asked(state).state) == CANASTAS_BAR
    state.phase = 0
    assert what_bars(asked(state).state) == NOTHING_BARS


def test_no_is_explained_and_yes_is_not_offered() -> None:
    state = dealt("jaques", 4, "words")
    lay(state, SEVEN, 4)
    hold(state, 2)
    view = asked(state)
    for name in ("club", "expert"):
        hints = bot(name).hint(view)
        assert [hint.move for hint in hints] == [Answer(False)]
        said = hints[0].reason
        assert said.text.startswith(
            "No. You’re three cards short of the canastas, and your partner can meld two at most."
        )
        assert said.numbers["cards missing"] == 3.0
    club = bot("club")
    vain = club.explain(view, Answer(True)).text
    assert vain.startswith("Saying yes wouldn’t help. You’re three cards short of the canastas")
    idle = club.explain(View(state, state.turn, [0, 0]), Ask()).text
    assert idle == "You can’t go out this turn, and your partner’s answer would be binding."
    foot = dealt("hand-and-foot", 4, "words")
    hold(foot, 2)
    assert club.hint(asked(foot))[0].reason.text == "No. Your partner has a foot to play first."


@pytest.mark.parametrize("name", BOTS)
def test_who_asks_means_to_go_out(name: str) -> None:
    """Whatever the partner would have answered, a yes ends the hand within the turn."""
    # The expert takes long to think, so it chooses only when the club player would ask.
    played_by = "club" if name == "expert" else name
    questions = 0
    for number in range(40):
        for preset in TEAM_GAMES:
            if questions == 3:
                return
            state = dealt(preset, 4, f"asking {number}")
            players = [get_bot(played_by, seed=f"{number}:{seat}") for seat in range(4)]
            while state.phase != OVER:
                seat = state.answering if state.phase == ANSWER else state.turn
                view = View(state, seat, [0, 0])
                step = players[seat].step(view)
                if step == ASK:
                    asker = bot(name) if name == "expert" else players[seat]
                    if name != "expert" or asker.step(view) == ASK:
                        questions += 1
                        goes_out_after_yes(state, asker)
                make_step(state, step)
    pytest.fail(f"{name} asked {questions} times in {40 * len(TEAM_GAMES)} hands")


def goes_out_after_yes(state: HandState, asker: Bot) -> None:
    trial = state.copy()
    seat = trial.turn
    make_step(trial, ASK)
    make_step(trial, ANSWER_YES)
    while trial.phase != OVER:
        assert trial.turn == seat
        step = asker.step(View(trial, seat, [0, 0]))
        assert step in legal_steps(trial)
        make_step(trial, step)
    assert trial.out == seat
