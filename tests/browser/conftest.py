"""Fixtures that start a real server and a real Chromium with players who read and click the page."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from services import free_port

TESTS: Final = Path(__file__).resolve().parents[1]
CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS: Final = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
DESKTOP: Final = (1280, 800)
PHONE: Final = (360, 740)
PATIENCE: Final = 120_000
"""Timeout in milliseconds; generous, because a busy machine must not fail a test."""
SLOW_HANDS: Final = """(() => {
  const usual = window.setTimeout;
  const waits = { 450: "a long press", 8000: "a message that disappears" };
  window.setTimeout = (what, after, ...more) =>
    usual(what, after in waits && !window.quickTimers ? 3600000 : after, ...more);
})();"""
"""Lets no click become a long press and no message disappear because the machine is busy.

`quickTimers` restores the page's own timers.
"""


class Server:
    """A server process with its own database. It can be killed and restarted on the same port."""

    def __init__(self, folder: Path, *, program: str = "table_server", arguments: Sequence[str] = ()) -> None:
        """`program` is a module of this package, which gets the port, the folder and `arguments`."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [
            *(sys.executable, "-P", "-m", f"browser.{program}", str(self.port), str(folder)),
            *arguments,
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH", ""), str(TESTS))))
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path}
        )
        for _ in range(4_000):
            assert self._process.poll() is None, "the server has stopped"
            try:
                with urlopen(f"{self.url}/api/health", timeout=300) as answer:  # noqa: S310 - our own server
                    assert answer.status == 200
            except (URLError, ConnectionError):
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=300)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server shared by all tests that don't kill it."""
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start Chromium for one module only.

    Playwright keeps an event loop running, and no other test in this process could run its own in the
    meantime.
    """
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


NewPage = Callable[..., Page]


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Yield `new_page()`, which opens a page in a fresh browser context with its own cookies.

    The page has no service worker, which would download everything for offline use; tests of that worker ask
    for it (`service_workers="allow"`). At teardown, no page may have raised an error or broken the content
    security policy.
    """
    contexts: list[BrowserContext] = []
    mistakes: list[str] = []

    def open_page(
        size: tuple[int, int] = DESKTOP,
        *,
        service_workers: Literal["allow", "block"] = "block",
        **settings: object,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
            has_touch=size == PHONE,
            service_workers=service_workers,
            **settings,  # type: ignore[arg-type]
        )
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(SLOW_HANDS)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: mistakes.append(str(error)))
        page.on(
            "console",
            lambda message: (
                mistakes.append(message.text)
                if message.type == "error" and "Content Security Policy" in message.text
                else None
            ),
        )
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert mistakes == []
