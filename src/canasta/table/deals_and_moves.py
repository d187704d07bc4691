"""The course of a match: deals and moves, from which anybody can play it again."""

from msgspec import Struct

from canasta.engine.fair import FairRound
from canasta.engine.match import Match
from canasta.notation.positions import after_moves, match_from_position


class FairStep(Struct, tag="fair", kw_only=True):
    """A deal, mostly from fair cards of version 2."""

    hand: int
    number: int
    """Of the round of seeds."""
    server_seed: str
    """Empty at a table whose cards are not fair."""
    seeds: dict[int, str]
    """By seat."""
    first_dealer: int | None = None
    """Of the first hand, where the players have cut for it."""
    bound_to: str = ""
    """What the seeds are bound to, where it is not the name of the table."""

    def fair_round(self, table: str) -> FairRound | None:
        if not self.server_seed:
            return None
        bound_to = self.bound_to or table
        return FairRound.of_seeds(bound_to, self.hand, self.server_seed, self.seeds, number=self.number)


class LaidStep(Struct, tag="laid", kw_only=True):
    """Cards that are laid out, for practice."""

    position: str

    def match(self) -> Match:
        """Raises `PositionError`, or `RulesetError`."""
        return after_moves(*match_from_position(self.position))


Step = str | tuple[str, tuple[str, ...]] | FairStep | LaidStep
"""A move in our notation, or a deal; of version 1 by the seeds of the server and of the players."""
