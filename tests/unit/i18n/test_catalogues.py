"""The catalogues: every language has the same messages and facts, and all can be formatted."""

import json
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from canasta.engine.melds import KIND_NAMES
from canasta.engine.moves.refusals import REASON_NAMES
from canasta.engine.rule_tables import LINES
from canasta.i18n.catalogue import (
    CANASTAS,
    CARD,
    CATALOGUES,
    FIELD,
    MELD,
    MOVE,
    NAME,
    NUMBER,
    SENTENCES,
    SETTING,
    SEVERAL,
    SYSTEM,
    Slot,
    fact_kinds,
    languages,
    pieces,
    texts,
)
from canasta.rules.field_types import Field
from canasta.rules.loader import OPTIONS
from canasta.rules.model import FIELDS
from canasta.table.fairness.observation import SHOWN
from canasta.table.views import ANY_KIND

SPECIAL = (NUMBER, NAME, CARD, CANASTAS, MELD, MOVE, FIELD, SETTING, SYSTEM)
SOURCE = CATALOGUES.parents[1]
FILES = sorted(CATALOGUES.glob("*/*.json"))
PARTS = sorted(file.stem for file in CATALOGUES.glob("en/*.json"))


def field_texts(field: Field) -> dict[str, str]:
    """Return what a language's catalogue must say about a field, with the English words."""
    told = {field.path: field.label, f"{field.path}.meaning": field.meaning}
    told |= {f"{field.path}={choice}": words for choice, words in field.choices}
    return told | ({f"{field.path}=0": field.zero} if field.zero else {})


ENGLISH_FIELDS = {"yes": "yes", "no": "no"}
"""The English texts are in the declarations of the fields; `name`, `title` and `version` need none."""
for form in (*FIELDS.values(), *(option.form for option in OPTIONS.values())):
    if form.clauses:
        ENGLISH_FIELDS |= field_texts(form)


def base(key: str) -> str:
    """Return a key without its form and without the names of a family."""
    return key.partition("~")[0].partition(":")[0]


def bases(texts_of_part: dict[str, str]) -> set[str]:
    """Return the base keys of a part; numerals and forms for `you` are optional for a language."""
    return {base(key).removesuffix(".you") for key in texts_of_part if not key.startswith("number.")}


def forms(language: str, key: str) -> set[str]:
    """Return the forms that a word has in a language."""
    return {
        known.partition("~")[0].partition(":")[2] for known in texts(language, "cards") if base(known) == key
    }


@cache
def values(group: str) -> list[str]:
    """Return the words of a group: the ranks, the suits …"""
    return sorted({base(key) for key in texts("en", "cards") if key.startswith(f"{group}.")})


def slots(text: str) -> list[Slot]:
    return [piece for piece in pieces(text) if isinstance(piece, Slot)]


def test_there_are_six_languages() -> None:
    assert languages() == ("en", "de", "es", "fr", "it", "pt")
    parts = {name: {file.stem for file in FILES if file.parent.name == name} for name in languages()}
    assert "sheets" in parts["en"]
    assert all(parts[name] == parts["en"] | {"fields"} for name in languages()[1:])


@pytest.mark.parametrize("file", FILES, ids=lambda file: "-".join(file.parts[-2:]))
def test_every_message_can_be_said(file: Path) -> None:
    language, part = file.parent.name, file.stem
    pairs = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=list)
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), "a key that stands twice"
    english = texts("en", part) if part != "fields" else ENGLISH_FIELDS
    said = texts(language, part)
    assert bases(said) == bases(english)
    for key, text in said.items():
        where = (language, part, key)
        assert text == text.strip(), where
        assert text or key.endswith(":next"), where
        if part != "cards" or key in english:
            expected = {slot.name for slot in slots(in_english(english, key)) if "." not in slot.name}
            assert {slot.name for slot in slots(text) if "." not in slot.name} == expected, where
        assert text.count("{") == len(slots(text)) == text.count("}"), where
        for slot in slots(text):
            check_slot(language, slot, where)


def in_english(english: dict[str, str], key: str) -> str:
    return english.get(key) or english.get(base(key)) or english[base(key).removesuffix(".you")]


def check_slot(language: str, slot: Slot, where: object) -> None:
    if "." in slot.name:
        assert slot.form in forms(language, slot.name), (where, slot)
        return
    assert slot.name in fact_kinds(), (where, slot)
    kind = fact_kinds()[slot.name].removesuffix(SEVERAL)
    assert not slot.choices or (kind == NUMBER and len(slot.choices) in (2, 3)), (where, slot)
    if kind == NUMBER:
        assert slot.form in ("", *forms(language, "number.1")), (where, slot)
    elif kind == CARD:
        assert slot.form in ("", "words"), (where, slot)
    elif kind in (NAME, CANASTAS, *SENTENCES, FIELD, SETTING, SYSTEM):
        assert not slot.form, (where, slot)
    else:
        assert values(kind), (where, slot)
        for key in values(kind):
            assert slot.form in forms(language, key), (where, slot, key)


