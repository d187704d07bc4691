"""What a table may choose: short names for the usual options, dotted paths for every other field."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from canasta.rules.defects import Defect, RulesetError, closest
from canasta.rules.fields import CHOICE, FIELDS, NUMBER, NUMBERS, YES_NO, Field, Value, as_value, check_value
from canasta.rules.written import MOST_GUESSED


class Option(NamedTuple):
    """A choice with a fixed name that is the same in scenarios, on the command line and in forms."""

    name: str
    path: str
    """The field that it sets; empty where it stands for several."""
    form: Field
    """Label, meaning and values of the option itself."""

    def fits(self, values: Mapping[str, Value]) -> bool:
        """Whether it can say what these values are: a yes or no cannot say the third value of a choice."""
        switch = FIELDS[self.path].switch if self.path else None
        return switch is None or values.get(self.path, switch.no) in (switch.yes, switch.no)

    def now(self, values: Mapping[str, Value]) -> Value:
        """What the option is at a table with these values."""
        if not self.path:
            return False
        switch = FIELDS[self.path].switch
        return values[self.path] == switch.yes if switch is not None else values[self.path]


_EXTRA_DECK: Final = Option(
    "extra_deck",
    "",
    Field(
        "extra_deck",
        YES_NO,
        ("SEAT-4", "DECK-1"),
        "all six play with an extra deck",
        "Six players, nobody sits out; in caliente with a third deck and its own numbers.",
    ),
)


def _named() -> Iterator[Option]:
    for path, field in FIELDS.items():
        if field.switch is not None:
            switch = field.switch
            form = Field(switch.name, YES_NO, field.clauses, switch.label, switch.meaning)
            yield Option(switch.name, path, form)
        elif field.option:
            yield Option(field.option, path, field)
    yield _EXTRA_DECK


OPTIONS: Final[dict[str, Option]] = {option.name: option for option in _named()}
"""The options with fixed names, in the order of the new-table form."""


class Choices:
    """Options as a table gave them, read field by field."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        """Fields with the values chosen for them."""
        self.names: dict[str, str] = {}
        """How the table named a field, so that a defect can use the same name."""
        self.extra_deck = False
        self.defects: list[Defect] = []
        self.bad: set[str] = set()
        """Fields whose chosen value is no use; nothing more is said about them."""

    def defect(self, path: str, value: object, problem: str, remedy: str = "") -> None:
        self.defects.append(Defect(self.names.get(path, path), value, problem, remedy))


def read_options(options: object, preset_values: Mapping[str, Value]) -> Choices:
    """Check each option by itself. `preset_values` are those of the preset, empty when it is not known."""
    choices = Choices()
    if options is None:
        return choices
    if not isinstance(options, Mapping):
        choices.defect("options", options, "must be names with values", "write them as name: value")
        return choices
    for name, value in options.items():
        _read_one(choices, name, value, preset_values)
    return choices


def _read_one(choices: Choices, name: object, value: object, preset_values: Mapping[str, Value]) -> None:
    if not isinstance(name, str):
        choices.defect("options", name, "is not the name of an option", "names are words such as hand_size")
        return
    option = OPTIONS.get(name)
    form = option.form if option is not None else FIELDS.get(name)
    if form is None:
        remedy = ""
        if len(choices.defects) < MOST_GUESSED:
            remedy = closest(name, [*OPTIONS, *(path for path, field in FIELDS.items() if not field.fixed)])
        choices.defect(name, value, "there is no such option", remedy or "see the fields of the rule sheet")
        return
    if form.fixed:
        choices.defects.append(_fixed(name, value))
        return
    path = option.path if option is not None else name
    problem = check_value(form, value)
    if problem:
        choices.bad.add(path)
        choices.defect(name, value, problem, _retype(form, value))
        return
    if name == "extra_deck":
        choices.extra_deck = value is True
        return
    chosen = as_value(value)
    if option is not None and (switch := FIELDS[path].switch) is not None:
        if not option.fits(preset_values):
            choices.bad.add(path)
            words = FIELDS[path].show(preset_values[path])
            problem = f"has no place in these rules ({FIELDS[path].label}: {words})"
            choices.defect(name, value, problem, f"leave it out or set {path}")
            return
        chosen = switch.yes if value is True else switch.no
    if path in choices.values:
        if choices.values[path] != chosen:
            other = choices.names[path]
            choices.defect(name, value, f"says something else than {other}", "give only one of the two")
            choices.bad.add(path)
        return
    choices.values[path] = chosen
    choices.names[path] = name


def _fixed(name: str, value: object) -> Defect:
    given_apart = name == "seats.players"
    remedy = "give the number of players by itself" if given_apart else "choose another preset instead"
    return Defect(name, value, "cannot be changed by an option", remedy)


def _retype(form: Field, value: object) -> str:
    """The remedy for a number or a yes or no that came as text."""
    if isinstance(value, str) and form.kind != CHOICE:
        try:
            parsed = _parsed(form, value)
        except ValueError:
            return ""
        if not check_value(form, parsed):
            return "write it without quotation marks"
    if isinstance(value, str) and form.kind == CHOICE:
        return closest(value, [choice for choice, _ in form.choices])
    return ""


def implied_values(choices: Choices) -> dict[str, Value]:
    """What the short names replace besides their own field; a field that was chosen itself stays."""
    implied: dict[str, Value] = {}
    for path, name in choices.names.items():
        field = FIELDS[path]
        # one plain number takes the place of others, such as a list by kinds
        if name == field.option and (choices.values[path] != 0 or field.zero_clears):
            implied.update({f"{field.section}.{cleared}": 0 for cleared in field.clears})
    return {path: value for path, value in implied.items() if path not in choices.values}


def seat_values(choices: Choices, players: int, usual_sides: Value) -> dict[str, Value]:
    """Who plays, from `sides`, `sit_out` and `extra_deck`; contradictions become defects.

    By its path a field may say what holds anyhow: so the values of a sheet can be given back.
    """
    sides, sit_out = choices.values.get("seats.sides"), choices.values.get("seats.sit_out")
    if players != 6:
        if choices.extra_deck:
            choices.defect("extra_deck", True, f"is for six players, not {players}", "leave it out")
        is_chosen = choices.names.get("seats.sides") == "sides" or sides != usual_sides
        if sides is not None and is_chosen:
            choices.defect("seats.sides", sides, f"is for six players, not {players}", "leave it out")
        if sit_out is not None and sit_out != (players == 5):
            problem = "with five players one always sits out" if players == 5 else "nobody sits out"
            choices.defect("seats.sit_out", sit_out, f"{problem} at a table of {players}", "leave it out")
        choices.bad.update(("seats.sides", "seats.sit_out"))
        return {}
    all_play = choices.extra_deck or sides is not None
    if sit_out is True:
        if choices.extra_deck:
            choices.defect("seats.sit_out", True, "with an extra deck all six play", "choose one of the two")
        if sides == 3:
            choices.defect("seats.sit_out", True, "three sides of two need all six", "choose one of the two")
    return {
        "seats.sides": 2 if sides is None else sides,
        "seats.sit_out": not all_play if sit_out is None else sit_out,
    }


def options_for(preset_values: Mapping[str, Value], players: int) -> list[Option]:
    """The options with fixed names that mean something in this preset at a table of so many.

    This is what a form offers; the others are not wrong when they are left at "no".
    """
    offered: list[Option] = []
    for option in OPTIONS.values():
        if option.name in ("extra_deck", "sides", "sit_out") and players != 6:
            continue
        needed = FIELDS[option.path].needs if option.path else ""
        if not option.fits(preset_values) or (needed and preset_values[needed] is False):
            continue
        offered.append(option)
    return offered


_YES: Final = ("true", "yes", "on", "1", "y")
_NO: Final = ("false", "no", "off", "0", "n")


def parse_option(text: str) -> tuple[str, Value]:
    """Read `name=value` as typed on a command line, by the type of the field.

    >>> parse_option("hand_size=13"), parse_option("put_back=yes")
    (('hand_size', 13), ('put_back', True))
    >>> parse_option("opening.scores=0, 1500")
    ('opening.scores', (0, 1500))
    """
    name, equals, raw = text.partition("=")
    name, raw = name.strip(), raw.strip()
    if not equals or not name:
        raise RulesetError([Defect("options", text, "must read name=value", "for example hand_size=13")])
    option = OPTIONS.get(name)
    form = option.form if option is not None else FIELDS.get(name)
    if form is None:
        remedy = closest(name, [*OPTIONS, *FIELDS])
        raise RulesetError([Defect(name, raw, "there is no such option", remedy)])
    if form.fixed:
        raise RulesetError([_fixed(name, raw)])
    try:
        value = _parsed(form, raw)
    except ValueError:
        value = raw
    problem = check_value(form, value)
    if problem:
        remedy = closest(raw, [choice for choice, _ in form.choices])
        raise RulesetError([Defect(name, value, problem, remedy)])
    return name, as_value(value)


def _parsed(form: Field, text: str) -> Value:
    """A value as typed, or as a sheet shows it: `no limit`, `drawn at random`."""
    text = _in_words(form, text) or text.strip()
    if form.kind == YES_NO:
        word = text.lower()
        if word in _YES:
            return True
        if word in _NO:
            return False
        raise ValueError(text)
    if form.kind == NUMBER:
        return int(text)
    if form.kind == NUMBERS:
        inner = text.strip("[]()").replace(",", " ").split()
        return tuple(int(member) for member in inner)
    return text


def _in_words(form: Field, text: str) -> str:
    """The value that a sheet tells by these words; empty where they are none of its words."""
    words = " ".join(text.lower().split())
    if form.zero and words == form.zero.lower():
        return "0" if form.kind == NUMBER else "[]"
    if form.kind == CHOICE and all(words != choice for choice, _ in form.choices):
        return next((choice for choice, told in form.choices if words == told.lower()), "")
    return ""
