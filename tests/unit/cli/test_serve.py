"""`canasta play` and `canasta serve`: the server prints its address, opens the page and stops."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest
from services import free_port
from unit.cli.conftest import Run

from canasta.commands import serve


@contextmanager
def started(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield a running command and the address that it printed; a script takes the browser's place."""
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {folder}/opened\n')
    browser.chmod(0o755)
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "BROWSER": str(browser)}
    with subprocess.Popen(
        [sys.executable, "-m", "canasta", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
    ) as process:
        try:
            yield process, address_told(process.stdout)
        finally:
            process.kill()


def address_told(output: IO[str] | None) -> str:
    assert output is not None
    told: list[str] = []
    for line in output:
        told.append(line)
        at = line.find("http://")
        if at >= 0:
            return line[at:].strip()
    raise AssertionError("".join(told))


def is_well(address: str) -> bool:
    split = urlsplit(address)
    with urlopen(f"http://{split.netloc}/api/health", timeout=300) as answer:
        return bool(answer.status == 200)


def test_play_opens_the_page(tmp_path: Path) -> None:
    with started(tmp_path, "play", "--port", str(free_port())) as (process, address):
        assert is_well(address)
        assert urlsplit(address).path == "/"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 0
    assert (tmp_path / "opened").read_text().strip() == address


def test_play_with_a_game_opens_its_table(tmp_path: Path) -> None:
    words = [
        "play",
        "--no-open",
        "--port",
        "0",
        "--rules",
        "jaques-samba",
        "-o",
        "target=3000",
        "--bot",
        "expert",
    ]
    with started(tmp_path, *words) as (_, address):
        assert is_well(address)
    assert urlsplit(address).path == "/new"
    assert parse_qs(urlsplit(address).query) == {
        "rules": ["jaques-samba"],
        "players": ["4"],
        "bot": ["expert"],
        "start": ["1"],
        "options": ['{"match.target": 3000}'],
    }
    assert not (tmp_path / "opened").exists()


def test_serve_stops_at_a_signal_and_keeps_its_database(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    port = str(free_port())
    for _ in range(2):
        with started(tmp_path, "serve", "--port", port, "--database", str(file)) as (process, address):
            assert is_well(address)
            process.send_signal(signal.SIGTERM)
            # It closes everything and then dies from the signal, as the sender expects.
            assert process.wait(timeout=300) == -signal.SIGTERM
    assert file.exists()


def test_a_port_that_is_taken(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("play", "--no-open", "--port", str(port))
    assert result.exit_code == 2
    assert result.stderr == (
        f"canasta: can’t listen on 127.0.0.1, port {port}: address already in use; choose another --port.\n"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play --seed x", "--seed works only in typed play: add --text."),
        ("play --record x", "--record works only in typed play: add --text."),
        ("play --rules calente", "rules = 'calente': this preset doesn’t exist; did you mean caliente?"),
        ("play -r jaques --bot clob", 'there’s no computer player called "clob"; did you mean club?'),
        ("play -r jaques --bot a:B", "your own computer players work with --text, in the tui and in the arena, but not in the browser."),  # noqa: E501 - one sentence
        ("serve --origin a/b", '--origin "a/b" isn’t an address such as https://cards.example.org.'),
        ("serve --push club", '--push "club" isn’t a contact: give an e-mail address or https://….'),
        ("serve --push-service 10.0.0.1", '--push-service "10.0.0.1" isn’t the full name of a host such as push.example.org.'),  # noqa: E501 - one sentence
        ("serve --database mysql://x", "--database: The database is SQLite in a file or PostgreSQL: write sqlite:///FILE or postgresql://…."),  # noqa: E501 - one sentence
    ],
)  # fmt: skip
def test_what_cannot_be_served(run: Run, words: str, sentence: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert result.stderr == f"canasta: {sentence}\n"


def test_notices_without_their_extra_say_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda module: None)
    result = run("serve", "--push", "club@example.org")
    assert result.exit_code == 2
    assert "cryptography, which is not here" in result.stderr
    assert "'.[push]'" in result.stderr
