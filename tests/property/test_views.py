"""Views, events and resampled hands in random play: nobody sees a hidden card (SEAT-8 and all others)."""

import random

import pytest
from property.invariants import check_state
from property.play import Game, Moment
from property.tables import Table, all_tables, one_table_per_preset, plain_tables
from property.views import (
    check_events,
    check_hidden,
    check_legality_needs_no_secret,
    check_resample,
    check_swap,
    viewers,
)

from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.moves.apply import try_move
from canasta.engine.moves.legal_moves import move_of_step
from canasta.engine.state import OVER, HandState

SPECIAL_TABLES = [
    Table("caliente", 4, (("caliente_cards", True), ("lay_bonus_by_hand", True))),
    Table("hand-and-foot", 4, (("lay_bonus_by_hand", True), ("put_back", True))),
    Table("two-player", 2, (("put_back", True), ("wild_melds", True))),
    Table("jaques-samba", 4, (("put_back", True), ("lay_bonus_by_hand", True))),
    Table("bolivia", 6, (("put_back", True), ("sides", 3))),
]


def check_views(moment: Moment, choice: random.Random, seed: str) -> None:
    state = moment.state
    check_legality_needs_no_secret(state, moment.legal)
    for viewer in viewers(state):
        check_hidden(state, viewer)
        check_swap(state, viewer, choice)
    viewer = choice.choice(viewers(state))
    dealt = check_resample(state, viewer, f"{seed}/{moment.number}")
    if viewer == state.turn:
        assert legal_steps(dealt) == moment.legal


def check_heard(moment: Moment) -> None:
    """Check the events that each viewer receives for the next step."""
    after = try_move(moment.state, move_of_step(moment.state, moment.step), partial=True)
    assert after.log is not None
    check_events(moment.state, after, after.log)


def look_around(table: Table, seed: str, moves: int, *, every: int) -> None:
    """Check the events of every step, and the views of about one moment in `every`."""
    game = Game(table, seed)
    choice = random.Random(f"views/{game.seed}")
    for moment in game.walk(moves):
        check_heard(moment)
        if choice.randrange(every) == 0:
            check_views(moment, choice, game.seed)


@pytest.mark.parametrize("table", [*plain_tables(), *SPECIAL_TABLES], ids=str)
def test_views_hide_and_suffice(table: Table) -> None:
    look_around(table, "short", 1, every=15)


@pytest.mark.long
@pytest.mark.parametrize("plain", plain_tables(), ids=str)
def test_views_hide_and_suffice_at_every_table(plain: Table) -> None:
    for table in [*all_tables(), *SPECIAL_TABLES]:
        if (table.preset, table.players) == (plain.preset, plain.players):
            look_around(table, "long", 1_000, every=10)


def play_out(state: HandState, choice: random.Random) -> None:
    while state.phase != OVER:
        legal = legal_steps(state)
        assert legal
        make_step(state, choice.choice(legal))
        check_state(state)


@pytest.mark.parametrize("table", [*one_table_per_preset(), *SPECIAL_TABLES], ids=str)
def test_a_resampled_hand_can_be_played_to_its_end(table: Table) -> None:
    game = Game(table, "play out")
    choice = random.Random(f"play out/{table}")
    for moment in game.walk(1):
        if choice.randrange(60) == 0:
            # Only the player who lifted the top card knows which cards it will be laid with.
            viewer = moment.state.turn if moment.state.top_due else choice.choice(viewers(moment.state))
            play_out(check_resample(moment.state, viewer, str(moment.number)), choice)
