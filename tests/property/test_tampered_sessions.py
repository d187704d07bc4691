"""Sessions with one random lie in them: the witness always raises an alarm."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
from property.test_witnesses import trouble
from witness_vectors import Session
from witnessed_table import WitnessedTable

from canasta.terminal.fairness import PROBLEMS

GAMES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("two-player", 2, {"hand_size": 6, "canastas_to_go_out": 0, "match.target": 20_000}),
    ("caliente", 4, {"hand_size": 6, "canastas_to_go_out": 0}),
    ("burraco", 2, {"hand_size": 5, "deal.pots": [5, 5], "going_out.canastas": 0}),
    ("american", 4, {"hand_size": 6, "canastas_to_go_out": 0}),
)
SHORT, LONG = 60, 1500

State = dict[str, Any]
Lie = Callable[[State, random.Random], bool]
"""Changes a state; False if there was nothing to change."""


def other(card: str, luck: random.Random) -> str:
    return luck.choice([each for each in ("4c", "5d", "Kh", "2s", "Jo", "9s", "Ac") if each != card])


def swap(cards: list[str], luck: random.Random) -> bool:
    """Replace a card that is shown."""
    places = [at for at, card in enumerate(cards) if card]
    if not places:
        return False
    at = luck.choice(places)
    cards[at] = other(cards[at], luck)
    return True


def own_card(state: State, luck: random.Random) -> bool:
    return swap(state["you"]["cards"] if state["you"] else [], luck)


def pile_card(state: State, luck: random.Random) -> bool:
    return swap(state["pile"]["cards"] if state["pile"] else [], luck)


def melded_card(state: State, luck: random.Random) -> bool:
    melds = [meld["cards"] for side in state["sides"] for meld in side["melds"]]
    return bool(melds) and swap(luck.choice(melds), luck)


def bonus_card(state: State, luck: random.Random) -> bool:
    bonus = [side["bonus"] for side in state["sides"] if side["bonus"]]
    return bool(bonus) and swap(luck.choice(bonus), luck)


def shown_card(state: State, luck: random.Random) -> bool:
    shows = [seat["shows"] for seat in state["seats"] if seat.get("shows")]
    return bool(shows) and swap(luck.choice(shows), luck)


def hand_count(state: State, luck: random.Random) -> bool:
    seat = luck.choice(state["seats"])
    seat["cards"] = seat.get("cards", 0) + luck.choice((1, 2))
    return True


def stock_count(state: State, luck: random.Random) -> bool:
    state["stock"] += luck.choice((-1, 1, 2))
    return True


def fewer_events(state: State, luck: random.Random) -> bool:
    """Withhold an event that moves cards."""
    moving = [event for event in state["events"] if event["what"] not in HARMLESS]
    if not moving:
        return False
    state["events"].remove(luck.choice(moving))
    return True


def event_card(state: State, luck: random.Random) -> bool:
    """Change the card of a discard or a take."""
    shown = [event for event in state["events"] if event["what"] in ("discarded", "top_card_taken")]
    return bool(shown) and swap(luck.choice(shown)["cards"], luck)


def other_seat(state: State, luck: random.Random) -> bool:
    moving = [event for event in state["events"] if event["what"] in ("drew", "discarded")]
    if not moving:
        return False
    event = luck.choice(moving)
    event["seat"] = (event["seat"] + 1) % len(state["seats"])
    return True


def early_seed(state: State, luck: random.Random) -> bool:
    dealt = state["fair"] and state["fair"]["dealt"]
    if not dealt or state["phase"] == "over":
        return False
    dealt["server_seed"] = luck.randbytes(32).hex()
    return True


def other_seed(state: State, luck: random.Random) -> bool:
    dealt = state["fair"] and state["fair"]["dealt"]
    if not dealt or not dealt["server_seed"]:
        return False
    dealt["server_seed"] = luck.randbytes(32).hex()
    return True


def rewritten_log(state: State, luck: random.Random) -> bool:
    """Leave out a draw or a discard. (Other cards in a meld that is taken back would change nothing.)"""
    moving = [event for event in state["log"] if event["what"] in ("drew", "discarded")]
    if not moving:
        return False
    state["log"].remove(luck.choice(moving))
    return True


def no_chain(state: State, _: random.Random) -> bool:
    state["chain"] = ""
    return True


HARMLESS = ("canasta_made", "card_kept", "passed", "asked", "answered")
"""Events that move no cards. One that is missing is noticed only if it is the whole move."""

LIES: tuple[Lie, ...] = (
    *(own_card, pile_card, melded_card, bonus_card, shown_card, hand_count, stock_count, fewer_events),
    *(event_card, other_seat, early_seed, other_seed, rewritten_log, no_chain),
)


@pytest.fixture(scope="module")
def sessions() -> list[Session]:
    """Return honest sessions with interrupted connections."""
    found: list[Session] = []
    for name, players, options in GAMES:
        watched = WitnessedTable(name, players, 2, seed="lies", options=options, moves="undo")
        viewing, luck = watched.viewings[-1], random.Random(name)
        watched.start()
        watched.play_hand(
            lambda _, watched=watched, viewing=viewing, luck=luck: trouble(watched, viewing, luck)  # type: ignore[misc]
        )
        if not viewing.connected:
            watched.connect(viewing)
            watched.settle()
        found.append(Session.of(name, watched, viewing))
    return found


def check(session: Session, lie: Lie, luck: random.Random) -> bool:
    """Apply this lie to some state; return whether there was one to apply it to."""
    states = session.states()
    luck.shuffle(states)
    for at in states:
        state = copy.deepcopy(session.steps[at]["state"])
        if lie(state, luck) and state != session.steps[at]["state"]:
            steps = [*session.steps[:at], {**session.steps[at], "state": state}, *session.steps[at + 1 :]]
            witness, _ = session.replayed(steps)
            results = [verdict.result for verdict in witness.verdicts if verdict.hand == 1]
            assert PROBLEMS & set(results), f"{session.name}: {lie.__name__} at step {at}: {results}"
            return True
    return False


def tell_lies(sessions: list[Session], number: int, seed: str) -> None:
    luck = random.Random(seed)
    told = sum(check(luck.choice(sessions), LIES[at % len(LIES)], luck) for at in range(number))
    assert told > number // 2


def test_every_lie_is_noticed(sessions: list[Session]) -> None:
    tell_lies(sessions, SHORT, "short")


@pytest.mark.long
def test_many_lies_are_noticed(sessions: list[Session]) -> None:
    tell_lies(sessions, LONG, "long")
