"""Canasta in all its forms: one engine, rules as data, refusals that name the rule.

    >>> import canasta
    >>> match = canasta.Match("caliente", players=4, seed=7)
    >>> match.push("draw")
    >>> match.legal_moves

| name | what |
| --- | --- |
| `Match` | a match played by a program: `push`, `legal_moves`, `undo`, `play`, `record` |
| `Position` | a hand in progress, with a text form |
| `Card`, `cards` | cards that print as `K♦` |
| `Ruleset`, `load_rules`, `game_names` | the rules of a game, with house rules; the available games |
| `Record` | a match in writing; `Match.from_record` reads it |
| `View`, `legal_moves` | what a seat may see, and what it may do |
| `Bot`, `get_bot`, `bot_names` | computer players, and the base class for your own |
| `Move`, `parse_move` | a move as a typed value, and its parser |
| `compiled` | whether the engine is compiled; plain Python is 26 to 40 times slower |
| `CanastaError` | the base class of all errors |
| `RefusedMove`, `NotationError`, `RulesetError` | an illegal move, an invalid text, invalid rules |
| `PositionError`, `RecordError`, `MatchError` | an invalid position or record; an impossible operation |
| `BotError` | a computer player that does not exist or has failed |
| `WrongTypeError`, `UnknownNameError`, `InputError` | an invalid argument |

Names are imported on first use. Everything else is in the packages below and may change with them.
"""

TYPE_CHECKING = False  # true for type checkers; importing `typing` would take longer than all of this
if TYPE_CHECKING:
    from canasta.api.cards import Card, WrongTypeError, cards
    from canasta.api.match import Match, get_bot
    from canasta.api.position import Position, legal_moves, parse_move
    from canasta.bots import Bot, bot_names
    from canasta.bots.protocol import BotError
    from canasta.engine.match import MatchError
    from canasta.engine.moves.refusals import RefusedMove
    from canasta.engine.moves.types import Move
    from canasta.engine.position import PositionError
    from canasta.engine.view import View
    from canasta.errors import CanastaError, InputError, UnknownNameError
    from canasta.notation.errors import NotationError
    from canasta.notation.record import Record
    from canasta.notation.record_reader import RecordError
    from canasta.rules import Ruleset, RulesetError
    from canasta.rules import load_ruleset as load_rules
    from canasta.rules import preset_names as game_names

    __version__: str
    compiled: bool

_FROM = {
    "Bot": "bots",
    "BotError": "bots.protocol",
    "CanastaError": "errors",
    "Card": "api.cards",
    "InputError": "errors",
    "Match": "api.match",
    "MatchError": "engine.match",
    "Move": "engine.moves.types:BaseMove",  # type checkers see the union of its classes
    "NotationError": "notation.errors",
    "Position": "api.position",
    "PositionError": "engine.position",
    "Record": "notation.record",
    "RecordError": "notation.record_reader",
    "RefusedMove": "engine.moves.refusals",
    "Ruleset": "rules",
    "RulesetError": "rules",
    "UnknownNameError": "errors",
    "View": "engine.view",
    "WrongTypeError": "api.cards",
    "__version__": "installation:VERSION",
    "bot_names": "bots",
    "cards": "api.cards",
    "compiled": "installation:COMPILED",
    "game_names": "rules:preset_names",
    "get_bot": "api.match",
    "legal_moves": "api.position",
    "load_rules": "rules:load_ruleset",
    "parse_move": "api.position",
}
"""The module of each name, and its name there if that differs."""

__all__ = [
    "Bot",
    "BotError",
    "CanastaError",
    "Card",
    "InputError",
    "Match",
    "MatchError",
    "Move",
    "NotationError",
    "Position",
    "PositionError",
    "Record",
    "RecordError",
    "RefusedMove",
    "Ruleset",
    "RulesetError",
    "UnknownNameError",
    "View",
    "WrongTypeError",
    "bot_names",
    "cards",
    "compiled",
    "game_names",
    "get_bot",
    "legal_moves",
    "load_rules",
    "parse_move",
]


if not TYPE_CHECKING:  # type checkers must report misspelt names

    def __getattr__(name: str) -> object:
        if name not in _FROM:
            raise AttributeError(f"module 'canasta' has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - load nothing before it is needed

        module, _, called = _FROM[name].partition(":")
        value = getattr(import_module(f"canasta.{module}"), called or name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_FROM})
