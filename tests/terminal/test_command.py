"""`canasta tui` as users start it: in a terminal of its own, with typed input."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import httpx
import pytest
import typer
from unit.cli.test_serve import started

from canasta.commands.options import RulesArguments, SaveArguments
from canasta.commands.tui import open_terminal_table
from canasta.notation.replay import replay

ROOT = Path(__file__).parents[2]
START = """
import sys
from canasta.commands.options import RulesArguments, SaveArguments
from canasta.commands.tui import open_terminal_table
import typer
wanted = dict(bot=None, seed=None, record=None, join=None, letters=False, replay=None)
wanted.update(eval(sys.argv[2]))
wanted.setdefault("saving", SaveArguments(no_save=not (wanted["join"] or wanted["replay"])))
try:
    open_terminal_table(RulesArguments(sys.argv[1].split(), None, []), **wanted)
except typer.Exit as end:
    sys.exit(end.exit_code)
"""


def command(game: str, **wanted: object) -> list[str]:
    return [sys.executable, "-c", START, game, repr(wanted)]


class Terminal:
    """A terminal in which the table runs, with 23 lines, one less than usual, as under tmux."""

    def __init__(self, arguments: list[str], *, columns: int = 80, **environment: str) -> None:
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 23, columns, 0, 0))
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

    def read_until(self, text: str, seconds: float = 240, *, after: str = "") -> None:
        """Read until a text appears; with `after`, only text after its last occurrence counts."""
        end = time.monotonic() + seconds
        while text.encode() not in self.seen[max(0, self.seen.rfind(after.encode())) if after else 0 :]:
            assert time.monotonic() < end, self.seen[-3000:]
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.leader, 65536)
                except OSError:  # the program has closed its end
                    break

    def type(self, keys: str) -> None:
        os.write(self.leader, keys.encode())

    def end(self, seconds: float = 240) -> str:
        """Wait for the program to end; return everything it printed."""
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
    terminal = Terminal(command("caliente", bot="novice", seed="tuesday", record=str(record)))
    try:
        terminal.read_until("Your turn")
        terminal.type("d")
        terminal.read_until("select cards to meld")
        terminal.type(keys[0])
        if keys[1:]:
            terminal.read_until("Leave the table?")
            terminal.type(keys[1:])
        text = terminal.end()
    finally:
        terminal.close()
    assert terminal.process.returncode == 0
    assert "Traceback" not in text
    assert "--seed tuesday" in text
    result = replay(record.read_text())
    assert result.is_good
    assert result.moves
    assert {"Lupe", "Nico", "Mimi"} < set(re.findall(r"^seat \d: (.*)$", record.read_text(), re.MULTILINE))


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


def asked(address: str, path: str, body: dict[str, object], cookie: str = "") -> tuple[str, dict[str, str]]:
    """Send a request to a server; return the cookie and the answer."""
    answer = httpx.post(address.rstrip("/") + path, json=body, headers={"Cookie": cookie}, timeout=300)
    told: dict[str, str] = answer.raise_for_status().json()
    return answer.headers.get("Set-Cookie", "").partition(";")[0], told


def test_a_table_on_a_server_is_joined_and_its_record_is_kept(tmp_path: Path) -> None:
    record = tmp_path / "evening.canasta"
    with started(tmp_path, "serve", "--port", "0") as (_, address):
        cookie, _ = asked(address, "/api/guests", {"name": "South"})
        _, opened = asked(address, "/api/tables", {"rules": "caliente", "players": 2}, cookie)
        link = f"{address.rstrip('/')}/t/{opened['id']}"
        terminal = Terminal(command("", join=link, record=str(record)), XDG_STATE_HOME=str(tmp_path))
        try:
            terminal.read_until("free seat")
            terminal.type("\x03")
            text = terminal.end()
        finally:
            terminal.close()
        assert terminal.process.returncode == 0
        assert f"canasta tui --join {link}" in text
        assert str(record) in "".join(text.split())
        result = replay(record.read_text())
        assert result.is_good
        assert result.header is not None
        assert result.header.seed == opened["id"]
        # Then a table that doesn't exist, and one whose record already exists.
        missing = f"{address.rstrip('/')}/t/nothere"
        for wanted, status, sentence in (
            ({"join": missing}, 1, "has no table nothere"),
            ({"join": link, "record": str(record)}, 2, "already exists"),
        ):
            terminal = Terminal(command("", **wanted), XDG_STATE_HOME=str(tmp_path), COLUMNS="300")
            try:
                text = terminal.end()
            finally:
                terminal.close()
            assert terminal.process.returncode == status
            assert sentence in text
            assert "\x1b[?1049h" not in text, "the table was opened"


def test_a_server_that_is_not_there_is_told_before_the_table_opens(tmp_path: Path) -> None:
    terminal = Terminal(command("", join="http://127.0.0.1:9/t/abc"), XDG_STATE_HOME=str(tmp_path))
    try:
        text = terminal.end()
    finally:
        terminal.close()
    assert terminal.process.returncode == 1
    assert "isn’t answering" in text
    assert "\x1b[?1049h" not in text


@pytest.mark.parametrize(
    ("game", "wanted", "sentence"),
    [
        ("caliente", {}, "needs an interactive terminal"),
        ("", {}, "needs an interactive terminal"),
        ("caliente", {"bot": "clubb"}, "club"),
        ("nosuchgame", {}, "nosuchgame"),
        ("", {"join": "nowhere"}, "a link looks like"),
        ("", {"join": "http://127.0.0.1:9/t/abc"}, "needs an interactive terminal"),
        ("", {"replay": "no/such/file"}, "can’t be read"),
        ("", {"replay": str(ROOT / "README.md")}, "line 1"),
        ("", {"replay": "x", "join": "y"}, "not both"),
        ("caliente", {"record": str(ROOT / "README.md")}, "already exists"),
        ("", {"record": str(ROOT / "README.md")}, "already exists"),
        ("", {"seed": "a\nb"}, "choose another --seed"),
        ("caliente", {"join": "http://127.0.0.1:9/t/abc"}, "--rules is only for a new game"),
        ("", {"join": "http://127.0.0.1:9/t/abc", "bot": "club"}, "--bot is only for a new game"),
        ("", {"join": "http://127.0.0.1:9/t/abc", "seed": "x"}, "--seed is only for a new game"),
        ("", {"replay": "x", "record": "y"}, "--record is only for a new game, not for --replay"),
        ("jaques", {"replay": "x"}, "--rules is only for a new game, not for --replay"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    game: str, wanted: dict[str, str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    usual: dict[str, str | None] = {
        "bot": None,
        "seed": None,
        "record": None,
        "join": None,
        "replay": None,
    }
    chosen = usual | wanted
    with pytest.raises(typer.Exit) as end:
        open_terminal_table(
            RulesArguments(game.split(), None, []),
            bot=chosen["bot"],
            seed=chosen["seed"],
            record=chosen["record"],
            join=chosen["join"],
            letters=False,
            replay=chosen["replay"],
            saving=SaveArguments(),
        )
    assert end.value.exit_code == 2
    told = capsys.readouterr().err
    assert told.startswith("canasta: ")
    assert sentence in told
