"""The neural network of the learned players, run with NumPy: about 0.2 ms per decision.

It has three heads: the policy, the belief (how many cards of each rank the others hold), and a critic for
deals whose cards are all known.
"""

import io
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from mypy_extensions import mypyc_attr

from canasta.engine.cards import RANKS
from canasta.engine.determinize import NUMBERS
from canasta.engine.observation.encoder import HIDDEN_NUMBERS
from canasta.engine.observation.layout import (
    MOST_SEATS,
    PREFIX_OF,
    UNIVERSAL_ACTIONS,
    UNIVERSAL_VERSION,
    universal_layout,
)
from canasta.errors import CanastaError

FORMAT: Final = 3
MOST_SMALL: Final = 16
_ROOT: Final = 0.7978845608028654
"""The square root of 2/π, used in the common approximation of the GELU function."""
_ZIP: Final = b"PK"
"""The first bytes of an array file."""
_BELIEFS: Final = (MOST_SEATS - 1) * RANKS * NUMBERS
_LARGEST: Final = 65504.0
"""The largest half-precision number. No weight is larger."""
_KINDS: Final = {
    "U": "text",
    "i": "whole numbers",
    "i1": "int8",
    "u1": "uint8",
    "f2": "float16",
    "f4": "float32",
}
"""Data types by the prefix of NumPy's name for them, as used in error messages."""


class WeightsError(CanastaError):
    """The weights cannot be used; the message says why."""


