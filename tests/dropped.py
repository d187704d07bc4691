"""A preset that somebody has just dropped into the folder, or installed with a package of their own."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree

import pytest

from canasta.rules import preset_files

OWLS = """title = "Owls"
summary = "Nine cards, and two points a joker."
base = "jaques"

[deck]
joker_value = 2

[deal]
hand_size = 9

[opening]
minimums = [15, 20, 25]

[languages.de]
title = "Eulen"
summary = "Neun Karten, und der Joker zählt zwei."
"""
"""As `docs/adding-a-preset.md` tells it: this file and nothing else."""


def forget_presets() -> None:
    """As a new process would begin."""
    for known in (preset_files.preset_names, preset_files.preset):
        known.cache_clear()
    preset_files.own_files.cache_clear()
    preset_files.foreign_files.cache_clear()


@contextmanager
def dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file `owls.toml` lies beside the presets of the package."""
    presets = folder / "presets"
    copytree(preset_files.preset_folder(), presets)
    (presets / "owls.toml").write_text(OWLS, encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(preset_files, "preset_folder", lambda: presets)
        forget_presets()
        yield
    forget_presets()


@contextmanager
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> Iterator[None]:
    """A package with these preset files, which an entry point names."""
    package = folder / "owl_rules"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for name, text in files.items():
        (package / f"{name}.toml").write_text(text, encoding="utf-8")
    about = folder / "owl_rules-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: owl-rules\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[canasta.presets]\nowls = owl_rules\n")
    with monkeypatch.context() as patched:
        patched.syspath_prepend(folder)
        forget_presets()
        yield
    sys.modules.pop("owl_rules", None)
    forget_presets()
