"""The clauses of the rulebook: an id for each rule that a refusal or a test can name.

The sentences for the clauses are in the catalogues of `canasta.i18n`. Differences between presets are in the
fields that implement a clause. Readings say what we play if the documents are silent or contradictory, and
how a table can change it; their explanations are in the catalogues too, by number.
"""

from typing import Final, NamedTuple

from canasta.i18n.catalogue import texts
from canasta.rules.field_types import Field
from canasta.rules.loader import values_of
from canasta.rules.model import FIELDS, Ruleset

_NUMBERS: Final[dict[str, str]] = {
    "DECK": "1 2 3 4 5 6",
    "SEAT": "1 2 3 4 5 6 7 8",
    "DEAL": "1 2 3 4 5 6 7 8 9",
    "TURN": "1 2 3 4 5 6 7",
    "PILE": "1 2 3 4 5 6 7 8 9 10 11 13 12 14 16 17",
    "MELD": "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    "OPEN": "1 2 3 4 5 6 7 8 9",
    "DISC": "1 2 3 4 5 6 7 8 9",
    "OUT": "1 2 3 4 5 6 7 8 9 10",
    "END": "1 2 3 4 5 6 7 8 9 10",
    "CALI": "1 2 3 4 5 6",
    "SCOR": "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21",
    "GAME": "1 2 3 4",
}

CLAUSE_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    group: tuple(f"{group}-{number}" for number in numbers.split()) for group, numbers in _NUMBERS.items()
}
"""The ids of each group, in rulebook order."""

CLAUSES: Final[tuple[str, ...]] = tuple(clause for group in CLAUSE_GROUPS.values() for clause in group)
"""All ids, in rulebook order."""


def group_of(clause: str) -> str:
    """Return the group of a clause.

    >>> group_of("GAME-1")
    'GAME'
    """
    return clause.partition("-")[0]


def fields_of_clause(clause: str) -> list[Field]:
    """Return the fields that implement a clause; empty if it is the same in every game."""
    return [field for field in FIELDS.values() if clause in field.clauses]


def dealing_clause(players: int) -> str:
    """Return the clause about the number of cards dealt at a table of this size."""
    return "DEAL-1" if players == 2 else "DEAL-2" if players == 3 else "DEAL-3"


def clause_of(field: Field, players: int) -> str:
    """Return the first clause that a field implements, at a table of this size."""
    first = field.clauses[0]
    return dealing_clause(players) if first == "DEAL-1" else first


class Reading(NamedTuple):
    """One decision about an unclear rule."""

    number: int
    clauses: tuple[str, ...]
    field: str | None
    """The field with which a table chooses another reading; `None` if there is none."""


def _read(number: int, clauses: str, field: str | None = None) -> Reading:
    return Reading(number, tuple(clauses.split()), field)


