"""What Linux and macOS do in one way and Windows in another, for the launcher. Standard library only."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"
PROGRAM_ENDING = ".exe" if sys.platform == "win32" else ""
"""Of the programs in a virtual environment, and where they are."""


def has_compiler() -> bool:
    names: tuple[str, ...] = ("cc", "gcc", "clang")
    asked = False
    if sys.platform == "win32":
        # Microsoft's compiler is seldom on the path; its installer has a fixed place, and setuptools asks it.
        programs = os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)")
        asked = Path(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe").exists()
        names = ("cl",)
    return asked or any(map(shutil.which, names))


@contextmanager
def lock(folder: Path, *, patient: bool, waiting: str = "") -> Iterator[bool]:
    """Holds off others that lock this folder; one that is not patient is told at once whether it is alone.

    Where it has to wait, `waiting` is printed. The system gives the lock up when its holder ends, in whatever
    way.
    """
    # Windows locks no folders.
    handle = (
        os.open(folder / ".lock", os.O_RDWR | os.O_CREAT)
        if sys.platform == "win32"
        else os.open(folder, os.O_RDONLY)
    )
    try:
        alone = _try_lock(handle)
        if not alone and patient:
            print(waiting, file=sys.stderr, flush=True)
            _wait_for_lock(handle)
            alone = True
        yield alone
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if isinstance(error, BlockingIOError | PermissionError):
            return False
        raise
    return True


def _wait_for_lock(handle: int) -> None:
    if sys.platform == "win32":
        while not _try_lock(handle):  # its own way of waiting gives up after ten seconds
            time.sleep(0.5)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX)


def keep(build: Path) -> int:
    """From now on `remove_unused` leaves this folder alone, until this process, whatever program it becomes,
    and those that it starts have ended."""
    if sys.platform == "win32":
        # A folder in which a file is open cannot be renamed there.
        handle = os.open(build / "canasta" / "__init__.py", os.O_RDONLY)
    else:
        handle = os.open(build, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_SH)
    os.set_inheritable(handle, True)
    return handle


def remove_unused(build: Path) -> None:
    """Removes a folder that nobody keeps; OSError where it is in use."""
    if sys.platform == "win32":
        going = build.with_name(f"{build.name}.going")
        build.rename(going)
        shutil.rmtree(going, ignore_errors=True)
    else:
        with lock(build, patient=False) as is_unused:
            if is_unused:
                shutil.rmtree(build)


def start_in_background(command: list[str], folder: Path) -> None:
    """A program that neither closing the terminal nor Ctrl+C ends."""
    nothing = subprocess.DEVNULL
    if sys.platform == "win32":
        apart = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        subprocess.Popen(
            command, cwd=folder, creationflags=apart, stdin=nothing, stdout=nothing, stderr=nothing
        )
    else:
        subprocess.Popen(
            command, cwd=folder, start_new_session=True, stdin=nothing, stdout=nothing, stderr=nothing
        )


def stand_back() -> None:
    """Let every other program go first; Windows has no such call without a further library."""
    if sys.platform != "win32":
        os.nice(19)


if sys.platform == "win32":

    def become(start: list[str], *, hold_back: bool) -> int:
        """As below; there a program cannot become another one: it waits for it, and leaves Ctrl+C to it."""
        signal.signal(signal.SIGINT, signal.SIG_IGN if hold_back else signal.SIG_DFL)
        return subprocess.run(start, check=False).returncode

else:

    def become(start: list[str], *, hold_back: bool) -> int:
        """Becomes another program. Ctrl+C is held back until it can answer, which canasta does at once."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT] if hold_back else [])
        try:
            return os.execv(start[0], start)
        finally:  # it could not be started
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
