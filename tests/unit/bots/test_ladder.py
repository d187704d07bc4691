"""Computer players at every table: legal, repeatable, blind to hidden cards, each with its habits."""

from collections.abc import Iterator
from typing import Any

import pytest
from hands import dealt

from canasta.bots import SeatedBot, bot_names, get_bot
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.determinize import determinize
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.state import ANSWER, OVER, HandState
from canasta.engine.view import View
from canasta.errors import CanastaError
from canasta.rules import load_ruleset, player_numbers, preset_names

QUICK = ("random", "novice", "casual", "club")
MOST_STEPS = 3000

TABLES = [(preset, players) for preset in preset_names() for players in player_numbers(preset)]
HOUSE_RULES: list[tuple[str, int, dict[str, object]]] = [
    ("caliente", 4, {"deck.caliente_cards": True}),
    ("caliente", 4, {"turn.lay_bonus_by_hand": True}),
    ("caliente", 4, {"pile.always_frozen": True}),
    ("caliente-samba", 4, {"melds.same_suit_runs": True, "deck.caliente_cards": True}),
    ("hand-and-foot", 4, {"deck.caliente_cards": True}),
    ("two-player", 2, {"melds.wild_melds": True, "pile.put_back": True}),
    ("two-player", 2, {"opening.top_card_counts": False, "opening.canasta_bonus_counts": True}),
]


def positions(state: HandState, bots: list[SeatedBot]) -> Iterator[tuple[View, int, int]]:
    """Play the hand out; before every step yield the view, the seat to act and the step it chooses."""
    for _ in range(MOST_STEPS):
        if state.phase == OVER:
            return
        seat = state.answering if state.phase == ANSWER else state.turn
        view = View(state, seat, [0] * state.sides)
        step = bots[seat].step(view)
        yield view, seat, step
        make_step(state, step)
    raise AssertionError("the hand does not end")


def seated(name: str, seats: int, seed: str) -> list[SeatedBot]:
    return [get_bot(name, seed=f"{seed}:{seat}") for seat in range(seats)]


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_step_is_legal_and_every_hand_ends(preset: str, players: int, name: str) -> None:
    state = dealt(preset, players, f"legal {preset} {players}")
    for view, _, step in positions(state, seated(name, len(state.side_of), "legal")):
        assert step in legal_steps(view.state)
    score_hand(state)


@pytest.mark.parametrize(("preset", "players", "options"), HOUSE_RULES)
def test_house_rules(preset: str, players: int, options: dict[str, object]) -> None:
    for number in range(3):
        state = dealt(preset, players, f"house {number}", options)
        bots = [get_bot("club" if seat % 2 == 0 else "novice") for seat in range(len(state.side_of))]
        for view, _, step in positions(state, bots):
            assert step in legal_steps(view.state)


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seed_plays_the_same_hand(name: str) -> None:
    games = []
    for _ in range(2):
        state = dealt("caliente", 4, "again")
        games.append([step for _, _, step in positions(state, seated(name, 4, "again"))])
    assert games[0] == games[1]


@pytest.mark.parametrize("name", ["novice", "casual", "club"])
@pytest.mark.parametrize(("preset", "players"), [("jaques", 4), ("bolivia", 4), ("hand-and-foot", 4)])
def test_hidden_cards_make_no_difference(preset: str, players: int, name: str) -> None:
    """A player with the same view makes the same move, whatever the other hands, stock and feet contain."""
    state = dealt(preset, players, f"hidden {preset}")
    rng = Rng("hidden")
    bot = get_bot(name)
    for number, (view, seat, step) in enumerate(positions(state, seated("club", len(state.side_of), ""))):
        if number % 3 == 0:
            own = bot.step(view)
            other = determinize(view, rng)
            assert bot.step(View(other, seat, view.scores)) == own
            if name == "club":
                assert step == own


def test_the_policy_reads_no_hidden_card_of_a_full_state() -> None:
    """A search calls the policy on full states: it must answer as it would on the view."""
    for preset in ("caliente", "jaques-samba", "hand-and-foot"):
        state = dealt(preset, 4, "full")
        for view, seat, step in positions(state, seated("club", 4, "")):
            full = View(state, seat, view.scores)
            full.state = state
            assert get_bot("club").step(full) == step


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("preset", preset_names())
def test_whole_moves_are_accepted_by_a_match(preset: str, name: str) -> None:
    rules = load_ruleset(preset, 2 if preset == "two-player" else 4, {})
    match = Match.new(rules, "whole moves")
    bots = seated(name, rules.seats.players, "whole")
    made: list[Move] = []
    while not match.hand.over:
        seat = match.hand.turn
        view = match.hand.view(seat)
        move = bots[seat].choose(view)
        match.apply(move)
        made.append(move)
        assert len(made) < MOST_STEPS


def test_weaker_habits_show() -> None:
    """The levels of the ladder act differently in the same positions, each for its own reasons."""
    bots = {name: get_bot(name) for name in ("novice", "casual", "club")}
    differ = {("novice", "casual"): 0, ("casual", "club"): 0, ("novice", "club"): 0}
    for number in range(3):
        state = dealt("caliente", 4, f"habits {number}")
        for view, _, _ in positions(state, seated("club", 4, "")):
            steps = {name: bot.step(view) for name, bot in bots.items()}
            for one, other in differ:
                differ[one, other] += steps[one] != steps[other]
    assert min(differ.values()) >= 3
    assert differ["novice", "club"] > differ["casual", "club"]


def test_the_ladder_stands() -> None:
    """Over a few duplicate hands, each level beats the one below."""
    for better, worse in (("novice", "random"), ("club", "novice")):
        ahead = 0
        for number in range(12):
            for side in range(2):
                state = dealt("caliente", 4, f"ladder {number}")
                bots = [get_bot(better if seat % 2 == side else worse, seed=str(seat)) for seat in range(4)]
                for _ in positions(state, bots):
                    pass
                sheets = score_hand(state)
                ahead += sheets[side].total - sheets[1 - side].total
        assert ahead > 0


@pytest.mark.parametrize("name", bot_names())
def test_what_is_no_view_of_the_seat_to_act_is_told(name: str) -> None:
    bot = get_bot(name)
    wrong: Any = None
    match = Match.new(load_ruleset("caliente"), "no view")
    turn = match.hand.turn
    other = (turn + 1) % 4
    for asked, told in (
        (wrong, "chooses by a view, and this is of type NoneType: give it match.view"),
        (match.hand, "chooses by a view, and this is of type Hand"),
        (match.hand.view(None), f"this is a spectator's view, and seat {turn} has to act"),
        (match.hand.view(other), f"this is a view of seat {other}, and seat {turn} has to act"),
    ):
        with pytest.raises(CanastaError, match=told):
            bot.choose(asked)
    while not match.hand.over:
        match.apply(get_bot("club").choose(match.hand.view(match.hand.turn)))
    with pytest.raises(CanastaError, match="nothing to choose: the hand is over"):
        bot.choose(match.hand.view(0))


def test_names() -> None:
    assert bot_names()[:5] == ("random", "novice", "casual", "club", "expert")
    for name in bot_names():
        assert get_bot(name).name == name
    with pytest.raises(ValueError, match='no computer player called "champion"'):
        get_bot("champion")