@mypyc_attr(allow_interpreted_subclasses=True)
class LearnedNetwork:
    """The network: takes universal observations and returns a number for each of the given actions."""

    def __init__(self, content: bytes, name: str = "the weights") -> None:
        file = _WeightsFile(content, name)
        written = int(file.part("about", "i", (None,))[0])
        if written != FORMAT:
            raise WeightsError(f"{name} has format {written}, and {FORMAT} is read")
        about: list[int] = file.part("about", "i", (4,)).tolist()
        is_prefix = about[1] in PREFIX_OF
        if about[1] != UNIVERSAL_VERSION and not is_prefix:
            raise WeightsError(
                f"{name} reads layout {about[1]} of observations and actions; "
                f"this is layout {UNIVERSAL_VERSION}"
            )
        told, actions = PREFIX_OF[about[1]] if is_prefix else (universal_layout().size, UNIVERSAL_ACTIONS)
        self.steps: int = about[2]
        """Number of steps it was trained with."""
        self.games: list[str] = file.part("games", "U", (None,)).tolist()
        """The games it was trained for, each a preset and a number of players, as in `caliente/4`."""
        for game in self.games:
            if not re.fullmatch("[^/]+/[1-9]", game):
                raise WeightsError(f"{name} was trained for {game!r}, which is no game as caliente/4 is")
        rules = file.part("rules", "u1", (len(self.games), None))
        self.rules: list[bytes] = [bytes(row) for row in rules]
        """The rule numbers of each of these games at the time of training."""
        self.knows_house_rules: bool = about[3] > 0
        """Whether house rules occurred in training."""
        inputs = int(file.part("inputs", "i", ()))
        if inputs != told:
            raise WeightsError(f"{name} reads observations of {inputs} numbers, and they have {told}")
        self._inputs: int = inputs
        self._large: Any = file.part("large", "i", (None,))
        if self._large.min() < 0 or self._large.max() >= inputs:
            raise WeightsError(f"{name} has numbers in large that are not from 0 to {inputs - 1}")
        width = len(file.part("enter.bias", "f2", (None,)))
        enter = file.unpacked("enter", 2 * inputs + len(self._large), width)
        self._counts: Any = enter[:inputs]
        self._are_there: Any = enter[inputs : 2 * inputs]
        self._of_large: Any = enter[2 * inputs :]
        self._blocks: list[str] = [f"blocks.{number}" for number in range(file.depth())]
        self._parts: dict[str, Any] = {
            part: file.part(part, "f2", shape)
            for part, shape in _shapes(width, actions, self._blocks).items()
        }
        for part, rows, columns in (
            ("policy", actions, width),
            ("belief", _BELIEFS, width),
            ("hidden", width, HIDDEN_NUMBERS),
        ):
            self._parts[f"{part}.weight"] = file.unpacked(part, rows, columns)

    def logits(self, seen: bytes, actions: list[int]) -> list[float]:
        """Return the policy's logit for each of these actions."""
        x = self._features(np.frombuffer(seen, np.uint8)[None])
        parts = self._parts
        wanted: list[float] = (
            parts["policy.weight"][actions] @ x[0] + parts["policy.bias"][actions]
        ).tolist()
        return wanted

    def choose(self, seen: list[bytes], actions: list[list[int]]) -> list[int]:
        """Return, for each of several tables, the index of the preferred action."""
        return [int(logits.argmax()) for logits in self._logits_of_rows(seen, actions)]

    def log_probabilities(self, seen: list[bytes], actions: list[list[int]], meant: list[int]) -> list[float]:
        """Return, for each of several tables, the log probability of the action at index `meant`."""
        found: list[float] = []
        for wanted, place in zip(self._logits_of_rows(seen, actions), meant, strict=True):
            more = wanted - wanted[place]
            most = more.max()
            found.append(-float(most + np.log(np.exp(more - most).sum())))
        return found

    def _logits_of_rows(self, seen: list[bytes], actions: list[list[int]]) -> list[Any]:
        parts = self._parts
        rows = self._features(np.frombuffer(b"".join(seen), np.uint8).reshape(len(seen), -1))
        # Most actions are not legal at any of the tables.
        some = np.array(sorted({action for legal in actions for action in legal}))
        logits = rows @ parts["policy.weight"][some].T + parts["policy.bias"][some]
        return [logits[at][some.searchsorted(legal)] for at, legal in enumerate(actions)]

    def belief(self, seen: bytes) -> list[float]:
        """Return the chance that each other player holds none, one, two or more cards of a rank.

        The result is ordered by player in turn order, rank and number.
        """
        parts = self._parts
        x = self._features(np.frombuffer(seen, np.uint8)[None])[0]
        logits = (parts["belief.weight"] @ x + parts["belief.bias"]).reshape(-1, NUMBERS)
        likely = np.exp(logits - logits.max(1, keepdims=True))
        found: list[float] = (likely / likely.sum(1, keepdims=True)).ravel().tolist()
        return found

    def values(self, seen: list[bytes]) -> list[float]:
        """Return the expected margins of positions with known hidden cards, in the network's units.

        Each row is an observation, followed by the cards that the seat to act can't see. A player has these
        only for the deals that it samples, never for its own table.
        """
        parts = self._parts
        rows = np.frombuffer(b"".join(seen), np.uint8).reshape(len(seen), -1)
        weights = parts["hidden.weight"]
        x = self._trunk(rows)
        hidden = rows[:, -weights.shape[1] :].astype(np.float32) * np.float32(0.25)
        x += hidden @ weights.T + parts["hidden.bias"]
        x = _gelu(self._layer_norm(self._residual_block(x, "judge_block"), "judge_norm"))
        said: list[float] = (x @ parts["judge_value.weight"][0] + parts["judge_value.bias"][0]).tolist()
        return said

    def _features(self, rows: Any) -> Any:
        return _gelu(self._layer_norm(self._trunk(rows), "norm"))

    def _trunk(self, rows: Any) -> Any:
        """Return the trunk's output. Most inputs are zero, mostly the same ones at all tables of a game."""
        rows = rows[:, : self._inputs]
        there = np.flatnonzero(rows.any(0))
        small = rows[:, there]
        x = np.minimum(small, MOST_SMALL).astype(np.float32) * np.float32(0.25) @ self._counts[there]
        x += (small > 0).astype(np.float32) @ self._are_there[there]
        x += rows[:, self._large].astype(np.float32) * np.float32(1 / 64) @ self._of_large
        x += self._parts["enter.bias"]
        for block in self._blocks:
            x = self._residual_block(x, block)
        return x

    def _residual_block(self, x: Any, block: str) -> Any:
        parts = self._parts
        y = self._layer_norm(x, f"{block}.norm")
        y = _gelu(y @ parts[f"{block}.first.weight"].T + parts[f"{block}.first.bias"])
        return x + (y @ parts[f"{block}.second.weight"].T + parts[f"{block}.second.bias"])

    def _layer_norm(self, x: Any, name: str) -> Any:
        parts = self._parts
        middle = x - x.mean(1, keepdims=True)
        spread = np.sqrt((middle * middle).mean(1, keepdims=True) + np.float32(1e-5))
        return middle / spread * parts[f"{name}.weight"] + parts[f"{name}.bias"]


