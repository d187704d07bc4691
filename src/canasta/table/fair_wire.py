"""What a table tells of its cards, so that everyone can check them; parts of the messages in `wire`."""

from msgspec import Struct, field


class FairPart(Struct, kw_only=True, omit_defaults=True):
    """What one seat contributes to a round of seeds."""

    seat: int
    commitment: str
    seed: str = ""
    """Shown when the hand is over, the players have cut, or the round is void."""


class FairRoundView(Struct, kw_only=True):
    """A round of seeds (see `docs/fair-cards`)."""

    hand: int
    """0 for the cut."""
    round: int
    commitment: str
    """The server's."""
    seats: list[FairPart] = field(default_factory=list)
    """The commitments so far, or the closed list. Of the hand in play they are told when it is over."""
    asked: bool = False
    """The cards are wanted now."""
    closed: bool = False
    """Who is in the list should reveal."""
    allowed: list[int] | None = None
    """Seats that may take part; None for all."""
    server_seed: str = ""
    """Shown with the seeds of the seats."""


class FairView(Struct, kw_only=True):
    """What makes the cards verifiable."""

    version: int = 2
    """Of the hand in play."""
    dealt: FairRoundView | None = None
    """What the hand in play was dealt from."""
    void: list[FairRoundView] = field(default_factory=list)
    """Rounds that came to nothing: of the next deal while one is wanted, else of the hand in play."""
    next: FairRoundView | None = None
    """For the next deal, as soon as one can commit."""


class CutView(Struct, kw_only=True):
    """What was cut for seats and dealer. By the seats that everybody has now."""

    cards: list[list[str]]
    """More than one where it was cut again."""
    before: list[int]
    """The seat that each had before the cut."""
    dealer: int
    round: FairRoundView


class DealView(Struct, kw_only=True):
    """What one needs to deal the cards of a round of seeds again."""

    decks: int
    hand_size: int
    foot_size: int
    sides: int
    sit_out: bool
    first_dealer: str
    pots: list[int]
    """Sizes of the pots."""
    up_card: str
    """`natural`, `any`, `none`"""
    threes: str
    """`special`, `bonus` (all of them), `natural`"""
    threes_laid: str
    """Bonus cards are laid out and replaced: `deal`, `hand` (by the players), `turn`, `turn_but_one`."""
    cover_black_three: bool
    natural_covers_frozen: bool
    reshuffle_second: bool
