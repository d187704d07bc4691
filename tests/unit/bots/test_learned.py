"""The learned player: its memory, its estimates, and when it leaves the move to the expert."""

import random
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from math import log
from typing import cast

import pytest
from preset_tables import EVERY_TABLE, one_table_per_preset

from canasta.arena.play import play_hand, play_match
from canasta.bots import SeatedBot, bot_names, get_bot, load_bot
from canasta.bots.expert.rollouts import WALL_CLOCK, seat_to_act
from canasta.bots.learned.memory import NOBODY, Memory
from canasta.bots.protocol import Listeners
from canasta.engine.actions.codec import is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import RANKS
from canasta.engine.determinize import NUMBERS, determinize
from canasta.engine.events import BonusLaid, CalientePlayed, Event, FootPickedUp, PilePutBack, PotTaken
from canasta.engine.families.factory import compile_rules
from canasta.engine.match import Match
from canasta.engine.observation.layout import CHOICES, FIFTIES, FIVES, MOST_SLOTS, PLAIN, rule_numbers
from canasta.engine.play.deal import deal_from_seed
from canasta.engine.rng import Rng
from canasta.engine.state import OVER, HandState
from canasta.engine.view import View
from canasta.research.episode import Episode, EpisodeGame
from canasta.rules import RulesetError, load_ruleset, player_numbers, preset_names
from canasta.rules.loader import values_of

np = pytest.importorskip("numpy", reason="NumPy is an extra and is not installed")

from master_matches import master_match  # noqa: E402 - as above

from canasta.bots.learned.coverage import (  # noqa: E402 - as above
    MOST_CHANGED,
    TrainedNetwork,
    other_values,
    was_trained,
)
from canasta.bots.learned.network import master_network  # noqa: E402 - NumPy
from canasta.bots.learned.player import GrandmasterBot, MasterBot  # noqa: E402 - as above
from canasta.bots.learned.search import MOST_WORLDS, CandidateRollout, evaluate_rollouts  # noqa: E402 - as above

LEARNED = [(game.partition("/")[0], int(game.partition("/")[2])) for game in master_network().games]
"""The games that the master plays itself; in others the expert moves for it."""


class Listening:
    """Keeps a memory of the hand and chooses at random."""

    name = "listening"

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def begin(self, view: View) -> None:
        self.memory.begin(view.state)

    def hear(self, event: object) -> None:
        self.memory.hear(event)  # type: ignore[arg-type] # it is an event


@pytest.mark.parametrize(("preset", "players"), EVERY_TABLE)
def test_who_hears_remembers_what_a_learner_is_told(preset: str, players: int) -> None:
    game = EpisodeGame(load_ruleset(preset, players), whole_match=False, universal=True)
    layout = game.marks.layout
    episode = Episode(game)
    episode.begin("heard")
    memory = Memory(game.tables, layout, game.seats)
    listeners = Listeners({episode.state.order[0]: Listening(memory)})
    listeners.deal(episode.state, episode.scores)
    choice = random.Random(f"{preset}{players}")
    counted = 0
    while not episode.over and counted < 400:
        state = episode.state
        seat = episode.to_act()
        step = choice.choice(episode.legal)
        state.log = []
        episode.step(step)
        picked_up = any(isinstance(event, (FootPickedUp, PotTaken)) for event in state.log or ())
        listeners.tell(state.log or ())
        state.log = None
        for heard, told in zip(memory.blocks(), episode.observer.remembered(), strict=True):
            assert heard[layout.discarded :] == told[layout.discarded :]
        throwers = memory.throwers()
        assert len(throwers) == state.pile_size() or state.pile_due or state.phase == OVER
        if is_discard(step) and state.phase != OVER:
            assert throwers[-1] == (NOBODY if picked_up else seat)
        counted += 1
    assert counted > 30


@pytest.mark.parametrize(
    ("option", "heard_of"),
    [("lay_bonus_by_hand", BonusLaid), ("put_back", PilePutBack), ("caliente_cards", CalientePlayed)],
)
def test_who_hears_knows_how_many_cards_everybody_holds(option: str, heard_of: type) -> None:
    """Hand sizes decide who passed up a single-card pile: one card in hand may not be enough to take it."""
    game = EpisodeGame(load_ruleset("two-player", 2, {option: True, "hand_size": 4}), whole_match=False)
    times = 0
    for number in range(12):
        episode = Episode(game)
        episode.begin(f"sizes {number}")
        memory = Memory(game.tables, game.marks.layout, game.seats)
        listeners = Listeners({0: Listening(memory)})
        listeners.deal(episode.state, episode.scores)
        choice = random.Random(f"{option}{number}")
        state = episode.state
        # If the stock's last card is a three, it is laid out at once, which looks like one laid from the
        # hand.
        while not episode.over and state.stock_size() > 2:
            state.log = []
            episode.step(choice.choice(episode.legal))
            times += sum(isinstance(event, heard_of) for event in state.log)
            listeners.tell(state.log)
            state.log = None
            assert state.pile_due or memory._sizes == state.sizes()
            for heard, told in zip(memory.blocks(), episode.observer.remembered(), strict=True):
                assert heard[memory.layout.discarded :] == told[memory.layout.discarded :]
    assert times > 0