READINGS: Final[tuple[Reading, ...]] = (
    _read(1, "MELD-2", "melds.wilds_to_naturals"),
    _read(2, "MELD-6", "melds.same_suit_runs"),
    _read(3, "PILE-9", "pile.always_frozen"),
    _read(4, "DEAL-5 DISC-3", "deal.cover_black_three"),
    _read(5, "MELD-5", "melds.sets_per_rank"),
    _read(6, "DEAL-1 DEAL-2 DEAL-3", "deal.hand_size"),
    _read(7, "CALI-1"),
    _read(8, "OPEN-1", "opening.below_zero"),
    _read(9, "SCOR-8", "scoring.red_three_extra"),
    _read(10, "SEAT-1 SEAT-2 SEAT-3 SEAT-4 OUT-3 OUT-5"),
    _read(11, "END-4", "stock_end.forced"),
    _read(12, "SCOR-9", "scoring.red_threes_minus"),
    _read(13, "OUT-3", "going_out.ask"),
    _read(14, "GAME-1", "match.rounds"),
    _read(15, "CALI-2", "caliente.hand_size"),
    _read(16, "MELD-5", "melds.sets_per_rank"),
    _read(17, "SEAT-3 SEAT-4", "seats.sit_out"),
    _read(18, "DEAL-5 DEAL-6", "deal.reshuffle_second"),
    _read(19, "PILE-3 PILE-8"),
    _read(20, "PILE-9 END-2", "pile.always_frozen"),
    _read(21, "PILE-11", "pile.one_card_hand"),
    _read(22, "PILE-12", "pile.put_back"),
    _read(23, "TURN-4", "turn.lay_bonus_by_hand"),
    _read(24, "END-4 OUT-6", "stock_end.taker_bonus"),
    _read(25, "END-7 TURN-3", "stock_end.last_red_three"),
    _read(26, "OPEN-5", "opening.concealed_suffices"),
    _read(27, "OUT-3"),
    _read(28, "OUT-5"),
    _read(29, "CALI-1"),
    _read(30, "CALI-5"),
    _read(31, "SCOR-11", "scoring.concealed_by"),
    _read(32, "SCOR-9", "scoring.red_threes_minus"),
    _read(33, "DISC-1"),
    _read(34, "MELD-9", "turn.undo"),
    _read(35, "OUT-3 DISC-4", "going_out.ask"),
    _read(36, "TURN-4 END-5", "stock_end.last_red_three"),
    _read(37, "TURN-4 OUT-4", "turn.lay_bonus_by_hand"),
    _read(38, "MELD-7", "melds.wild_canasta_closed"),
    _read(39, "MELD-8"),
    _read(40, "SCOR-12 PILE-12", "scoring.put_back_penalty"),
    _read(41, "OPEN-1"),
    _read(42, "DISC-2", "pile.look_through"),
    _read(43, "SEAT-6", "seats.first_dealer"),
    _read(44, "PILE-12 MELD-7", "pile.put_back"),
    _read(45, "SEAT-2"),
    # From here on the readings are ours alone.
    _read(46, "TURN-4", "scoring.forgotten_red_three"),
    _read(47, "OPEN-1", "opening.below_zero"),
    _read(48, "OPEN-1", "opening.by_round"),
    _read(49, "MELD-2", "melds.wilds_to_naturals"),
    _read(50, "SCOR-7", "scoring.concealed"),
    _read(51, "SEAT-4", "seats.sides"),
    _read(52, "CALI-2 DECK-4", "caliente.hand_size"),
    _read(53, "DECK-4 CALI-2", "caliente.hand_size"),
    _read(54, "MELD-7 SCOR-5", "scoring.wild_canasta"),
    _read(55, "MELD-6 SCOR-4", "scoring.samba"),
    _read(56, "GAME-1", "match.target"),
    _read(57, "OUT-1", "going_out.canastas"),
    _read(58, "DEAL-1 DEAL-2 DEAL-3", "deal.foot_size"),
    _read(59, "OUT-3", "going_out.ask"),
    _read(60, "SCOR-8", "scoring.three_scale"),
    _read(61, "DEAL-4"),
    _read(62, "DISC-3 DEAL-6"),
    _read(63, "SCOR-9", "scoring.red_threes_minus"),
    _read(64, "MELD-5", "melds.sets_per_rank"),
    _read(65, "OPEN-1", "opening.minimums"),
    _read(66, "END-1 PILE-11", "stock_end.after_last_card"),
    _read(67, "MELD-15", "melds.wild_moves"),
    _read(68, "SCOR-20", "scoring.semi_clean_nine"),
    _read(69, "SCOR-20", "scoring.semi_clean_inside"),
    _read(70, "SCOR-21", "scoring.pot_not_taken_if"),
    _read(71, "DECK-2", "deck.joker_value"),
    _read(72, "SCOR-21", "scoring.pot_not_taken_if"),
    _read(73, "END-9", "stock_end.most_turns"),
    _read(74, "OPEN-7", "opening.pure_meld"),
    _read(75, "OPEN-8", "pile.opening_pair"),
    _read(76, "PILE-3", "pile.add_to_meld"),
    _read(77, "MELD-11", "melds.naturals_before_wild"),
    _read(78, "MELD-12 MELD-13", "melds.dead_ranks"),
    _read(79, "OPEN-4", "opening.splash"),
    _read(80, "OPEN-9", "opening.mixed_canasta"),
    _read(81, "OPEN-1", "opening.below_zero"),
    _read(82, "OUT-8", "going_out.unfinished_bars"),
    _read(83, "OUT-10", "going_out.special_hands"),
    _read(84, "OUT-3", "going_out.ask_limit"),
    _read(85, "SCOR-16", "scoring.unfinished_wilds"),
    _read(86, "SCOR-10", "scoring.black_three_in_hand"),
    _read(87, "SCOR-17", "aces.in_hand"),
    _read(88, "DISC-6 DISC-7"),
    _read(89, "TURN-7 SCOR-1"),
    _read(90, "DEAL-1 TURN-2", "deal.hand_size"),
    _read(91, "SCOR-20", "scoring.semi_clean"),
    _read(92, "MELD-1", "melds.largest_set"),
    _read(93, "SCOR-20", "scoring.run_13"),
    _read(94, "END-9", "stock_end.pot_becomes_stock"),
    _read(95, "DECK-1 DECK-2"),
    _read(96, "SEAT-6", "seats.cut_order"),
)


def readings_of_clause(clause: str) -> list[Reading]:
    """Return the readings that affect a clause.

    >>> [reading.number for reading in readings_of_clause("END-4")]
    [11, 24]
    """
    return [reading for reading in READINGS if clause in reading.clauses]


# -- in words ----------------------------------------------------------------------------------------------


class Clause(NamedTuple):
    """One rule in words."""

    id: str
    title: str
    text: str


def clause_in(clause_id: str, lang: str = "en") -> Clause:
    """Return a clause in a language.

    >>> clause_in("DEAL-1").title, clause_in("DEAL-1", "fr").title
    ('cards dealt to two', 'cartes données à deux joueurs')
    """
    known = texts(lang, "clauses")
    return Clause(clause_id, known[clause_id], known[f"{clause_id}.text"])


def group_title(group_or_clause: str, lang: str = "en") -> str:
    """Return the title of a group of clauses, or of the group that a clause belongs to."""
    return texts(lang, "clauses")[f"group.{group_of(group_or_clause)}"]


def clause_value(clause_id: str, rules: Ruleset, lang: str = "en") -> str:
    """Return the clause's values in this ruleset, from its fields; empty if it has none.

    >>> from canasta.rules.loader import load_ruleset
    >>> clause_value("SCOR-6", load_ruleset("bolivia"))
    'going out: 200'
    """
    values = values_of(rules)
    fields = [field.in_language(lang) for field in fields_of_clause(clause_id)]
    return "; ".join(f"{field.label}: {field.show(values[field.path])}" for field in fields)


def reading_text(reading: Reading, lang: str = "en") -> str:
    return texts(lang, "readings")[str(reading.number)]
