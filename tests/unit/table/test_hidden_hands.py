"""The final hands of a deal of the day, which stay hidden until the day is over."""

from dataclasses import dataclass

import msgspec
import pytest
from witnessed_table import WitnessedTable

from canasta.engine.families.factory import compile_rules
from canasta.engine.state import HandState
from canasta.table.fairness.ledger import fault_in
from canasta.table.fairness.observation import Observation
from canasta.table.fairness.rounds import as_round
from canasta.terminal.fairness import dealt_cards


@dataclass(frozen=True)
class PlayedHand:
    """A hand as the viewer on seat 0 saw it, and its deal."""

    observations: list[Observation]
    deal: HandState
    dealer: int

    def fault(self, *ends: Observation) -> str:
        """Return the first fault if the last state is replaced by these."""
        seen = [*self.observations[:-1], *ends]
        return fault_in(seen, self.deal, hand=1, dealer=self.dealer, seat=0)


@pytest.fixture(scope="module")
def played() -> PlayedHand:
    watched = WitnessedTable("two-player", 2, 1)
    watched.start()
    watched.play_hand()
    seen = watched.viewings[0].witness.hands[1]
    assert seen.fair is not None
    fair = as_round(watched.table.bound_to, seen.fair)
    return PlayedHand(
        seen.observations, dealt_cards(compile_rules(watched.rules), fair, seen.dealer), seen.dealer
    )


def hidden(seen: Observation) -> Observation:
    return msgspec.structs.replace(seen, shows=[[] for _ in seen.shows])


def later(seen: Observation) -> Observation:
    """Return the same state without its events, as if nothing had happened since."""
    return msgspec.structs.replace(seen, events=[], log=[])


def test_hands_may_be_shown_later(played: PlayedHand) -> None:
    last = played.observations[-1]
    assert any(last.shows)
    assert played.fault(last) == ""
    assert played.fault(hidden(last), later(last)) == ""


def test_hands_must_be_shown_with_the_seed(played: PlayedHand) -> None:
    last = played.observations[-1]
    assert played.fault(hidden(last)) == "cards"
    assert played.fault(last, later(hidden(last))) == "cards"


def test_hands_shown_early_must_be_right(played: PlayedHand) -> None:
    last = played.observations[-1]
    wrong = msgspec.structs.replace(last, shows=[["Jo", *cards[1:]] for cards in last.shows])
    assert played.fault(wrong, later(last)) == "cards"
