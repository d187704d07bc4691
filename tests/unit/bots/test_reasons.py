"""The reasons of the players: one or two sentences for every kind of move, with true numbers."""

import math
from collections.abc import Iterator

import pytest
from hands import dealt

import canasta
from canasta.bots import get_bot
from canasta.bots.club.player import ClubBot
from canasta.bots.expert.player import Alternatives, verdict
from canasta.bots.expert.rollouts import Candidate
from canasta.bots.protocol import Explanation, Hint, as_move
from canasta.engine.actions.codec import is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step
from canasta.engine.cards import ANY, BLACK_THREE, KINDS_OF, SEVEN
from canasta.engine.layout import OPENED
from canasta.engine.match import Match
from canasta.engine.moves.types import (
    Answer,
    Ask,
    Discard,
    Draw,
    Keep,
    Meld,
    Move,
    Pass,
    PlayCaliente,
    PutBack,
    Take,
    Undo,
)
from canasta.engine.state import ANSWER, OVER, PLAY
from canasta.engine.view import View
from canasta.i18n.catalogue import languages
from canasta.notation.moves import parse_move
from canasta.rules import load_ruleset

KINDS_OF_MOVES = {
    "Draw",
    "Take",
    "Meld",
    "Add",
    "Discard",
    "Keep",
    "Pass",
    "PlayCaliente",
    "LayBonus",
    "Ask",
    "Answer",
    "PutBack",
    "Undo",
}
GAMES: list[tuple[str, int, dict[str, object]]] = [
    ("caliente", 4, {"deck.caliente_cards": True, "turn.lay_bonus_by_hand": True}),
    ("two-player", 2, {"pile.put_back": True, "melds.wild_melds": True}),
    ("bolivia", 4, {}),
    ("hand-and-foot", 4, {}),
    ("jaques", 3, {}),
    ("burraco", 4, {}),
    ("buraco-fechado", 2, {}),
    ("american", 4, {}),
]
FIRST_GAMES = ("caliente", "two-player", "bolivia", "hand-and-foot", "jaques")
"""Between them they have every kind of move but one; the other games have longer lists of moves."""


def is_well_said(said: Explanation) -> None:
    assert 1 <= len(said.reasons) <= 4
    for language in languages():
        text = said.tell(language)
        assert text[0].isupper() or text[0].isdigit(), text
        assert text.endswith("."), text
        assert "  " not in text
        assert not set("{}#|^~") & set(text), text
    assert said.numbers
    assert all(math.isfinite(number) for number in said.numbers.values())


def test_every_kind_of_move_has_a_reason() -> None:
    seen: set[str] = set()
    player = get_bot("random", seed="reasons")
    club = get_bot("club")
    for preset, players, options in GAMES:
        for number in range(3 if preset in FIRST_GAMES else 1):
            state = dealt(preset, players, f"reasons {number}", options)
            while state.phase != OVER:
                seat = state.answering if state.phase == ANSWER else state.turn
                view = View(state, seat, [0] * state.sides)
                for step in legal_steps(view.state):
                    move = as_move(view.state, step)
                    is_well_said(club.explain(view, move))
                    seen.add(type(move).__name__)
                if state.phase == PLAY:
                    is_well_said(club.explain(view, Undo()))
                    seen.add("Undo")
                make_step(state, player.step(view))
    assert seen == KINDS_OF_MOVES


@pytest.mark.parametrize(("preset", "players", "options"), GAMES)
def test_hints_are_legal_and_begin_with_the_choice(
    preset: str, players: int, options: dict[str, object]
) -> None:
    match = Match.new(load_ruleset(preset, players, options), "hints")
    club = get_bot("club")
    for _ in range(120):
        if match.hand.over:
            break
        view = match.hand.view(match.hand.turn)
        hints = club.hint(view, 3)
        choice = club.choose(view)
        assert 1 <= len(hints) <= 3
        assert hints[0].move == choice
        for hint in hints:
            assert match.check(hint.move) is None
            is_well_said(hint.reason)
        assert len({repr(hint.move) for hint in hints}) == len(hints)
        assert len(club.hint(view, 1)) == 1
        match.apply(choice)


def frozen_table() -> View:
    """Return a view with seven sevens in sight and a frozen pile; the last seven is in the player's hand."""
    state = dealt("jaques", 4, "sevens", {})
    seat = state.turn
    for kind in KINDS_OF[SEVEN]:
        for other in state.order:
            while state.held(other, kind) > 0:
                state.remove(other, kind)
    state.give(seat, KINDS_OF[SEVEN][0])
    state.set_pile([kind for kind in KINDS_OF[SEVEN] for _ in range(2)][1:])
    state.frozen = True
    state.phase = PLAY
    return View(state, seat, [0, 0])


