"""The text of a position: the `given` of a scenario with its rules, as YAML on one line.

    {rules: two-player, turn: 0, hands: {0: K K 9 5 4}, melds: {0: [Q Q Q]}, pile: 7 6 K}

Reading is lenient: a card may be any card of a rank, and missing hands and stock are dealt from the rest of
the deck in a fixed order. Writing is complete, so that reading gives the same position again. The moves
already made in the current turn are in `when`, as in a scenario.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.position import PositionError
from canasta.engine.state import PLAY, HandState
from canasta.notation.cards import format_cards
from canasta.notation.errors import FileProblem, ScenarioError
from canasta.notation.record import options_to_record
from canasta.rules.loader import resolve_ruleset
from canasta.rules.model import Ruleset
from canasta.scenarios.reader import Node, Reader, read_documents
from canasta.scenarios.schema import Scenario, read_given, read_options, read_when
from canasta.scenarios.setup import build_position, hand_number_of


def match_from_position(text: str) -> tuple[Match, list[Move]]:
    """Return the match in the middle of the written hand, and the moves that are still to be made.

    Raise `PositionError` or `RulesetError` if the text is not a valid position.
    """
    scenario = _read(text)
    rules = resolve_ruleset(scenario.rules, scenario.given.players, scenario.options)
    try:
        position = build_position(scenario, rules)
    except ScenarioError as error:
        raise PositionError(_joined(error.problems)) from None
    match = Match.from_position(rules, position, hand_number=hand_number_of(rules, scenario.given))
    return match, [step.move for step in scenario.when if step.move is not None]


def after_moves(match: Match, moves: Iterable[Move]) -> Match:
    """Return a copy of a match after these moves. Raise `PositionError` if one of them is illegal."""
    match = match.copy()
    for move in moves:
        refusal = match.check(move)
        if refusal is not None:
            raise PositionError(f"when: {move} is against the rules ({refusal.clause})")
        match.apply(move)
    return match


def _read(text: str) -> Scenario:
    try:
        documents = read_documents(text)
    except ScenarioError as error:
        raise PositionError(str(error)) from None
    if len(documents) != 1 or documents[0].pairs is None:
        raise PositionError("a position is written as {rules: caliente, hands: {0: K K 9}, pile: 7 6 K}")
    reader = Reader()
    scenario = Scenario(
        "position", given=read_given(reader, documents[0], ignored=("rules", "options", "when"))
    )
    more: dict[str | None, Node] = {key.text: value for key, value in documents[0].pairs}
    scenario.rules = (more["rules"].text or "").strip() if "rules" in more else ""
    if not scenario.rules:
        reader.complain(documents[0], "rules", "WANTS_RULES", {"written": "rules: caliente"})
    if "options" in more:
        scenario.options = read_options(reader, more["options"])
    if "when" in more:
        scenario.when = read_when(reader, more["when"])
        for step in scenario.when:
            if step.error is not None:
                reader.complain(more["when"], "when", "UNREADABLE", step.error.facts)
            elif step.move is None:
                reader.complain(more["when"], "when", "ONE_HAND")
    if scenario.given.cut is not None:
        reader.complain(documents[0], "cut", "NO_CUT_IN_POSITION")
    if reader.defects:
        raise PositionError(_joined(reader.defects))
    return scenario


def _joined(problems: Iterable[FileProblem]) -> str:
    lines = (problem.line_in() if problem.line > 1 else problem.message_in() for problem in problems)
    return "; ".join(line.removeprefix("given.") for line in lines)


def format_position(match: Match, moves: Sequence[Move] = ()) -> str:
    """Return the text of the position that a match is in after these moves.

    Raise `PositionError` if the match, before the moves, is in a turn in which the player has already asked,
    melded or taken the pile.
    """
    parts = [f"{key}: {value}" for key, value in _told(match)]
    if match.hand.over or _facts(match_from_position("{" + ", ".join(parts) + "}")[0]) != _facts(match):
        raise PositionError(
            "this cannot be written as a position: the hand is over, or the player to move has done something"
            " in this turn that is told by its moves alone"
        )
    if moves:
        parts.append(f"when: [{', '.join(map(str, moves))}]")
    return "{" + ", ".join(parts) + "}"


def _told(match: Match) -> Iterator[tuple[str, str]]:
    state = match.hand.state
    yield "rules", match.rules.name
    yield "players", str(match.rules.seats.players)
    options = _options_text(match.rules)
    if options:
        yield "options", options
    if match.hand_number > 1:
        yield "hand_number", str(match.hand_number)
        if match.rules.match.rounds or match.rules.opening.by_round:
            yield "round", str(match.hand_number)
    if match.sitting_out:
        yield "sitting_out", str(list(match.sitting_out))
    yield "dealer", str(match.dealer)
    yield "turn", str(state.turn)
    if state.phase == PLAY:
        yield "phase", "play"
    if any(match.hand.scores):
        yield "scores", str(match.hand.scores)
    yield "hands", _by_number({seat: _cards(match.hand.hand_cards(seat)) for seat in state.order})
    yield from _told_feet(state)
    melds = [[_cards(meld.cards) for meld in match.hand.melds(side)] for side in range(state.sides)]
    if any(melds):
        yield "melds", _by_number({side: f"[{', '.join(of)}]" for side, of in enumerate(melds) if of})
        yield "melded_before", str([seat for seat in state.order if state.has_melded(seat)])
    if any(state.bonus):
        yield "bonus", _by_number({side: _cards(cards) for side, cards in enumerate(state.bonus) if cards})
    if any(state.talons):
        yield "talon", _by_number({seat: _cards(cards) for seat, cards in enumerate(state.talons) if cards})
    for key, count_of in (("caliente_played", state.caliente_played), ("put_backs", state.put_backs)):
        counts = [count_of(side) for side in range(state.sides)]
        if any(counts):
            yield key, _by_number({side: str(count) for side, count in enumerate(counts) if count})
    yield "pile", _cards(state.pile)
    yield "stock_is", _cards(state.deck[state.at :])


@lru_cache(maxsize=32)
def _options_text(rules: Ruleset) -> str:
    """Return the options as JSON.

    Finding them compares the rules with the preset, so the result is cached.
    """
    options = options_to_record(rules)
    return json.dumps(options) if options else ""


def _told_feet(state: HandState) -> Iterator[tuple[str, str]]:
    if state.not_returned >= 0:
        yield "not_returned", _cards([state.not_returned])
    if state.compiled.has_pots:
        yield "pots", f"[{', '.join(_cards(pot) for pot in state.pots)}]"
        taken = [side for side, taker in enumerate(state.pot_takers()) if taker >= 0]
        if taken:
            yield "pot_taken", str(taken)
            unplayed = [side for side in taken if not state.foot_played(state.pot_taker(side))]
            if unplayed:
                yield "pot_unplayed", str(unplayed)
    if not state.compiled.has_foot:
        return
    feet = {seat: _cards(state.feet[seat]) for seat in state.order if state.foot_waits(seat)}
    picked_up = [seat for seat in state.order if not state.foot_waits(seat)]
    if feet:
        yield "feet", _by_number(feet)
    if picked_up:
        yield "picked_up", str(picked_up)
        unplayed = [seat for seat in picked_up if not state.foot_played(seat)]
        if unplayed:
            yield "foot_unplayed", str(unplayed)


def _by_number(texts: Mapping[int, str]) -> str:
    return "{" + ", ".join(f"{number}: {text}" for number, text in texts.items()) + "}"


def _cards(cards: Iterable[int]) -> str:
    return format_cards(cards) or "[]"


def _facts(match: Match) -> tuple[object, ...]:
    """Return the facts that affect the rules.

    A position omits who is known to hold or who laid which card.
    """
    hand, state = match.hand, match.hand.state
    sides = range(state.sides)
    return (
        *(
            match.hand_number,
            match.dealer,
            match.scores,
            hand.scores,
            match.sitting_out,
            hand.turn,
            hand.phase,
        ),
        [(sorted(hand.hand_cards(seat)), hand.foot_cards(seat)) for seat in state.order],
        [
            (state.compiled.has_foot and state.foot_played(seat), state.has_melded(seat))
            for seat in state.order
        ],
        [
            ([(meld.name, sorted(meld.cards)) for meld in hand.melds(side)], hand.bonus(side))
            for side in sides
        ],
        (state.pots, [taker >= 0 and (True, state.foot_played(taker)) for taker in state.pot_takers()]),
        state.not_returned,
        *(hand.pile, hand.frozen, hand.stock_size, hand.score_sheets()),
        state.frozen and state.pile_is_from_deal and match.rules.pile.bars_first_player,
        [hand.minimum(side) for side in sides],
        *(state.asked, state.fresh, state.melded_now, state.laid_before, state.took_back, state.caliente_now),
        [(state.caliente_played(side), state.put_backs(side), state.asks(side)) for side in sides],
        *(state.black_threes_now, state.no_discard, state.last_discard, state.before_take is None),
        *(state.talons, state.talon_due),
    )
