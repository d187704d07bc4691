"""Functions of `engine.law` answer questions: they change neither their arguments nor any part of them.

The syntax tree shows which names may refer to an argument or to a part of one. A local copy may be changed,
so that a rule can be tried on a trial state. The methods that change a hand are derived from its classes.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import canasta.engine

ENGINE: Final = Path(canasta.engine.__file__).parent
LAW: Final = sorted(path for path in (ENGINE / "law").glob("*.py") if path.name != "__init__.py")
STATE: Final = ("state.py", "layout.py")
CONTAINERS: Final = (
    "add append clear discard extend insert pop popitem remove reverse setdefault sort truncate update write"
).split()
"""Methods that change a list, a dictionary, a set or a byte buffer."""

Function = ast.FunctionDef
Changes = dict[str, set[int]]
"""By name of a function: the positions of the parameters that it changes. A method's `self` is 0."""


def functions(path: Path) -> list[Function]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def root(node: ast.expr) -> str | None:
    """Return the name from which an attribute or element is reached; `None` for a new object."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return None  # a slice is a copy
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def roots(node: ast.expr) -> Iterator[str | None]:
    """Yield the roots of every object that an expression may return."""
    if isinstance(node, ast.IfExp):
        yield from roots(node.body)
        yield from roots(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from roots(value)
    elif isinstance(node, ast.Tuple | ast.List):
        for value in node.elts:
            yield from roots(value)
    elif isinstance(node, ast.NamedExpr):
        yield from roots(node.value)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("enumerate", "zip"):
        for value in node.args:
            yield from roots(value)
    else:
        yield root(node)


def names_in(target: ast.expr) -> list[str]:
    names = [node for node in ast.walk(target) if isinstance(node, ast.Name)]
    return [node.id for node in names if isinstance(node.ctx, ast.Store)]


def aliases(function: Function) -> dict[str, set[int]]:
    """Return the names that may refer to a parameter, or to a part of one, with its position."""
    of: dict[str, set[int]] = {}
    arguments = function.args
    for at, argument in enumerate([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]):
        of[argument.arg] = {at}
    before = -1
    while before != sum(map(len, of.values())):
        before = sum(map(len, of.values()))
        for node in ast.walk(function):
            pairs: list[tuple[ast.expr, ast.expr]]
            if isinstance(node, ast.Assign):
                pairs = [(target, node.value) for target in node.targets]
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                pairs = [(node.target, node.value)]
            elif isinstance(node, ast.For | ast.comprehension):
                pairs = [(node.target, node.iter)]
            else:
                continue
            for target, value in pairs:
                positions = set().union(*(of.get(name or "", set()) for name in roots(value)))
                if positions:
                    for name in names_in(target):
                        of.setdefault(name, set()).update(positions)
    return of


def changes_in(function: Function, known: Changes) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the position of the parameter and the text of everything that changes an argument."""
    of = aliases(function)
    for node in ast.walk(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = list(node.targets)
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                name = node.func.attr
                if name in CONTAINERS or 0 in known.get(name, set()):
                    targets = [node.func]
                arguments = list(enumerate(node.args, start=1))
            else:
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                arguments = list(enumerate(node.args))
            targets += [ast.Attribute(arg, "part") for at, arg in arguments if at in known.get(name, set())]
        flat = [
            part
            for target in targets
            for part in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])
        ]
        for target in flat:
            if isinstance(target, ast.Attribute | ast.Subscript):
                # The owner of the part is changed; assigning to a slice changes the list itself.
                for position in of.get(root(target.value) or "", set()):
                    yield target.value.lineno, position, ast.unparse(node)


@cache
def what_changes(paths: tuple[Path, ...]) -> Changes:
    """Return the parameters that functions of these modules change, directly or by calling one another."""
    known: Changes = {}
    of_modules = [function for path in paths for function in functions(path)]
    before = -1
    while before != sum(map(len, known.values())):
        before = sum(map(len, known.values()))
        for function in of_modules:
            positions = {position for _, position, _ in changes_in(function, known)}
            known.setdefault(function.name, set()).update(positions)
    return {name: positions for name, positions in known.items() if positions and name != "__init__"}


def changes_by_state() -> Changes:
    return what_changes(tuple(ENGINE / name for name in STATE))


def changes_by_engine() -> Changes:
    families = (ENGINE / "families").glob("*.py")
    return what_changes((*(ENGINE / name for name in STATE), *families, *LAW))


def test_methods_that_change_a_hand_are_recognised() -> None:
    changes = set(changes_by_state())
    assert {"give", "remove", "write_set", "set_pile", "mark_seat", "count_canasta", "copy_from"} <= changes
    assert not {"size", "counts_of", "canasta_counts", "copy", "is_opening", "top_card"} & changes


@pytest.mark.parametrize(
    "body",
    [
        "state.turn = 1",
        "state.changes += 1",
        "del state.runs[0]",
        "state.runs[0][1] = 3",
        "state.bonus[0], other = [], 1",
        "state.give(0, 1)",
        "runs = state.runs[0]\n    runs.append(7)",
        "for runs in state.runs:\n        runs.sort()",
        "set_two_bytes(state.packed, 0, 1)",
        "state.log.append(None)",
        "state.bonus[0][:] = []",
    ],
)
def test_a_change_is_found(body: str) -> None:
    function = ast.parse(f"def rule(state):\n    {body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert list(changes_in(function, changes_by_state()))


@pytest.mark.parametrize(
    "body",
    [
        "trial = state.copy()\n    trial.remove(0, 1)",
        "counts = state.counts_of(0)\n    counts[1] = 0",
        "runs = state.runs[:]\n    runs.append(1)",
        "size = 0\n    size += state.size(0)",
    ],
)
def test_a_copy_may_be_changed(body: str) -> None:
    function = ast.parse(f"def rule(state):\n    {body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert not list(changes_in(function, changes_by_state()))


@pytest.mark.parametrize("path", LAW, ids=[path.stem for path in LAW])
def test_the_law_changes_nothing(path: Path) -> None:
    found = [
        f"{path.name}:{line} {function.name}: {text}"
        for function in functions(path)
        if function.name != "__init__"  # a constructor fills its own new object
        for line, _, text in changes_in(function, changes_by_engine())
    ]
    assert found == []
