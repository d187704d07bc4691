"""The examples in the words package."""

import doctest
import importlib
import pkgutil

import pytest

import canasta.words

MODULES = [f"canasta.words.{module.name}" for module in pkgutil.iter_modules(canasta.words.__path__)]


@pytest.mark.parametrize("name", ["canasta.words", "canasta.english", *MODULES])
def test_doctests(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
