"""`canasta tui` as it is started: in a terminal of its own, with what people type."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
import typer

from canasta.commands.asked import Asked
from canasta.commands.tui import open_terminal_table
from canasta.notation.replay import replay

ROOT = Path(__file__).parents[2]
START = """
import sys
from canasta.commands.asked import Asked
from canasta.commands.tui import open_terminal_table
import typer
wanted = dict(bot="novice", seed="tuesday", record=None, join=None, letters=False, replay=None)
wanted.update(eval(sys.argv[2]))
try:
    open_terminal_table(Asked(sys.argv[1].split(), None, []), **wanted)
except typer.Exit as end:
    sys.exit(end.exit_code)
"""


def command(game: str, **wanted: object) -> list[str]:
    return [sys.executable, "-c", START, game, repr(wanted)]


class Terminal:
    """A terminal of 80 × 24 in which the table runs."""

    def __init__(self, arguments: list[str], **environment: str) -> None:
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            arguments,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env={**os.environ, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )
        os.close(follower)
        self.seen = b""

    def read_until(self, text: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while text.encode() not in self.seen:
            assert time.monotonic() < end, self.seen[-3000:]
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.leader, 65536)
                except OSError:  # the program has closed its end
                    break

    def type(self, keys: str) -> None:
        os.write(self.leader, keys.encode())

    def end(self, seconds: float = 30) -> str:
        """What was shown after the table was left."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            is_over = self.process.poll() is not None
            if select.select([self.leader], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.leader, 65536)
                except OSError:  # the program has closed its end
                    break
            elif is_over:
                break
        self.process.wait(seconds)
        return self.seen.decode(errors="replace")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.leader)


@pytest.mark.parametrize("keys", ["\x03", "\x11", "q2"], ids=["ctrl+c", "ctrl+q", "leave"])
def test_leaving_is_clean_and_tells_how_to_come_back(keys: str, tmp_path: Path) -> None:
    record = tmp_path / "evening.canasta"
    terminal = Terminal(command("caliente", record=str(record)))
    try:
        terminal.read_until("Your turn")
        terminal.type("d")
        terminal.read_until("choose cards to meld")
        for key in keys:
            terminal.type(key)
            time.sleep(0.4)
        text = terminal.end()
    finally:
        terminal.close()
    assert terminal.process.returncode == 0
    assert "Traceback" not in text
    assert "--seed tuesday" in text
    result = replay(record.read_text())
    assert result.problem is None
    assert result.moves


def test_a_replay_opens_in_a_terminal_without_colour() -> None:
    terminal = Terminal(command("", replay=str(ROOT / "examples" / "evening.canasta")), NO_COLOR="1")
    try:
        terminal.read_until("Move 0 of 103")
        terminal.type("\x03")
        text = terminal.end()
    finally:
        terminal.close()
    assert terminal.process.returncode == 0
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("game", "wanted", "sentence"),
    [
        ("caliente", {}, "needs a terminal"),
        ("", {}, "needs a terminal"),
        ("caliente", {"bot": "clubb"}, "club"),
        ("nosuchgame", {}, "nosuchgame"),
        ("", {"join": "nowhere"}, "a link looks like"),
        ("", {"join": "http://127.0.0.1:9/t/abc"}, "needs a terminal"),
        ("", {"replay": "no/such/file"}, "cannot be read"),
        ("", {"replay": str(ROOT / "README.md")}, "line 1"),
        ("", {"replay": "x", "join": "y"}, "not both"),
        ("caliente", {"record": str(ROOT / "README.md")}, "is there already"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    game: str, wanted: dict[str, str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    usual: dict[str, str | None] = {
        "bot": "novice",
        "seed": None,
        "record": None,
        "join": None,
        "replay": None,
    }
    chosen = usual | wanted
    with pytest.raises(typer.Exit) as end:
        open_terminal_table(
            Asked(game.split(), None, []),
            bot=chosen["bot"] or "",
            seed=chosen["seed"],
            record=chosen["record"],
            join=chosen["join"],
            letters=False,
            replay=chosen["replay"],
        )
    assert end.value.exit_code == 2
    told = capsys.readouterr().err
    assert told.startswith("canasta: ")
    assert sentence in told
