"""The documentation is true: its commands are run and print what it says, and its code is executed."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import yaml
from docs.pages import ANYTHING, PAGES, ROOT, Shown, blocks, matches, shown
from typer.testing import CliRunner

import canasta
from canasta import research
from canasta.commands.cli import app
from canasta.commands.output import set_language
from canasta.server.http.app import create_app
from canasta.table import wire, wire_commands

COMMANDS = [str(command.__struct_config__.tag) for command in get_args(wire_commands.AnyCommand)]
EXAMPLES = [example for page in PAGES for example in shown(page)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.page} {example.command[-60:]}")
def test_a_command_answers_as_printed(
    example: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    program, *words = shlex.split(example.command)
    output = answer(words) if program == "./canasta" else answer_of_shell(example.command)
    assert "Traceback" not in output
    assert matches(example.answer, output.splitlines()), output


def answer(words: list[str]) -> str:
    """Return what a command prints, run in this process."""
    try:
        return CliRunner().invoke(app, words, prog_name="canasta").output
    finally:
        set_language(None)  # other tests of this process read English


def answer_of_shell(command: str) -> str:
    assert "./canasta " in command
    done = subprocess.run(
        ["/bin/sh", "-c", command.replace("./canasta", f"{shlex.quote(sys.executable)} -m canasta")],
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=300,
    )
    return done.stdout.decode()


def with_blocks(kind: str) -> list[Path]:
    return [page for page in PAGES if any(block == kind for block, _ in blocks(page))]


@pytest.mark.parametrize("page", with_blocks("pycon"), ids=lambda page: page.name)
def test_the_sessions_of_a_page_run(page: Path) -> None:
    text = "\n".join(text for kind, text in blocks(page) if kind == "pycon")
    parsed = doctest.DocTestParser().get_doctest(text, {}, page.name, page.name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    runner.run(parsed)
    results = runner.summarize(verbose=False)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("page", with_blocks("python"), ids=lambda page: page.name)
def test_the_programs_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for kind, text in blocks(page):
        if kind == "python":
            try:
                exec(compile(text, page.name, "exec"), names)  # noqa: S102 - the project's own documentation
            except ModuleNotFoundError as missing:
                pytest.skip(f"{missing.name} is not installed")
    assert len(names) > 1


@pytest.mark.parametrize("page", with_blocks("yaml"), ids=lambda page: page.name)
def test_the_scenarios_of_a_page_hold(page: Path, tmp_path: Path) -> None:
    scenarios = [text for kind, text in blocks(page) if kind == "yaml"]
    (tmp_path / "page.yaml").write_text("\n".join(scenarios), encoding="utf-8")
    assert yaml.safe_load("\n".join(scenarios))
    result = CliRunner().invoke(app, ["scenario", str(tmp_path)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_of_a_page_is_dead(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)\)", text):
        assert "://" in target or (page.parent / target).exists(), target


def test_the_rule_sheets_are_those_of_the_presets() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "rule_sheets.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout


def test_the_api_reference_has_every_public_name() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    documented: dict[str, set[str]] = {}
    module = ""
    for kind, name in re.findall(r"^\.\. (?:py:|auto)(\w+):: ([\w.]+)", text, re.MULTILINE):
        if kind == "currentmodule":
            module = name
        else:
            documented.setdefault(module, set()).add(name)
    versions = {"OBSERVATION_VERSION", "UNIVERSAL_VERSION"}
    assert documented == {
        "canasta": {"__version__", *canasta.__all__},
        "canasta.research": set(research.__all__) - versions,
    }


def test_the_comparison_of_lines() -> None:
    assert matches(("a", ANYTHING, "d"), ["a", "b", "c", "d"])
    assert matches(("a", ANYTHING, "d"), ["a", "d"])
    assert not matches(("a", "d"), ["a", "b", "d"])
    assert not matches(("a", ANYTHING), ["b"])


def test_the_messages_in_the_protocol_are_messages() -> None:
    read = 0
    for kind, text in blocks(ROOT / "docs" / "protocol.md"):
        if kind == "json":
            message = msgspec.json.decode(text)
            known = wire_commands.AnyCommand if message["t"] in COMMANDS else wire.AnyFrame
            msgspec.json.decode(text, type=known)
            read += 1
    assert read > 4


def test_the_protocol_names_every_command() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"`{command}`" in text


def test_the_http_api_names_every_call() -> None:
    text = (ROOT / "docs" / "rest.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /api/[^`?]*)`", text)
    paths = create_app().rest.openapi_schema.to_schema()["paths"]
    calls = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    patterns = {call: re.compile(re.sub(r"\{\w+\}", "[^/]+", call)) for call in calls}
    for call, pattern in patterns.items():
        assert any(pattern.fullmatch(name) for name in named), call
    for name in named:
        assert any(pattern.fullmatch(name) for pattern in patterns.values()), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_written_so_that_they_can_be_copied(page: Path) -> None:
    """A reader is in a clone, with nothing on the path, and no package index has canasta."""
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"(?:`|^)canasta (?:[a-z]+|--[a-z-]+)\b.*", text, re.MULTILINE) == []
    assert re.findall(r"pip install '?canasta.*", text) == []
