"""House rules at the limits of what a table may set: every question is answered within a bounded search."""

import random
from collections.abc import Iterator

import pytest
from property.invariants import check_state
from property.tables import Table, rules_or_none

from canasta.bots import get_bot
from canasta.bots.club.opening import FirstMeld
from canasta.bots.club.weights import weights_of
from canasta.engine.actions.legal import legal_steps
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.hand import Hand
from canasta.engine.match import Match
from canasta.engine.moves.apply import why_not
from canasta.engine.moves.types import Meld, Take
from canasta.engine.state import PLAY
from canasta.rules import player_numbers, preset_names
from canasta.rules.field_types import CHOICE, NUMBER, NUMBERS, YES_NO, Field
from canasta.rules.model import FIELDS
from canasta.rules.validation import SMALLEST_POT

MOST_LOOKED_AT = 20_000
"""The highest cost of one question to the rules: legal steps, legal moves, or the check of a move."""

MOST_FOR_A_TURN = 60_000
"""The highest cost of a computer player's move or a hint, which asks for the legal steps many times."""

SHORT_TABLES = 14
LONG_TABLES = 600

FREE = [field for field in FIELDS.values() if not field.fixed]

LARGE = {"deck.decks": 6, "deal.hand_size": 30}
"""Many cards at once; half of all tables have them, so that searches have work to do."""


def extremes(field: Field) -> list[object]:
    """Return both ends and every choice of a field; for lists, the shortest, the longest and the largest."""
    if field.kind == YES_NO:
        return [False, True]
    if field.kind == CHOICE:
        return [value for value, _ in field.choices]
    if field.kind == NUMBER:
        return [field.low, field.high]
    assert field.kind == NUMBERS
    if field.path == "melds.wilds_by_size":
        return [(), (0,), (0, 1, 2, 3), (3,), tuple(range(12))]
    if field.path == "opening.scores":
        return [(), (0,), (0, field.high)]
    if field.path == "deal.pots":
        return [(), (SMALLEST_POT,), (field.high,), (field.high,) * 3]
    if field.high < 600:
        return [(), (0,), (field.high,), (field.high,) * 3]
    return [(0,), (field.high,), (0, field.high), (300,), (200, 600)]


def values_of(field: Field, choice: random.Random) -> dict[str, object]:
    """Return one field at an extreme, with the values that it requires elsewhere."""
    value = choice.choice(extremes(field))
    values: dict[str, object] = {field.path: value}
    if field.path in ("opening.minimums", "opening.scores") and isinstance(value, tuple) and value:
        other = "opening.scores" if field.path == "opening.minimums" else "opening.minimums"
        steps = (0, 1500) if other == "opening.scores" else (200, 600)
        values[other] = steps[: len(value)]
        values["opening.by_round"] = False
    if field.path == "melds.sets_per_rank" and value == "one_open":
        values["melds.largest_set"] = 7
    if field.path == "deck.decks" and value == 1:
        values |= {"deal.hand_size": 7, "scoring.red_three_extra_from": 0}
    if field.path in ("match.target", "match.rounds") and value:
        values["match.target" if field.path == "match.rounds" else "match.rounds"] = 0
    return values


def tables_of(fields: list[Field], choice: random.Random, number: int) -> Iterator[Table]:
    """Yield tables with each of these fields first, then with random pairs and triples of fields."""
    waiting = list(fields)
    made = 0
    while made < number:
        chosen = [waiting.pop()] if waiting else choice.sample(FREE, choice.randint(2, 3))
        for _ in range(20):
            values: dict[str, object] = dict(LARGE) if choice.random() < 0.5 else {}
            for field in chosen:
                values |= values_of(field, choice)
            preset = choice.choice(preset_names())
            table = Table(preset, choice.choice(player_numbers(preset)), tuple(values.items()))
            if rules_or_none(table) is not None:
                made += 1
                yield table
                break


class Costs:
    """Measures what the questions at one table cost."""

    def __init__(self, tables: CompiledRules) -> None:
        self.tables = tables
        self.at = tables.looked_at
        self.most = 0

    def pay(self, limit: int, what: str) -> None:
        cost = self.tables.looked_at - self.at
        assert cost <= limit, f"{what} looked at {cost}"
        self.at = self.tables.looked_at
        self.most = max(self.most, cost)


