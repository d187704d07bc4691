"""The expectations of a scenario: each key of `then` becomes a check of the resulting state."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from canasta.engine.cards import full_deck
from canasta.engine.hand import Hand
from canasta.engine.match import Match
from canasta.engine.rule_tables import LINES
from canasta.engine.seating import Seating
from canasta.engine.view import HIDDEN
from canasta.notation.cards import format_cards, same_cards
from canasta.notation.errors import FileProblem
from canasta.rules.model import Ruleset
from canasta.scenarios.reader import Node, Reader

_PHASES: Final = {
    **{word: word for word in ("draw", "play", "answer", "over")},
    **dict.fromkeys(("hand_over", "game_over"), "over"),
}
_ENDS: Final = {
    **dict.fromkeys(("hand", "round", "true", "yes"), "hand"),
    **dict.fromkeys(("game", "match"), "game"),
    **dict.fromkeys(("nothing", "none", "null", "", "false", "no"), "nothing"),
}


@dataclass(frozen=True)
class Outcome:
    """The result of running a scenario: a match, or a seating if the players only cut for it."""

    rules: Ruleset
    match: Match | None = None
    seating: Seating | None = None

    @property
    def hand(self) -> Hand:
        assert self.match is not None
        return self.match.hand


Test = Callable[[Outcome], FileProblem | None]
"""A function that returns how an outcome differs from the expectation, or `None`."""


@dataclass(frozen=True)
class Check:
    """One expectation."""

    key: str
    test: Test

    @property
    def fits_cut(self) -> bool:
        """Whether this can be checked if there is only a seating."""
        return self.key in ("seating", "dealer", "deck_size")


@dataclass(frozen=True)
class Checks:
    """All expectations of a scenario. Moves are still text."""

    checks: tuple[Check, ...] = ()
    can: tuple[str, ...] = ()
    cannot: tuple[str, ...] = ()
    illegal: Node | None = None


def read_checks(reader: Reader, then: Node) -> Checks:
    """Read the expectations under `then`."""
    values = reader.mapping(then, "then", (*_READERS, *_SPELLINGS, "illegal", "can", "cannot"))
    checks: list[Check] = []
    for spelling, node in values.items():
        key = _SPELLINGS.get(spelling, spelling)
        if key in _READERS:
            test = _READERS[key](reader, node, f"then.{key}")
            if test is not None:
                checks.append(Check(key, test))
    moves = {
        key: tuple(reader.texts(values[key], f"then.{key}")) if key in values else ()
        for key in ("can", "cannot")
    }
    return Checks(tuple(checks), moves["can"], moves["cannot"], values.get("illegal"))


def _mismatch(expected: str, got: str) -> FileProblem:
    return FileProblem("EXPECTED", {"written": expected, "text": got})


def _compare(key: str, expected: object, got: object) -> FileProblem | None:
    return None if expected == got else _mismatch(f"{key}: {_shown(expected)}", _shown(got))


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _cards_shown(cards: Sequence[int]) -> str:
    return format_cards(cards) or "[]"


# -- one value ---------------------------------------------------------------------------------------------


def _number(get: Callable[[Outcome], int | None]) -> "_Reader":
    def read(reader: Reader, node: Node, key: str) -> Test | None:
        expected = reader.count(node, key)
        if expected is None:
            return None
        return lambda outcome: _compare(key, expected, get(outcome))

    return read


def _number_or_nobody(get: Callable[[Outcome], int | None]) -> "_Reader":
    def read(reader: Reader, node: Node, key: str) -> Test | None:
        expected = reader.nobody_or_number(node, key)
        return lambda outcome: _compare(key, expected, get(outcome))

    return read


def _read_phase(reader: Reader, node: Node, key: str) -> Test | None:
    expected = reader.word(node, key, _PHASES)
    if expected is None:
        return None
    return lambda outcome: _compare(key, expected, outcome.hand.phase)


def _read_frozen(reader: Reader, node: Node, key: str) -> Test | None:
    expected = reader.truth(node, key)
    if expected is None:
        return None
    return lambda outcome: _compare(key, expected, outcome.hand.frozen)


def _read_over(reader: Reader, node: Node, key: str) -> Test | None:
    expected = reader.word(node, key, _ENDS)
    if expected is None:
        return None

    def test(outcome: Outcome) -> FileProblem | None:
        assert outcome.match is not None
        ended = "game" if outcome.match.over else "hand" if outcome.hand.over else "nothing"
        # A game that has ended also ended its last hand.
        if expected == ended or (expected == "hand" and ended == "game"):
            return None
        return _compare(key, expected, ended)

    return test


def _read_pile(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.cards(node, key)

    def test(outcome: Outcome) -> FileProblem | None:
        got = outcome.hand.pile
        if len(expected) == len(got) and all(map(_same_card, expected, got)):
            return None
        return _mismatch(f"{key}: {_cards_shown(expected)}", _cards_shown(got))

    return test


def _same_card(expected: int, got: int) -> bool:
    return same_cards((expected,), (got,))


def _read_scores(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.scores(node, key)
    whole = node.items is not None

    def test(outcome: Outcome) -> FileProblem | None:
        assert outcome.match is not None
        got = list(outcome.match.scores)
        if whole:
            return _compare(key, list(expected.values()), got)
        return _by_number(key, expected, dict(enumerate(got)))

    return test


def _read_victory_points(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.scores(node, key)

    def test(outcome: Outcome) -> FileProblem | None:
        assert outcome.match is not None
        return _compare(key, expected, dict(enumerate(outcome.match.victory_points)))

    return test


# -- by seat or side ---------------------------------------------------------------------------------------


def _by_number(key: str, expected: dict[int, int], got: dict[int, int], more: str = "") -> FileProblem | None:
    wrong = [number for number in expected if expected[number] != got.get(number)]
    if not wrong:
        return None
    return _mismatch(
        ", ".join(f"{key}[{number}]: {expected[number]}" for number in wrong),
        ", ".join(_shown(got.get(number)) for number in wrong) + more,
    )


def _read_points(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.scores(node, key)

    def test(outcome: Outcome) -> FileProblem | None:
        sheets = outcome.hand.score_sheets()
        # The total alone does not show which line is wrong.
        wrong = [side for side in expected if side < len(sheets) and expected[side] != sheets[side].total]
        lines = "; ".join(
            ", ".join(f"{_name_of(line)} {points}" for line, points in sheets[side].lines.items() if points)
            for side in wrong
        )
        totals = {side: sheet.total for side, sheet in enumerate(sheets)}
        return _by_number(key, expected, totals, f" ({lines})" if lines else "")

    return test


def _name_of(line: str) -> str:
    """Return the name of a score sheet line as scenarios write it."""
    return line.replace("_", " ")


def _read_lines(reader: Reader, node: Node, key: str) -> Test:
    expected: dict[int, dict[str, int]] = {}
    for side, value in reader.by_number(node, key).items():
        what = f"{key}[{side}]"
        if value.pairs is None:
            reader.want(value, what, "WANTS_LINES")
            continue
        for name, points in value.pairs:
            line = "_".join((name.text or "").lower().replace("_", " ").replace("-", " ").split())
            line = f"{line}s" if f"{line}s" in LINES else line
            number = reader.whole(points, what)
            if line not in LINES:
                reader.no_such(name, what, "LINE", _name_of(line), [_name_of(each) for each in LINES])
            elif number is not None:
                expected.setdefault(side, {})[line] = number

    def test(outcome: Outcome) -> FileProblem | None:
        sheets = outcome.hand.score_sheets()
        wrong: list[str] = []
        got: list[str] = []
        for side, lines in expected.items():
            have = sheets[side].lines if side < len(sheets) else {}
            for line, points in lines.items():
                if have.get(line, 0) != points:
                    wrong.append(f"{key}[{side}]: {_name_of(line)}: {points}")
                    got.append(str(have.get(line, 0)))
        return _mismatch(", ".join(wrong), ", ".join(got)) if wrong else None

    return test


def _counts(get: Callable[[Hand, int], int], *, sides: bool) -> "_Reader":
    """Return a reader for assertions that give one number per side or seat."""

    def read(reader: Reader, node: Node, key: str) -> Test:
        expected = reader.scores(node, key)

        def test(outcome: Outcome) -> FileProblem | None:
            numbers = [n for n in expected if _exists(outcome, n, sides=sides)]
            return _by_number(key, expected, {number: get(outcome.hand, number) for number in numbers})

        return test

    return read


def _exists(outcome: Outcome, number: int, *, sides: bool) -> bool:
    return number < (len(outcome.hand.sides) if sides else outcome.rules.seats.players)


def _nobody(outcome: Outcome, key: str, number: int, *, sides: bool) -> FileProblem:
    if sides:
        return FileProblem("NO_SIDE", {"number": number, "count": len(outcome.hand.sides)}, path=key)
    return FileProblem("NO_SEAT", {"number": number, "players": outcome.rules.seats.players}, path=key)


def _cards_of_seats(get: Callable[[Hand, int], Sequence[int]]) -> "_Reader":
    def read(reader: Reader, node: Node, key: str) -> Test:
        expected = {
            seat: reader.cards(value, f"{key}[{seat}]") for seat, value in reader.by_number(node, key).items()
        }

        def test(outcome: Outcome) -> FileProblem | None:
            for seat, cards in expected.items():
                if not _exists(outcome, seat, sides=False):
                    return _nobody(outcome, key, seat, sides=False)
                got = get(outcome.hand, seat)
                if not same_cards(cards, got):
                    return _mismatch(f"{key}[{seat}]: {_cards_shown(cards)}", _cards_shown(got))
            return None

        return test

    return read


def _read_bonus(reader: Reader, node: Node, key: str) -> Test:
    numbers: dict[int, int] = {}
    cards: dict[int, tuple[int, ...]] = {}
    for side, value in reader.by_number(node, key).items():
        if value.text is not None and value.text.strip().isdecimal():
            numbers[side] = reader.count(value, f"{key}[{side}]") or 0
        else:
            cards[side] = reader.cards(value, f"{key}[{side}]")

    def test(outcome: Outcome) -> FileProblem | None:
        for side in (*numbers, *cards):
            if not _exists(outcome, side, sides=True):
                return _nobody(outcome, key, side, sides=True)
            got = outcome.hand.bonus(side)
            if side in numbers and len(got) != numbers[side]:
                return _mismatch(f"{key}[{side}]: {numbers[side]}", str(len(got)))
            if side in cards and not same_cards(cards[side], got):
                return _mismatch(f"{key}[{side}]: {_cards_shown(cards[side])}", _cards_shown(got))
        return None

    return test


def _read_melds(reader: Reader, node: Node, key: str) -> Test:
    expected: dict[int, tuple[tuple[int, ...], ...]] = {}
    if node.items is not None:
        reader.melds_by_side(node, key)
    else:
        for side, value in reader.by_number(node, key).items():
            expected[side] = reader.melds(value, f"{key}[{side}]")

    def test(outcome: Outcome) -> FileProblem | None:
        for side, melds in expected.items():
            if not _exists(outcome, side, sides=True):
                return _nobody(outcome, key, side, sides=True)
            got = [meld.cards for meld in outcome.hand.melds(side)]
            if not _same_melds(melds, got):
                return _mismatch(f"{key}[{side}]: {_melds_shown(melds)}", _melds_shown(got))
        return None

    return test


def _melds_shown(melds: Sequence[Sequence[int]]) -> str:
    return " + ".join(map(format_cards, melds)) or "[]"


def _same_melds(expected: Sequence[Sequence[int]], got: Sequence[Sequence[int]]) -> bool:
    """Return whether the melds can be matched up.

    A card without a suit fits several melds, so rematch as needed.
    """
    if len(expected) != len(got):
        return False
    partner_of: dict[int, int] = {}

    def pair(index: int, tried: set[int]) -> bool:
        for other, meld in enumerate(got):
            if other in tried or not same_cards(expected[index], meld):
                continue
            tried.add(other)
            if other not in partner_of or pair(partner_of[other], tried):
                partner_of[other] = index
                return True
        return False

    return all(pair(index, set()) for index in range(len(expected)))


# -- the table ---------------------------------------------------------------------------------------------


def _read_seating(reader: Reader, node: Node, key: str) -> Test:
    expected = reader.numbers(node, key)

    def test(outcome: Outcome) -> FileProblem | None:
        assert outcome.seating is not None
        return _compare(key, expected, list(outcome.seating.players))

    return test


def _read_sitting_out(reader: Reader, node: Node, key: str) -> Test:
    expected = sorted(reader.numbers(node, key))

    def test(outcome: Outcome) -> FileProblem | None:
        assert outcome.match is not None
        return _compare(key, expected, sorted(outcome.match.sitting_out))

    return test


def _read_pot_taken(reader: Reader, node: Node, key: str) -> Test:
    expected = sorted(reader.numbers(node, key))

    def test(outcome: Outcome) -> FileProblem | None:
        got = [side for side, taker in enumerate(outcome.hand.state.pot_takers()) if taker >= 0]
        return _compare(key, expected, got)

    return test


def _read_sides(reader: Reader, node: Node, key: str) -> Test | None:
    if node.items is None:
        reader.complain(node, key, "WANTS_SIDES")
        return None
    expected = [sorted(reader.numbers(item, key)) for item in node.items]
    return lambda outcome: _compare(key, expected, [sorted(side) for side in outcome.hand.sides])


def _dealer(outcome: Outcome) -> int:
    if outcome.seating is not None:
        return outcome.seating.dealer
    assert outcome.match is not None
    return outcome.match.dealer


def _winner(outcome: Outcome) -> int | None:
    assert outcome.match is not None
    return outcome.match.winner


def _hidden_cards_seen(hand: Hand, seat: int) -> int:
    """Return how many hidden cards this seat's view shows; it should be just its own hand."""
    state = hand.view(seat).state
    places = [state.deck, *state.feet, *state.pots, *state.talons]
    return sum(sum(state.cards_of(seat)) for seat in range(len(state.side_of))) + sum(
        kind != HIDDEN for kinds in places for kind in kinds
    )