def dealt(preset: str, players: int, options: dict[str, object] | None = None) -> HandState:
    rules = load_ruleset(preset, players, options or {})
    return deal_from_seed(
        compile_rules(rules),
        seed="learned",
        hand_number=1,
        dealer=0,
        scores=[0] * rules.seats.sides,
    )


class Checked:
    """A player that acts like a bot and now and then checks that other hidden cards change nothing."""

    name = "checked"

    def __init__(self, seat: int, every: int, bot: SeatedBot | None = None) -> None:
        self.bot = bot or get_bot("master", str(seat))
        self.rng = Rng(f"hidden {seat}")
        self.every = every
        self.asked = 0

    def begin(self, view: View) -> None:
        self.bot.begin(view)

    def hear(self, event: Event) -> None:
        self.bot.hear(event)

    def step(self, view: View) -> int:
        step = self.bot.step(view)
        self.asked += 1
        if self.asked % self.every == 0:
            other = View(determinize(view, self.rng), view.seat, view.scores)
            assert self.again(other) == self.again(view)
        return step

    def again(self, view: View) -> int:
        return self.bot.step(view)


@pytest.mark.parametrize(("preset", "players"), one_table_per_preset(LEARNED))
def test_a_hand_of_master(preset: str, players: int) -> None:
    """Every step is legal, the hand ends, and the play does not depend on hidden cards."""
    state = dealt(preset, players)
    seated = [Checked(seat, 4) for seat in range(players)]
    play_hand(state, seated, [0] * state.sides)
    assert state.phase == OVER
    assert sum(bot.asked for bot in seated) > 20


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("preset", "players"), LEARNED)
def test_ten_thousand_hands_of_master(preset: str, players: int) -> None:
    """Ten thousand for each preset, shared among its numbers of players; illegal moves are refused."""
    rules = load_ruleset(preset, players)
    hands = 0
    while hands * len(player_numbers(preset)) < 10_000:
        bots = [get_bot("master") for _ in range(players)]
        result = play_match(rules, bots, f"self-play {hands}")
        assert max(result.points) > 0
        hands += result.hands


@pytest.mark.parametrize("preset", dict(LEARNED))
def test_whole_moves_of_master_are_accepted_by_a_match(preset: str) -> None:
    match = Match.new(load_ruleset(preset), "whole moves")
    bots = [get_bot("master") for _ in range(match.rules.seats.players)]
    listeners = Listeners(dict(enumerate(bots)))
    listeners.deal(match.hand.state, match.hand.scores)
    made = 0
    while not match.hand.over:
        seat = match.hand.turn
        listeners.tell(match.apply(bots[seat].choose(match.hand.view(seat))))
        made += 1
    assert made > 10


def test_the_number_of_a_hand_is_known_to_those_who_sat_out() -> None:
    """With six players two sit out each hand."""
    rules = load_ruleset("hand-and-foot", 6)
    heard: list[tuple[int, int]] = []

    class Counting(Checked):
        def begin(self, view: View) -> None:
            super().begin(view)
            heard.append((cast("MasterBot", self.bot).context.hand_number, view.state.minimum(0)))

    play_match(rules, [Counting(seat, 10**9) for seat in range(6)], "sitting out")
    minimums = dict(heard)
    assert len(heard) == 4 * rules.match.rounds
    assert sorted(minimums) == list(range(1, rules.match.rounds + 1))
    assert [minimums[number] for number in sorted(minimums)] == [50, 90, 120, 150]


def test_hints_are_the_best_moves_with_their_chances() -> None:
    state = dealt("jaques", 4)
    bot = get_bot("master")
    view = View(state, state.turn, [0, 0])
    hints = bot.hint(view, 3)
    assert hints[0].move == bot.choose(view)
    assert [hint.reason.numbers["chance"] for hint in hints] == sorted(
        (hint.reason.numbers["chance"] for hint in hints), reverse=True
    )
    assert hints[0].reason.text


