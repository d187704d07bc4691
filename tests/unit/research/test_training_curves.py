"""The log of training and the curves drawn from it; only one test needs PyTorch."""

import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from canasta.arena.plots import WIDTH
from training.__main__ import main
from training.curves import NothingToDraw, course, curves
from training.log import FORMAT, Entry, Log, LogError, Over, Run, read_log

ROOT = Path(__file__).resolve().parents[3]
PAGES = (ROOT / "training" / "README.md", ROOT / "docs" / "learned-player.md")

FIRST = Entry(10.0, 1_000_000, 500, over_club={"caliente/4": Over(-200.0, 40), "jaques/4": Over(-300.0, 20)})
SECOND = Entry(
    20.0, 3_000_000, 1_500, stepping=4.0, looking=3.0, learning=2.0, steps_a_second=200_000.0,
    entropy=1.25, shift=0.001, value_loss=0.05, judge_loss=0.04, belief_loss=0.9,
    over_club={"caliente/4": Over(12.5, 60)}, over_earlier={"caliente/4": Over(7.0, 30)},
)  # fmt: skip


def told(file: Path, *entries: Entry, before: int = 0) -> Path:
    log = Log(file)
    log.begin(before, games=["caliente/4", "jaques/4"])
    for entry in entries:
        log.add(entry)
    return file


def drawn(picture: str) -> ET.Element:
    return ET.fromstring(re.sub(' xmlns="[^"]*"', "", picture))  # noqa: S314 - our own


def labels(picture: str) -> list[list[str | None]]:
    return [
        [text.text for text in panel.findall("text[@class='label']")] for panel in drawn(picture).findall("g")
    ]


def shown_points(picture: str) -> list[int]:
    return [len(line.get("points", "").split()) for line in drawn(picture).iter("polyline")]


