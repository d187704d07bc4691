"""The weights of a player's evaluation: numbers in points of the score, tuned by self-play.

Weaker players use weights that imitate human weaknesses. The novice remembers only the top of the pile,
ignores the other hands, and takes and melds whatever it can. The casual player pays some attention to the
next player and remembers the discards of the last round or two.
"""

from dataclasses import dataclass, replace

from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.melds import NATURAL
from canasta.rules.model import PlainData


@dataclass(frozen=True)
class Weights(PlainData):
    """The evaluation weights of one player. Prices are in points; chances are from 0 to 1."""

    # Taking the pile.
    take_card: float = 14.0
    """Value of each card of the pile to the player who takes it."""
    take_points: float = 0.35
    """Share of the card points of the pile that is added to it."""
    take_fit: float = 30.0
    """Extra value of a card of the pile that fits a meld of the taker's side."""
    take_match: float = 14.0
    """Extra value of a card of the pile that makes a pair or better with the taker's hand."""
    take_wild: float = 35.0
    draw_card: float = 22.0
    """Value of a card from the stock."""
    take_late: float = 10.0
    """Cost of each card taken when an opponent is about to go out."""
    take_open: float = 15.0
    """Extra value of a pile that makes the side's first meld."""
    take_grow: float = 8.0
    """Extra value for every card beyond two of the set that the top card joins."""
    spend_pair: float = 6.0
    """Price of the pair from the hand that takes the pile."""

    # The first meld.
    open_bias: float = 42.0
    open_card: float = 12.6
    """Price of each card that the first meld uses."""
    open_wild: float = 42.0
    open_red_three: float = 25.0
    open_behind: float = 30.0
    """Extra value of opening if the other side has opened."""
    open_pile: float = 0.0
    """Share of the pile's value that is added if it is not frozen, since a side that has opened can take it
    more easily.
    """
    open_hurry: float = 60.0
    """Extra value of opening once the stock is empty; it grows as the stock runs out."""

    # Melding.
    lay: float = 0.35
    """Share of a canasta's progress that is credited to a card which could also wait in the hand."""
    lay_points: float = 0.42
    start_set: float = 25.0
    start_run: float = 40.0
    add_bias: float = 4.0
    reserve: float = 5.0
    """Hand size below which a player without the right to go out is weak."""
    reserve_price: float = 5.0
    """Price of that weakness, times the square of the number of missing cards."""
    reserve_out: float = 0.3
    """Share of `reserve_price` that applies to a player who may go out."""
    late_points: float = 1.2
    """Extra value of each point laid when an opponent is about to go out."""
    progress_3: float = 0.12
    progress_4: float = 0.22
    progress_5: float = 0.38
    progress_6: float = 0.62
    """Share of a canasta's bonus credited to a meld of three, four, five or six cards."""
    frozen_pair: float = 4.0
    """Value of a natural pair in hand, for each card of a frozen pile."""
    spoil: float = 0.35
    """Share of the difference between a natural and a mixed canasta that spoiling a natural set costs."""
    complete: float = 1.1
    """Share of a canasta's bonus that completing it with wilds now is worth."""
    first_canasta: float = 120.0
    """Extra value of a canasta that the side still needs to go out."""

    # Reaching the foot, and going out.
    foot_card: float = 0.0
    """Value of each card melded before the foot is picked up."""
    foot_hurry: float = 0.0
    """Increase of `foot_card` by the time the stock is nearly empty."""
    foot_near: float = 0.0
    """Extra value of a card that lets the player pick up the foot this turn."""
    foot_rank: float = 0.0
    """Extra value of a new set for each foot of the side that is not yet picked up: cards drawn later can
    join it.
    """
    foot_open: float = 0.0
    """Extra value of opening before the foot is picked up, when the stock is nearly empty."""
    foot_pile: float = 0.0
    """Cost of each card taken with the pile before the foot is picked up."""
    out_card: float = 0.0
    """Value of each card melded by a player who may go out."""

    # Cards in the hand.
    keep_wild: float = 55.0
    keep_joker: float = 15.0
    """Extra value of a joker."""
    keep_pair: float = 12.0
    keep_triple: float = 15.0
    keep_fit: float = 30.0
    keep_special: float = 0.0
    """Value of a card whose set must be finished, while only a few of the rank are held."""
    drop_three: float = 0.2
    """Share of the final cost of holding three cards of some ranks that is credited for discarding one late
    in the hand.
    """
    keep_live: float = 8.0
    """Value of a single card while all others of its rank are unseen."""
    keep_points: float = 0.25
    keep_late: float = -0.5
    """Value of each point of a card in the hand when the end is near."""
    keep_stop: float = 14.0
    keep_run: float = 12.0
    keep_caliente: float = 5.0

    # Discards.
    danger: float = 1.0
    """Weight of the next player's gain from taking the pile."""
    danger_closed: float = 1.0
    """Factor on the danger if the next player's side has not opened."""
    danger_frozen: float = 1.0
    """Factor on the danger if the pile is frozen."""
    danger_special: float = 0.3
    """Factor on the danger of a card that they could lay only in a set which they must then finish."""
    danger_canasta: float = 100.0
    """Extra danger of a card that completes their canasta."""
    later: float = 0.0
    """Cost of keeping a risky card, which will have to be discarded on a larger pile."""
    passed: float = 0.35
    """Factor on the chance that the next player takes a rank they have left or discarded themselves."""
    pairing: float = 1.15
    """Factor on the chance that a player holds a pair: players keep pairs."""
    opens_50: float = 0.75
    opens_90: float = 0.5
    opens_120: float = 0.35
    """Chance that a player with the pair reaches a minimum of 50, 90 or 120 points."""
    freeze_behind: float = 0.5
    """Share of the pile's value that freezing saves if only the opponents have opened."""
    freeze_even: float = 0.1

    # Going out.
    out_bias: float = 0.0
    out_their_card: float = 11.0
    """Value of each card caught in an opponent's hand."""
    out_our_card: float = 9.0
    """Cost of each card left in a partner's hand."""
    out_threat: float = 120.0
    """Extra value of going out if an opponent may go out soon."""
    out_growth: float = 45.0
    """Value of playing on for each of the side's melds that is not yet a canasta."""
    out_ask: float = 40.0
    """Margin in points within which the player asks the partner before going out."""

    caliente_cards: float = 6.0
    """Minimum number of cards that a Caliente card must bring to be played."""

    special_near: float = 1.0
    """A player waits for a special hand that lacks at most this many cards …"""
    special_stock: float = 20.0
    """… while the stock has at least this many cards."""

    # Habits of weaker players.
    memory: int = 999
    """Number of cards of the pile that are remembered, from the top."""
    counts_cards: bool = True
    watches_next: bool = True
    holds_back: bool = True
    plans_out: bool = True
    takes_all: bool = False


