"""Canasta as a research environment: PettingZoo, OpenSpiel, and many tables stepped together.

    from canasta import research

    table = research.env(rules="caliente", players=4)      # PettingZoo, one agent after the other
    table = research.parallel_env(rules="two-player")      # PettingZoo, all agents at once
    tables = research.vector_env(256, rules="caliente")    # NumPy arrays, several processes
    game = research.load_game(rules="jaques")              # OpenSpiel

The first three need the extra `research` (`pip install '.[research]'`), the last one `openspiel`.
`research.observation_pieces` describes an observation, and `research.hidden_pieces` the additional data for a
critic."""

from typing import TYPE_CHECKING, Any

from canasta.installation import why_missing

if TYPE_CHECKING:
    from canasta.engine.observation.layout import OBSERVATION_VERSION, UNIVERSAL_VERSION
    from canasta.research.describe import action_names, hidden_pieces, observation_pieces
    from canasta.research.open_spiel_game import load_game
    from canasta.research.pettingzoo_env import env, parallel_env, raw_env
    from canasta.research.vector import vector_env

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
    "OBSERVATION_VERSION": "canasta.engine.observation.layout",
    "UNIVERSAL_VERSION": "canasta.engine.observation.layout",
    "action_names": "canasta.research.describe",
    "hidden_pieces": "canasta.research.describe",
    "observation_pieces": "canasta.research.describe",
    "env": "canasta.research.pettingzoo_env",
    "parallel_env": "canasta.research.pettingzoo_env",
    "raw_env": "canasta.research.pettingzoo_env",
    "vector_env": "canasta.research.vector",
    "load_game": "canasta.research.open_spiel_game",
}


def __getattr__(name: str) -> Any:
    """Import a name on first use: each of these needs packages that the others do without."""
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
