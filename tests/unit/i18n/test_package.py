"""The doctests of the words package."""

import doctest
import importlib
import pkgutil

import pytest

import canasta.i18n

MODULES = [f"canasta.i18n.{module.name}" for module in pkgutil.iter_modules(canasta.i18n.__path__)]


@pytest.mark.parametrize("name", ["canasta.i18n", *MODULES])
def test_doctests(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