_tuned: dict[str, Weights] = {}
"""Weights by family of games, once they have been read."""


def tuned(family: str) -> Weights:
    """Return the weights for a family of games. `tuned.toml` is read on the first call."""
    if not _tuned:
        import tomllib  # noqa: PLC0415 - as the file, wanted when somebody plays
        from importlib.resources import files  # noqa: PLC0415 - as above

        text = (files("canasta.bots.club") / "tuned.toml").read_text(encoding="utf-8")
        for name, numbers in tomllib.loads(text).items():
            _tuned[name] = Weights(**numbers)
    return _tuned[family]


def weights_for(compiled: CompiledRules) -> Weights:
    """Return the tuned weights for a ruleset."""
    if compiled.has_foot:
        return tuned("foot")
    family = compiled.family.name
    if family == "american":
        return tuned(family)
    if family == "burraco":
        return tuned("limpo" if compiled.kinds_needed[NATURAL] > 0 else "burraco")
    if compiled.runs:
        if compiled.wild_melds:
            return tuned("bolivia")
        return tuned("suited" if compiled.same_suit else "samba")
    return tuned("pair" if compiled.rules.seats.players <= 2 else "classic")


# -- weaker players ---------------------------------------------------------------------------------------


def casual(weights: Weights) -> Weights:
    """Return weights for `casual`: a short memory, too fond of the pile, opens and melds early, goes out
    late.
    """
    return replace(
        weights,
        memory=6,
        counts_cards=False,
        takes_all=True,
        danger=weights.danger * 0.5,
        open_bias=weights.open_bias + 40.0,
        open_wild=weights.open_wild * 0.5,
        keep_wild=weights.keep_wild * 0.6,
        keep_pair=weights.keep_pair * 0.5,
        keep_run=weights.keep_run * 0.4,
        start_run=weights.start_run * 0.4,
        lay=weights.lay + 0.2,
        frozen_pair=0.0,
        reserve=weights.reserve * 0.5,
        freeze_behind=0.0,
        freeze_even=0.0,
        out_bias=weights.out_bias - 100.0,
    )


def novice(weights: Weights) -> Weights:
    """Return weights for `novice`: no memory, ignores the next player, melds everything that fits, goes out
    late.
    """
    return replace(
        casual(weights),
        memory=1,
        watches_next=False,
        holds_back=False,
        open_bias=400.0,
        open_wild=0.0,
        keep_wild=15.0,
        keep_joker=0.0,
        spoil=0.0,
        keep_pair=2.0,
        keep_triple=6.0,
        keep_run=0.0,
        start_run=0.0,
        keep_stop=min(0.0, weights.keep_stop),
        lay=1.0,
        start_set=100.0,
        # In games with a foot, having to reach it makes everyone late enough.
        out_bias=weights.out_bias - (250.0 if weights.foot_card == 0.0 else 0.0),
    )


def weights_of(name: str, compiled: CompiledRules) -> Weights:
    """Return the weights of the player with this name, under a ruleset."""
    weights = weights_for(compiled)
    if name not in ("novice", "casual"):
        return weights
    weaker = novice(weights) if name == "novice" else casual(weights)
    if compiled.takes_at_once and compiled.kinds_needed[NATURAL] == 0:
        # Weak players take a free pile too readily, although every card must be disposed of later.
        fond = 0.2 if name == "novice" else 0.5
        return replace(weaker, draw_card=weights.draw_card * fond)
    return weaker
