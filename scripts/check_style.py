"""Style ratchet: counts of what `docs/style.md` rules out, which may only go down.

python scripts/check_style.py            # compare with scripts/style_counts.json; exit 1 if a count went up
python scripts/check_style.py --list     # every place, one per line
python scripts/check_style.py --update   # write the counts down after they went down
"""

import ast
import json
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from check import ROOT

COUNTS = ROOT / "scripts" / "style_counts.json"

PHRASES = {
    "clause as a subject": r"^(What|Whoever|Where|Whose|That|Of|So many|So that|Who)\b(?!.*\?$)",
    "told": r"\b(is|are|was|were|be) told\b|\btells\b",
    "lies, stands": r"\b(lies|stands)\b",
    "goes on": r"\b(go|goes|going) on\b",
    "is no": r"\b(is|are|was|were) no (?!longer|more|need|way|doubt|one|limit|network|such)\w+",
    "so many": r"\bso many\b",
    "old words": r"\b(anew|dear|dearer|dearest|reckons?|reckoned|likewise|shall|whoever)\b",
    "in a sentence": r"\bin a sentence\b",
    "where for if": r"(^|, )[Ww]here (there|it|one|a|an|the|no|nobody|something|they|he|she) \w+",
    "count minus": r"\b(at the most|at the least|counts? minus|counts? plus)\b",
}
"""Phrases that a native speaker would not use. Each also has right uses, so no count has to reach zero."""

ODD_MODULE = re.compile(
    r"^(asked|bell|brains|chairs|company|dealt|due|evening|exacting|faces|figures|found|given|habits|happenings|"
    r"hearing|house|judged|keeping|kept|neighbours|outsiders|own_\w+|papers|patience|played|prepared|sight|solved|"
    r"spoken|stretch|told|trained|written)$"
)
FAMILIES = {"Classic", "American", "Burraco"}
FAMILY_FLAGS = {"american", "long_runs"}
"""Attributes that say which family of games a ruleset, or a game at a table, belongs to."""


class Place(NamedTuple):
    kind: str
    path: str
    line: int
    text: str


def tracked(*patterns: str) -> list[str]:
    """Return the names of the tracked files that match."""
    done = subprocess.run(
        ["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()


def prose_of_python(path: Path) -> Iterator[tuple[int, str]]:
    """Yield docstrings, strings that document an attribute, and comments, each with its first line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        for item in body if isinstance(body, list) else ():
            if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant):
                if isinstance(item.value.value, str):
                    yield item.lineno, " ".join(item.value.value.split(">>>")[0].split())
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string.lstrip("#: ")


def prose_of_markdown(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines outside of code blocks."""
    is_code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield number, line.strip("|*- ")


def prose_of_catalogue(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a message catalogue."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r'\s*"[^"]+": "(.*)",?$', line)
        if found:
            yield number, found[1]


def prose() -> Iterator[tuple[str, int, str]]:
    for name in tracked("*.py", "canasta"):
        yield from ((name, *text) for text in prose_of_python(ROOT / name))
    for name in tracked("*.md"):
        # Rule sheets are generated from the catalogues; the style guide quotes what it rules out.
        if not name.startswith("docs/rules/") and name != "docs/style.md":
            yield from ((name, *text) for text in prose_of_markdown(ROOT / name))
    for name in tracked("*/en/*.json", "*/en.json"):
        yield from ((name, *text) for text in prose_of_catalogue(ROOT / name))


def phrases() -> Iterator[Place]:
    patterns = {name: re.compile(pattern) for name, pattern in PHRASES.items()}
    for path, line, text in prose():
        for name, pattern in patterns.items():
            if pattern.search(text):
                yield Place(name, path, line, text)


def is_family(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "family"


def family_checks(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that ask which family a game belongs to: by a flag, a name, a class or an object."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if node.attr in FAMILY_FLAGS or (node.attr == "name" and is_family(node.value)):
                yield node.lineno
        elif isinstance(node, ast.Compare):
            if any(is_family(part) for part in (node.left, *node.comparators)):
                yield node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass", "type"):
            if any(is_family(part) or getattr(part, "id", "") in FAMILIES for part in ast.walk(node)):
                yield node.lineno


def names() -> Iterator[Place]:
    """Yield modules with an odd name, ambiguous class names, and checks for a family of games."""
    classes: dict[str, list[tuple[str, int]]] = {}
    for name in tracked("*.py"):
        if ODD_MODULE.match(Path(name).stem):
            yield Place("odd module", name, 1, Path(name).stem)
        if not name.startswith("src/"):
            continue
        source = (ROOT / name).read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes.setdefault(node.name, []).append((name, node.lineno))
        if "engine/families/" not in name:
            lines = source.splitlines()
            for number in sorted(family_checks(ast.parse(source))):
                yield Place("family check", name, number, lines[number - 1].strip())
    for class_name, found in classes.items():
        if len(found) > 1:
            yield Place("duplicate class", found[0][0], found[0][1], f"{class_name}, {len(found)} times")


def main(arguments: list[str]) -> int:
    places = sorted([*phrases(), *names()])
    if "--list" in arguments:
        for place in places:
            print(f"{place.path}:{place.line}: [{place.kind}] {place.text[:160]}")
        return 0
    counts = dict(sorted(Counter(place.kind for place in places).items()))
    if "--update" in arguments:
        COUNTS.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
        return 0
    allowed: dict[str, int] = json.loads(COUNTS.read_text(encoding="utf-8"))
    risen = {kind: count for kind, count in counts.items() if count > allowed.get(kind, 0)}
    for kind, count in risen.items():
        print(
            f"{kind}: {count} places, at most {allowed.get(kind, 0)} are allowed. See docs/style.md, and run"
        )
        print("`python scripts/check_style.py --list` for the places.")
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
