"""A position set up manually: the full description of a hand in
progress, for scenarios, puzzles and tests."""

from dataclasses import dataclass, field


@dataclass
class Position:
    """A hand in progress. Cards are kinds; a seat that sits out has no entry in `hands`."""

    turn: int = 0
    phase: str = "draw"
    """`draw`, `play`, or `deal` (cards are dealt, but no red threes
    are laid out and no card is turned up yet)."""
    hands: dict[int, list[int]] = field(default_factory=dict)
    feet: dict[int, list[int]] = field(default_factory=dict)
    picked_up: set[int] = field(default_factory=set)
    """Seats that have picked up the foot. They have also played
    from it unless `foot_unplayed` contains them."""
    foot_unplayed: set[int] = field(default_factory=set)
    pots: list[list[int]] = field(default_factory=list)
    """Pots that nobody has taken, the next one first."""
    pot_taken: set[int] = field(default_factory=set)
    """Sides that have taken their pot. They have also played from it unless `pot_unplayed` contains them."""
    not_returned: int = -1
    """The single card of the pile taken this turn, which must not be discarded again; -1 if none."""
    pot_unplayed: set[int] = field(default_factory=set)
    melds: dict[int, list[list[int]]] = field(default_factory=dict)
    """Melds by side, in the order laid."""
    bonus: dict[int, list[int]] = field(default_factory=dict)
    """Bonus cards (red threes) laid out, by side."""
    talons: dict[int, list[int]] = field(default_factory=dict)
    """Talon cards waiting for their owner's next turn, by seat."""
    pile: list[int] = field(default_factory=list)
    """The discard pile, bottom to top."""
    stock: list[int] = field(default_factory=list)
    """The stock, top card first."""
    scores: list[int] = field(default_factory=list)
    """Totals by side before this hand. Empty means zero for all."""
    round: int = 1
    sitting_out: set[int] = field(default_factory=set)
    melded_before: set[int] | None = None
    """Seats that melded earlier in this hand. `None` means all seats of every side that has melds."""
    dealer: int | None = None
    """The dealer's seat. `None` means the seat to the right of `turn`."""
    caliente_played: list[int] = field(default_factory=list)
    """Caliente cards played in this hand, by side. Empty means none. The same holds for `put_backs`."""
    put_backs: list[int] = field(default_factory=list)
    pile_is_from_deal: bool = False
    """Whether the pile is still as dealt and `turn` is the first player of the hand (PILE-13)."""
