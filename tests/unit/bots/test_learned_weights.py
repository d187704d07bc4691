"""The weights of a learned player: malformed weights are refused with a message."""

import io
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from canasta.bots import get_bot, load_bot
from canasta.bots.protocol import BotError
from canasta.engine.cards import RANKS
from canasta.engine.determinize import NUMBERS
from canasta.engine.observation.encoder import HIDDEN_NUMBERS
from canasta.engine.observation.layout import PREFIX_OF, UNIVERSAL_ACTIONS, universal_layout

np = pytest.importorskip("numpy", reason="NumPy is an extra and is not installed")

from canasta.bots.learned import network as learned  # noqa: E402 - as above
from canasta.bots.learned.network import LearnedNetwork, WeightsError, master_network  # noqa: E402 - NumPy

WEIGHTS = Path(learned.__file__).with_name("master.npz")


def a_byte_each(rows: int, columns: int) -> Any:
    return np.ones((rows, columns), np.int8)


def small_weights(layout: int = 4, width: int = 8, depth: int = 2) -> dict[str, Any]:
    """Return the weights of a small network, which is quick to read."""
    inputs, actions = (universal_layout().size, UNIVERSAL_ACTIONS) if layout == 4 else PREFIX_OF[layout]
    beliefs = 5 * RANKS * NUMBERS
    kept: dict[str, Any] = {
        "about": np.array([3, layout, 5, 0]),
        "games": np.array(["caliente/4", "jaques/3"]),
        "rules": np.zeros((2, 77), np.uint8),
        "large": np.array([0, inputs - 1], np.int32),
        "inputs": np.array(inputs),
    }
    packed = {
        "enter": a_byte_each(2 * inputs + 2, width),
        "policy": a_byte_each(actions, width),
        "belief": a_byte_each(beliefs, width),
        "hidden": a_byte_each(width, HIDDEN_NUMBERS),
    }
    for part, weights in packed.items():
        kept[f"{part}.weight"] = weights
        kept[f"{part}.scale"] = np.full((len(weights), 1), 0.01, np.float32)
    halves: dict[str, tuple[int, ...]] = {
        "enter.bias": (width,),
        "policy.bias": (actions,),
        "belief.bias": (beliefs,),
        "hidden.bias": (width,),
        "judge_value.weight": (1, width),
        "judge_value.bias": (1,),
    }
    blocks = [*(f"blocks.{number}" for number in range(depth)), "judge_block"]
    for norm in ("norm", "judge_norm", *(f"{block}.norm" for block in blocks)):
        halves |= {f"{norm}.weight": (width,), f"{norm}.bias": (width,)}
    for block in blocks:
        for layer in ("first", "second"):
            halves |= {f"{block}.{layer}.weight": (width, width), f"{block}.{layer}.bias": (width,)}
    return kept | {part: np.full(shape, 0.5, np.float16) for part, shape in halves.items()}


def written(kept: Mapping[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez(file, **kept)
    return file.getvalue()


@pytest.mark.parametrize("layout", [3, 4])
def test_weights_of_this_layout_and_of_one_that_it_begins_with_are_read(layout: int) -> None:
    network = LearnedNetwork(written(small_weights(layout)))
    seen = bytes(universal_layout().size)
    assert (network.steps, network.games) == (5, ["caliente/4", "jaques/3"])
    assert len(network.logits(seen, [0, 5])) == 2
    assert len(network.belief(seen)) == 5 * RANKS * NUMBERS
    assert len(network.values([seen + bytes(HIDDEN_NUMBERS)])) == 1


@pytest.mark.parametrize("part", sorted(small_weights()))
def test_weights_of_which_a_part_is_not_as_it_must_be_are_refused(part: str) -> None:
    whole = small_weights()
    good = whole[part]
    bad = [
        good.astype("U") if good.dtype.kind != "U" else np.arange(2),
        good.astype(np.complex64) if good.dtype.kind != "U" else good.astype("S"),
        good[None],
        np.array([0] * 7, good.dtype),
        np.empty(0, good.dtype),
    ]
    if good.ndim:
        bad += [np.array(good.flat[0])]
    if good.dtype.kind == "f":
        bad += [good.astype(np.float64)]
        for number in (np.nan, np.inf, -np.inf):
            spoilt = good.copy()
            spoilt.flat[-1] = number
            bad.append(spoilt)
    without = {name: value for name, value in whole.items() if name != part}
    with pytest.raises(WeightsError, match=f"^mine.npz has no part {part}$"):
        LearnedNetwork(written(without), "mine.npz")
    for value in bad:
        with pytest.raises(WeightsError, match=r"^mine.npz (has|was) [^\n]+$"):
            LearnedNetwork(written({**whole, part: value}), "mine.npz")


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("about", [1, 4, 0], "has format 1, and 3 is read"),
        ("about", [3, 2, 0, 0], "reads layout 2 of observations and actions; this is layout 4"),
        ("about", [3, 4, 0], r"a part about of shape \(3,\), where 4 is needed"),
        ("inputs", 1757, "reads observations of 1757 numbers, and they have 1965"),
        ("games", ["caliente"] * 2, "was trained for 'caliente', which is no game as caliente/4 is"),
        ("games", ["caliente/4", "/4"], "was trained for '/4'"),
        ("games", ["caliente/four", "jaques/3"], "was trained for 'caliente/four'"),
        ("games", ["caliente/4"], r"a part rules of shape \(2, 77\), where 1 × any is needed"),
        ("large", [0, 1965], "numbers in large that are not from 0 to 1964"),
        ("large", [-1, 5], "numbers in large that are not from 0 to 1964"),
        (
            "enter.bias",
            np.zeros(9, np.float16),
            r"a part enter.weight of shape \(3932, 8\), where 3932 × 9 is",
        ),
    ],
)
def test_weights_that_do_not_go_together_are_refused(part: str, value: object, said: str) -> None:
    with pytest.raises(WeightsError, match=f"^mine.npz .*{said}"):
        LearnedNetwork(written({**small_weights(), part: np.array(value)}), "mine.npz")


