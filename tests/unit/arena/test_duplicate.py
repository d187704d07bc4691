"""Bots at a table, and the same cards played again with the seats exchanged."""

import pytest

from canasta.arena.play import (
    BotSpec,
    DuplicateTable,
    GameSpec,
    PairResult,
    TableResult,
    drawn_scores,
    duplicate_pair,
    play_hand,
    play_match,
    play_single_hand,
    seatings,
)
from canasta.bots import get_bot
from canasta.bots.protocol import BotError
from canasta.engine.actions.codec import discard_step
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import CLUBS, FOUR
from canasta.engine.match import Match
from canasta.engine.rng import Rng
from canasta.engine.rule_tables import minimum_for
from canasta.engine.state import HandState
from canasta.engine.view import HIDDEN, View
from canasta.rules import load_ruleset, player_numbers, preset_names

EVERY_TABLE = [(name, players) for name in preset_names() for players in player_numbers(name)]
RANDOM = BotSpec("random")


class Spy:
    """Plays like `random` and keeps every view."""

    def __init__(self, seed: str) -> None:
        self.name = "spy"
        self.inner = get_bot("random", seed)
        self.views: list[View] = []

    def step(self, view: View) -> int:
        self.views.append(view)
        return self.inner.step(view)


class Stubborn:
    """Always discards a four, even if the rules forbid it."""

    def __init__(self) -> None:
        self.name = "stubborn"

    def step(self, view: View) -> int:
        return discard_step(FOUR, CLUBS)


@pytest.mark.parametrize(("name", "players"), EVERY_TABLE)
def test_a_bot_against_itself_comes_to_nothing(name: str, players: int) -> None:
    pair = duplicate_pair(GameSpec(name, players, by="hand"), RANDOM, RANDOM, "mirror")
    assert pair.difference == 0.0
    assert pair.won == pair.lost
    assert pair.won + pair.drawn + pair.lost == len(pair.tables)
    assert len({table.result for table in pair.tables}) == 1


@pytest.mark.parametrize("bot", ["novice", "casual", "club"])
@pytest.mark.parametrize(("name", "players"), [("caliente", 4), ("two-player", 2)])
def test_the_levels_against_themselves_too(bot: str, name: str, players: int) -> None:
    pair = duplicate_pair(GameSpec(name, players, by="hand"), BotSpec(bot), BotSpec(bot), "mirror")
    assert pair.difference == 0.0


def test_whole_matches_against_oneself() -> None:
    pair = duplicate_pair(GameSpec("two-player", 2), RANDOM, RANDOM, "mirror")
    assert pair.difference == 0.0
    assert pair.hands == 2 * pair.tables[0].result.hands > 2


def test_every_seating_in_which_both_sit() -> None:
    assert seatings(2) == ((0, 1), (1, 0))
    three = seatings(3)
    assert len(three) == len(set(three)) == 6
    # each of the two bots plays each side equally often
    assert [sum(seating[side] for seating in three) for side in range(3)] == [3, 3, 3]


def test_the_difference_is_that_of_average_sides() -> None:
    two = DuplicateTable((1, 0), TableResult((500, 800), 1, 1))
    assert two.difference() == 300
    three = DuplicateTable((0, 1, 0), TableResult((100, 400, 300), 1, 1))
    assert three.difference() == -200


def test_a_pair_adds_its_tables_up() -> None:
    tables = (
        DuplicateTable((0, 1), TableResult((900, 400), 2, 0)),
        DuplicateTable((1, 0), TableResult((700, 600), 3, 0)),
        DuplicateTable((0, 1), TableResult((5, 5), 1, None)),
    )
    pair = PairResult("s", tables)
    assert (pair.difference, pair.hands) == (400, 6)
    assert (pair.won, pair.drawn, pair.lost) == (1, 1, 1)
    turned = pair.turned()
    assert turned.difference == -pair.difference
    assert (turned.won, turned.drawn, turned.lost) == (1, 1, 1)
    assert turned.turned() == pair


