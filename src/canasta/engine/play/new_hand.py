"""A hand before the deal."""

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.offsets import OPENED
from canasta.engine.rows import bytes_writer
from canasta.engine.state import DRAW, NOT_ASKED, HandState


def new_hand(compiled: CompiledRules, order: list[int]) -> HandState:
    """Return a hand with nothing dealt. `order` lists the seats that play it, in turn order."""
    state = HandState()
    places = compiled.places(order)
    seats = len(places.side_of)
    sides = compiled.rules.seats.sides
    state.compiled = compiled
    state.order = places.order
    state.side_of = places.side_of
    state.sides = sides
    state.next_seat = places.next_seat
    state.partner = places.partner
    state.log = None
    state.offsets = compiled.offsets
    state.packed = bytes_writer(bytes(state.offsets.laid_from))
    if compiled.no_opening:
        for side in range(sides):
            state.mark_side(side, OPENED, 1)
    state.feet = [[] for _ in range(seats)]
    state.pots = []
    state.at = 0
    state.bonus_in_game = 0
    state.frozen = False
    state.pile_is_from_deal = False
    state.runs = [[] for _ in range(sides)]
    state.changes = 0
    state.bonus = [[] for _ in range(sides)]
    state.talons = [[] for _ in range(seats)]
    state.special = -1
    state.special_by = -1
    state.special_cards = []
    state.talon_due = 0
    state.turn = order[0]
    state.phase = DRAW
    state.asked = NOT_ASKED
    state.asked_in = DRAW
    state.answering = -1
    state.fresh = True
    state.laid_before = 0
    state.melded_now = False
    state.opening_points = 0
    state.minimum_surcharge = 0
    state.pile_due = False
    state.taken_top = -1
    state.took_back = False
    state.caliente_now = False
    state.black_threes_now = False
    state.no_discard = False
    state.last_discard = False
    state.face_down = False
    state.top_due = False
    state.not_returned = -1
    state.turns_without_draw = 0
    state.stuck = 0
    state.before_take = None
    state.out = -1
    return state
