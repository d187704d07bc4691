"""A preset that was just copied into the presets folder, or installed with another package."""

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
"""The preset of `docs/adding-a-preset.md`: this file and nothing else."""


def forget_presets() -> None:
    """Clear the caches of presets, as if a new process had started."""
    for known in (preset_files.preset_names, preset_files.preset):
        known.cache_clear()
    preset_files.own_files.cache_clear()
    preset_files.foreign_files.cache_clear()


@contextmanager
def preset_in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """While this runs, `owls.toml` is in the folder of the package's presets."""
    presets = folder / "presets"
    copytree(preset_files.preset_folder(), presets)
    (presets / "owls.toml").write_text(OWLS, encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(preset_files, "preset_folder", lambda: presets)
        forget_presets()
        yield
    forget_presets()


@contextmanager
def preset_package(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> Iterator[None]:
    """While this runs, an entry point names a package with these preset files."""
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
