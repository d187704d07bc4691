"""The command line as a whole: help, typing mistakes, closed pipes, and start-up time."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from unit.cli.conftest import ROOT, Run

LOADED = """
import sys
from canasta.commands.cli import main
sys.argv = ["canasta", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    print("status", end.code)
print("loaded", *sorted(sys.modules))
"""


def start(
    *words: str, typed: bytes = b"", cwd: Path | None = None, **settings: str
) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run(
        [sys.executable, "-m", "canasta", *words],
        input=typed,
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**environment, **settings},
        timeout=300,
    )


def test_without_a_command_there_is_the_help(run: Run) -> None:
    assert run().stdout == run("--help").stdout
    assert run("bench").stdout == run("bench", "--help").stdout


def test_the_exit_statuses_are_in_the_help(run: Run) -> None:
    told = " ".join(run("--help").stdout.split())
    assert "Exit status: 0 success, 1 a check or the operation failed, 2 an invalid" in told


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("version", 0),
        ("rules caliente", 0),
        ("replay examples/evening.canasta", 0),
        ("verify examples/evening.canasta", 1),  # it has no commitments
        ("replay pyproject.toml", 1),
        ("rules --coverage examples/house_rules.yaml", 1),
        ("replay no/such/file", 2),
        ("scenario no/such/file", 2),
        ("rules nosuchgame", 2),
        ("rules caliente --option hand_size=0", 2),
        ("tui --join nowhere", 2),
        ("--no-such-option", 2),
    ],
)
def test_the_exit_statuses_are_those_of_the_table(
    run: Run, words: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(*words.split()).exit_code == status


def test_the_version_as_an_option(run: Run) -> None:
    assert run("--version").stdout == run("version").stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("ruls", "canasta: no such command 'ruls'. Did you mean 'rules'?"),
        ("rules --zzz", "canasta: no such option: --zzz; see: canasta rules --help"),
        ("scenario", "canasta: missing argument 'FILE...'; see: canasta scenario --help"),
        ("version now", "canasta: got unexpected extra argument(s) (now); see: canasta version --help"),
        ("test --long", "canasta: the tests are in the source folder: go there and run ./canasta test."),
    ],
)
def test_a_slip_is_told_in_one_sentence(run: Run, words: str, sentence: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == sentence + "\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "rules caliente --players many",
            "--players many: must be a whole number; see: canasta rules --help",
        ),
        (
            "rules caliente --players 1.5",
            "--players '1.5': must be a whole number; see: canasta rules --help",
        ),
        ("replay x --to -1", "--to -1: must be 0 or more; see: canasta replay --help"),
        ("bench engine -s soon", "--seconds soon: must be a number; see: canasta bench engine --help"),
        ("play --port 99999", "--port 99999: must be 65,535 or less; see: canasta play --help"),
        (
            "arena club club -n 9999999",
            "--pairs 9999999: must be 1,000,000 or less; see: canasta arena --help",
        ),
        ("stats --hands \x1b", r"--hands '\x1b': must be a whole number; see: canasta stats --help"),
        (f"stats --hands {'9' * 99}", "--hands '99"),
        ("rules --playerz 3", "no such option: --playerz; did you mean --players?"),
    ],
)
def test_a_value_of_the_wrong_kind_is_a_slip_too(run: Run, words: str, sentence: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert result.stderr.startswith(f"canasta: {sentence}")
    assert len(result.stderr) < 160
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", [["--help"], ["version"], ["version", "--json"]])
def test_help_and_version_load_next_to_nothing(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True, timeout=300
    )
    assert "status 0" in done.stdout
    loaded = done.stdout.splitlines()[-1].split()
    heavy = ("pydantic", "rich", "yaml", "canasta.engine.state", "canasta.rules", "canasta.notation")
    assert [name for name in heavy if name in loaded] == []


def test_the_package_itself_loads_at_once() -> None:
    code = "import sys; before = set(sys.modules); import canasta; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["canasta"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("rules bol", "bolivia bolivia-common"),
        ("play --bot no", "novice"),
        ("arena club cas", "casual"),
        ("stats --bot exp", "expert"),
        ("play --option hand_s", "hand_size="),
        ("play --option stock_end.fo", "stock_end.forced="),
        ("tui --option put_back=", "put_back=yes put_back=no"),
        (
            "rules jaques --option melds.sets_per_rank=one",
            "melds.sets_per_rank=one melds.sets_per_rank=one_open",
        ),
        ("rules --clause pile-9", "pile-9"),
        ("arena club casual --by h", "hand"),
        ("play --option zzz", ""),
    ],
)
def test_completion_knows_games_players_and_options(
    run: Run, words: str, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"canasta {words}"
    place = str(len(line.split()) - 1)
    for name, value in (("COMP_WORDS", line), ("COMP_CWORD", place), ("_CANASTA_COMPLETE", "complete_bash")):
        monkeypatch.setenv(name, value)
    assert sorted(run().stdout.split()) == sorted(offered.split())


def test_completion_begins_with_short_names_and_sections() -> None:
    done = start(_CANASTA_COMPLETE="complete_bash", COMP_WORDS="canasta play --option ", COMP_CWORD="3")
    offered = done.stdout.decode().split()
    assert {"hand_size=", "target=", "scoring.", "pile."} <= set(offered)
    assert not any("." in name and not name.endswith(".") for name in offered)


def test_a_reader_who_leaves_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "canasta", "scenario", "--verbose", *["tests/rulebook/pile_frozen.yaml"] * 20],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().endswith(b": passed\n")
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=300) == 141


def test_a_pipe_that_is_closed_from_the_start() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "canasta", "rules"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=300,
    )
    os.close(write)
    assert done.returncode == 141
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "canasta", "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=300,
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "canasta: the output: no space left on device.\n"


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-"])
def test_closed_streams_are_no_error(stream: str) -> None:
    command = f"exec {shlex.quote(sys.executable)} -m canasta play --text --seed x {stream}"
    done = subprocess.run(
        ["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=300
    )
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_terminal_without_symbols_gets_letters() -> None:
    done = start("play", "--text", "--seed", "tuesday", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"5d  6d  9c 9h" in done.stdout


def test_whatever_is_piped_in() -> None:
    noise = bytes(range(256)) * 8
    done = start("play", "--text", "--seed", "tuesday", typed=noise.replace(b"\n", b"?\n"))
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"You leave the table after 0 moves." in done.stdout


def test_control_c_ends_quietly() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "canasta", "bench", "engine", "--seconds", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    process.stderr.readline()  # wait until the first game has started
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


def test_control_c_before_the_command_line_is_loaded_is_quiet() -> None:
    code = (
        "import builtins, os, signal, sys\n"
        "real = builtins.__import__\n"
        "def load(name, *rest, **more):\n"
        "    if name == 'typer':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest, **more)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "builtins.__import__ = load\n"
        "from canasta.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "rules"], capture_output=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_version(run: Run) -> None:
    known = json.loads(run("version", "--json").stdout)
    assert known["python"] == ".".join(map(str, sys.version_info[:3]))
    engine = "compiled" if known["compiled"] else "interpreted"
    line = run("version").stdout
    assert line.startswith("canasta ")
    assert line.endswith(f" {known['python']}, {engine} engine\n")
    assert "/" not in line


@pytest.mark.interpreted
def test_version_says_what_runs(run: Run) -> None:
    state = sys.modules["canasta.engine.state"]
    assert json.loads(run("version", "--json").stdout)["compiled"] is not str(state.__file__).endswith(".py")
