"""The network of a player that has learned, reckoned with NumPy: a millisecond or two a decision."""

import io
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from canasta.engine.observing.pieces import PREFIX_OF, UNIVERSAL_VERSION, universal_layout
from canasta.errors import CanastaError

FORMAT: Final = 1
MOST_SMALL: Final = 16
_ROOT: Final = 0.7978845608028654
"""The square root of two by pi, as in the usual short form of the function GELU."""


class WrongWeights(CanastaError):
    """The weights cannot be used; the message says why."""


class LearnedNetwork:
    """Bytes of a universal observation in, a number for each of the given actions and a value out."""

    def __init__(self, content: bytes, name: str = "the weights") -> None:
        try:
            kept = dict(np.load(io.BytesIO(content), allow_pickle=False))
            about = [int(number) for number in kept["about"]]
        except (ValueError, KeyError, OSError, EOFError) as error:
            raise WrongWeights(f"{name} cannot be read as weights: {error}") from error
        is_prefix = about[1] in PREFIX_OF
        if about[0] != FORMAT or (about[1] != UNIVERSAL_VERSION and not is_prefix):
            raise WrongWeights(
                f"{name} has format {about[0]} and reads layout {about[1]} of observations and actions; "
                f"these are {FORMAT} and {UNIVERSAL_VERSION}: train it again"
            )
        self.steps: int = about[2]
        """How many steps it was trained with."""
        self.games: list[str] = [str(game) for game in kept["games"]]
        """What it was trained for, as `caliente/4`: a preset and a number of players."""
        self.rules: list[bytes] = [bytes(row) for row in kept["rules"]]
        """The rule numbers of each of them as they were then."""
        self._large: Any = kept["large"]
        inputs = int(kept["inputs"])
        told = PREFIX_OF[about[1]][0] if is_prefix else universal_layout().size
        if inputs != told:
            raise WrongWeights(
                f"{name} reads observations of {inputs} numbers, and they have {told}: train it again"
            )
        self._inputs: int = inputs
        enter = kept.pop("enter.weight").astype(np.float32)
        self._counts: Any = enter[:inputs]
        self._are_there: Any = enter[inputs : 2 * inputs]
        self._of_large: Any = enter[2 * inputs :]
        self._parts: dict[str, Any] = {
            part: numbers.astype(np.float32) for part, numbers in kept.items() if numbers.dtype == np.float16
        }
        depth = sum(part.endswith(".first.weight") for part in self._parts)
        self._blocks: list[str] = [f"blocks.{number}" for number in range(depth)]

    def look(self, seen: bytes, actions: list[int]) -> tuple[list[float], float]:
        """How much each of these actions is wanted, and the margin that it expects, in its own units."""
        parts = self._parts
        row = np.frombuffer(seen, np.uint8)[: self._inputs]
        there = np.flatnonzero(row)
        counts = np.minimum(row[there], MOST_SMALL).astype(np.float32) * np.float32(0.25)
        x = parts["enter.bias"] + counts @ self._counts[there]
        x += self._are_there[there].sum(0)
        x += row[self._large].astype(np.float32) * np.float32(1 / 64) @ self._of_large
        for block in self._blocks:
            y = self._normed(x, f"{block}.norm")
            y = _gelu(parts[f"{block}.first.weight"] @ y + parts[f"{block}.first.bias"])
            x = x + parts[f"{block}.second.weight"] @ y + parts[f"{block}.second.bias"]
        x = _gelu(self._normed(x, "norm"))
        wanted = parts["policy.weight"][actions] @ x + parts["policy.bias"][actions]
        value = parts["value.weight"][0] @ x + parts["value.bias"][0]
        return wanted.tolist(), float(value)

    def _normed(self, x: Any, name: str) -> Any:
        parts = self._parts
        middle = x - x.mean()
        spread = np.sqrt((middle * middle).mean() + np.float32(1e-5))
        return middle / spread * parts[f"{name}.weight"] + parts[f"{name}.bias"]


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1.0 + np.tanh(_ROOT * (x + 0.044715 * x * x * x)))


@cache
def master_network() -> LearnedNetwork:
    """That of `master`, read once in a process."""
    file = Path(__file__).with_name("master.npz")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise WrongWeights(f"the weights of master cannot be read: {error.strerror}") from error
    return LearnedNetwork(content, "the file of master's weights")
