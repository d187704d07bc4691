"""Check the browser table: types, unit tests, and whether the committed assets match its source.

The build goes into a temporary folder, so that the check changes nothing.
"""

import filecmp
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from check import ROOT, SKIPPED

WEB = ROOT / "web"
STATIC = ROOT / "src" / "canasta" / "server" / "static"
NAMED_AT_MOST = 5


def npm(*words: str) -> bool:
    # CI keeps npm from drawing progress bars, and the test runner from waiting for edits.
    environment = {**os.environ, "CI": "true", "NO_COLOR": "1"}
    print(f"$ npm {' '.join(words)}", flush=True)
    return subprocess.run(["npm", *words], cwd=WEB, env=environment, check=False).returncode == 0


def install() -> bool:
    """Install the locked packages, unless the lock is unchanged since the last time."""
    stamp = WEB / "node_modules" / ".lock-installed"
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return True
    if not npm("ci", "--prefer-offline", "--no-audit", "--no-fund"):
        return False
    stamp.write_text(wanted)
    return True


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def differences(built: Path, committed: Path) -> list[str]:
    """Return the names of files that differ between the folders."""
    names = files(built) | files(committed)
    return sorted(
        name
        for name in names
        if not ((built / name).is_file() and (committed / name).is_file())
        or not filecmp.cmp(built / name, committed / name, shallow=False)
    )


def main() -> int:
    if not (WEB / "package-lock.json").exists():
        print("there is no browser table in web/ yet")
        return SKIPPED
    if not install():
        print("The packages of web/ could not be installed: is this machine online, and the lock complete?")
        return 1
    if not npm("run", "check") or not npm("test"):
        return 1
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "static")
        if not npm("run", "build", "--", "--outDir", str(built), "--emptyOutDir"):
            return 1
        different = differences(built, STATIC)
    if not different:
        return 0
    named = ", ".join(different[:NAMED_AT_MOST]) + (len(different) > NAMED_AT_MOST) * ", …"
    print(
        f"{STATIC.relative_to(ROOT)} is not what web/ builds (different: {named}): "
        "run `npm run build` in web/ and commit what it wrote."
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
