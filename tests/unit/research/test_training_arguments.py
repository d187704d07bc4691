"""The training commands answer wrong arguments with a message.

Tests that need PyTorch are skipped without it.
"""

import os
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from canasta.errors import CanastaError
from training.__main__ import main
from training.log import read_log
from training.task_mix import HEAVIEST, Mix, WrongMixture, distribute_tables, parse_games

WHOLE = ("0", "-1", "x", "1.5", "nan", "", "9" * 5000)
AMOUNT = ("-1", "nan", "inf", "x", "")
POSITIVE = ("0", *AMOUNT)
PART = ("1.01", *AMOUNT)
BOTH = ("train", "improve")


def said(*words: str | Path) -> str:
    """Return the message with which the command line gives up."""
    with pytest.raises(SystemExit) as end:
        main([*map(str, words)])
    return str(end.value.code)


@pytest.mark.parametrize(
    ("commands", "options", "wrong", "why"),
    [
        (BOTH, ("tables", "stretch", "batch", "passes", "processes"), WHOLE, "whole number from 1 on"),
        (("train",), ("width", "depth"), WHOLE, "whole number from 1 on"),
        (("self-play",), ("hands", "tables", "processes"), WHOLE, "whole number from 1 on"),
        (("duel",), ("pairs", "processes"), WHOLE, "whole number from 1 on"),
        (BOTH, ("seconds", "every", "final-rate"), AMOUNT, "number from 0 on"),
        (("train",), ("imitate", "entropy"), AMOUNT, "number from 0 on"),
        (("improve",), ("generation", "caution"), AMOUNT, "number from 0 on"),
        (BOTH, ("rate",), POSITIVE, "0"),
        (BOTH, ("hold", "house-rules"), PART, "part from 0 to 1"),
        (("train",), ("club", "league"), PART, "part from 0 to 1"),
        (BOTH, ("weights",), ("w", "w.memory", "w.league", "w.new", "w.jsonl", ".pt"), "does not end in .pt"),
        (BOTH, ("log",), ("w.pt", "w.memory", "w.league", "w.new"), "ends as weights do"),
    ],
)
def test_wrong_numbers_and_names_are_refused_as_arguments(
    commands: tuple[str, ...],
    options: tuple[str, ...],
    wrong: tuple[str, ...],
    why: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in commands:
        for option in options:
            for value in wrong:
                assert said(command, f"--{option}={value}") == "2"
                told = capsys.readouterr().err
                assert f"argument --{option}: {value!r} " in told
                assert why in told


def test_words_that_are_no_text_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("train", "--seed", "\udcff"), ("plot", "\udcff.jsonl"), ("export", "--to", "\udcff")):
        assert said(*words) == "2"
        assert "udcff" in capsys.readouterr().err


@pytest.mark.parametrize(
    "games",
    [
        *(
            "caliente/x",
            "caliente/²",
            "caliente/4/4",
            "caliente/4.0",
            "caliente/99",
            "caliente/-4",
            "burraco/3",
        ),
        *("caliente=x", "caliente=1=2", "caliente=", "caliente=nan", "caliente=inf", "caliente=0"),
        *("caliente=-1", f"caliente={2 * HEAVIEST}", "caliente=1e308,jaques=1e308", "all=5", "all=", ""),
        *("mau/4", "mau", "caliente,,jaques", "/4", "=1", f"caliente/{'4' * 5000}"),
    ],
)
def test_wrong_games_are_told_in_a_sentence(games: str) -> None:
    with pytest.raises(CanastaError, match=r"\w+ \w+"):
        parse_games(games)