def test_every_reason_of_a_refusal_is_used() -> None:
    """This covers the rules' reasons and the reasons with which a table refuses an order."""
    orders = "".join(path.read_text(encoding="utf-8") for path in SOURCE.glob("table/*.py"))
    of_tables = set(re.findall(r'not_now\(\s*"([A-Z_]+)"', orders))
    assert {base(key).removesuffix(".remedy") for key in texts("en", "refusals")} == (
        {name for name in REASON_NAMES.values() if name != "OK"} | of_tables
    )


def test_every_sentence_about_text_is_used() -> None:
    readers = [SOURCE / "api" / "cards.py", *sorted(SOURCE.glob("notation/*.py"))]
    source = "".join(path.read_text(encoding="utf-8") for path in readers)
    assert {key for key in texts("en", "notation") if f'"{key}"' not in source} == set()


def test_vectors_for_the_browser_are_up_to_date() -> None:
    """`python scripts/word_vectors.py` writes them."""
    script = runpy.run_path(str(Path(__file__).resolve().parents[3] / "scripts" / "word_vectors.py"))
    assert script["FILE"].read_text(encoding="utf-8") == script["text"]()


@pytest.mark.parametrize("file", sorted(CATALOGUES.glob("fr/*.json")), ids=lambda file: file.name)
def test_french_signs_stay_with_their_word(file: Path) -> None:
    """A two-part sign follows a no-break space, so that no line starts with it."""
    for text in json.loads(file.read_text(encoding="utf-8")).values():
        assert not re.search(r"\w[:;?!%»](\s|$)| [:;?!%»]|« ", text), text


def test_every_word_of_typed_play_is_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCE.glob("commands/*.py")))
    groups = set(re.findall(r'f["\']typed\.(\w+)\.\{', source))
    unused = {
        key
        for key in bases(texts("en", "typed"))
        if key.partition(".")[0] not in groups and not re.search(rf"[\"']typed\.{key}[\"']", source)
    }
    assert unused == set()


def test_every_text_of_the_commands_is_used_and_there() -> None:
    files = [*SOURCE.glob("commands/*.py"), *SOURCE.glob("terminal/*.py")]
    files += SOURCE.glob("table/fairness/*.py")
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(files))
    source = source.replace("'", '"').replace('"commands.', '"')
    source += "".join(f'"{name}"' for name in SHOWN)  # fields that can differ
    groups = ("usage.", "verify.", "game.")  # named by their last word
    unused = {
        key
        for key in bases(texts("en", "commands"))
        if f'"{key}"' not in source
        and not (key.startswith(groups) and f'"{key.rpartition(".")[2]}"' in source)
    }
    assert unused == set()
    asked = set(re.findall(r'\b(?:fail|warn|in_words)\(\s*"([\w.]+)"', source))
    assert asked <= bases(texts("en", "commands"))


@pytest.mark.parametrize(
    ("part", "call"),
    [
        (
            "problems",
            r'(?:problem_of\(\s*"\w+",|mistake\(\d+,|input_error\()\s*"([A-Z_]+)"',
        ),
        ("players", r'bot_error\(\s*"([A-Z_]+)"'),
    ],
)
def test_every_problem_is_used_and_there(part: str, call: str) -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")))
    keys = bases(texts("en", part))
    assert {key for key in keys if f'"{key}"' not in source} == set()
    asked = set(re.findall(call, source))
    assert asked
    assert asked <= keys


def test_every_line_of_the_score_sheet_has_words() -> None:
    others = {"this_hand", "before", "total", "enough", "victory_points"}
    kinds = {f"progress.{kind}" for kind in (*KIND_NAMES, ANY_KIND, "pot")}
    assert bases(texts("en", "scores")) == {*LINES, *others, *kinds}


def test_every_word_is_used() -> None:
    """A word is in use if it belongs to a kind of fact, or if a message or the source names it."""
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")))
    named = {slot.name for part in PARTS for text in texts("en", part).values() for slot in slots(text)}
    kinds = {kind.removesuffix(SEVERAL) for kind in fact_kinds().values()} | {"seat", "end", "grade"}
    unused = {
        key
        for key in bases(texts("en", "cards"))
        if key.partition(".")[0] not in kinds
        and key not in named
        and not re.search(rf'["\'.]{key}["\']', source)
    }
    assert unused == set()


@pytest.mark.parametrize("language", languages())
def test_every_form_of_a_word_is_used(language: str) -> None:
    used = {("rank", "a"), ("rank", "acc")}  # used by lists of cards
    for part in PARTS:
        for text in texts(language, part).values():
            for slot in slots(text):
                kind = slot.name.partition(".")[0] if "." in slot.name else fact_kinds()[slot.name]
                used.add((kind.removesuffix(SEVERAL), slot.form))
    known = {
        (key.partition(".")[0], key.partition("~")[0].partition(":")[2]) for key in texts(language, "cards")
    }
    assert {(group, form) for group, form in known if form} - used == set()
