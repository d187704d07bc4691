"""Judgements of the club player in American Canasta, Burraco and Buraco: melds, discards and takes."""

import pytest

import canasta
from canasta.bots import get_bot
from canasta.bots.club.opening import FirstMeld
from canasta.bots.club.policy import nearest
from canasta.bots.club.weights import weights_for
from canasta.engine.cards import ACE, JOKER, KING, SEVEN, TWO
from canasta.engine.state import HandState


def chosen(position: str, name: str = "club") -> str:
    """Return the move that a player makes in a position."""
    match = canasta.Match.from_position(canasta.Position.parse(position))
    move = get_bot(name).choose(match.view(match.turn))
    assert match.check(move) is None
    return str(move)


def state_of(position: str) -> HandState:
    match = canasta.Match.from_position(canasta.Position.parse(position))
    return match.view(match.turn).state


# -- sequences and pots --------------------------------------------------------------------------------------

BURRACO = "{rules: burraco, phase: %s, hands: {0: %s}, melds: {0: [%s], 1: [%s]}, pile: %s, pot_taken: [%s]}"


@pytest.mark.parametrize(
    ("hand", "mine", "theirs", "taken", "move"),
    [
        # All cards but one can be laid, so the player takes the pot.
        ("7h 8h Jo Kc", "", "", "", "meld 7h 8h Jo"),
        ("7h 8h 9h Jd Jc Jo Kc", "", "", "", "meld Jc Jd Jo"),
        # A wild card completes a canasta.
        ("Jo Kc 9d 4s 6s", "4h 5h 6h 7h 8h 9h", "", "0, 1", "add Jo to run#1"),
        # A card that fits the opponents' sequence is kept while another card does not fit.
        ("Kc Ts", "", "7s 8s 9s", "0, 1", "discard Kc"),
        # Closing: all cards but one natural are laid.
        ("Tc 3d", "4c 5c 6c 7c 8c 9c Jo", "", "0, 1", "add Tc to run#1"),
    ],
)
def test_what_is_laid_and_thrown_in_burraco(hand: str, mine: str, theirs: str, taken: str, move: str) -> None:
    assert chosen(BURRACO % ("play", hand, mine, theirs, "4s", taken)) == move


@pytest.mark.parametrize(
    ("pile", "move"),
    [("6h 7h", "take"), ("Kh", "draw")],
)
def test_a_pile_is_taken_for_what_it_brings(pile: str, move: str) -> None:
    position = BURRACO % ("draw", "8h 9h 3c 4s Jd Qd 5c 9s", "", "", pile, "")
    assert chosen(position) == move


def test_the_pot_is_reached_before_the_stock_is_out() -> None:
    """In self-play nearly every side takes its pot, and most hands end with somebody going out."""
    pots = outs = 0
    for number in range(6):
        match = canasta.Match("burraco", seed=f"pots {number}")
        match.play("club", hands=1)
        state = match.view(None).state
        pots += sum(taker >= 0 for taker in state.pot_takers())
        outs += state.out >= 0
    assert pots >= 8
    assert outs >= 4


# -- contracts and special hands -----------------------------------------------------------------------------

AMERICAN = "{rules: american, phase: play, hands: {0: %s}, melds: {0: [%s], 1: [%s]}, pile: 4 9}"


def test_aces_open_with_a_wild_card_and_sevens_wait() -> None:
    state = state_of(AMERICAN % ("Q Q Q A A 2 K K Jo 7 7 7 5 9", "", ""))
    plan = FirstMeld(state, weights_for(state.compiled))
    assert plan.found
    assert plan.naturals_of[SEVEN] == 0
    assert plan.naturals_of[ACE] == 2
    assert plan.wilds_of[ACE] > 0


def test_a_first_meld_without_a_pure_meld_is_none() -> None:
    state = state_of(AMERICAN % ("Q Q A A 2 2 K K Jo J J 5 9 8", "", ""))
    assert not FirstMeld(state, weights_for(state.compiled)).found


@pytest.mark.parametrize(
    ("hand", "mine", "theirs", "move"),
    [
        # Melding three sevens would commit the side to all seven.
        ("7 7 7 9 5", "Q Q Q", "", "discard 7"),
        # A closed rank gives safe discards, but has no other use.
        ("K 8 8 5 5", "Q Q Q", "K*5 2 2", "discard K"),
        # The way out: three cards are laid and the last one is discarded.
        ("5 5 5 9", "Q*5 2 2, J*5 2 2", "", "meld 5 5 5"),
    ],
)
def test_what_is_laid_and_thrown_in_american(hand: str, mine: str, theirs: str, move: str) -> None:
    assert chosen(AMERICAN % (hand, mine, theirs)) == move


def test_a_special_hand_is_waited_for_when_one_card_is_missing() -> None:
    position = AMERICAN % ("4 4 5 5 6 6 8 8 A A A A J K", "", "")
    assert nearest(state_of(position), 0).missing > 1
    position = AMERICAN % ("4 4 5 5 6 6 8 8 9 9 A A J K", "", "")
    aim = nearest(state_of(position), 0)
    assert (aim.name, aim.missing) == ("pairs", 1)
    assert chosen(position) in ("discard J", "discard K")
    assert chosen(AMERICAN % ("4 4 5 5 6 6 8 8 9 9 A A J J", "", "")) == "special pairs"


@pytest.mark.parametrize(
    ("hand", "name", "missing", "wanted"),
    [
        ("A 2 3b 4 5 6 7 8 9 T J Q K K", "straight", 1, {JOKER: 1, KING: 1}),
        ("4*4 5*4 6*4 2 9", "quads", 1, {TWO: 2}),
    ],
)
def test_the_nearest_special_hand(hand: str, name: str, missing: int, wanted: dict[int, int]) -> None:
    aim = nearest(state_of(AMERICAN % (hand, "", "")), 0)
    assert (aim.name, aim.missing) == (name, missing)
    assert {rank: aim.needed[rank] for rank in wanted} == wanted


def test_most_american_hands_end_by_a_player() -> None:
    """Somebody goes out or lays down a special hand."""
    ended = 0
    for number in range(12):
        match = canasta.Match("american", seed=f"ends {number}")
        match.play("club", hands=1)
        state = match.view(None).state
        ended += state.out >= 0 or state.special >= 0
    assert ended >= 6