def test_a_dead_card_is_called_safe() -> None:
    said = get_bot("club").explain(frozen_table(), Discard(ANY + SEVEN))
    assert said.text.startswith("Nobody can take a seven: eight are already visible, and the pile is frozen.")
    assert said.numbers["chance"] == 0.0
    assert said.numbers["in sight"] == 8.0


def test_a_stop_card_says_so() -> None:
    view = frozen_table()
    view.state.give(view.turn, KINDS_OF[BLACK_THREE][0])
    said = get_bot("club").explain(view, Discard(ANY + BLACK_THREE))
    assert "stops the next player" in said.text
    assert "black three" in said.text


@pytest.mark.parametrize(
    ("move", "word"),
    [
        (Ask(), "partner"),
        (Answer(True), "Yes"),
        (Answer(False), "No"),
        (Keep(), "Keep"),
        (Pass(), "hand ends"),
        (PlayCaliente(), "Caliente"),
        (PutBack(), "Putting the pile back"),
        (Undo(), "Undo"),
    ],
)
def test_plain_moves_in_words(move: Move, word: str) -> None:
    assert word in get_bot("club").explain(frozen_table(), move).text


def test_the_foot_is_spoken_of() -> None:
    """The reasons mention how near the foot is, what would delay it, and what brings it."""
    state = dealt("hand-and-foot", 4, "foot words", {})
    seat = state.turn
    for kind in range(len(state.cards_of(seat))):
        while state.held(seat, kind) > 0:
            state.remove(seat, kind)
    for number in range(5):
        state.give(seat, KINDS_OF[SEVEN][number % 4])
    state.mark_side(state.side_of[seat], OPENED, 1)
    view = View(state, seat, [0, 0])
    club = get_bot("club")
    state.set_pile([KINDS_OF[SEVEN][0]] * 3)
    said = club.explain(View(state, seat, [0, 0]), Draw()).text
    assert said.endswith("Taking it would keep you from your foot longer.")
    state.phase = PLAY
    view = View(state, seat, [0, 0])
    sevens = ANY + SEVEN
    for laid, words in (
        (3, "Two cards to go before you pick up your foot."),
        (4, "You keep one card: discard it and you get your foot."),
        (5, "That’s your whole hand: you pick up your foot."),
    ):
        assert club.explain(view, Meld(((sevens,) * laid,))).text.endswith(words)
    for _ in range(4):
        state.remove(seat, state.any_kind(seat, SEVEN))
    last = club.explain(View(state, seat, [0, 0]), Discard(sevens)).text
    assert last == "The last card of your hand: your foot is next."


# -- the newer families -----------------------------------------------------------------------------------


def told(position: str, move: str, language: str = "en") -> str:
    """Return the club player's reason for a move in a position."""
    match = canasta.Match.from_position(canasta.Position.parse(position))
    return get_bot("club").explain(match.view(match.turn), parse_move(move)).tell(language)


BURRACO = (
    "{rules: burraco, phase: play, hands: {0: %s}, melds: {0: [%s]}, pots: [4c*2 5c*2 6c*2 7c*2 8c*2 9c]}"
)


@pytest.mark.parametrize(
    ("hand", "melds", "move", "words"),
    [
        (
            "7h 8h 9h Kc",
            "",
            "meld 7h 8h 9h",
            "Starts a sequence of three, on the way to 200 points. You keep one card: discard",
        ),
        (
            "7h 9h Jo Kc Qd",
            "",
            "meld 7h Jo 9h",
            "Starts a sequence of three with a wild card, on the way to 100 points. Two",
        ),
        ("7h 8h 9h", "", "meld 7h 8h 9h", "That’s your whole hand: you take the pot and play on."),
        (
            "8h Kc Qd",
            "7h Jo 9h",
            "add 8h to run#1",
            "The natural card frees the wild card, which goes to one end.",
        ),
        ("3c 3d 3h Kc Qd", "", "meld 3c 3d 3h", "Starts a set of threes without wild cards"),
        ("3 Qd", "", "discard 3", "It doesn’t fit any of the next player’s melds."),
        ("3h Qd", "", "discard 3r", "It doesn’t fit any of the next player’s melds."),
        (
            "Kc Qd",
            "",
            "discard Kc",
            "It doesn’t fit any of the next player’s melds. You have no other.",
        ),
        ("Kc", "", "discard Kc", "The last card of your hand: the pot is next."),
        ("Jo Qd", "", "discard Jo", "A wild card in the pile is a gift to whoever takes it."),
    ],
)
def test_sequences_and_pots_are_spoken_of(hand: str, melds: str, move: str, words: str) -> None:
    position = BURRACO % (hand, melds)
    assert words in told(position, move)
    assert len({told(position, move, language) for language in languages()}) == len(languages())