def test_files_that_are_no_weights_are_refused() -> None:
    array = io.BytesIO()
    np.save(array, np.arange(5))
    for content in (b"", b"nothing", array.getvalue(), pickle.dumps([1])):
        with pytest.raises(WeightsError, match=r"^mine.npz is no file of weights$"):
            LearnedNetwork(content, "mine.npz")
    whole = WEIGHTS.read_bytes()
    with pytest.raises(WeightsError, match=r"^mine.npz is damaged and cannot be read as weights$"):
        LearnedNetwork(whole[:5000], "mine.npz")
    at = whole.index(b"norm.weight.npy") + 200
    with pytest.raises(
        WeightsError, match=r"^mine.npz is damaged: its part blocks.0.norm.weight cannot be read$"
    ):
        LearnedNetwork(whole[:at] + bytes(20) + whole[at + 20 :], "mine.npz")
    objects = written({**small_weights(), "games": np.array(["caliente/4", 3], object)})
    with pytest.raises(WeightsError, match=r"^mine.npz is damaged: its part games cannot be read$"):
        LearnedNetwork(objects, "mine.npz")


@pytest.mark.parametrize("content", [None, b"PK torn"])
def test_a_master_without_its_weights_says_what_to_do(
    content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(path: Path) -> bytes:
        assert path.name == "master.npz"
        if content is None:
            raise FileNotFoundError(2, "No such file or directory")
        return content

    master_network.cache_clear()
    monkeypatch.setattr(Path, "read_bytes", read)
    with pytest.raises(WeightsError, match=r"the file of master's weights .*; install canasta again$"):
        master_network()
    for make in (get_bot, load_bot):
        for name in ("master", "grandmaster"):
            with pytest.raises(BotError, match=f"^{name} can’t play: .*; reinstall canasta$") as told:
                make(name)
            assert told.value.message.key == "NO_WEIGHTS"


def test_numpy_reckons_what_pytorch_reckons(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import Checkpoint, fresh_network, load_network, save  # noqa: PLC0415 - as above
    from training.export import export  # noqa: PLC0415 - it needs PyTorch

    torch.manual_seed(1)
    made = fresh_network(width=24, depth=2)
    for parameter in made.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)
    optimiser = torch.optim.AdamW(made.parameters())
    save(tmp_path / "w.pt", Checkpoint(made, ["caliente/4"], 5, house_rules=False), optimiser)
    export(tmp_path / "w.pt", tmp_path / "w.npz")
    network = load_network(tmp_path / "w.pt").network
    learned = LearnedNetwork((tmp_path / "w.npz").read_bytes())
    assert learned.steps == 5
    rng = np.random.default_rng(0)
    seen = rng.integers(0, 255, (6, universal_layout().size)).astype(np.uint8)
    seen[:, ::2] = 0
    hidden = rng.integers(0, 4, (6, HIDDEN_NUMBERS)).astype(np.uint8)
    mask = np.ones((6, network.policy.out_features), np.uint8)
    with torch.no_grad():
        logits, _, judged, believed = network.with_critic(
            torch.from_numpy(np.concatenate([seen, mask, hidden], 1))
        )
    actions = [3, 40, 700]
    rows = [row.tobytes() for row in seen]
    # The input weights are stored in one byte each.
    assert learned.logits(rows[0], actions) == pytest.approx(logits[0, actions].tolist(), abs=0.1)
    assert learned.choose(rows, [actions] * 6) == logits[:, actions].argmax(1).tolist()
    full = [row + more.tobytes() for row, more in zip(rows, hidden, strict=True)]
    assert learned.values(full) == pytest.approx(judged.tolist(), abs=0.1)
    assert learned.belief(rows[0]) == pytest.approx(believed[0].softmax(1).flatten().tolist(), abs=0.02)
