"""The package as a whole: quick to import, complete on disk, with true doctests."""

import doctest
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import canasta.rules
from canasta.rules import preset_names

MODULES = (
    "clauses",
    "defects",
    "field_types",
    "games",
    "loader",
    "preset_files",
    "rules_file",
    "sheet.sections",
    "validation",
)


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"canasta.rules.{name}")).failed == 0


def test_every_preset_has_a_file_and_every_file_a_preset() -> None:
    folder = Path(canasta.rules.__file__).with_name("presets")
    assert sorted(path.stem for path in folder.glob("*.toml")) == sorted(preset_names())


def test_importing_reads_no_preset_and_nothing_heavy() -> None:
    # imports are what takes time, and timing them would fail on a busy machine
    program = "import sys, canasta.rules; print(' '.join(sorted(sys.modules)))"
    source = str(Path(canasta.rules.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "canasta.rules.loader" in loaded
    slow = {"tomllib", "difflib", "pathlib", "importlib.resources"}
    assert not loaded & (slow | {"canasta.rules.clauses", "canasta.rules.sheet"})
