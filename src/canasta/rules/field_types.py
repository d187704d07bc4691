"""Field declarations: how the model declares a field's default, clauses, words and possible values.

`number(2, "DECK-1", 1, 6, …)` is the default of a dataclass field. Everything about the field is stored in
its metadata, from which the registry in `model` reads it.
"""

import dataclasses
from typing import Any, Final, NamedTuple

from canasta.i18n import Facts

Value = bool | int | str | tuple[int, ...]
"""The types of a field's value."""

YES_NO: Final = "yes or no"
NUMBER: Final = "number"
CHOICE: Final = "choice"
NUMBERS: Final = "list of numbers"
TEXT: Final = "text"

MOST_MEMBERS: Final = 12
"""Maximum length of a list."""


class Switch(NamedTuple):
    """A yes-or-no option for two of the values of a choice."""

    name: str
    label: str
    meaning: str
    yes: str
    no: str


class Field(NamedTuple):
    """One field of the ruleset."""

    path: str
    kind: str
    """`YES_NO`, `NUMBER`, `CHOICE`, `NUMBERS` or `TEXT`."""
    clauses: tuple[str, ...]
    label: str
    meaning: str
    low: int = 0
    high: int = 0
    """Smallest and largest number, for `NUMBER` and for each member of `NUMBERS`."""
    choices: tuple[tuple[str, str], ...] = ()
    """Values of a `CHOICE`, with a description of each."""
    zero: str = ""
    """The meaning of 0 (or of an empty list), if it is special."""
    option: str = ""
    """The short option name for tables, if there is one."""
    switch: Switch | None = None
    """The option's form, if it is a plain yes or no although the field is not."""
    clears: tuple[str, ...] = ()
    """Fields of the same section that the short name sets to 0, because this number replaces them."""
    zero_clears: bool = False
    """Whether a value of 0 clears them too."""
    needs: str = ""
    """The field that must be true or positive for this one to have an effect."""
    fixed: bool = False
    """Whether the preset and the number of players determine it, so that no option changes it."""
    default: Value = ""
    """The default value, which holds in every preset that does not override it."""
    yes_no: tuple[str, str] = ("yes", "no")
    """The descriptions of both values of a `YES_NO`."""

    @property
    def section(self) -> str:
        return self.path.partition(".")[0] if "." in self.path else ""

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    def allowed(self) -> str:
        """Return a description of the possible values, such as `a whole number from 1 to 6`."""
        if self.kind == YES_NO:
            return "true or false"
        if self.kind == CHOICE:
            return "one of " + ", ".join(value for value, _ in self.choices)
        if self.kind == NUMBER:
            return f"a whole number from {self.low} to {self.high}"
        if self.kind == NUMBERS:
            return f"a list of at most {MOST_MEMBERS} whole numbers from {self.low} to {self.high}"
        return "text"

    def takes(self, lang: str = "en") -> str:
        """Return the possible values as `--option` reads them; symbols replace words unless in English.

        >>> from canasta.rules.model import FIELDS
        >>> FIELDS["melds.most_wilds"].takes(), FIELDS["pile.put_back"].takes()
        ('0 to 36; 0: no limit', 'yes or no')
        >>> FIELDS["melds.sets_per_rank"].takes(), FIELDS["melds.sets_per_rank"].takes("de")
        ('one, one_open or any', 'one, one_open, any')
        """
        english = lang == "en"
        if self.kind == CHOICE:
            *names, last = [value for value, _ in self.choices]
            return f"{', '.join(names)}{' or ' if english else ', '}{last}"
        if self.kind == NUMBER:
            span = f"{self.low} to {self.high}" if english else f"{self.low}–{self.high}"
            return span + (f"; 0: {self.zero}" if self.zero else "")
        if self.kind == NUMBERS:
            span = f"{self.low}–{self.high}"
            members = f"numbers from {self.low} to {self.high}, as 0,1500" if english else f"{span}, {span} …"
            return f"{members}; []: {self.zero}"
        return self.kind if english else "yes, no"

    def in_language(self, lang: str) -> "Field":
        """Return the field with its words in a language.

        The declarations in `canasta.rules.model` are the English words. In other languages the catalogue part
        `fields` is keyed by path: `deal.foot_size`, `deal.foot_size.meaning`, `deal.foot_size=0`.

        >>> from canasta.rules.model import FIELDS
        >>> field = FIELDS["melds.most_wilds"].in_language("de")
        >>> field.label, field.show(0)
        ('meiste wilde Karten in einem Satz', 'keine Grenze')
        """
        if lang == "en":
            return self
        from canasta.i18n.catalogue import texts  # noqa: PLC0415 - English needs no catalogue

        words, path = texts(lang, "fields"), self.path
        return self._replace(
            label=words.get(path, self.label),
            meaning=words.get(f"{path}.meaning", self.meaning),
            choices=tuple((value, words.get(f"{path}={value}", text)) for value, text in self.choices),
            zero=words.get(f"{path}=0", self.zero),
            yes_no=(words["yes"], words["no"]),
        )

    def show(self, value: Value) -> str:
        """Return a value as a card player would read it.

        >>> from canasta.rules.model import FIELDS
        >>> FIELDS["melds.most_wilds"].show(0), FIELDS["pile.put_back"].show(True)
        ('no limit', 'yes')
        """
        if isinstance(value, bool):
            return self.yes_no[0 if value else 1]
        if isinstance(value, tuple):
            return ", ".join(str(number) for number in value) if value else (self.zero or "none")
        if isinstance(value, int):
            return self.zero if value == 0 and self.zero else str(value)
        for choice, words in self.choices:
            if choice == value:
                return words
        return value

    def typed(self, value: Value) -> str:
        """Return a value as `--option` accepts it.

        >>> from canasta.rules.model import FIELDS
        >>> FIELDS["melds.most_wilds"].typed(0), FIELDS["pile.put_back"].typed(True)
        ('melds.most_wilds=0', 'pile.put_back=yes')
        >>> FIELDS["opening.scores"].typed((0, 1500))
        'opening.scores=0,1500'
        """
        text = str(value)
        if isinstance(value, bool):
            text = "yes" if value else "no"
        elif isinstance(value, tuple):
            text = ",".join(str(number) for number in value) or "[]"
        return f"{self.path}={text}"