def test_the_parts_of_the_tables_are_no_more_than_all() -> None:
    games = parse_games("caliente/4,jaques/3,caliente/6,two-player/2")
    for club, league, house_rules in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0.5, 0), (0.7, 0.2, 0.1)):
        for tables in range(1, 25):
            mix = Mix(club=club, league=league, house_rules=house_rules)
            table_sets = distribute_tables(games, tables, mix, "s")
            assert all(table_set.count > 0 for table_set in table_sets)
            for number in range(len(games)):
                played = sum(table_set.count for table_set in table_sets if table_set.game == number)
                assert played == max(1, round(tables / len(games)))
    for club, league, house_rules in ((0.6, 0.6, 0.0), (0.5, 0.3, 0.3), (1.0, 0.0, 0.1)):
        with pytest.raises(WrongMixture, match="more than all tables"):
            Mix(club=club, league=league, house_rules=house_rules)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small weights that were trained for a game, in a folder of their own."""
    torch = pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    from training.checkpoints import Checkpoint, fresh_network, save, save_league  # noqa: PLC0415 - as above

    monkeypatch.chdir(tmp_path)
    network = fresh_network(width=16, depth=1)
    file = tmp_path / "w.pt"
    save(
        file,
        Checkpoint(network, ["caliente/4"], 7, house_rules=False),
        torch.optim.AdamW(network.parameters()),
    )
    save_league(file, [network.state_dict()])
    return file


SMALL = "--tables 8 --stretch 4 --batch 8 --width 16 --depth 1 --seconds 1".split()


def test_wrong_words_end_the_commands_in_a_sentence(weights: Path) -> None:
    before = weights.read_bytes()
    for words, why in (
        (("train", "--games", "caliente/x"), "'caliente/x' is no game"),
        (("train", "--imitate", "1", "--imitated", "all=5"), "all games together have no weight"),
        (("train", "--club", "0.6", "--league", "0.6"), "more than all tables"),
        (("improve", "--games", "caliente=nan"), "a weight is a number above 0"),
        (("duel", "--games", "caliente=1=2"), "a weight is a number above 0"),
        (("self-play", "--games", "caliente/²"), "'caliente/²' is no game"),
        (("export", "--without", "caliente/4=inf"), "a weight is a number above 0"),
        (("export", "--without", "caliente/4"), "no game is left that w.pt was trained for"),
        (("duel", "--opponents", "expert:x"), "'expert:x' is no opponent: 'x' is no whole number from 1 on"),
        (("duel", "--opponents", "club,expert:0"), "'expert:0' is no opponent"),
        (("duel", "--opponents", "club,mau"), 'there’s no computer player called "mau"'),
        (("duel", "--opponents", "none.pt"), "none.pt cannot be read as weights: No such file"),
        (("train", "--earlier", "none.pt"), "none.pt cannot be read as weights: No such file"),
        (("train", "--from", "none.pt", "--weights", "x.pt"), "none.pt cannot be read as weights"),
    ):
        told = said(*words, *(() if "--weights" in words else ("--weights", "w.pt")))
        assert told.startswith("training: ")
        assert why in told
    assert weights.read_bytes() == before
    assert {file.name for file in weights.parent.iterdir()} == {"w.pt", "w.memory", "w.league"}


def test_a_duel_whose_player_has_ended_is_told_in_a_sentence(weights: Path) -> None:
    from training.evaluate import DuelRequest, Duels  # noqa: PLC0415 - PyTorch may not be installed

    duels = Duels(1)
    duels._pool.submit(os._exit, 1).exception()
    with pytest.raises(CanastaError, match="a process that plays has ended by itself"):
        duels.play(DuelRequest(weights, "caliente/4", "club"), pairs=1)
    duels.close()


def test_what_cannot_be_written_is_told_and_nothing_is_lost(weights: Path, tmp_path: Path) -> None:
    from training.checkpoints import written_beside  # noqa: PLC0415 - PyTorch may not be installed

    to = tmp_path / "master.npz"
    main(["export", "--weights", "w.pt", "--to", str(to)])
    exported = to.read_bytes()
    for other, why in (
        (tmp_path, "it is no file"),
        (tmp_path / "no" / "x.npz", "No such file or directory"),
        (weights / "x.npz", "Not a directory"),
        (Path("/dev/null"), "it is no file"),
    ):
        assert said("export", "--weights", "w.pt", "--to", other).endswith(f"cannot be written: {why}.")
    assert "nothing to export" in said("export", "--weights", "w.pt", "--to", to, "--without", "all")

    def fill() -> None:
        with written_beside(to) as fresh:
            fresh.write_bytes(b"half of it")
            raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(CanastaError, match="cannot be written: No space left on device"):
        fill()
    assert to.read_bytes() == exported
    assert not list(tmp_path.glob("*.new"))


def change(file: Path, how: Callable[[dict[str, Any]], object]) -> None:
    import torch  # noqa: PLC0415 - it may not be installed

    kept = torch.load(file, weights_only=True)
    how(kept)
    torch.save(kept, file)


JUNK = (b"", b"text\n", b"\x80\x02.", b"PK\x03\x04junk", bytes(range(256)), b"\x80\x02N.", b"ccanasta\nx\n.")


@pytest.mark.parametrize("junk", JUNK)
def test_what_is_no_file_of_weights_is_told_in_a_sentence(junk: bytes, weights: Path) -> None:
    for name, what in (("w.league", "a league"), ("w.memory", "the memory of learning"), ("w.pt", "weights")):
        (weights.parent / name).write_bytes(junk)
        told = said("train", "--weights", "w.pt", *SMALL)
        assert told.startswith(f"training: {name} ")
        assert what in told or "earlier selves" in told
    assert weights.read_bytes() == junk


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (lambda kept: kept.clear(), "does not hold weights of format 2"),
        *(
            (lambda kept, name=name: kept.pop(name), why)
            for name, why in (
                ("format", "does not hold weights of format 2"),
                ("layout", "reads layout 0"),
                ("games", "does not name the games"),
                ("steps", "how many steps"),
                ("weights", "no numbers"),
                ("width", "of another size"),
                ("depth", "of another size"),
            )
        ),
        (lambda kept: kept.update(format=kept["weights"]["enter.weight"]), "of format 2"),
        (lambda kept: kept.update(layout=kept["weights"]["enter.weight"]), "reads layout 0"),
        (lambda kept: kept.update(layout=3), "of another size"),
        (lambda kept: kept.update(games="caliente/4"), "does not name the games"),
        (lambda kept: kept.update(games=[4]), "does not name the games"),
        (lambda kept: kept.update(steps="7"), "how many steps"),
        (lambda kept: kept.update(width=24), "of another size"),
        (lambda kept: kept.update(width=10**9, depth=10**9), "of another size"),
        (lambda kept: kept.update(depth="1"), "of another size"),
        (lambda kept: kept.update(weights=[]), "no numbers"),
        (lambda kept: kept["weights"].update({"value.bias": [1.0]}), "no numbers"),
        (lambda kept: kept["weights"]["value.bias"].fill_(float("nan")), "no numbers"),
        (lambda kept: kept["weights"]["value.bias"].fill_(float("-inf")), "no numbers"),
        (lambda kept: kept["weights"].pop("enter.weight"), "of another size"),
        (lambda kept: kept["weights"].pop("norm.bias"), "of another size"),
        (lambda kept: kept["weights"].update(more=kept["weights"]["norm.bias"]), "of another size"),
        (lambda kept: kept["weights"].update({"norm.bias": kept["weights"]["value.bias"]}), "another size"),
        (lambda kept: kept["weights"].update({"enter.weight": kept["weights"]["value.bias"][0]}), "of anoth"),
    ],
)
def test_weights_that_are_not_what_they_say_are_refused(
    how: Callable[[dict[str, Any]], object], why: str, weights: Path
) -> None:
    change(weights, how)
    for words in (("train", *SMALL), ("improve",), ("duel",), ("self-play",), ("export",)):
        told = said(*words, "--weights", "w.pt")
        assert told.startswith("training: w.pt ")
        assert why in told


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("memory", lambda kept: kept.clear()),
        ("memory", lambda kept: kept.update(squares=7)),
        ("memory", lambda kept: kept.update(squares=[7])),
        ("league", lambda kept: kept.clear()),
        ("league", lambda kept: kept.update(selves=7)),
        ("league", lambda kept: kept.update(selves=[7])),
        ("league", lambda kept: kept["selves"][0].update({"value.bias": 7})),
        ("league", lambda kept: kept["selves"][0]["value.bias"].fill_(float("nan"))),
    ],
)
def test_what_lies_beside_the_weights_is_refused_likewise(
    name: str, how: Callable[[dict[str, Any]], object], weights: Path
) -> None:
    change(weights.with_suffix(f".{name}"), how)
    told = said("train", "--weights", "w.pt", *SMALL)
    assert told.startswith(f"training: w.{name} holds no ")
    assert told.endswith("begins anew.")


def test_an_earlier_self_is_of_the_same_size(weights: Path) -> None:
    assert said("train", "--weights", "other.pt", "--width", "24", "--depth", "1", "--earlier", "w.pt") == (
        "training: w.pt is of another width or depth than the network that learns."
    )


def test_weights_that_are_no_numbers_are_never_kept(weights: Path) -> None:
    import torch  # noqa: PLC0415 - it may not be installed

    from training.checkpoints import load_network, save  # noqa: PLC0415 - as above
    from training.network import Diverged  # noqa: PLC0415 - as above

    before = weights.read_bytes()
    for value in (float("nan"), float("inf"), 1e30):
        kept = load_network(weights)
        torch.nn.init.constant_(kept.network.value.bias, value)
        with pytest.raises(Diverged, match="no numbers any more; lower --rate"):
            save(weights, kept, torch.optim.AdamW(kept.network.parameters()))
    assert weights.read_bytes() == before


@pytest.mark.parametrize("command", BOTH)
def test_a_run_that_diverges_ends_in_a_sentence(command: str, weights: Path) -> None:
    from training.checkpoints import load_network  # noqa: PLC0415 - PyTorch may not be installed

    small = "--games two-player/2 --tables 8 --stretch 8 --batch 8 --seconds 60 --rate 1e38".split()
    if command == "improve":
        small += ["--generation", "0"]
    assert said(command, "--weights", "w.pt", *small) == (
        "training: the weights are no numbers any more; lower --rate."
    )
    assert load_network(weights).steps >= 7


def test_a_run_may_never_lower_its_rate_and_have_club_at_every_table(weights: Path) -> None:
    words = "--games two-player/2 --every 0 --hold 1 --final-rate 0 --entropy 0 --passes 6 --imitate 0.2"
    parts = "--club 1 --league 0 --house-rules 0 --seconds 0.5"
    main(["train", "--weights", "w.pt", *SMALL, *words.split(), *parts.split()])
    first, *_ = read_log(weights.with_suffix(".log.jsonl"))
    assert first.entries[-1].steps
