"""Frames and replays of random games: no viewer is sent a card that is hidden from them."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from property.matches import PlayedMatch
from property.tables import Table, one_table_per_preset

from canasta.engine.events import EVENT_KINDS, BaseEvent, Drew, Event, seen_by
from canasta.engine.match import Match
from canasta.engine.view import HIDDEN
from canasta.notation.cards import format_card
from canasta.notation.replay import Replayer
from canasta.table.event_views import event_for, events_for
from canasta.table.replay_frames import Positions, as_seen_by
from canasta.table.views import table_state
from canasta.table.wire import EventView, SeatView

NOTATION = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jo|Ca)\b")
SYMBOLS = re.compile(r"\b(?:10|[2-9JQKA])[♣♦♥♠]")
SENTENCES = ("text", "message", "remedy")
"""Fields with sentences, whose cards have symbols: `8s` is a plural there."""
MOVES = 80


def open_cards(match: Match, viewer: int | None) -> set[str]:
    """Return the cards that the engine's view shows: the viewer's own and those on the table."""
    view = match.hand.view(viewer)
    state = view.state
    kinds = {*view.hand, *state.pile, *state.special_cards}
    kinds.update(card for side in range(match.sides) for card in state.bonus[side])
    kinds.update(card for side in range(match.sides) for meld in view.melds(side) for card in meld.cards)
    if viewer is not None:
        kinds.update(state.talons[viewer])
    return {format_card(kind) for kind in kinds - {HIDDEN}}


def cards_in(message: object, *, is_sentence: bool = False) -> Iterator[str]:
    """Yield every card in a message, also in its sentences."""
    if isinstance(message, dict):
        for name, part in message.items():
            if name == "stands_for":  # the card in whose place a wild card was laid
                continue
            yield from cards_in(part, is_sentence=name in SENTENCES)
    elif isinstance(message, list):
        for part in message:
            yield from cards_in(part, is_sentence=is_sentence)
    elif isinstance(message, str) and is_sentence:
        for card in SYMBOLS.findall(message):
            yield card.replace("10", "T")[:-1] + "cdhs"["♣♦♥♠".index(card[-1])]
    elif isinstance(message, str):
        yield from NOTATION.findall(message)


def hidden_in(message: object, seen: set[str]) -> set[str]:
    return set(cards_in(msgspec.to_builtins(message))) - seen


@pytest.mark.parametrize("table", one_table_per_preset(), ids=str)
def test_frames_show_no_hidden_cards(table: Table) -> None:
    played = PlayedMatch(table, "privacy")
    names = [f"Player {seat}" for seat in range(table.players)]
    viewers = [None, *range(table.players)]
    while played.moves < MOVES and not played.match.over:
        if played.match.hand.over:
            played.match.deal_next()
        seen = {viewer: open_cards(played.match, viewer) for viewer in viewers}
        events = played.match.apply(played.choose())
        played.moves += 1
        for viewer in viewers:
            seen[viewer] |= open_cards(played.match, viewer)
            told = events_for(events, viewer, names)
            occupants = [SeatView(name=name) for name in names]
            frame = table_state(played.match, occupants, state=1, viewer=viewer, events=told)
            assert not hidden_in(frame, seen[viewer])


@pytest.mark.parametrize("table", one_table_per_preset(), ids=str)
def test_replays_as_a_seat_saw_them_show_no_hidden_cards(table: Table) -> None:
    played = PlayedMatch(table, "privacy")
    played.play(MOVES, hands=1)
    text = played.record.text()
    beside = Replayer(text)
    match = beside.replay.match
    assert match is not None
    seen = [open_cards(match, seat) for seat in range(table.players)]
    for page in Positions(text).pages():
        assert page is not None
        if page.seat >= 0:
            beside.step()
        for seat in range(table.players):
            now = open_cards(match, seat)
            assert not hidden_in(as_seen_by(page.state, seat), seen[seat] | now)
            seen[seat] = now


def test_every_event_declares_its_tag_and_its_private_fields() -> None:
    assert set(EVENT_KINDS) == set(get_args(Event)) == set(BaseEvent.__subclasses__())
    tags = [kind.tag for kind in EVENT_KINDS.values()]
    assert len(set(tags)) == len(tags)
    for event, kind in EVENT_KINDS.items():
        fields: dict[str, Any] = event.__annotations__
        assert {*kind.private, *kind.squared} <= set(fields), event
        is_tuple = (tuple, tuple[int, ...])  # a compiled class has the plain type
        assert all(fields[name] in is_tuple for name in kind.private), event


def test_private_fields_are_empty_for_everybody_else() -> None:
    drew = Drew(0, 2, (5, 6))
    assert seen_by(drew, 0) == drew
    assert seen_by(drew, 1) == seen_by(drew, None) == Drew(0, 2, ())


def test_an_event_of_a_replay_hides_its_text_with_its_cards() -> None:
    took = EventView(what="pile_taken", seat=1, count=2, cards=["5d", "4c"], text="took 5♦ 4♣")
    assert event_for(took, 1) is took
    assert event_for(took, 0) == EventView(what="pile_taken", seat=1, count=2, cards=["4c"])
    said = EventView(what="discarded", seat=1, cards=["5d"])
    assert event_for(said, 0) is said
