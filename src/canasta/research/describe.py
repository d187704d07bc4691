"""Readable descriptions of observations, actions and tables."""

from collections.abc import Mapping
from contextlib import suppress
from operator import index
from typing import SupportsIndex

from canasta.engine.actions.codec import (
    ADD_BLACK_THREE,
    ADD_NATURAL,
    ADD_WILD,
    ANSWER_NO,
    ANSWER_YES,
    ANY_SUIT,
    ASK,
    DISCARD,
    DRAW_STOCK,
    EXTEND_RUN,
    KEEP,
    LAY_BONUS,
    PASS,
    PLAY_CALIENTE,
    PUT_BACK,
    START_BLACK_THREES,
    START_PAIR,
    START_RUN,
    START_WILDS,
    TAKE_MIXED,
    TAKE_ONTO_RUN,
    TAKE_ONTO_SET,
    TAKE_PILE,
    Step,
    StepLayout,
)
from canasta.engine.actions.space import StepSpace
from canasta.engine.cards import BLACK_THREE, RANK_TEXTS, RANKS, card_text, cards_text, kind_in_suit
from canasta.engine.families.factory import compile_rules
from canasta.engine.melds import ROW_BLACK_THREES, ROW_WILD
from canasta.engine.moves.legal_moves import move_of_step
from canasta.engine.observation.encoder import NEXT_CARDS
from canasta.engine.observation.layout import (
    MOST_SEATS,
    UNIVERSAL_STEPS,
    Piece,
    layout_of,
    pieces,
    universal_layout,
)
from canasta.engine.sequences import PLACE_OF_TWO, kind_of_wild, kinds_in, pack_long_run
from canasta.engine.state import OVER, HandState, cards_held
from canasta.engine.view import PHASE_NAMES, melds_of
from canasta.i18n.voice import Voice
from canasta.notation.cards import RANK_LETTERS, format_card, format_cards
from canasta.research.episode import Episode
from canasta.rules import Ruleset, load_ruleset

SUITS = ("c", "d", "h", "s", "")
_WORDS = Voice()

_PLAIN = {
    DRAW_STOCK: "draw",
    PASS: "pass",
    KEEP: "keep",
    PLAY_CALIENTE: "play a Caliente card",
    ASK: "ask",
    ANSWER_YES: "answer yes",
    ANSWER_NO: "answer no",
    LAY_BONUS: "lay out a red three",
    PUT_BACK: "put the pile back",
    START_BLACK_THREES: "meld three black threes",
    ADD_BLACK_THREE: "add a black three",
}


EPISODES = ("hand", "match")
START_SCORES = ("zero", "random")
LAYOUTS = ("rules", "universal")


def one_of(what: str, given: str, choices: tuple[str, ...]) -> str:
    if given not in choices:
        raise ValueError(f"{what} is {given!r}; choose one of {', '.join(choices)}")
    return given


def whole_number(what: str, given: object, least: int = 1) -> int:
    """Convert to an `int`. NumPy integers are accepted, booleans are not."""
    number = least - 1
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        with suppress(TypeError):  # an array has the method, too
            number = index(given)
    if number < least:
        raise ValueError(f"{what} is {given!r}; a whole number from {least} on is needed")
    return number


def is_universal(layout: str) -> bool:
    """Return whether observations and actions have the same layout for all rules."""
    return one_of("layout", layout, LAYOUTS) == "universal"


def draws_scores(start_scores: str, *, whole_match: bool) -> bool:
    """Return whether hands start from random totals. A match always starts from zero."""
    is_random = one_of("start_scores", start_scores, START_SCORES) == "random"
    if is_random and whole_match:
        raise ValueError("a match starts from zero: start_scores='random' is for hands on their own")
    return is_random


def rules_for(
    rules: str | Ruleset, players: int | None = None, options: Mapping[str, object] | None = None
) -> Ruleset:
    """Load a ruleset by name; a loaded one is returned unchanged."""
    return rules if isinstance(rules, Ruleset) else load_ruleset(rules, players, dict(options or {}))


def observation_pieces(
    rules: str | Ruleset = "caliente",
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    *,
    layout: str = "rules",
) -> list[Piece]:
    """Return the pieces of an observation, in order: name, offset, length, meaning."""
    if is_universal(layout):
        return pieces(universal_layout())
    return pieces(layout_of(compile_rules(rules_for(rules, players, options))))


def hidden_pieces() -> list[Piece]:
    """Return the pieces of `hidden`, which the seat to act must
    not see; they are the same under all rules."""
    names = [
        *((f"seat+{ahead}.hand", "cards of this seat, by rank") for ahead in range(1, MOST_SEATS)),
        *((f"next+{ahead}", "this card of the stock, one-hot, by rank") for ahead in range(NEXT_CARDS)),
    ]
    return [Piece(name, number * RANKS, RANKS, meaning) for number, (name, meaning) in enumerate(names)]


def action_names(
    rules: str | Ruleset = "caliente",
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    *,
    layout: str = "rules",
) -> list[str]:
    """Return a description of each action. In a given position, `action_text` returns its notation."""
    if is_universal(layout):
        return [_words(UNIVERSAL_STEPS, step) for step in range(UNIVERSAL_STEPS.size)]
    tables = compile_rules(rules_for(rules, players, options))
    return [_words(tables.layout, step) for step in StepSpace(tables).steps]


