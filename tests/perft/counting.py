"""Counts of step sequences from fixed positions, and a checksum over random hands.

The positions are made by seeded play, so the data files hold only how a position is reached and what was
counted from it. `python -m tests.perft.regenerate` writes them anew after a change of the rules.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from canasta.engine.play.course import order_of_hand
from canasta.engine.play.deal import deal_by
from canasta.engine.play.scoring import score_hand
from canasta.engine.prepared import PreparedRules
from canasta.engine.rng import Rng
from canasta.engine.state import DRAW, OVER, HandState
from canasta.engine.steps.codec import lays_cards
from canasta.engine.steps.legal import legal_steps
from canasta.engine.steps.make import make_step
from canasta.rules import load_ruleset, player_numbers, preset_names

FOLDER = Path(__file__).parent
DEEPEST = 6
MOST_LEAVES = 5_000
"""Counting stops at the first depth with so many sequences."""
HANDS = 10
"""Random hands in the checksum of each preset with each number of players."""

PLACES = ("deal", "middle", "opening", "stock end")


def places_of(tables: PreparedRules) -> list[str]:
    """Where there is no first meld to be made, no position is in the middle of one; a pot may be taken."""
    return ["deal", "middle", "pot", "stock end"] if tables.no_opening else list(PLACES)


class Case(NamedTuple):
    """A preset for a number of players."""

    preset: str
    players: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.preset}-{self.players}.json"

    def tables(self) -> PreparedRules:
        return PreparedRules(load_ruleset(self.preset, self.players))


def cases() -> list[Case]:
    return [Case(preset, players) for preset in preset_names() for players in player_numbers(preset)]


def deal(tables: PreparedRules, rng: Rng, hand: int) -> HandState:
    """A hand with the scores that lead to one or another first-meld minimum."""
    rules = tables.rules
    order = order_of_hand(rules, hand + 1)
    return deal_by(
        tables,
        rng,
        hand_number=hand + 1,
        dealer=order[hand % len(order)],
        scores=[(0, -100, 1500, 3000)[(hand + side) % 4] for side in range(rules.seats.sides)],
        round_number=hand % 4 + 1,
    )


def choose(legal: list[int], rng: Rng) -> int:
    """A random step; one that lays cards is preferred, so that hands come to something."""
    lays = [step for step in legal if lays_cards(step)]
    if lays and rng.below(3) > 0:
        return lays[rng.below(len(lays))]
    return legal[rng.below(len(legal))]


def positions(case: Case) -> Iterator[tuple[str, HandState]]:
    """One position of each sort, from as many hands as it takes."""
    tables = case.tables()
    rng = Rng(f"perft/{case.preset}/{case.players}")
    missing = places_of(tables)
    for hand in range(200):
        state = deal(tables, rng, hand)
        made = 0
        while state.phase != OVER and missing:
            for place in missing:
                if is_at(state, place, made):
                    missing.remove(place)
                    yield place, state.copy()
                    break
            make_step(state, choose(legal_steps(state), rng))
            made += 1
        if not missing:
            return


def is_at(state: HandState, place: str, made: int) -> bool:
    if place == "deal":
        return made == 0
    if place == "middle":
        return (
            made >= 60
            and state.phase == DRAW
            and any(sum(state.canastas_of(side)) for side in range(state.sides))
        )
    if place == "opening":
        return state.is_opening()
    if place == "pot":
        return max(state.pot_takers()) >= 0
    return state.stock_size() <= 3 + state.prepared.floor


def count(state: HandState, depth: int) -> int:
    """Sequences of so many steps; one that ends the hand earlier is none."""
    if state.phase == OVER:
        return 0
    legal = legal_steps(state)
    if depth == 1:
        return len(legal)
    total = 0
    for step in legal:
        after = state.copy()
        make_step(after, step)
        total += count(after, depth - 1)
    return total


def counts(state: HandState, *, most: int = MOST_LEAVES) -> list[int]:
    """The counts for depth 1, 2, 3, …, to the first that is large or to the deepest."""
    found: list[int] = []
    while len(found) < DEEPEST and (not found or 0 < found[-1] < most):
        found.append(count(state, len(found) + 1))
    return found


def checksum(case: Case, hands: int = HANDS) -> str:
    """Everything that is legal, in hand after hand of random play, and how each hand is scored."""
    tables = case.tables()
    rng = Rng(f"checksum/{case.preset}/{case.players}")
    digest = hashlib.sha256()
    for hand in range(hands):
        state = deal(tables, rng, hand)
        while state.phase != OVER:
            legal = legal_steps(state)
            digest.update(json.dumps(legal).encode())
            make_step(state, choose(legal, rng))
        # with the names that scenarios have for the lines
        sheets = [
            {line.replace("_", " "): points for line, points in sheet.lines.items()}
            for sheet in score_hand(state)
        ]
        digest.update(json.dumps(sheets).encode())
    return digest.hexdigest()


def counted(case: Case) -> dict[str, object]:
    """What the data file of a case holds."""
    return {
        "preset": case.preset,
        "players": case.players,
        "rules_version": load_ruleset(case.preset, case.players).version,
        "positions": {place: counts(state) for place, state in positions(case)},
        "checksum": checksum(case),
    }


def written(case: Case) -> str:
    """The text of the data file, one position a line."""
    data = counted(case)
    return json.dumps(data, indent=1).replace("\n   ", " ").replace("\n  ]", " ]") + "\n"
