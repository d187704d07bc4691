"""`import canasta`: its names, their docstrings, and how little it loads."""

import copy
import doctest
import importlib
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

import canasta
from canasta.api import cards, match, position
from canasta.engine.moves.types import Discard
from canasta.errors import CanastaError

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("module", [cards, match, position], ids=lambda module: module.__name__)
def test_doctests(module: object) -> None:
    tried = doctest.testmod(importlib.import_module(getattr(module, "__name__", "")))
    assert tried.attempted > 0
    assert tried.failed == 0


def test_every_name_is_there_and_says_what_it_is() -> None:
    assert sorted(canasta.__all__) == canasta.__all__
    for name in canasta.__all__:
        assert (getattr(canasta, name).__doc__ or "").strip(), name
        assert f"`{name}`" in (canasta.__doc__ or ""), name
    assert set(canasta.__all__) <= set(dir(canasta))
    with pytest.raises(AttributeError, match="no attribute 'Mach'"):
        _ = canasta.Mach  # type: ignore[attr-defined]


def test_a_move_tells_its_forms() -> None:
    told = canasta.Move.__doc__ or ""
    for word in ("take onto K", "putback", "answer no", "`PlayCaliente`"):
        assert word in told
    for text in ("draw", "take K K", "meld K K K", "undo"):
        assert isinstance(canasta.parse_move(text), canasta.Move)
    assert not isinstance("draw", canasta.Move)


def loaded_by(program: str) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(told.stdout.split())


def test_only_what_is_used_is_loaded() -> None:
    # Importing takes most of the time, and measuring time would fail on a busy machine.
    assert not {name for name in loaded_by("import canasta") if name.startswith("canasta.")}
    playing = loaded_by("import canasta; canasta.Match('caliente', seed=1).push('draw')")
    heavy = {"canasta.bots.club.policy", "canasta.bots.expert.player", "canasta.scenarios.positions", "yaml"}
    assert not playing & (heavy | {"msgspec", "numpy", "importlib.metadata"})


def errors() -> Iterator[type[BaseException]]:
    for package in ("rules", "engine", "notation", "scenarios", "i18n", "bots", "arena", "api"):
        root = importlib.import_module(f"canasta.{package}")
        for found in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            if found.name.endswith("ray_executor"):
                continue
            for thing in vars(importlib.import_module(found.name)).values():
                if isinstance(thing, type) and issubclass(thing, Exception):
                    if thing.__module__.startswith("canasta."):
                        yield thing


def test_one_error_stands_above_all() -> None:
    known = set(errors())
    assert {canasta.RefusedMove, canasta.NotationError, canasta.RulesetError} <= known
    assert all(issubclass(kind, CanastaError) for kind in known)
    for kind in (canasta.NotationError, canasta.RulesetError):
        assert issubclass(kind, ValueError)


def test_cards() -> None:
    kings = canasta.cards("Kd K")
    assert str(kings) == "(K♦, K)"
    assert f"{kings[0]} {kings[1]!r}" == "K♦ K"
    assert kings == canasta.cards([39 - 2, 64 + 9])
    assert {canasta.Card("Kd"): 1}[canasta.cards("K♦")[0]] == 1
    pickled = pickle.loads(pickle.dumps(kings))  # noqa: S301 - our own bytes
    for again in (copy.copy(kings), copy.deepcopy(kings), pickled):
        assert again == kings
        assert type(again[0]) is canasta.Card
    for wrong in ("Kx", 54, -1, 99):
        with pytest.raises(canasta.NotationError):
            canasta.Card(wrong)


def test_what_is_shown_teaches_and_can_be_compared() -> None:
    match = canasta.Match("two-player", seed="shown")
    refusal = match.check("discard K")
    match.play("club", hands=1)
    values = [match.rules, refusal, match.score_sheets[0][0], match.view(0), canasta.parse_move("draw")]
    for value in values:
        again = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes
        assert (again, hash(again)) == (value, hash(value))
    assert repr(match.rules) == "<Ruleset two-player: Two-Player Canasta, 2 players, 2 decks>"
    assert repr(match.view(0)).startswith("<View of seat 0, which holds ")
    assert repr(canasta.get_bot("club")) == "<computer player club>"
    assert repr(match.record()).startswith("<Record: two-player, 2 players, seed shown: ")


def test_moves_and_events_are_shown_as_they_are_written() -> None:
    for text in ("draw", "take K K + 9 9 2", "take onto run#2", "add K 2 to K#2", "discard 7h", "answer no"):
        move = canasta.parse_move(text)
        assert (str(move), repr(move)) == (text, f"parse_move({text!r})")
        assert eval(repr(move), {"parse_move": canasta.parse_move}) == move  # noqa: S307 - our own text
    assert repr(Discard(999)) == "<Discard that is no move>"
    match = canasta.Match("two-player", seed="shown")
    card = match.push("draw")[0]
    assert repr(card).startswith(f"Drew(seat={match.turn}, count=")
    assert "cards='" in repr(card)


class Plain(canasta.Bot):
    """A bot as a newcomer would write it: it returns text, and the type checker accepts that."""

    name = "plain"

    def choose(self, view: canasta.View) -> str:
        return canasta.legal_moves(view)[0]


def test_a_player_that_chooses_texts_plays_and_advises() -> None:
    match = canasta.Match("two-player", seed="texts")
    advice = Plain().hint(match.view(match.turn))
    assert [str(hint.move) for hint in advice] == [match.legal_moves[0]]
    assert advice[0].reason.text == ""
    match.play([Plain(), "novice"], hands=1)
    assert match.hand_over


def test_a_player_that_cannot_play_is_told_what_it_lacks() -> None:
    match = canasta.Match("two-player", seed="lacks")
    with pytest.raises(canasta.CanastaError, match=r"bot cannot play: its class has neither choose\(self"):
        match.play([canasta.Bot(), canasta.Bot()])
