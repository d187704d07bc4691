"""Computer players from elsewhere: by `module:Class`, by `file.py:Class`, or installed with another package.

A package makes its players known by entry points of the group `canasta.bots`. Whatever such a player does,
it is told in a sentence: `BotError` where it cannot sit down, `BotFailed` where it fails at the table.
"""

import sys
from collections.abc import Callable
from importlib import import_module, invalidate_caches, util
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from canasta.bots.protocol import Bot, BotFailed, SeatedBot, own_view, whole_move
from canasta.engine.events import Event
from canasta.engine.moves.refusals import Facts
from canasta.engine.moves.types import Move, defect_of
from canasta.engine.view import View
from canasta.errors import CanastaError
from canasta.notation.errors import NotationError, nearest, quoted, short
from canasta.notation.moves import parse_move
from canasta.words import say

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "canasta.bots"
"""The entry points that a package names its players by."""

Factory = Callable[..., Any]


class BotError(CanastaError, ValueError):
    """There is no such computer player, or it cannot sit down; the message says why."""

    def __init__(self, code: str, facts: Facts) -> None:
        super().__init__(say(f"players.{code}", facts))
        self.code: str = code
        """A message of the part `players`."""
        self.facts: Facts = facts

    def told(self, lang: str = "en") -> str:
        """Why, in a sentence without a full stop."""
        return say(f"players.{self.code}", self.facts, lang)

    def __reduce__(self) -> tuple[type["BotError"], tuple[str, Facts]]:
        return (BotError, (self.code, self.facts))


_loaded: dict[str, Factory] = {}
"""Players that were asked for by module or file, and those of packages once they are seated."""
_installed: dict[str, "EntryPoint"] = {}
_asked: list[bool] = []
"""Not empty once the installed packages have been asked, which takes a while and is done once."""


def outside_names() -> list[str]:
    """The players of installed packages and those loaded, in the order of the alphabet."""
    if not _asked:
        from importlib.metadata import entry_points

        _asked.append(True)
        for point in entry_points(group=GROUP):
            _installed.setdefault(point.name, point)
    return sorted({*_installed, *_loaded})


def load(text: str) -> None:
    """Make the player of `module:Class` or `file.py:Class` known by that text. Raises `BotError`."""
    place, _, called = text.rpartition(":")
    if not place or not called:
        raise BotError("NOT_NAMED", {"text": short(text)})
    if text not in _loaded:
        is_file = place.endswith(".py") or "/" in place or "\\" in place
        module = _from_file(place) if is_file else _from_module(place)
        _loaded[text] = _checked(getattr(module, called, None), text, sorted(vars(module)))


def _from_module(name: str) -> ModuleType:
    # As `python -m` does it: a module beside which one stands is found.
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    invalidate_caches()  # a file that was written a moment ago is found, too
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.split(".", maxsplit=1)[0] == error.name.split(".")[0]:
            raise BotError("NO_MODULE", {"name": short(name)}) from None
        raise BotError("NOT_LOADED", {"name": name, "text": _told(error)}) from error
    except (Exception, SystemExit) as error:
        raise BotError("NOT_LOADED", {"name": name, "text": _told(error)}) from error


