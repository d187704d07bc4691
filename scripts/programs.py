"""Check for the programs that some tests need: a browser, PostgreSQL, Redis.

Tests are skipped without them. `--install` installs them if the user is root on a Debian-like system; any
that cannot be installed simply remain missing.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from check import SKIPPED

PACKAGES = {
    "chromium": "chromium",
    "postgresql": "initdb",
    "redis-server": "redis-server",
}
"""Debian's packages, and the program that identifies each."""

WITH_THE_BROWSER = "fonts-dejavu-core"
"""Without recommended packages Chromium comes without any fonts."""

PATIENCE = 150
"""Limit in seconds, so that a slow mirror does not use up the time for the tests."""


def is_there(program: str) -> bool:
    # Debian keeps PostgreSQL's server programs off the path.
    return shutil.which(program) is not None or any(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))


def missing() -> list[str]:
    return [package for package, program in PACKAGES.items() if not is_there(program)]


def apt_get(*words: str, patience: float | None = None) -> bool:
    # In this run level no service is started: the tests start their own, in their own folders.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    command = ["apt-get", "--quiet", "--yes", "--option=DPkg::Lock::Timeout=60", *words]
    try:
        return subprocess.run(command, env=environment, check=False, timeout=patience).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def install(packages: list[str]) -> None:
    wanted = [*packages, *([WITH_THE_BROWSER] if "chromium" in packages else [])]
    command = ("install", "--no-install-recommends", *wanted)
    # Only downloads may be cut short: half an installation would be worse than none.
    fetch = (*command, "--download-only")
    give_up = time.monotonic() + PATIENCE
    for step in (fetch, ("update",), fetch):
        left = give_up - time.monotonic()
        if left > 0 and apt_get(*step, patience=left) and step is fetch:
            apt_get(*command)
            return


def main(arguments: list[str]) -> int:
    wanted = missing()
    can_install = sys.platform != "win32" and os.geteuid() == 0 and shutil.which("apt-get") is not None
    if wanted and can_install and "--install" in arguments:
        install(wanted)
        wanted = missing()
    if not wanted:
        return 0
    advice = "root can add them on Debian: ./canasta test --install" if "--install" not in arguments else ""
    print("; ".join(filter(None, (f"not installed: {', '.join(wanted)}", advice))))
    return SKIPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
