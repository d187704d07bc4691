"""The course of a match: the deals and moves from which anybody can replay it."""

from msgspec import Struct

from canasta.engine.fairness import FairRound
from canasta.engine.match import Match
from canasta.scenarios.positions import after_moves, match_from_position


class FairStep(Struct, tag="fair", kw_only=True):
    """A deal, from fair cards at most tables."""

    hand: int
    number: int
    """The number of the seed round."""
    server_seed: str
    """Empty at a table whose cards aren't fair."""
    seeds: dict[int, str]
    """Seeds by seat."""
    first_dealer: int | None = None
    """The dealer of the first hand, if the players have cut for it."""
    bound_to: str = ""
    """The name that the seeds are bound to, if it isn't the table's."""

    def fair_round(self, table: str) -> FairRound | None:
        if not self.server_seed:
            return None
        bound_to = self.bound_to or table
        return FairRound.of_seeds(bound_to, self.hand, self.server_seed, self.seeds, number=self.number)


class LaidStep(Struct, tag="laid", kw_only=True):
    """Cards laid out for practice."""

    position: str

    def match(self) -> Match:
        """Return the match in this position. Raises `PositionError` or `RulesetError`."""
        return after_moves(*match_from_position(self.position))


Step = str | FairStep | LaidStep
"""A move in our notation, or a deal."""
