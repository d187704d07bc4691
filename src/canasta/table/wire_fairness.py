"""Messages about fair cards, so that everyone can check the deal; parts of those in `wire`."""

from msgspec import Struct, field


class FairPart(Struct, kw_only=True, omit_defaults=True):
    """One seat's contribution to a round of seeds."""

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
    """The server's commitment."""
    seats: list[FairPart] = field(default_factory=list)
    """The commitments so far, or the closed list. For the hand in play they are shown when it is over."""
    asked: bool = False
    """Whether the cards have been asked for."""
    closed: bool = False
    """Whether the list is closed, so that the players in it should reveal their seeds."""
    allowed: list[int] | None = None
    """Seats that may take part; None for all."""
    server_seed: str = ""
    """Shown with the seeds of the seats."""
    seconds: int = 0
    """Minimum time in seconds for which the list stays open to the viewer's seat; 0 if it is closed."""


class FairView(Struct, kw_only=True):
    """The seeds that make the cards verifiable."""

    version: int = 2
    """The version of fair cards for the hand in play."""
    dealt: FairRoundView | None = None
    """The round of seeds from which the hand in play was dealt."""
    void: list[FairRoundView] = field(default_factory=list)
    """Void rounds of the hand in play, then those of the next deal."""
    next: FairRoundView | None = None
    """The round for the next deal, as soon as players can commit to it."""


class CutView(Struct, kw_only=True):
    """The cut for seats and dealer, by the seats that the players have now."""

    cards: list[list[str]]
    """Cards cut by each seat; several if the player had to cut again."""
    before: list[int]
    """The seat of each player before the cut."""
    dealer: int
    round: FairRoundView
    void: list[FairRoundView] = field(default_factory=list)
    """Void rounds of the cut."""


class DealView(Struct, kw_only=True):
    """The settings needed to deal the cards of a round of seeds again."""

    decks: int
    hand_size: int
    foot_size: int
    sides: int
    sit_out: bool
    first_dealer: str
    cut_order: str
    """`ace_high`, `ace_high_suits`, `joker_high_suits`"""
    pots: list[int]
    """Sizes of the pots."""
    pots_become_stock: bool
    """The next pot becomes the stock when a draw leaves no more than `stock_floor` cards of it (END-9)."""
    up_card: str
    """`natural`, `any`, `none`"""
    threes: str
    """`special`, `bonus` (all of them), `natural`"""
    threes_laid: str
    """When bonus cards are laid out and replaced: `deal`, `hand` (by the players), `turn`, `turn_but_one`."""
    cover_black_three: bool
    natural_covers_frozen: bool
    reshuffle_second: bool
