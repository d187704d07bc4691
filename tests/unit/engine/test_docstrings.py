"""`help()` shows the same docstrings for the compiled build as for the source."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "src"
MODULES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    for files in (
        "rules/*.py", "engine/**/*.py", "notation/*.py", "bots/*.py", "bots/club/*.py",
        *(f"research/{name}.py" for name in ("batch", "episode", "opponents", "rewards")),
    )
    for path in sorted((SOURCE / "canasta").glob(files))
    if path.name != "__init__.py"
]  # fmt: skip
"""All compiled modules, and some that are not compiled."""


def documented(tree: ast.Module | ast.ClassDef | ast.FunctionDef, path: str) -> Iterator[tuple[str, str]]:
    """Yield everything that has a docstring, by its path within the module.

    Methods like `__eq__` are left out: a compiled class implements them in C, with Python's own docstring.
    """
    text = ast.get_docstring(tree)
    if text:
        yield path, text
    for node in tree.body if not isinstance(tree, ast.FunctionDef) else ():
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("__"):
            yield from documented(node, f"{path}.{node.name}".lstrip("."))


@pytest.mark.interpreted
@pytest.mark.parametrize("name", MODULES)
def test_every_docstring_is_there(name: str) -> None:
    module = importlib.import_module(name)
    source = SOURCE.joinpath(*name.split(".")).with_suffix(".py")
    for path, text in documented(ast.parse(source.read_text(encoding="utf-8")), ""):
        thing: object = module
        for part in filter(None, path.split(".")):
            thing = getattr(thing, part)
        assert inspect.cleandoc(thing.__doc__ or "") == text, f"{name}.{path}"


@pytest.mark.interpreted
def test_signatures_stay() -> None:
    match = importlib.import_module("canasta.engine.match").Match
    assert list(inspect.signature(match.new).parameters) == ["rules", "seed", "first_dealer", "fair"]