AMERICAN = "{rules: american, phase: play, hands: {0: %s}, melds: {0: [%s], 1: [%s]}, pile: 4}"


@pytest.mark.parametrize(
    ("hand", "mine", "theirs", "move", "words"),
    [
        (
            "K K 9 5",
            "Q Q Q",
            "K*5 2 2",
            "discard K",
            "Kings are closed by a canasta, so nobody can take one.",
        ),
        ("K K 9 5", "Q Q Q", "K K K K 2", "discard K", "Their kings are full"),
        ("7 7 7 9 5", "Q Q Q", "", "meld 7 7 7", "left unfinished, it costs 2500 points"),
        ("7 9 5", "7*6", "", "add 7 to 7", "This makes a natural canasta: 2500 points."),
        (
            "Q Q Q A A 2 K K Jo 9 5",
            "",
            "",
            "meld Q Q Q + A A 2 + K K Jo",
            "After your discard you get four talon cards",
        ),
        ("4 4 5 5 6 6 7 7 8 8 9 9 T T", "", "", "special pairs", "make a special hand, pairs: 2500 points."),
        (
            "4 4 5 5 6 6 7 7 8 8 9 9 T J",
            "",
            "",
            "discard J",
            "You’re close to a special hand, pairs: 2500 points.",
        ),
    ],
)
def test_contracts_and_special_hands_are_spoken_of(
    hand: str, mine: str, theirs: str, move: str, words: str
) -> None:
    position = AMERICAN % (hand, mine, theirs)
    assert words in told(position, move)
    assert len({told(position, move, language) for language in languages()}) == len(languages())


# -- hints don't contradict themselves -----------------------------------------------------------------------


def hints_of(preset: str, count: int) -> Iterator[tuple[View, list[Hint]]]:
    """Yield the hints for this many positions of a match between club players."""
    match = Match.new(load_ruleset(preset), f"hints {preset}")
    bot = get_bot("club", "hints")
    for _ in range(count):
        view = match.hand.view(match.hand.turn)
        yield view, bot.hint(view)
        match.apply(bot.choose(view))
        if match.hand.over:
            match.deal_next()


@pytest.mark.parametrize("preset", ["caliente", "jaques-samba", "hand-and-foot"])
def test_no_hint_argues_against_itself(preset: str) -> None:
    seen: set[str] = set()
    for view, hints in hints_of(preset, 150):
        state = view.state
        worths = {hint.reason.numbers["worth"] for hint in hints if isinstance(hint.move, Take)}
        best = 0
        for hint in hints:
            said, numbers = {reason.code: reason.facts for reason in hint.reason.reasons}, hint.reason.numbers
            seen |= set(said)
            if isinstance(hint.move, Draw) and "pile" in numbers:
                # A pile worth more than the draw is something to leave behind, not a reason to draw.
                assert ("leaves_pile" in said) == (numbers["pile"] > numbers["stock"])
                assert worths <= {numbers["pile"]}, "the same pile has one worth"
            for reason in hint.reason.reasons:
                assert int(reason.facts.get("worth", 0)) >= 0
            if isinstance(hint.move, Discard):
                assert "stops_next" not in said or state.pile
                best += bool({"taken_onto", "would_fit", "wild_safest"} & set(said))
            if "hand_short" in said and not state.opened(state.side_of[state.turn]):
                assert len(str(said["hand_short"]["cards"]).split()) == 1
        assert best <= 1, "every other card is dearer than one card alone"
    assert {"taken_onto_meld", "stops_next", "leaves_pile", "pile_brings"} <= seen


@pytest.mark.parametrize(
    ("chosen", "other", "codes"),
    [
        ([50.0, 60.0, 55.0], [10.0, 12.0, 11.0], ("brings_more", "brings_less")),
        ([10.0, 12.0, 11.0], [50.0, 60.0, 55.0], ("too_few_deals", "too_few_deals")),
        ([10.0, 90.0, 50.0], [60.0, 20.0, 70.0], ("about_same", "about_same")),
    ],
)
def test_what_was_tried_out_never_speaks_against_the_choice(
    chosen: list[float], other: list[float], codes: tuple[str, str]
) -> None:
    match = Match.new(load_ruleset("caliente"), "tried")
    match.apply(Draw())
    view = match.hand.view(match.hand.turn)
    steps = [step for step in legal_steps(view.state) if is_discard(step)][:2]
    candidates = [Candidate([step]) for step in steps]
    candidates[0].values, candidates[1].values = chosen, other
    alternatives = Alternatives(view, candidates, [steps[0]], 0, ClubBot())
    moves = alternatives.moves(2)
    assert tuple(verdict(alternatives, move, {})[0].code for move in moves) == codes
