"""Players receive the table's events from the deal on, in order, and nothing that their seat may not know."""

from collections import Counter

import pytest

from canasta.arena.play import play_match
from canasta.bots import Bot, get_bot
from canasta.bots.protocol import Listeners, hears
from canasta.engine.events import (
    BonusLaid,
    CardsMelded,
    Discarded,
    Drew,
    Event,
    FootPickedUp,
    HandEnded,
    PilePutBack,
    PileTaken,
    PotTaken,
    TalonDealt,
    TalonPickedUp,
    TopCardTaken,
)
from canasta.engine.match import Match
from canasta.engine.view import View
from canasta.rules import load_ruleset, preset_names


class Follower(Bot):
    """A player that acts like club and tracks its own hand and the pile from the events."""

    def __init__(self, seat: int) -> None:
        self.name = "follower"
        self.seat = seat
        self.club = get_bot("club")
        self.hand: Counter[int] = Counter()
        self.put_back = False
        self.talon: tuple[int, ...] = ()
        self.heard: list[Event] = []
        self.hands = 0
        self.compared = 0
        self.foreign: list[Event] = []

    def begin(self, view: View) -> None:
        assert view.seat == self.seat
        self.hands += 1
        self.hand = Counter(view.hand)

    def hear(self, event: Event) -> None:
        self.heard.append(event)
        mine = not isinstance(event, HandEnded) and event.seat == self.seat
        if isinstance(event, (Drew, FootPickedUp, PotTaken)):
            if not mine and event.cards:
                self.foreign.append(event)
            assert not mine or len(event.cards) == event.count
            self.hand.update(event.cards)
        elif isinstance(event, TalonDealt):
            assert mine or not event.cards
            self.talon = event.cards if mine else self.talon
        elif isinstance(event, TalonPickedUp) and mine:
            self.hand.update(self.talon)
        elif isinstance(event, PileTaken) and mine:
            self.hand.update([event.top, *event.cards])
        elif isinstance(event, TopCardTaken) and mine:
            self.hand[event.card] += 1
        elif isinstance(event, CardsMelded) and mine:
            self.hand.subtract(event.cards)
        elif isinstance(event, (Discarded, BonusLaid)) and mine:
            self.hand[event.card] -= 1
        elif isinstance(event, PilePutBack) and mine:
            self.put_back = True

    def step(self, view: View) -> int:
        if self.put_back:
            # The cards melded with the pile are in the hand again; the event doesn't name them.
            self.hand, self.put_back = Counter(view.hand), False
        if not view.state.pile_due:
            self.compared += 1
            assert sorted(self.hand.elements()) == sorted(view.hand)
        return self.club.step(view)


@pytest.mark.parametrize("preset", preset_names())
def test_a_player_can_follow_the_game_by_ear(preset: str) -> None:
    rules = load_ruleset(preset)
    bots: list[Bot] = [
        Follower(seat) if seat % 2 else get_bot("casual") for seat in range(rules.seats.players)
    ]
    result = play_match(rules, bots, "by ear", most_hands=2)
    plain: list[Bot] = [get_bot("casual" if seat % 2 == 0 else "club") for seat in range(len(bots))]
    assert play_match(rules, plain, "by ear", most_hands=2) == result
    for bot in bots[1::2]:
        assert isinstance(bot, Follower)
        assert bot.hands == result.hands
        assert bot.compared > 10
        assert not bot.foreign
        assert sum(isinstance(event, HandEnded) for event in bot.heard) == result.hands


def test_two_seats_hear_the_same_but_for_hidden_cards() -> None:
    match = Match.new(load_ruleset("caliente"), "two ears")
    one, two = Follower(match.hand.turn), Follower((match.hand.turn + 1) % 4)
    listeners = Listeners({one.seat: one, two.seat: two, (one.seat + 2) % 4: get_bot("club")})
    listeners.deal(match.hand.state, match.scores)
    bot = get_bot("club")
    for _ in range(12):
        listeners.tell(match.apply(bot.choose(match.hand.view(match.hand.turn))))
    assert [type(event) for event in one.heard] == [type(event) for event in two.heard]
    assert one.heard != two.heard


def test_only_those_who_want_to_hear_are_told() -> None:
    class Deaf:
        name = "deaf"

    assert [hears(bot) for bot in (get_bot("club"), Follower(0), Deaf())] == [False, True, False]


def test_who_sits_out_is_not_dealt_in() -> None:
    match = Match.new(load_ruleset("caliente", 5), "five")
    (idle,) = match.sitting_out
    follower = Follower(idle)
    Listeners({idle: follower}).deal(match.hand.state, match.scores)
    assert follower.hands == 0