def _from_file(place: str) -> ModuleType:
    try:
        path = Path(place).expanduser().resolve()
    except RuntimeError:  # the home of nobody
        raise BotError("NO_FILE", {"name": short(place)}) from None
    spec = util.spec_from_file_location(f"canasta_bot_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BotError("NO_FILE", {"name": short(place)})
    module = util.module_from_spec(spec)
    # So that it can import what lies beside it, and be found by what pickles its players.
    sys.modules[spec.name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise BotError("NOT_LOADED", {"name": place, "text": _told(error)}) from error
    return module


def _checked(found: object, text: str, names: list[str]) -> Factory:
    """What makes a player; classes are looked at before any of them plays."""
    called = text.rpartition(":")[2]
    if found is None:
        near = nearest(called, names)
        facts: Facts = {"name": text, "text": called, "written": near}
        raise BotError("NEARLY_IN_IT" if near else "NOT_IN_IT", facts)
    if not callable(found):
        raise BotError("NO_CLASS", {"name": text})
    if isinstance(found, type) and not (has_own(found, "step") or has_own(found, "choose")):
        raise BotError("NO_PLAYER", {"name": text})
    return found


def has_own(kind: type, name: str) -> bool:
    """Does this class of players have a method of its own, and not that of `Bot`?"""
    return getattr(kind, name, None) not in (None, getattr(Bot, name))


def moves_whole(bot: object) -> bool:
    """It makes moves as people do, and no small steps."""
    return not has_own(type(bot.player if isinstance(bot, Outsider) else bot), "step")


def sit_down(name: str, seed: str, budget: float | None) -> "Outsider":
    """The player of this name, which is loaded or installed. Raises `BotError`."""
    if name not in _loaded:
        point = _installed[name]
        try:
            found = point.load()
        except Exception as error:
            facts: Facts = {"name": name, "written": point.value, "text": _told(error)}
            raise BotError("PACKAGE_NOT_LOADED", facts) from error
        _loaded[name] = _checked(found, point.value, [])
    make = _loaded[name]
    try:
        return Outsider(name, make(**_wanted(make, {"seed": seed, "budget": budget})))
    except Exception as error:
        raise BotError("CANNOT_SIT", {"name": name, "text": _told(error)}) from error


def _wanted(make: Factory, known: dict[str, object]) -> dict[str, object]:
    """Those of the arguments that the player wants."""
    from inspect import Parameter, signature

    try:
        parameters = signature(make).parameters
    except (TypeError, ValueError):
        return {}
    if any(parameter.kind == Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return known
    return {name: value for name, value in known.items() if name in parameters}


class Outsider(SeatedBot):
    """A player from elsewhere in its seat: what it answers is a step or a move, or else it is told."""

    def __init__(self, name: str, player: object) -> None:
        self.name: str = name
        self.player: object = player
        self.listens: bool = has_own(type(player), "begin") or has_own(type(player), "hear")

    def step(self, view: View) -> int:
        step = self._ask("step", view)
        if not isinstance(step, int):
            raise BotFailed(f"{self.name} answered step(view) with {_shown(step)}, which is no step")
        return step

    def choose(self, view: object) -> Move:
        seen = own_view(self, view)
        if not has_own(type(self.player), "choose"):
            return whole_move(self, seen, self.step(seen))
        move: Any = self._ask("choose", seen)
        if isinstance(move, str):
            try:
                return parse_move(move)
            except NotationError as error:
                raise BotFailed(f"{self.name} chose {quoted(move)}: {error.summary}") from None
        if not isinstance(move, Move):
            raise BotFailed(f"{self.name} answered choose(view) with {_shown(move)}, which is no move")
        chosen: Move = move
        try:
            defect = defect_of(chosen)
            parse_move(str(chosen))
        except Exception as error:  # noqa: BLE001 - whatever it has put where cards belong
            defect = _told(error)
        if defect:
            raise BotFailed(
                f"{self.name} answered choose(view) with a {type(move).__name__} that is none: {defect}"
            )
        return chosen

    def begin(self, view: View) -> None:
        if hasattr(self.player, "begin"):
            self._ask("begin", view)

    def hear(self, event: Event) -> None:
        if hasattr(self.player, "hear"):
            self._ask("hear", event)

    def _ask(self, what: str, *given: object) -> object:
        try:
            return getattr(self.player, what)(*given)
        except BotFailed:
            raise
        except (Exception, SystemExit) as error:
            raise BotFailed(f"{self.name} broke down in {what}: {_told(error)}") from error


def _told(error: BaseException) -> str:
    """An error of somebody's program in one line, with the place."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    try:
        words = " ".join(str(error).split())[:200]
    except Exception:  # noqa: BLE001 - an error that cannot even tell itself
        words = ""
    said = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return f"{said} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else said


def _shown(value: object) -> str:
    return quoted(str(value)) if isinstance(value, str) else type(value).__name__
