"""Canasta in all its forms: one engine, rules as data, refusals that name the rule.

    >>> import canasta
    >>> match = canasta.Match("caliente", players=4, seed=7)
    >>> match.push("draw")
    >>> match.legal_moves

| name | what |
| --- | --- |
| `Match` | a match to be played by a program; `push`, `legal_moves`, `undo`, `play`, `record` |
| `Position` | a hand in progress, as a text and back |
| `Card`, `cards` | cards that print as `K♦` |
| `Ruleset`, `load_rules`, `game_names` | the rules of a game, with house rules; which games there are |
| `Record` | a match written down; `Match.from_record` reads it |
| `View`, `legal_moves` | what a seat may see, and what it may do |
| `Bot`, `get_bot`, `bot_names` | computer players, and what one of your own derives from |
| `Move`, `parse_move` | a move as a typed value, and from its notation |
| `CanastaError` | stands above all errors |
| `RefusedMove`, `NotationError`, `RulesetError` | a move against the rules, a text that is no move, no game |
| `PositionError`, `RecordError`, `MatchError` | of positions and records; what a match cannot do now |
| `BotError`, `BotFailed` | no such player; one that broke down |
| `WrongType`, `NoSuchSeat`, `UnknownLanguage` | what cannot be used as it was given |

Each is loaded when it is first used. Everything else is in the packages below, and may change with them.
"""

TYPE_CHECKING = False  # true to who checks types; importing `typing` would take longer than all of this
if TYPE_CHECKING:
    from canasta.bots import Bot, bot_names
    from canasta.bots.outsiders import BotError
    from canasta.bots.protocol import BotFailed
    from canasta.engine.match import MatchError
    from canasta.engine.moves.refusals import RefusedMove
    from canasta.engine.moves.types import Move
    from canasta.engine.play.set_up import PositionError
    from canasta.engine.view import View
    from canasta.errors import CanastaError
    from canasta.front.asked import NoSuchSeat, WrongType
    from canasta.front.card import Card, cards
    from canasta.front.dealt import legal_moves, parse_move
    from canasta.front.game import Match
    from canasta.front.players import get_bot
    from canasta.front.position import Position
    from canasta.notation.errors import NotationError
    from canasta.notation.record import Record
    from canasta.notation.record_reader import RecordError
    from canasta.rules import Ruleset, RulesetError
    from canasta.rules import load_ruleset as load_rules
    from canasta.rules import preset_names as game_names
    from canasta.words import UnknownLanguage

    __version__: str

_FROM = {
    "Bot": "bots",
    "BotError": "bots.outsiders",
    "BotFailed": "bots.protocol",
    "CanastaError": "errors",
    "Card": "front.card",
    "Match": "front.game",
    "MatchError": "engine.match",
    "Move": "engine.moves.types:BaseMove",  # to who checks types, the union of its classes
    "NoSuchSeat": "front.asked",
    "NotationError": "notation.errors",
    "Position": "front.position",
    "PositionError": "engine.play.set_up",
    "Record": "notation.record",
    "RecordError": "notation.record_reader",
    "RefusedMove": "engine.moves.refusals",
    "Ruleset": "rules",
    "RulesetError": "rules",
    "UnknownLanguage": "words",
    "View": "engine.view",
    "WrongType": "front.asked",
    "__version__": "release:VERSION",
    "bot_names": "bots",
    "cards": "front.card",
    "game_names": "rules:preset_names",
    "get_bot": "front.players",
    "legal_moves": "front.dealt",
    "load_rules": "rules:load_ruleset",
    "parse_move": "front.dealt",
}
"""Where each name lives, and what it is called there if that differs."""

__all__ = [
    "Bot",
    "BotError",
    "BotFailed",
    "CanastaError",
    "Card",
    "Match",
    "MatchError",
    "Move",
    "NoSuchSeat",
    "NotationError",
    "Position",
    "PositionError",
    "Record",
    "RecordError",
    "RefusedMove",
    "Ruleset",
    "RulesetError",
    "UnknownLanguage",
    "View",
    "WrongType",
    "bot_names",
    "cards",
    "game_names",
    "get_bot",
    "legal_moves",
    "load_rules",
    "parse_move",
]


if not TYPE_CHECKING:  # whoever checks types shall find a name misspelt

    def __getattr__(name: str) -> object:
        if name not in _FROM:
            raise AttributeError(f"module 'canasta' has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - nothing is loaded before it is wanted

        module, _, called = _FROM[name].partition(":")
        value = getattr(import_module(f"canasta.{module}"), called or name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_FROM})