def _gelu(x: Any) -> Any:
    y = x * x
    y *= np.float32(_ROOT * 0.044715)
    y += np.float32(_ROOT)
    y *= x
    np.tanh(y, out=y)
    y += np.float32(1.0)
    y *= x
    y *= np.float32(0.5)
    return y


def _shapes(width: int, actions: int, blocks: list[str]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the parts that are stored in half precision."""
    shapes: dict[str, tuple[int, ...]] = {
        "enter.bias": (width,),
        "policy.bias": (actions,),
        "belief.bias": (_BELIEFS,),
        "hidden.bias": (width,),
        "judge_value.weight": (1, width),
        "judge_value.bias": (1,),
    }
    for norm in ("norm", "judge_norm"):
        shapes |= {f"{norm}.weight": (width,), f"{norm}.bias": (width,)}
    for block in (*blocks, "judge_block"):
        shapes |= {f"{block}.norm.weight": (width,), f"{block}.norm.bias": (width,)}
        for layer in ("first", "second"):
            shapes |= {f"{block}.{layer}.weight": (width, width), f"{block}.{layer}.bias": (width,)}
    return shapes


class _WeightsFile:
    """The arrays of a weights file. Anything unexpected raises `WeightsError`."""

    def __init__(self, content: bytes, name: str) -> None:
        self._name: str = name
        if not content.startswith(_ZIP):
            raise WeightsError(f"{name} is no file of weights")
        try:
            self._arrays: Any = np.load(io.BytesIO(content), allow_pickle=False)
        except Exception as error:
            raise WeightsError(f"{name} is damaged and cannot be read as weights") from error

    def depth(self) -> int:
        """Return the number of residual blocks."""
        return len({part.split(".")[1] for part in self._arrays.files if part.startswith("blocks.")})

    def part(self, part: str, kind: str, shape: tuple[int | None, ...]) -> Any:
        """Return an array of this type and shape; `None` in the shape means any size of at least 1.

        Fractions are returned in single precision.
        """
        if part not in self._arrays.files:
            raise WeightsError(f"{self._name} has no part {part}")
        try:
            array = self._arrays[part]
        except Exception as error:  # a damaged file may raise anything
            raise WeightsError(f"{self._name} is damaged: its part {part} cannot be read") from error
        if not isinstance(array, np.ndarray) or not array.dtype.str[1:].startswith(kind):
            raise WeightsError(f"{self._name} has another kind of {part} than {_KINDS[kind]}")
        fits = len(array.shape) == len(shape) and all(
            there > 0 if wanted is None else there == wanted
            for there, wanted in zip(array.shape, shape, strict=True)
        )
        if not fits:
            sizes = " × ".join("any" if wanted is None else str(wanted) for wanted in shape) or "one number"
            raise WeightsError(
                f"{self._name} has a part {part} of shape {array.shape}, where {sizes} is needed"
            )
        if array.dtype.kind != "f":
            return array
        numbers = array.astype(np.float32)
        if not (np.abs(numbers) <= _LARGEST).all():
            raise WeightsError(f"{self._name} has numbers in {part} that are not finite or too large")
        return numbers

    def unpacked(self, part: str, rows: int, columns: int) -> Any:
        """Return weights that are stored as one byte each, with a scale for every row."""
        weights = self.part(f"{part}.weight", "i1", (rows, columns))
        return weights.astype(np.float32) * self.part(f"{part}.scale", "f4", (rows, 1))


@cache
def master_network() -> LearnedNetwork:
    """Return the network of `master`, read once per process. Raise `WeightsError` if it cannot be used."""
    file, name = Path(__file__).with_name("master.npz"), "the file of master's weights"
    try:
        return LearnedNetwork(file.read_bytes(), name)
    except OSError as error:
        raise WeightsError(f"{name} cannot be read: {error.strerror}; install canasta again") from error
    except WeightsError as error:
        raise WeightsError(f"{error}; install canasta again") from error