def command(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> str:
    """Return the message with which the command line gives up; empty if it succeeds."""
    monkeypatch.setattr(sys, "argv", ["training", *map(str, words)])
    try:
        main()
    except SystemExit as end:
        return str(end.code)
    return ""


def test_what_is_written_is_read_and_runs_follow_one_another(tmp_path: Path) -> None:
    file = told(tmp_path / "w.log.jsonl", FIRST, SECOND)
    first = json.loads(file.read_text().splitlines()[0])
    assert first == {"format": FORMAT, "steps_before": 0, "games": ["caliente/4", "jaques/4"]}
    told(file, FIRST, before=3_000_000)
    assert read_log(file) == [Run(0, [FIRST, SECOND]), Run(3_000_000, [FIRST])]


def test_what_is_no_number_is_not_told(tmp_path: Path) -> None:
    file = told(tmp_path / "log", replace(FIRST, entropy=float("nan"), value_loss=float("inf")))
    assert read_log(file)[0].entries == [FIRST]


def test_a_last_line_that_was_cut_off_is_left_out_and_taken_away(tmp_path: Path) -> None:
    whole = told(tmp_path / "log", FIRST, SECOND).read_bytes()
    begins = whole[:-1].rindex(b"\n") + 1
    file = tmp_path / "cut"
    for end in (begins, begins + 1, begins + 30, len(whole) - 2):
        file.write_bytes(whole[:end])
        assert read_log(file) == [Run(0, [FIRST])]
        told(file, SECOND, before=1_000_000)
        assert read_log(file) == [Run(0, [FIRST]), Run(1_000_000, [SECOND])]
    # The line itself is whole; only its newline is missing.
    file.write_bytes(whole[:-1])
    told(file, SECOND, before=3_000_000)
    assert read_log(file) == [Run(0, [FIRST, SECOND]), Run(3_000_000, [SECOND])]


BEGIN = json.dumps({"format": FORMAT, "steps_before": 0})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no run begins in it"),
        ("no log", "no run begins in it"),
        ("no log\n", "line 1 is no JSON"),
        ("[1]\n", "in line 1 there is no object"),
        ("[" * 100_000 + "\n", "in line 1 "),
        ('{"seconds": 1}\n', "in line 1 no run has begun"),
        ('{"format": "canasta-arena-1"}\n', "the format is 'canasta-arena-1' and not 'canasta-training-1'"),
        (f'{BEGIN}\n{{"seconds": 1\n{BEGIN}\n', "line 2 is no JSON"),
        (f'{BEGIN}\n{{"steps": 1}}\n', "in line 2 the seconds are missing"),
        (f'{BEGIN}\n{{"seconds": "1"}}\n', "in line 2 seconds is no number"),
        (f'{BEGIN}\n{{"seconds": true}}\n', "in line 2 seconds is no number"),
        (f'{BEGIN}\n{{"seconds": NaN}}\n', "in line 2 NaN is no number"),
        (f'{BEGIN}\n{{"seconds": 1{"0" * 400}}}\n', "in line 2 seconds is no number"),
        (f'{BEGIN}\n{{"seconds": 1, "over_club": []}}\n', "in line 2 the points have no games"),
        (f'{BEGIN}\n{{"seconds": 1, "over_club": {{"a/4": 3}}}}\n', "in line 2 a/4 has no points"),
        (f'{BEGIN}\n{{"seconds": 2}}\n{{"seconds": 1}}\n', "in line 3 time goes back"),
        *(
            (
                f'{BEGIN}\n{{"seconds": 1, "over_club": {{"a{sign}": {{"points": 3}}}}}}\n',
                "in line 2 a game has a name that cannot be written",
            )
            for sign in (r"\u0000", r"\u001b[2J", r"\ud800", r"\n", r"\ufffe")
        ),
    ],
)
def test_a_wrong_file_is_told_in_a_sentence_and_never_written_to(
    text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    with pytest.raises(LogError, match=re.escape(why)):
        read_log(file)
    said = command(monkeypatch, "plot", file)
    assert said.startswith(f"training: {file} is no log of training: ")
    assert why in said
    if text:
        with pytest.raises(LogError, match=re.escape(why)):
            Log(file)
        assert file.read_text() == text


def test_wrong_names_are_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = told(tmp_path / "w.log.jsonl", FIRST, SECOND)
    picture = tmp_path / "curves.svg"
    assert command(monkeypatch, "plot", tmp_path / "none").endswith(
        "none cannot be read: No such file or directory."
    )
    assert "cannot be read: Is a directory" in command(monkeypatch, "plot", tmp_path)
    assert command(monkeypatch, "plot", file, "--to", picture, "--games", "caliente/4,mau/4") == (
        "training: no log tells of mau/4; they tell of: caliente/4, jaques/4."
    )
    assert "cannot be written: No such file" in command(
        monkeypatch, "plot", file, "--to", tmp_path / "no" / "x.svg"
    )
    assert command(monkeypatch, "plot", file, "--by", "luck") == command(monkeypatch, "plot") == "2"
    (tmp_path / "weights").write_bytes(b"\x80\x81")
    assert "it is no text" in command(monkeypatch, "plot", tmp_path / "weights")
    begun = told(tmp_path / "begun")
    assert "nothing is told yet" in command(monkeypatch, "plot", begun, "--to", picture)
    with pytest.raises(LogError, match=r"the log .* cannot be written: No such file or directory"):
        Log(tmp_path / "no" / "w.log.jsonl")
    assert not picture.exists()


def test_the_picture_has_a_line_for_each_game_and_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = told(tmp_path / "w.log.jsonl", FIRST, SECOND)
    told(file, replace(FIRST, steps=2_000_000), before=3_000_000)
    to = tmp_path / "curves.svg"
    assert command(monkeypatch, "plot", file, "--to", to) == ""
    assert capsys.readouterr().out == f"{to}: {to.stat().st_size:,} bytes\n"
    picture = to.read_text()
    assert labels(picture) == [
        ["caliente/4", "jaques/4"],
        ["caliente/4"],
        ["speed"],
        ["entropy", "belief"],
        ["value", "judge"],
    ]
    assert shown_points(picture) == [3, 2, 1, 1, 1, 1, 1, 1]
    assert "million steps<" in picture
    # One run began after another, at 3 of 5 million steps.
    assert len(drawn(picture).findall(".//line[@class='break']")) == 5
    for element in drawn(picture).iter():
        for place in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(place, "0")) <= WIDTH
    for word in ("<script", "href=", "url(", "@import"):
        assert word not in picture
    assert "prefers-color-scheme: dark" in picture
    assert command(monkeypatch, "plot", file, "--to", to, "--games", "jaques/4", "--by", "time") == ""
    assert labels(to.read_text())[0] == ["jaques/4"]
    assert "minutes of training<" in to.read_text()