def _deck_size(outcome: Outcome) -> int:
    return len(full_deck(outcome.rules.deck.decks, outcome.rules.deck.caliente_cards))


_Reader = Callable[[Reader, Node, str], Test | None]

_READERS: Final[dict[str, _Reader]] = {
    "turn": _number(lambda outcome: outcome.hand.turn),
    "phase": _read_phase,
    "frozen": _read_frozen,
    "hand": _cards_of_seats(lambda hand, seat: hand.hand_cards(seat)),
    "foot": _cards_of_seats(lambda hand, seat: hand.foot_cards(seat)),
    "melds": _read_melds,
    "pile": _read_pile,
    "bonus": _read_bonus,
    "pile_size": _number(lambda outcome: len(outcome.hand.pile)),
    "stock_size": _number(lambda outcome: outcome.hand.stock_size),
    "hand_size": _counts(lambda hand, seat: len(hand.hand_cards(seat)), sides=False),
    "sees": _counts(_hidden_cards_seen, sides=False),
    "talon": _counts(lambda hand, seat: len(hand.talon_cards(seat)), sides=False),
    "foot_size": _counts(lambda hand, seat: len(hand.foot_cards(seat)), sides=False),
    "pot_taken": _read_pot_taken,
    "pots": _number(lambda outcome: len(outcome.hand.state.pots)),
    "over": _read_over,
    "out": _number_or_nobody(lambda outcome: outcome.hand.out),
    "points": _read_points,
    "lines": _read_lines,
    "scores": _read_scores,
    "winner": _number_or_nobody(_winner),
    "minimum": _counts(lambda hand, side: hand.minimum(side), sides=True),
    "victory_points": _read_victory_points,
    "seating": _read_seating,
    "dealer": _number(_dealer),
    "sitting_out": _read_sitting_out,
    "sides": _read_sides,
    "deck_size": _number(_deck_size),
}
_SPELLINGS: Final = {"hands": "hand", "feet": "foot", "score": "scores", "line": "lines", "point": "points"}
