"""What a player's judgement is made of: numbers in points of the score, tuned by self-play."""

from dataclasses import dataclass

from canasta.rules.plain_data import PlainData


@dataclass(frozen=True)
class Weights(PlainData):
    """The judgement of one player. Prices are points; chances are shares of one."""

    # Taking the pile.
    take_card: float = 14.0
    """What each card of the pile is worth to the taker."""
    take_points: float = 0.35
    """… and each point of its value."""
    take_fit: float = 30.0
    """… more for a card that fits a meld of the taker's side."""
    take_match: float = 14.0
    """… more for a card that makes a pair or better with the taker's hand."""
    take_wild: float = 35.0
    draw_card: float = 22.0
    """What a card from the stock is worth."""
    take_late: float = 10.0
    """What each card taken costs when an opponent is about to go out."""
    take_open: float = 15.0
    """More for a pile that opens for the side."""
    take_grow: float = 8.0
    """More for every card beyond two of the set that the top card joins."""
    spend_pair: float = 6.0
    """Price of the pair that takes the pile."""

    # The first meld.
    open_bias: float = 42.0
    open_card: float = 12.6
    """Price of each card that the first meld uses."""
    open_wild: float = 42.0
    open_red_three: float = 25.0
    open_behind: float = 30.0
    """The other side has opened."""
    open_pile: float = 0.0
    """Share of the worth of a pile that lies unfrozen: once open, it is easier to take."""
    open_hurry: float = 60.0
    """The hand is nearly over: grows to this as the stock runs out."""

    # Melding.
    lay: float = 0.35
    """Share of a canasta's progress that counts when a card is laid that could wait in the hand."""
    lay_points: float = 0.42
    start_set: float = 25.0
    start_run: float = 40.0
    add_bias: float = 4.0
    reserve: float = 5.0
    """A hand smaller than this, without the right to go out, is a weakness …"""
    reserve_price: float = 5.0
    """… at this price for the square of what is missing."""
    reserve_out: float = 0.3
    """Share of that price for a player who may go out."""
    late_points: float = 1.2
    """More for each point laid when an opponent is about to go out."""
    progress_3: float = 0.12
    progress_4: float = 0.22
    progress_5: float = 0.38
    progress_6: float = 0.62
    """The share of a canasta's bonus that a meld of so many cards stands for."""
    frozen_pair: float = 4.0
    """What a natural pair is worth for each card of a frozen pile."""
    spoil: float = 0.35
    """Share of the difference between a natural and a mixed canasta that spoiling a natural set costs."""
    complete: float = 1.1
    """Share of a canasta's bonus that completing it with wilds is worth now."""
    first_canasta: float = 120.0
    """More for a canasta that the side still needs to go out."""

    # On the way to the foot, and out.
    foot_card: float = 0.0
    """What each card laid out of the Hand is worth while the foot waits …"""
    foot_hurry: float = 0.0
    """… and how much more it is when the stock is nearly out."""
    foot_near: float = 0.0
    """More for the card after which the foot is picked up in this turn."""
    foot_rank: float = 0.0
    """More for a new set, for each foot of the side that waits: what is drawn later can be laid on it."""
    foot_open: float = 0.0
    """What opening is worth more while the foot waits, when the stock is nearly out."""
    foot_pile: float = 0.0
    """What each card taken with the pile costs while the foot waits."""
    out_card: float = 0.0
    """What each card laid is worth to a player who may go out."""

    # Cards in the hand.
    keep_wild: float = 55.0
    keep_joker: float = 15.0
    """More for a joker."""
    keep_pair: float = 12.0
    keep_triple: float = 15.0
    keep_fit: float = 30.0
    keep_special: float = 0.0
    """What a card is worth of a rank whose set must be finished, while few are held."""
    drop_three: float = 0.2
    """Share of what three cards of some ranks cost at the end for throwing one when it is near."""
    keep_live: float = 8.0
    """What a single card is worth while all others of its rank are out of sight."""
    keep_points: float = 0.25
    keep_late: float = -0.5
    """What each point of a card is worth in the hand when the end is near."""
    keep_stop: float = 14.0
    keep_run: float = 12.0
    keep_caliente: float = 5.0

    # Discards.
    danger: float = 1.0
    """How much of what the next player would gain by taking the pile is feared."""
    danger_closed: float = 1.0
    """The same for a next player whose side has not opened …"""
    danger_frozen: float = 1.0
    """… and for a frozen pile."""
    danger_special: float = 0.3
    """… and for a card that they could lay only in a set which they must finish then."""
    danger_canasta: float = 100.0
    """More for the card that completes their canasta."""
    later: float = 0.0
    """What a risky card costs that must be thrown later, when the pile is larger."""
    passed: float = 0.35
    """Chance left that the next player takes a rank that he let pass or threw himself."""
    pairing: float = 1.15
    """Players keep pairs: their chance of holding one is higher than blind."""
    opens_50: float = 0.75
    opens_90: float = 0.5
    opens_120: float = 0.35
    """Chance that a player with the pair reaches the minimum of so many points."""
    freeze_behind: float = 0.5
    """Share of the pile's worth that freezing saves when only they have opened."""
    freeze_even: float = 0.1

    # Going out.
    out_bias: float = 0.0
    out_their_card: float = 11.0
    """What each card caught in an opponent's hand is worth."""
    out_our_card: float = 9.0
    """What each card left in a partner's hand costs."""
    out_threat: float = 120.0
    """More when an opponent may go out soon."""
    out_growth: float = 45.0
    """What going on is worth for every own meld that is not yet a canasta."""
    out_ask: float = 40.0
    """The partner is asked when the decision is as close as this."""

    caliente_cards: float = 6.0
    """A Caliente card is played when it brings at least so many cards."""

    special_near: float = 1.0
    """A hand that lacks so many cards or fewer to a special hand waits for them …"""
    special_stock: float = 20.0
    """… while the stock has so many cards or more."""

    # Habits of weaker players.
    memory: int = 999
    """How many cards of the pile are remembered, from the top."""
    counts_cards: bool = True
    watches_next: bool = True
    holds_back: bool = True
    plans_out: bool = True
    takes_all: bool = False


_tuned: dict[str, Weights] = {}
"""By family, once they are read."""


def tuned(family: str) -> Weights:
    """The judgement for a family of games, from `tuned.toml`, which is read when it is first asked for."""
    if not _tuned:
        import tomllib  # noqa: PLC0415 - as the file, wanted when somebody plays
        from importlib.resources import files  # noqa: PLC0415 - as above

        text = (files("canasta.bots.club") / "tuned.toml").read_text(encoding="utf-8")
        for name, numbers in tomllib.loads(text).items():
            _tuned[name] = Weights(**numbers)
    return _tuned[family]
