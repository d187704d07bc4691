"""The network of a player that has learned, reckoned with NumPy: a millisecond or two a decision.

Beside the wish for each action it says how many cards of each rank the others hold, and there is a judge of
deals.
"""

import io
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from mypy_extensions import mypyc_attr

from canasta.engine.observing.pieces import PREFIX_OF, UNIVERSAL_VERSION, universal_layout
from canasta.engine.resample import NUMBERS
from canasta.errors import CanastaError

FORMAT: Final = 3
MOST_SMALL: Final = 16
_ROOT: Final = 0.7978845608028654
"""The square root of two by pi, as in the usual short form of the function GELU."""


class WrongWeights(CanastaError):
    """The weights cannot be used; the message says why."""


@mypyc_attr(allow_interpreted_subclasses=True)
class LearnedNetwork:
    """Universal observations in, a number for each of the given actions out."""

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
        self.knows_house_rules: bool = about[3] > 0
        """It has met house rules in training."""
        self._large: Any = kept["large"]
        inputs = int(kept["inputs"])
        told = PREFIX_OF[about[1]][0] if is_prefix else universal_layout().size
        if inputs != told:
            raise WrongWeights(
                f"{name} reads observations of {inputs} numbers, and they have {told}: train it again"
            )
        self._inputs: int = inputs
        enter = _unpacked(kept, "enter")
        self._counts: Any = enter[:inputs]
        self._are_there: Any = enter[inputs : 2 * inputs]
        self._of_large: Any = enter[2 * inputs :]
        self._parts: dict[str, Any] = {
            part: numbers.astype(np.float32) for part, numbers in kept.items() if numbers.dtype == np.float16
        }
        for part in ("policy", "belief", "hidden"):
            self._parts[f"{part}.weight"] = _unpacked(kept, part)
        depth = sum(part.startswith("blocks.") and part.endswith(".first.weight") for part in self._parts)
        self._blocks: list[str] = [f"blocks.{number}" for number in range(depth)]

    def look(self, seen: bytes, actions: list[int]) -> list[float]:
        """How much each of these actions is wanted."""
        x = self._thought(np.frombuffer(seen, np.uint8)[None])
        parts = self._parts
        wanted: list[float] = (
            parts["policy.weight"][actions] @ x[0] + parts["policy.bias"][actions]
        ).tolist()
        return wanted

    def choose(self, seen: list[bytes], actions: list[list[int]]) -> list[int]:
        """At many tables at once: which of its actions is wanted most, by its place among them."""
        return [int(wanted.argmax()) for wanted in self._wanted(seen, actions)]

    def chances(self, seen: list[bytes], actions: list[list[int]], meant: list[int]) -> list[float]:
        """At many tables at once: how likely it is to choose the one that is meant, by its place among its
        actions; as a logarithm."""
        found: list[float] = []
        for wanted, place in zip(self._wanted(seen, actions), meant, strict=True):
            more = wanted - wanted[place]
            most = more.max()
            found.append(-float(most + np.log(np.exp(more - most).sum())))
        return found

    def _wanted(self, seen: list[bytes], actions: list[list[int]]) -> list[Any]:
        parts = self._parts
        rows = self._thought(np.frombuffer(b"".join(seen), np.uint8).reshape(len(seen), -1))
        # Most of the actions are legal at none of the tables.
        some = np.array(sorted({action for legal in actions for action in legal}))
        wanted = rows @ parts["policy.weight"][some].T + parts["policy.bias"][some]
        return [wanted[at][some.searchsorted(legal)] for at, legal in enumerate(actions)]

    def believe(self, seen: bytes) -> list[float]:
        """How likely each of the others holds none, one, two or more cards of a rank: by player in turn
        order, rank and number."""
        parts = self._parts
        x = self._thought(np.frombuffer(seen, np.uint8)[None])[0]
        said = (parts["belief.weight"] @ x + parts["belief.bias"]).reshape(-1, NUMBERS)
        likely = np.exp(said - said.max(1, keepdims=True))
        found: list[float] = (likely / likely.sum(1, keepdims=True)).ravel().tolist()
        return found

    def judge(self, seen: list[bytes]) -> list[float]:
        """The margin that comes of positions of which the hidden cards are known, in the network's units.

        Each is an observation, followed by what the seat to act does not see. No player knows that of its
        own table: it is for deals that a player imagines.
        """
        parts = self._parts
        rows = np.frombuffer(b"".join(seen), np.uint8).reshape(len(seen), -1)
        weights = parts["hidden.weight"]
        x = self._entered(rows)
        hidden = rows[:, -weights.shape[1] :].astype(np.float32) * np.float32(0.25)
        x += hidden @ weights.T + parts["hidden.bias"]
        x = _gelu(self._normed(self._through(x, "judge_block"), "judge_norm"))
        said: list[float] = (x @ parts["judge_value.weight"][0] + parts["judge_value.bias"][0]).tolist()
        return said

    def _thought(self, rows: Any) -> Any:
        return _gelu(self._normed(self._entered(rows), "norm"))

    def _entered(self, rows: Any) -> Any:
        """What all heads read. Most inputs are nothing, and at tables of one game the same ones."""
        rows = rows[:, : self._inputs]
        there = np.flatnonzero(rows.any(0))
        small = rows[:, there]
        x = np.minimum(small, MOST_SMALL).astype(np.float32) * np.float32(0.25) @ self._counts[there]
        x += (small > 0).astype(np.float32) @ self._are_there[there]
        x += rows[:, self._large].astype(np.float32) * np.float32(1 / 64) @ self._of_large
        x += self._parts["enter.bias"]
        for block in self._blocks:
            x = self._through(x, block)
        return x

    def _through(self, x: Any, block: str) -> Any:
        parts = self._parts
        y = self._normed(x, f"{block}.norm")
        y = _gelu(y @ parts[f"{block}.first.weight"].T + parts[f"{block}.first.bias"])
        return x + (y @ parts[f"{block}.second.weight"].T + parts[f"{block}.second.bias"])

    def _normed(self, x: Any, name: str) -> Any:
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


def _unpacked(kept: dict[str, Any], part: str) -> Any:
    return kept.pop(f"{part}.weight").astype(np.float32) * kept.pop(f"{part}.scale")


@cache
def master_network() -> LearnedNetwork:
    """That of `master`, read once in a process."""
    file = Path(__file__).with_name("master.npz")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise WrongWeights(f"the weights of master cannot be read: {error.strerror}") from error
    return LearnedNetwork(content, "the file of master's weights")