def action_text(state: HandState, step: int) -> str:
    """Return a legal step in the notation of moves: `take K K`, `discard 7`."""
    return str(move_of_step(state, step))


def _words(layout: StepLayout, step: int) -> str:
    if step in _PLAIN:
        return _PLAIN[step]
    decoded = layout.decoded[step]
    what = decoded.what
    wild = "joker" if decoded.jokers else "two"
    if decoded.place or decoded.wild or what == TAKE_PILE:
        return _long_words(layout, decoded)
    if what == ADD_WILD:
        return f"add a {wild} to {_set(layout, decoded.slot)}"
    if what == ADD_NATURAL:
        return f"add {_card(decoded.row, decoded.suit)} to {_set(layout, decoded.slot)}"
    if what == EXTEND_RUN:
        return f"add to run {decoded.number + 1} at its {'high' if decoded.high_end else 'low'} end"
    if what == TAKE_ONTO_RUN:
        return f"take onto run {decoded.number + 1}"
    if what == TAKE_ONTO_SET:
        return f"take onto set {decoded.number + 1} of the top card's rank"
    if what == START_RUN:
        return "meld the run " + " ".join(_card(decoded.row + above, decoded.suit) for above in range(3))
    if what == DISCARD:
        return f"discard {_card(decoded.row, decoded.suit)}"
    if what == START_WILDS:
        return f"meld {decoded.twos} twos and {decoded.jokers} jokers"
    if decoded.takes:
        of = "" if decoded.suit == ANY_SUIT else " in " + " and ".join(SUITS[suit] for suit in decoded.suits)
        return f"take with a natural{of} and a {wild}" if what == TAKE_MIXED else f"take with a pair{of}"
    cards = " ".join(_card(decoded.row, suit) for suit in decoded.suits)
    return f"meld {cards} and a {wild}" if what == START_PAIR else f"meld {cards}"


def _long_words(layout: StepLayout, step: Step) -> str:
    """Describe a step of games with long sequences."""
    if step.what == TAKE_PILE:
        return "take the pile"
    wild = card_text(kind_of_wild(step.wild)) if step.wild else ""
    if step.what == START_RUN:
        run = pack_long_run(step.suit, step.place, 3, step.wild_at, step.wild)
        own_two = step.wild_at == PLACE_OF_TWO and step.wild == step.suit + 1
        return f"meld the long run {cards_text(kinds_in(run))}{', the two as a wild card' if own_two else ''}"
    if step.what == EXTEND_RUN:
        end = ", high" if step.high_end else ""
        return f"add {wild or f'the card of place {step.place}'} to run {step.number + 1}{end}"
    if step.what == ADD_WILD:
        return f"add {wild} to {_set(layout, step.slot)}"
    rank = BLACK_THREE if step.row == ROW_BLACK_THREES else step.row
    return f"meld {cards_text([kind_in_suit(rank, suit) for suit in step.suits])} and {wild}"


def _card(rank: int, suit: int) -> str:
    if rank == BLACK_THREE and suit != ANY_SUIT:  # any colour of three, in games in which suits matter
        return card_text(kind_in_suit(rank, suit))
    return (
        RANK_LETTERS[rank] if rank < len(RANK_LETTERS) else _WORDS.word(f"rank.{RANK_TEXTS[rank]}")
    ) + SUITS[suit]


def _set(layout: StepLayout, slot: int) -> str:
    row = layout.slots.row_of(slot)
    text = "3" if row == ROW_BLACK_THREES else RANK_TEXTS[row]
    of = "wilds" if row == ROW_WILD else _WORDS.word(f"rank.{text}", "plural")
    return f"the {of}" if layout.slots.per_row == 1 else f"set {layout.slots.number_of(slot)} of {of}"


def as_text(episode: Episode, viewer: int) -> str:
    """Return the table as this seat sees it."""
    state = episode.state
    game = episode.game
    lines = [f"{game.rules.title}: hand {episode.hand_number}, scores {episode.scores}"]
    for side in range(game.sides):
        seats = [seat for seat in state.order if game.side_of[seat] == side]
        sizes = ", ".join(f"seat {seat}: {state.size(seat)} cards" for seat in seats)
        lines.append(f"side {side} ({sizes}), {len(state.bonus[side])} red threes")
        lines += [f"  {format_cards(meld.cards)}" for meld in melds_of(state, side)]
    top = format_card(state.top_card()) if state.pile else "none"
    frozen = ", frozen" if state.frozen else ""
    lines.append(f"stock {state.stock_size()}, pile {state.pile_size()}{frozen}, top card {top}")
    lines.append(f"seat {viewer} holds {format_cards(cards_held(state, viewer)) or 'nothing'}")
    if state.phase == OVER:
        lines.append(f"the hand is over: {episode.points}")
    else:
        lines.append(f"seat {episode.to_act()} to act ({PHASE_NAMES[state.phase]})")
    return "\n".join(lines)