def test_who_is_named_first_makes_no_difference() -> None:
    game = GameSpec("caliente", 4, by="hand")
    one = duplicate_pair(game, BotSpec("novice"), RANDOM, "order")
    other = duplicate_pair(game, RANDOM, BotSpec("novice"), "order")
    assert one.difference == -other.difference
    assert {table.result for table in one.tables} == {table.result for table in other.tables}


def test_other_seeds_are_other_games() -> None:
    game = GameSpec("caliente", 4, by="hand")
    results = {duplicate_pair(game, RANDOM, RANDOM, f"seed {n}").tables[0].result for n in range(5)}
    assert len(results) == 5


def test_a_bot_sees_its_own_cards_only() -> None:
    rules = load_ruleset("hand-and-foot", 4)
    bots = [Spy(f"seat {seat}") for seat in range(4)]
    play_single_hand(rules, bots, "spies")
    for seat, bot in enumerate(bots):
        assert bot.views
        for view in bot.views:
            assert view.seat == seat
            for other in range(4):
                if other != seat:
                    assert sum(view.state.cards_of(other)) == 0
            assert set(view.state.deck) <= {HIDDEN}
            assert all(card == HIDDEN for foot in view.state.feet for card in foot)


def test_a_bot_cannot_change_the_scores() -> None:
    class Greedy(Spy):
        def step(self, view: View) -> int:
            view.scores[0] += 1000
            return super().step(view)

    rules = load_ruleset("two-player", 2)
    fair = play_match(rules, [Spy("a"), Spy("b")], "scores")
    assert play_match(rules, [Greedy("a"), Greedy("b")], "scores") == fair


def test_an_illegal_step_is_told() -> None:
    with pytest.raises(BotError, match="stubborn chose step 36 in seat"):
        play_single_hand(load_ruleset("caliente", 4), [Stubborn()] * 4, "stubborn")


class Counter:
    def __init__(self) -> None:
        self.steps = 0
        self.legal = True

    def before_step(self, state: HandState, seat: int, step: int) -> None:
        self.legal = self.legal and step in legal_steps(state)

    def after_step(self, state: HandState, seat: int) -> None:
        self.steps += 1


def test_a_match_is_the_engines_match() -> None:
    rules = load_ruleset("caliente", 4)
    watcher = Counter()
    bots = [RANDOM.create("m", seat) for seat in range(4)]
    result = play_match(rules, bots, "m", watcher)
    assert watcher.legal
    assert watcher.steps > 50 * result.hands
    again = Match.new(rules, "m")
    bots = [RANDOM.create("m", seat) for seat in range(4)]
    play_hand(again.hand.state, bots, again.scores)
    first = [sheet.total for sheet in again.hand.score_sheets()]
    only = play_match(rules, [RANDOM.create("m", seat) for seat in range(4)], "m", most_hands=1)
    assert only == TableResult(tuple(first), 1, first.index(max(first)))
    assert max(result.points) >= rules.match.target
    assert result.winner == result.points.index(max(result.points))


def test_drawn_scores_climb_the_ladder() -> None:
    rules = load_ruleset("caliente", 4)
    drawn = [drawn_scores(rules, Rng(f"s{n}")) for n in range(400)]
    every = [score for scores in drawn for score in scores]
    assert all(score % 5 == 0 and 0 <= score < rules.match.target for score in every)
    assert {minimum_for(rules, score, 1) for score in every} == {50, 90, 120}
    ahead = [scores[0] > scores[1] for scores in drawn]
    assert 150 < sum(ahead) < 250
    assert drawn_scores(load_ruleset("hand-and-foot", 6), Rng("s")) == [0, 0]


def test_sides_of_three_and_seats_that_sit_out() -> None:
    for players in (5, 6):
        pair = duplicate_pair(GameSpec("jaques", players, by="hand"), BotSpec("novice"), RANDOM, "many")
        assert pair.hands == len(pair.tables)
