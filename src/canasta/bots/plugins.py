"""Third-party computer players, given as `module:Class`, as `file.py:Class`, or by an installed package.

A package announces its players as entry points of the group `canasta.bots`. Any failure to create such a
player, or during its play, is reported as a `BotError` with a clear message.
"""

import sys
from collections.abc import Callable
from importlib import import_module, invalidate_caches, util
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from canasta.bots.protocol import BotError, SeatedBot, bot_error, overrides, own_view, whole_move
from canasta.engine.events import Event
from canasta.engine.moves.types import Move, defect_of
from canasta.engine.view import View
from canasta.i18n import Facts
from canasta.i18n.safe_text import closest, quoted, short
from canasta.notation.errors import NotationError
from canasta.notation.moves import parse_move

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "canasta.bots"
"""The entry point group in which packages name their players."""

Factory = Callable[..., Any]


_loaded: dict[str, Factory] = {}
"""Factories of the players loaded from modules and files, and of packaged players that were created before.
"""
_installed: dict[str, "EntryPoint"] = {}
_are_listed: list[bool] = []
"""Non-empty once the installed packages have been listed, which is slow and done only once."""


def plugin_names() -> list[str]:
    """Return the players of installed packages and the loaded ones, sorted by name."""
    if not _are_listed:
        from importlib.metadata import entry_points

        _are_listed.append(True)
        for point in entry_points(group=GROUP):
            _installed.setdefault(point.name, point)
    return sorted({*_installed, *_loaded})


def load(text: str) -> None:
    """Register the player of `module:Class` or `file.py:Class` under that text.

    Raise `BotError` if it fails.
    """
    place, _, called = text.rpartition(":")
    if not place or not called:
        raise bot_error("NOT_NAMED", {"text": short(text)})
    if text not in _loaded:
        is_file = place.endswith(".py") or "/" in place or "\\" in place
        module = _from_file(place) if is_file else _from_module(place)
        _loaded[text] = _checked(getattr(module, called, None), text, sorted(vars(module)))


def _from_module(name: str) -> ModuleType:
    # Like `python -m`, find a module in the current directory.
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    invalidate_caches()  # find a file that was written only a moment ago
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.split(".", maxsplit=1)[0] == error.name.split(".")[0]:
            raise bot_error("NO_MODULE", {"name": short(name)}) from None
        raise bot_error("NOT_LOADED", {"name": name, "text": _one_line(error)}) from error
    except (Exception, SystemExit) as error:
        raise bot_error("NOT_LOADED", {"name": name, "text": _one_line(error)}) from error


def _from_file(place: str) -> ModuleType:
    try:
        path = Path(place).expanduser().resolve()
    except RuntimeError:  # `~name` with an unknown user
        raise bot_error("NO_FILE", {"name": short(place)}) from None
    spec = util.spec_from_file_location(f"canasta_bot_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise bot_error("NO_FILE", {"name": short(place)})
    module = util.module_from_spec(spec)
    # Register the module, so that it can import its neighbours and its players can be unpickled.
    sys.modules[spec.name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise bot_error("NOT_LOADED", {"name": place, "text": _one_line(error)}) from error
    return module


def _checked(found: object, text: str, names: list[str]) -> Factory:
    """Return the factory of a player. Classes are checked before any of them plays."""
    called = text.rpartition(":")[2]
    if found is None:
        near = closest(called, names)
        facts: Facts = {"name": text, "text": called, "written": near}
        raise bot_error("NEARLY_IN_IT" if near else "NOT_IN_IT", facts)
    if not callable(found):
        raise bot_error("NO_CLASS", {"name": text})
    if isinstance(found, type) and not (overrides(found, "step") or overrides(found, "choose")):
        raise bot_error("NO_PLAYER", {"name": text})
    return found


def create_bot(name: str, seed: str, budget: float | None) -> "ThirdPartyBot":
    """Create the player of this name, which must be loaded or installed. Raise `BotError` if it cannot."""
    if name not in _loaded:
        point = _installed[name]
        try:
            factory = point.load()
        except Exception as error:
            facts: Facts = {"name": name, "written": point.value, "text": _one_line(error)}
            raise bot_error("PACKAGE_NOT_LOADED", facts) from error
        _loaded[name] = _checked(factory, point.value, [])
    make = _loaded[name]
    try:
        return ThirdPartyBot(name, make(**_accepted(make, {"seed": seed, "budget": budget})))
    except Exception as error:
        raise bot_error("CANNOT_SIT", {"name": name, "text": _one_line(error)}) from error


def _accepted(make: Factory, known: dict[str, object]) -> dict[str, object]:
    """Return the arguments that the player's factory accepts."""
    from inspect import Parameter, signature

    try:
        parameters = signature(make).parameters
    except (TypeError, ValueError):
        return {}
    if any(parameter.kind == Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return known
    return {name: value for name, value in known.items() if name in parameters}


class ThirdPartyBot(SeatedBot):
    """A third-party player. Raises `BotError` if it fails or doesn't answer with a legal move."""

    def __init__(self, name: str, player: object) -> None:
        self.name: str = name
        self._player: object = player

    def player(self) -> object:
        return self._player

    def step(self, view: View) -> int:
        step = self._call("step", view)
        if not isinstance(step, int):
            raise BotError(f"{self.name} answered step(view) with {_shown(step)}, which is no step")
        return step

    def choose(self, view: object) -> Move:
        seen = own_view(self, view)
        if not overrides(type(self._player), "choose"):
            return whole_move(self, seen, self.step(seen))
        move: Any = self._call("choose", seen)
        if isinstance(move, str):
            try:
                return parse_move(move)
            except NotationError as error:
                raise BotError(f"{self.name} chose {quoted(move)}: {error.summary()}") from None
        if not isinstance(move, Move):
            raise BotError(f"{self.name} answered choose(view) with {_shown(move)}, which is no move")
        chosen: Move = move
        try:
            defect = defect_of(chosen)
            parse_move(str(chosen))
        except Exception as error:  # noqa: BLE001 - a card may be any object at all
            defect = _one_line(error)
        if defect:
            raise BotError(
                f"{self.name} answered choose(view) with a {type(move).__name__} that is none: {defect}"
            )
        return chosen

    def begin(self, view: View) -> None:
        if hasattr(self._player, "begin"):
            self._call("begin", view)

    def hear(self, event: Event) -> None:
        if hasattr(self._player, "hear"):
            self._call("hear", event)

    def _call(self, what: str, *given: object) -> object:
        try:
            return getattr(self._player, what)(*given)
        except BotError:
            raise
        except (Exception, SystemExit) as error:
            raise BotError(f"{self.name} broke down in {what}: {_one_line(error)}") from error


def _one_line(error: BaseException) -> str:
    """Return a third-party error as one line, with its location."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    try:
        words = " ".join(str(error).split())[:200]
    except Exception:  # noqa: BLE001 - an error whose `str` raises an error
        words = ""
    reason = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return f"{reason} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else reason


def _shown(value: object) -> str:
    return quoted(str(value)) if isinstance(value, str) else type(value).__name__
