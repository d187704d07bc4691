"""Settings shared by all tests: the long mode, seeded hypothesis, and the report of which build is tested."""

import importlib.util
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Derandomised: every machine runs the same examples, so a failure can be repeated.
settings.register_profile("short", derandomize=True, deadline=None, max_examples=50)
settings.register_profile(
    "long",
    derandomize=True,
    deadline=None,
    max_examples=2000,
    suppress_health_check=[HealthCheck.too_slow],
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run the long tests too, and more examples of the others"
    )


def pytest_configure(config: pytest.Config) -> None:
    # A shell that starts the tests in the background ignores Ctrl+C, and every program started by the tests
    # would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # One BLAS thread per process, as the program itself sets: with more, test processes wait for one another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ["LC_ALL"] = "C.UTF-8"  # commands use the language of the locale, and tests expect English
    settings.load_profile("long" if config.getoption("--long") else "short")


@pytest.fixture(scope="session", autouse=True)
def _no_games_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Programs under test save their games in a temporary folder, not in the user's."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The second run has few tests and skips files that contain none of them."""
    if config.option.markexpr != "interpreted" or not collection_path.match("test_*.py"):
        return None
    return "mark.interpreted" not in collection_path.read_text(encoding="utf-8") or None


def pytest_report_header() -> str:
    package = importlib.util.find_spec("canasta")
    engine = importlib.util.find_spec("canasta.engine.cards")
    if package is None or engine is None or engine.origin is None:
        return "canasta: not installed"
    return f"canasta: {package.origin}, {'plain Python' if engine.origin.endswith('.py') else 'compiled'}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="long: ./canasta test --long runs it"))