def check_value(field: Field, value: object) -> tuple[str, Facts] | None:
    """Return what is wrong with a value for this field, as a defect code with facts, or `None`.

    Lists are accepted in place of tuples.

    >>> from canasta.rules.model import FIELDS
    >>> check_value(FIELDS["turn.draw"], True)
    ('MUST_BE_NUMBER', {'low': 1, 'high': 5})
    """
    span: Facts = {"low": field.low, "high": field.high}
    if field.kind == YES_NO:
        return None if isinstance(value, bool) else ("MUST_BE_YES_NO", {})
    if field.kind == NUMBER:
        return None if _is_number(value, field) else ("MUST_BE_NUMBER", span)
    if field.kind == NUMBERS:
        fine = (
            isinstance(value, (list, tuple))
            and len(value) <= MOST_MEMBERS
            and all(_is_number(member, field) for member in value)
        )
        return None if fine else ("MUST_BE_NUMBERS", {"most": MOST_MEMBERS, **span})
    if field.kind == CHOICE and not (
        isinstance(value, str) and any(value == choice for choice, _ in field.choices)
    ):
        return "MUST_BE_ONE_OF", {"choices": ", ".join(choice for choice, _ in field.choices)}
    return None if isinstance(value, str) else ("MUST_BE_TEXT", {})


def _is_number(value: object, field: Field) -> bool:
    # `bool` is a subclass of `int`, but nobody means `true` cards.
    return isinstance(value, int) and not isinstance(value, bool) and field.low <= value <= field.high


def as_value(value: object) -> Value:
    """Convert a value that `check_value` accepted to the form used in the model."""
    if isinstance(value, (list, tuple)):
        return tuple(int(member) for member in value)
    assert isinstance(value, (bool, int, str))
    return value


# -- declarations: they return `Any`, because the model states the type itself ----------------------------


def flag(usual: bool, clauses: str, label: str, meaning: str, *, option: str = "", needs: str = "") -> Any:
    return _declared(Field("", YES_NO, _ids(clauses), label, meaning, option=option, needs=needs), usual)


def number(  # noqa: PLR0913 - a declaration reads like a row of a table
    usual: int,
    clauses: str,
    low: int,
    high: int,
    label: str,
    meaning: str,
    *,
    zero: str = "",
    option: str = "",
    clears: tuple[str, ...] = (),
    zero_clears: bool = False,
    fixed: bool = False,
) -> Any:
    field = Field("", NUMBER, _ids(clauses), label, meaning, low, high, zero=zero, fixed=fixed)
    return _declared(field._replace(option=option, clears=clears, zero_clears=zero_clears), usual)


def numbers(
    usual: tuple[int, ...],
    clauses: str,
    high: int,
    label: str,
    meaning: str,
    *,
    zero: str,
    option: str = "",
    needs: str = "",
) -> Any:
    field = Field("", NUMBERS, _ids(clauses), label, meaning, 0, high, zero=zero, option=option, needs=needs)
    return _declared(field, usual)


def choice(
    usual: str,
    clauses: str,
    label: str,
    meaning: str,
    choices: dict[str, str],
    *,
    switch: Switch | None = None,
    option: str = "",
    needs: str = "",
) -> Any:
    field = Field("", CHOICE, _ids(clauses), label, meaning, choices=tuple(choices.items()), switch=switch)
    named = switch.name if switch is not None else option
    return _declared(field._replace(option=named, needs=needs), usual)


def text(label: str, meaning: str) -> Any:
    return _declared(Field("", TEXT, (), label, meaning, fixed=True), "")


def section(usual: object) -> Any:
    """Declare a section of the ruleset."""
    return dataclasses.field(default=usual, metadata={"section": True})


def _declared(field: Field, usual: Value) -> Any:
    return dataclasses.field(default=usual, metadata={"field": field._replace(default=usual)})


def _ids(clauses: str) -> tuple[str, ...]:
    return tuple(clauses.split())