def test_a_file_that_begins_with_a_mark_of_its_encoding_is_read(tmp_path: Path) -> None:
    file = told(tmp_path / "w.log.jsonl", FIRST)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    told(file, SECOND, before=1_000_000)
    assert read_log(file) == [Run(0, [FIRST]), Run(1_000_000, [SECOND])]


@pytest.mark.parametrize("points", [5e-324, 1e-300, -1e-300, 1e-12])
def test_next_to_nothing_is_drawn_as_nothing(points: float) -> None:
    entries = [Entry(at, at, over_club={"caliente/4": Over(points, 1)}) for at in (1e-300, 2e-300)]
    picture = curves({"w": [Run(0, entries)]})
    marks = [text.text for text in drawn(picture).iter("text") if text.get("class") == "tick end"]
    assert marks == ["−1", "0", "1"]


def test_a_log_whose_name_cannot_be_written_has_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [told(tmp_path / name, FIRST) for name in ("one\x1b.jsonl", "two.jsonl")]
    to = tmp_path / "curves.svg"
    assert command(monkeypatch, "plot", *files, "--to", to, "--games", "jaques/4") == ""
    assert labels(to.read_text()) == [["jaques/4, 1", "jaques/4, 2"]]


def test_a_log_that_can_no_longer_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    log = Log(folder / "log")
    log.file.unlink()
    folder.rmdir()
    with pytest.raises(LogError, match=r"the log .* cannot be written: No such file or directory"):
        log.begin(0)
    with pytest.raises(LogError, match=r"the log .* cannot be written: it is no file"):
        Log(tmp_path)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (0, "    10 s      0.0 k steps  0.0 k/s"),
        (4_096, "    10 s      4.1 k steps  0.4 k/s"),
        (99_900, "    10 s     99.9 k steps  10.0 k/s"),
        (340_000, "    10 s      0.3 M steps  34.0 k/s"),
        (5_600_000, "    10 s      5.6 M steps  0.56 M/s"),
    ],
)
def test_few_steps_are_told_in_thousands(steps: int, said: str) -> None:
    assert Entry(10.0, steps).line() == said


def test_two_logs_are_two_trainings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [told(tmp_path / name, FIRST) for name in ("one.log.jsonl", "a-name-without-an-end.jsonl")]
    to = tmp_path / "curves.svg"
    assert command(monkeypatch, "plot", *files, "--to", to) == ""
    assert labels(to.read_text()) == [
        [
            "caliente/4, one",
            "jaques/4, one",
            "caliente/4, a-name-with…",
            "jaques/4, a-name-withou…",
        ]
    ]
    assert command(monkeypatch, "plot", files[0], files[0], "--to", to, "--games", "jaques/4") == ""
    assert labels(to.read_text()) == [["jaques/4, 1", "jaques/4, 2"]]


def test_what_was_lost_with_its_weights_is_not_drawn() -> None:
    third = replace(SECOND, seconds=30.0, steps=4_000_000)
    runs = [Run(0, [FIRST, SECOND, third]), Run(3_000_000, [FIRST])]
    assert [at for at, _ in course(runs, "steps").entries] == [1.0, 3.0, 4.0]
    assert [round(60 * at) for at, _ in course(runs, "time").entries] == [10, 20, 30]
    assert course(runs, "steps").begins == [3.0]
    # A new start in the same file discards everything before it.
    assert course([*runs, Run(0, [FIRST])], "steps").entries == [(1.0, FIRST)]


