"""Names and portraits of the players at a table, and the cards shown when a hand is over."""

import msgspec
from terminal.person import hosted

from canasta.engine.match import Match
from canasta.notation.cards import format_card
from canasta.rules import load_ruleset
from canasta.table.commands import propose, start_entries
from canasta.table.frames import Frames
from canasta.table.log import BotSeated, Created, decode_entry, encode_entry
from canasta.table.next_action import simple_move
from canasta.table.seats import FACE_OF, FACES, LEVELS, Person, name_for, names_for
from canasta.table.table import Table
from canasta.table.wire import TableState
from canasta.table.wire_commands import SeatBot, TakeSeat

MOST_PLAYERS = 6
HOST = Person("ada", "Nora")


def waiting(level: str = "club", players: int = 4) -> Table:
    """Return a table of this level whose waiting player has the same name as one of its computer players."""
    created = Created(
        rules="caliente",
        version=load_ruleset("caliente").version,
        players=players,
        options={},
        public=False,
        level=level,
        clock=0,
        spectators=True,
        seed="00" * 32,
        made=0.0,
    )
    table = Table("company", created)
    table.apply([HOST.sits(0)])
    return table


def test_every_level_has_names_for_a_full_table_and_no_name_is_in_two_levels() -> None:
    for level in LEVELS:
        names: list[str] = []
        for _ in range(MOST_PLAYERS - 1):
            names.append(name_for(level, names))
        assert all(FACE_OF[name].startswith(f"{level}-") for name in names)
        assert len(set(names)) == len(names)
        assert name_for(level, names) == ""
    assert len(FACE_OF) == len(FACES) == len(set(FACES))


def test_computer_players_are_named_by_level_in_the_order_of_the_seats() -> None:
    table = waiting()
    entries = start_entries(table)
    assert [entry.name for entry in entries if isinstance(entry, BotSeated)] == ["Celia", "Rosa", "Delia"]
    proposal = propose(table, HOST, SeatBot(id="1", seat=2, level="expert"), present=(0,))
    assert proposal.entries == [BotSeated(seat=2, level="expert", name="Anselmo")]


def test_a_face_is_chosen_and_seen_by_all() -> None:
    table = waiting()
    for face, expected in (("expert-3", "expert-3"), ("nobody", "expert-3"), ("club-0", "club-0")):
        command = TakeSeat(id="1", face=face)
        table.apply(
            [
                decode_entry(encode_entry(entry))
                for entry in propose(table, HOST, command, present=(0,), places={0: ()}).entries
            ]
        )
        shown = Frames(table, [], present=(0,), watching=0, clock=None).state_for("")
        assert shown.seats[0].face == expected
    table.apply(start_entries(table)[:-1])
    shown = Frames(table, [], present=(0,), watching=0, clock=None).state_for("")
    assert [seat.face for seat in shown.seats] == ["club-0", "club-0", "club-2", "club-3"]


def test_cards_lie_open_when_the_hand_is_over_and_in_no_frame_before() -> None:
    match = Match.new(load_ruleset("two-player"), seed="open")
    table = hosted(match).table
    read = msgspec.json.Decoder(TableState).decode
    while True:
        frames = Frames(table, [], present=(), watching=0, clock=None)
        shown = [read(frames.text(seat, is_host=False)) for seat in (None, 0, 1)]
        left = [[format_card(card) for card in match.hand.hand_cards(seat)] for seat in (0, 1)]
        if match.hand.over:
            break
        assert all(seat.shows == [] for state in shown for seat in state.seats)
        match.make(simple_move(match))
    assert any(left)
    assert all([seat.shows for seat in state.seats] == left for state in shown)


def test_at_a_table_of_one_s_own_they_have_the_names_of_their_level_too() -> None:
    assert names_for("club", 4) == ["", "Celia", "Nora", "Rosa"]
    assert names_for("my_player:Mine", 3) == ["", "", ""]


def test_no_computer_player_could_be_taken_for_a_person() -> None:
    assert name_for("club", ["celia", "N0ra"]) == "Rosa"
