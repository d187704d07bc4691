"""Canasta as a research environment: PettingZoo, OpenSpiel, and many tables stepped together.

    from canasta import research

    table = research.env(rules="caliente", players=4)      # PettingZoo, one agent after the other
    table = research.parallel_env(rules="two-player")      # PettingZoo, all agents at once
    tables = research.vector_env(256, rules="caliente")    # NumPy arrays, several processes
    game = research.load_game(rules="jaques")              # OpenSpiel

The first three need the extra `research` (`pip install '.[research]'`), the last one `openspiel`. What an
observation holds is told by `research.observation_pieces`, what a critic may see besides by
`research.hidden_pieces`.
"""

from typing import TYPE_CHECKING, Any

from canasta.extras import why_missing

if TYPE_CHECKING:
    from canasta.engine.observing.pieces import OBSERVATION_VERSION, UNIVERSAL_VERSION
    from canasta.research.describe import action_names, hidden_pieces, observation_pieces
    from canasta.research.spiel import load_game
    from canasta.research.vector import vector_env
    from canasta.research.zoo import env, parallel_env, raw_env

__all__ = [
    "OBSERVATION_VERSION",
    "UNIVERSAL_VERSION",
    "action_names",
    "env",
    "hidden_pieces",
    "load_game",
    "observation_pieces",
    "parallel_env",
    "raw_env",
    "vector_env",
]

_HOMES = {
    "OBSERVATION_VERSION": "canasta.engine.observing.pieces",
    "UNIVERSAL_VERSION": "canasta.engine.observing.pieces",
    "action_names": "canasta.research.describe",
    "hidden_pieces": "canasta.research.describe",
    "observation_pieces": "canasta.research.describe",
    "env": "canasta.research.zoo",
    "parallel_env": "canasta.research.zoo",
    "raw_env": "canasta.research.zoo",
    "vector_env": "canasta.research.vector",
    "load_game": "canasta.research.spiel",
}


def __getattr__(name: str) -> Any:
    """Loads what is asked for: each of these needs packages that the others do without."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as above

    try:
        return getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        sentence = why_missing(f"canasta.research.{name}", error.name)
        if not sentence:
            raise
        raise ModuleNotFoundError(sentence, name=error.name) from None