def ask_everything(hand: Hand, costs: Costs, choice: random.Random) -> None:
    """Ask everything that a person at the table can ask, with the limit of each question."""
    state = hand.state
    costs.at = costs.tables.looked_at
    steps = legal_steps(state)
    costs.pay(MOST_LOOKED_AT, "the legal steps")
    assert steps
    moves = hand.legal_moves()
    costs.pay(MOST_LOOKED_AT, "the legal moves")
    assert moves
    for move in choice.sample(moves, min(4, len(moves))):
        assert hand.check(move) is None, move
        costs.pay(MOST_LOOKED_AT, "the check of a move")
        if isinstance(move, (Meld, Take)):
            why_not(state, move, partial=True)
            costs.pay(MOST_LOOKED_AT, "the check of a part of a move")
    for name in ("club", "random"):
        hints = get_bot(name, "hint").hint(hand.view(hand.turn))
        costs.pay(MOST_FOR_A_TURN, f"a hint of {name}")
        assert hints
        for hint in hints:
            assert hand.check(hint.move) is None, hint.move
    costs.at = costs.tables.looked_at
    if state.phase == PLAY and not state.opened(state.side_of[state.turn]):
        assert FirstMeld(state, weights_of("club", state.compiled)).looked_at <= MOST_LOOKED_AT


def play_some_turns(table: Table, choice: random.Random, moves: int) -> int:
    """Play some moves of random and club players, with questions in between; return the highest cost."""
    match = Match.new(table.rules(), seed=f"extremes {choice.random()}")
    costs = Costs(match.compiled)
    bots = [get_bot(name, f"{table}") for name in ("club", "random")]
    hand = match.hand
    questions = set(choice.sample(range(moves), 3))
    for number in range(moves):
        if hand.over:
            break
        check_state(hand.state)
        if number in questions:
            ask_everything(hand, costs, choice)
        bot = bots[hand.state.side_of[hand.turn] % 2 if choice.random() < 0.8 else choice.randrange(2)]
        costs.at = costs.tables.looked_at
        move = bot.choose(hand.view(hand.turn))
        costs.pay(MOST_FOR_A_TURN, f"a move of {bot.name}")
        hand.apply(move)
        costs.pay(MOST_LOOKED_AT, "making a move")
    return costs.most


def walk(fields: list[Field], seed: str, number: int, moves: int) -> None:
    choice = random.Random(seed)
    for table in tables_of(fields, choice, number):
        try:
            play_some_turns(table, choice, moves)
        except Exception as error:
            raise AssertionError(f"at the table {table}: {error}") from error


@pytest.mark.parametrize("part", range(6))
def test_extreme_house_rules(part: int) -> None:
    walk(FREE[part::6], f"short {part}", SHORT_TABLES + len(FREE[part::6]), 30)


@pytest.mark.long
@pytest.mark.parametrize("part", range(12))
def test_many_extreme_house_rules(part: int) -> None:
    walk(FREE, f"long {part}", LONG_TABLES // 12 + len(FREE), 120)


FROZEN_HOUSES = (
    Table("bolivia", 4, (("deck.decks", 6), ("hand_size", 30), ("opening.minimums", (200, 400, 1000, 1000)))),
    Table("bolivia", 2, (("deck.decks", 6), ("hand_size", 30), ("opening.minimums", (300, 400, 500, 600)))),
    Table(
        "caliente-samba",
        4,
        (("deck.decks", 6), ("hand_size", 30), ("opening.minimums", (200, 300, 400, 500))),
    ),
    Table("jaques", 2, (("deck.decks", 6), ("hand_size", 30), ("opening.minimums", (250, 300, 1000)))),
    Table(
        "bolivia",
        4,
        (
            ("deck.decks", 6),
            ("hand_size", 30),
            ("opening.minimums", (1000,)),
            ("opening.scores", (0,)),
            ("opening.by_round", False),
        ),
    ),
)
"""Tables of the kind that once froze a server: many cards, and minimums near the value of a hand."""


@pytest.mark.parametrize("table", FROZEN_HOUSES, ids=str)
def test_a_table_that_asks_much_of_a_large_hand(table: Table) -> None:
    for number in range(4):
        play_some_turns(table, random.Random(f"frozen {table} {number}"), 40)


def test_every_extreme_of_every_field_can_be_set() -> None:
    """Every end of a field can be set, so that the walk reaches it."""
    choice = random.Random("reach")
    reached: set[tuple[str, object]] = set()
    for _ in range(40):
        for field in FREE:
            values = values_of(field, choice)
            for preset in preset_names():
                for players in player_numbers(preset):
                    for options in (values, LARGE | values):
                        mark = (field.path, values[field.path])
                        if mark not in reached and rules_or_none(
                            Table(preset, players, tuple(options.items()))
                        ):
                            reached.add(mark)
    missing = {(field.path, value) for field in FREE for value in extremes(field)} - reached
    assert not missing