def test_a_hand_of_grandmaster() -> None:
    """Steps are legal and blind to hidden cards; some differ from the master's where trials favour them."""
    other = 0

    class Compared(Checked):
        def step(self, view: View) -> int:
            nonlocal other
            step = super().step(view)
            bot = cast("GrandmasterBot", self.bot)
            trained = bot.context.trained(view)
            assert trained is not None
            other += bot.context.ranked(trained, view)[0][1] != step
            return step

        def again(self, view: View) -> int:
            """Ask a bot that has made no plans yet."""
            fresh = GrandmasterBot("fresh", -12.0)
            fresh.context = cast("GrandmasterBot", self.bot).context
            return fresh.step(view)

    state = dealt("jaques", 4)
    seated = [
        Checked(seat, 10**9) if seat else Compared(seat, 10, GrandmasterBot(str(seat), -12.0))
        for seat in range(4)
    ]
    play_hand(state, seated, [0] * state.sides)
    assert state.phase == OVER
    assert other > 0


def test_a_grandmaster_with_time_tries_so_many_deals_and_no_more() -> None:
    """Its clock is frozen, so only the number of deals can end its thinking."""
    match, bots = master_match("caliente", 20)
    listeners = Listeners(dict(enumerate(bots)))
    tried = 0
    while tried < MOST_WORLDS:
        assert not match.hand.over
        seat = match.hand.turn
        view = match.hand.view(seat)
        decisions = []
        for budget, clock in ((0.8, lambda: 0.0), (-float(MOST_WORLDS), WALL_CLOCK)):
            bot = GrandmasterBot("s", budget, clock)
            bot.context = bots[seat].context
            decisions.append(bot._decide(view, view.facts(), 0.0, 0.8))
        by_clock, by_number = decisions
        assert by_clock.chosen == by_number.chosen
        assert [one.values for one in by_clock.candidates] == [one.values for one in by_number.candidates]
        tried = by_clock.worlds
        assert tried <= MOST_WORLDS
        listeners.tell(match.apply(bots[seat].choose(view)))


def test_a_grandmaster_without_time_plays_as_the_master_does() -> None:
    match, bots = master_match("caliente", 30)
    seat = match.hand.turn
    view = match.hand.view(seat)
    bot = GrandmasterBot("s", 0.0)
    bot.context = bots[seat].context
    assert bot.step(view) == bots[seat].step(view)


@pytest.mark.parametrize(("preset", "players"), [("caliente", 2), ("bolivia", 3)])
def test_a_judge_speaks_of_the_side_that_asks(preset: str, players: int) -> None:
    """The value estimates late in a hand correlate with the side's final result."""
    game = EpisodeGame(load_ruleset(preset, players), whole_match=False, universal=True)
    trained = TrainedNetwork(master_network(), game.tables, game.side_of)
    said: list[float] = []
    made: list[float] = []
    for number in range(6):
        episode = Episode(game)
        episode.begin(f"judged {number}")
        lines: list[CandidateRollout] = []
        while not episode.over:
            lines.append(CandidateRollout(episode.state.copy(), episode.observer.copy(), 0))
            episode.step(trained.ranked(episode.state, episode.observer, episode.to_act())[0][1])
        late = [line for line in lines[-24::3] if len(legal_steps(line.state)) > 1]
        points = episode.points
        for side in range(game.sides) if game.sides == 2 else ():
            said += evaluate_rollouts(trained, side, late)
            made += [points[side] - points[1 - side]] * len(late)
        if game.sides > 2:
            own = [line for line in late if line.state.side_of[seat_to_act(line.state)] == 0]
            said += evaluate_rollouts(trained, 0, own)
            made += [points[0] - (sum(points) - points[0]) / (game.sides - 1)] * len(own)
    assert np.corrcoef(said, made)[0, 1] > 0.5


def test_the_hands_of_the_others_surprise_less_than_in_uniform_deals() -> None:
    """This holds over several hands; in a single hand the believed deals may well be further off."""
    surprise = {"uniform": 0.0, "believed": 0.0}
    compiled = compile_rules(load_ruleset("caliente", 4))
    for seed in ("learned", "surprise 0", "surprise 1", "surprise 2", "surprise 3"):
        asked = 0
        state = deal_from_seed(compiled, seed=seed, hand_number=1, dealer=0, scores=[0, 0])
        seated = [MasterBot(str(seat)) for seat in range(4)]
        listeners = Listeners(dict(enumerate(seated)))
        listeners.deal(state, [0, 0])
        while state.phase != OVER:
            seat = seat_to_act(state)
            view = View(state, seat, [0, 0])
            asked += 1
            if asked % 24 == 0:
                knowledge = seated[seat].context
                trained = knowledge.trained(view)
                assert trained is not None
                likely = knowledge.likely(trained, view)
                assert likely[seat] == []
                rng = Rng(f"{asked}")
                deals = {
                    "uniform": [determinize(view, rng) for _ in range(30)],
                    "believed": [determinize(view, rng, likely) for _ in range(30)],
                }
                for how, worlds in deals.items():
                    assert all(View(world, seat, [0, 0]) == view for world in worlds)
                    for other in {0, 1, 2, 3} - {seat}:
                        for rank in range(RANKS):
                            held = min(state.count(other, rank), NUMBERS - 1)
                            like = sum(min(one.count(other, rank), NUMBERS - 1) == held for one in worlds)
                            surprise[how] -= log((like + 0.5) / 31)
            state.log = []
            make_step(state, seated[seat].step(view))
            listeners.tell(state.log)
            state.log = None
    assert surprise["believed"] < surprise["uniform"]


