"""Counts of step sequences from fixed positions, and a checksum over random hands.

Seeded play produces the positions, so a data file holds only how a position is reached and the counts from
it. After a change to the rules, `python -m tests.perft.regenerate` rewrites the files.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from canasta.engine.actions.codec import lays_cards
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.families.factory import compile_rules
from canasta.engine.play.deal import deal_by
from canasta.engine.play.scoring import score_hand
from canasta.engine.rng import Rng
from canasta.engine.seating import order_of_hand
from canasta.engine.state import DRAW, OVER, HandState
from canasta.rules import load_ruleset, player_numbers, preset_names

FOLDER = Path(__file__).parent
DEEPEST = 6
MOST_LEAVES = 5_000
"""Counting stops at the first depth with at least this many sequences."""
HANDS = 10
"""The number of random hands in the checksum of each preset and number of players."""

PLACES = ("deal", "middle", "opening", "stock end")


def places_of(tables: CompiledRules) -> list[str]:
    """Return the kinds of position to count. Games without a first meld have no "opening", but a "pot"."""
    return ["deal", "middle", "pot", "stock end"] if tables.no_opening else list(PLACES)


class Case(NamedTuple):
    """A preset with a number of players."""

    preset: str
    players: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.preset}-{self.players}.json"

    def tables(self) -> CompiledRules:
        return compile_rules(load_ruleset(self.preset, self.players))


def cases() -> list[Case]:
    return [Case(preset, players) for preset in preset_names() for players in player_numbers(preset)]


def deal(tables: CompiledRules, rng: Rng, hand: int) -> HandState:
    """Deal a hand, with scores that vary the first-meld minimum."""
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
    """Choose a random step, preferring steps that lay cards so that hands make progress."""
    lays = [step for step in legal if lays_cards(step)]
    if lays and rng.below(3) > 0:
        return lays[rng.below(len(lays))]
    return legal[rng.below(len(legal))]


def positions(case: Case) -> Iterator[tuple[str, HandState]]:
    """Yield one position of each kind, from as many hands as that takes."""
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
            and any(sum(state.canasta_counts(side)) for side in range(state.sides))
        )
    if place == "opening":
        return state.is_opening()
    if place == "pot":
        return max(state.pot_takers()) >= 0
    return state.stock_size() <= 3 + state.compiled.floor


def count(state: HandState, depth: int) -> int:
    """Count the sequences of `depth` steps; one that ends the hand earlier does not count."""
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
    """Return the counts for depth 1, 2, 3, …, up to the first large one or the greatest depth."""
    found: list[int] = []
    while len(found) < DEEPEST and (not found or 0 < found[-1] < most):
        found.append(count(state, len(found) + 1))
    return found


def checksum(case: Case, hands: int = HANDS) -> str:
    """Return a digest of all legal steps and scores over `hands` hands of random play."""
    tables = case.tables()
    rng = Rng(f"checksum/{case.preset}/{case.players}")
    digest = hashlib.sha256()
    for hand in range(hands):
        state = deal(tables, rng, hand)
        while state.phase != OVER:
            legal = legal_steps(state)
            digest.update(json.dumps(legal).encode())
            make_step(state, choose(legal, rng))
        # The keys are the names that scenarios use for the lines.
        sheets = [
            {line.replace("_", " "): points for line, points in sheet.lines.items()}
            for sheet in score_hand(state)
        ]
        digest.update(json.dumps(sheets).encode())
    return digest.hexdigest()


def counted(case: Case) -> dict[str, object]:
    """Return the contents of the data file of a case."""
    return {
        "preset": case.preset,
        "players": case.players,
        "rules_version": load_ruleset(case.preset, case.players).version,
        "positions": {place: counts(state) for place, state in positions(case)},
        "checksum": checksum(case),
    }


def written(case: Case) -> str:
    """Return the text of the data file, one position per line."""
    data = counted(case)
    return json.dumps(data, indent=1).replace("\n   ", " ").replace("\n  ]", " ]") + "\n"