def test_without_steps_time_lies_across() -> None:
    known = Run(
        None, [replace(FIRST, steps=None), Entry(60.0), Entry(120.0, over_club={"caliente/4": Over(5.0)})]
    )
    assert "minutes of training<" in curves({"w": [known]})
    with pytest.raises(
        NothingToDraw, match="w does not tell its steps in every line: draw it with --by time"
    ):
        curves({"w": [known]}, by="steps")


def test_neighbours_of_a_long_log_are_taken_together_by_their_hands() -> None:
    entries = [
        Entry(float(at), at, over_club={"caliente/4": Over(400.0 * (at % 2), 1 + 2 * (at % 2))})
        for at in range(1, 121)
    ]
    picture = curves({"w": [Run(0, entries)]})
    (line,) = drawn(picture).iter("polyline")
    heights = {point.split(",")[1] for point in line.get("points", "").split()}
    assert shown_points(picture) == [60]
    # Three hands with 400 points and one with none average 300, between the marks.
    assert len(heights) == 1
    marks = {
        text.text: float(text.get("y", "")) - 5
        for text in drawn(picture).iter("text")
        if text.get("class") == "tick end"
    }
    assert float(heights.pop()) == pytest.approx(marks["300"], abs=0.1)


def test_the_pictures_of_the_pages_are_those_that_their_commands_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    commands = {line for line in lines if line.startswith("python -m training plot training/logs/")}
    pictures = set()
    monkeypatch.chdir(ROOT)
    for line in commands:
        words = shlex.split(line)[3:]
        picture = words[words.index("--to") + 1]
        words[words.index("--to") + 1] = str(tmp_path / "drawn.svg")
        assert command(monkeypatch, *words) == ""
        assert (tmp_path / "drawn.svg").read_text() == Path(picture).read_text(), picture
        pictures.add(picture)
    assert pictures == {
        str(file.relative_to(ROOT)) for file in (ROOT / "docs/pictures").glob("training*.svg")
    }


def test_only_plot_needs_no_pytorch(tmp_path: Path) -> None:
    file = told(tmp_path / "w.log.jsonl", FIRST, SECOND)
    program = (
        "import runpy, sys; sys.modules['torch'] = None; runpy.run_module('training', run_name='__main__')"
    )
    done = [
        subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        for words in (("plot", str(file), "--to", str(tmp_path / "x.svg")), ("export",))
    ]
    assert [each.returncode for each in done] == [0, 1]
    assert labels((tmp_path / "x.svg").read_text())
    assert done[1].stderr.startswith(
        "training: training needs torch, which is not here; install the extra with"
    )


def test_a_short_training_can_be_plotted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is an extra and is not installed")
    monkeypatch.chdir(tmp_path)
    size = "--seconds 0.5 --every 0 --tables 16 --stretch 8 --width 16 --depth 1 --batch 32 --club 0.5"
    for _ in range(2):
        assert (
            command(monkeypatch, "train", "--games", "two-player/2", "--weights", "w.pt", *size.split()) == ""
        )
    first, second = read_log(tmp_path / "w.log.jsonl")
    begun = json.loads((tmp_path / "w.log.jsonl").read_text().splitlines()[0])
    assert begun["games"] == ["two-player/2"]
    assert begun["device"]
    assert begun["parameters"] > 1_000
    assert begun["arguments"]["tables"] == 16
    assert first.steps_before == 0
    assert second.steps_before == first.entries[-1].steps != 0
    assert any(entry.entropy for entry in first.entries)
    assert any(entry.steps_a_second for entry in second.entries)
    assert command(monkeypatch, "plot", "w.log.jsonl") == ""
    assert ["entropy", "belief"] in labels(Path("curves.svg").read_text())
