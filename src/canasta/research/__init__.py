"""Canasta as a research environment: PettingZoo, OpenSpiel, and many tables stepped together.

    from canasta import research

    table = research.env(rules="caliente", players=4)      # PettingZoo, one agent after the other
    table = research.parallel_env(rules="two-player")      # PettingZoo, all agents at once
    tables = research.vector_env(256, rules="caliente")    # NumPy arrays, several processes
    game = research.load_game(rules="jaques")              # OpenSpiel

The first three need the extra `research` (`pip install canasta[research]`), the last one `openspiel`. What an
observation holds is told by `research.observation_pieces`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from canasta.research.describe import action_names, observation_pieces
    from canasta.research.spiel import load_game
    from canasta.research.vector import vector_env
    from canasta.research.zoo import env, parallel_env, raw_env

__all__ = [
    "action_names",
    "env",
    "load_game",
    "observation_pieces",
    "parallel_env",
    "raw_env",
    "vector_env",
]

_HOMES = {
    "action_names": ("describe", ""),
    "observation_pieces": ("describe", ""),
    "env": ("zoo", "research"),
    "parallel_env": ("zoo", "research"),
    "raw_env": ("zoo", "research"),
    "vector_env": ("vector", "research"),
    "load_game": ("spiel", "openspiel"),
}


def __getattr__(name: str) -> Any:
    """Loads what is asked for: each of these needs packages that the others do without."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as above

    module, extra = _HOMES[name]
    try:
        return getattr(import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("canasta"):
            raise
        raise ModuleNotFoundError(
            f"canasta.research.{name} needs {error.name}: pip install 'canasta[{extra}]'", name=error.name
        ) from None