def test_a_grandmaster_that_has_not_learned_the_game_is_an_expert() -> None:
    state = dealt("caliente", 4, {"hand_size": 15})
    view = View(state, state.turn, [0, 0])
    bot = GrandmasterBot("s", -1.0)
    bot.begin(view)
    assert bot.step(view) == get_bot("expert", "s", -1.0).step(view)
    assert bot.hint(view)[0].reason.text.startswith("Master hasn’t learned this game")


@pytest.mark.parametrize(
    ("preset", "options"), [("caliente", {"hand_size": 15}), ("original", {"scoring.natural_canasta": 700})]
)
def test_where_a_game_was_not_trained_the_expert_sits_in(preset: str, options: dict[str, object]) -> None:
    state = dealt(preset, 4, options)
    bot = get_bot("master", "s", -1.0)
    expert = get_bot("expert", "s", -1.0)
    view = View(state, state.turn, [0, 0])
    assert bot.step(view) == expert.step(view)
    assert bot.step(view) in legal_steps(state)
    said = bot.explain(view, bot.choose(view)).text
    assert said.startswith("Master hasn’t learned this game with these rules, so Expert plays instead.")
    assert all(hint.reason.text.startswith("Master hasn’t") for hint in bot.hint(view))
    usual = View(dealt("caliente", 4), state.turn, [0, 0])
    assert "Expert" not in bot.explain(usual, bot.choose(usual)).text


def another(value: object) -> object:
    """Return another value of the same type, so that compiled rules accept it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return (*value, 1) if isinstance(value, tuple) else "another value"


@pytest.mark.parametrize("preset", preset_names())
def test_house_rules_that_were_drawn_in_training_are_played_by_the_master(preset: str) -> None:
    network = master_network()
    choice = random.Random(preset)
    usual = values_of(load_ruleset(preset))
    if f"{preset}/{usual['seats.players']}" not in network.games:
        pytest.skip("it has not learned this game")
    others = other_values(usual)
    while True:
        changed = {path: choice.choice(others[path]) for path in choice.sample(sorted(others), MOST_CHANGED)}
        try:
            rules = load_ruleset(preset, None, changed)
        except RulesetError:
            continue
        compiled = compile_rules(rules)
        if compiled.slots.per_row > MOST_SLOTS:
            continue
        assert was_trained(network, rules, rule_numbers(compiled))
        state = dealt(preset, rules.seats.players, dict(changed))
        seated = [Checked(seat, 8) for seat in range(rules.seats.players)]
        play_hand(state, seated, [0] * state.sides)
        assert state.phase == OVER
        break
    # One change too many, once such rules are valid together.
    paths = (choice.sample(sorted(others), MOST_CHANGED + 1) for _ in range(500))
    for too_many in paths:
        with suppress(RulesetError):
            rules = load_ruleset(preset, None, {path: choice.choice(others[path]) for path in too_many})
            assert not was_trained(network, rules, rule_numbers(compile_rules(rules)))
            return
    pytest.fail("no such rules")


def test_a_rule_that_it_is_not_told_makes_another_game() -> None:
    """The network's input is the same, and yet it hasn't learned this game."""
    network = master_network()
    told = {*PLAIN, *FIVES, *FIFTIES, *CHOICES}
    untold = 0
    tried: set[str] = set()
    for game in network.games:
        preset, _, players = game.partition("/")
        rules = load_ruleset(preset, int(players))
        numbers = rule_numbers(compile_rules(rules))
        assert was_trained(network, rules, numbers)
        assert was_trained(network, replace(rules, name="my-club", title="Ours"), numbers)
        if preset in tried:
            continue
        tried.add(preset)
        for part in fields(rules):
            section = getattr(rules, part.name)
            for field in fields(section) if is_dataclass(section) else ():
                if f"{part.name}.{field.name}" not in told:
                    changed = replace(section, **{field.name: another(getattr(section, field.name))})
                    assert not was_trained(network, replace(rules, **{part.name: changed}), numbers)
                    untold += 1
    assert untold > len(tried) > 1


def test_it_is_offered_where_numpy_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bot_names()[:7] == ("random", "novice", "casual", "club", "expert", "master", "grandmaster")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert not {"master", "grandmaster"} & set(bot_names())
    assert load_bot("master") == "master"
