"""Operations that differ between Windows and other systems, for the launcher.

Uses only the standard library.
"""

import os
import shlex
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
"""The location and extension of programs in a virtual environment."""


def has_compiler() -> bool:
    """Return whether a C compiler can be started: the one that `$CC` names, or else a usual one."""
    names: tuple[str, ...] = ("cc", "gcc", "clang")
    if command := compiler_command():
        return shutil.which(command[0]) is not None
    asked = False
    if sys.platform == "win32":
        # Microsoft's compiler is rarely on the path; setuptools asks its installer, which has a fixed
        # location.
        programs = os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)")
        asked = Path(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe").exists()
        names = ("cl",)
    return asked or any(map(shutil.which, names))


def compiler_command() -> list[str]:
    """Return the words of `$CC`; empty if it is not set or cannot be read as a command."""
    try:
        return shlex.split(os.environ.get("CC", ""))
    except ValueError:
        return []


@contextmanager
def lock(folder: Path, *, patient: bool, waiting: str = "") -> Iterator[bool]:
    """Lock a folder against other processes. Yield whether the lock was obtained.

    If `patient`, wait for it, after printing `waiting`; otherwise give up at once. The system releases the
    lock when its holder ends for any reason.
    """
    # Windows cannot lock folders.
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
        while not _try_lock(handle):  # its own waiting gives up after ten seconds
            time.sleep(0.5)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX)


def keep(build: Path) -> int:
    """Protect a folder from `remove_unused` until this process and its children have ended.

    The protection survives `exec`.
    """
    if sys.platform == "win32":
        # On Windows a folder that contains an open file cannot be renamed.
        handle = os.open(build / "canasta" / "__init__.py", os.O_RDONLY)
    else:
        handle = os.open(build, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_SH)
    os.set_inheritable(handle, True)
    return handle


def remove_unused(build: Path) -> None:
    """Remove a folder that nobody keeps. Raise `OSError` if it is in use."""
    if sys.platform == "win32":
        going = build.with_name(f"{build.name}.going")
        build.rename(going)
        shutil.rmtree(going, ignore_errors=True)
    else:
        with lock(build, patient=False) as is_unused:
            if is_unused:
                shutil.rmtree(build)


def start_in_background(command: list[str], folder: Path) -> None:
    """Start a program that survives both Ctrl+C and closing the terminal."""
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
    """Lower the priority of this process. On Windows that would need another library."""
    if sys.platform != "win32":
        os.nice(19)


if sys.platform == "win32":

    def become(start: list[str], *, hold_back: bool) -> int:
        """Run another program and wait for it, leaving Ctrl+C to it. Windows has no `exec`."""
        signal.signal(signal.SIGINT, signal.SIG_IGN if hold_back else signal.SIG_DFL)
        return subprocess.run(start, check=False).returncode

else:

    def become(start: list[str], *, hold_back: bool) -> int:
        """Become another program. Ctrl+C is blocked until it can respond, which canasta does at once."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT] if hold_back else [])
        try:
            return os.execv(start[0], start)
        finally:  # the program could not be started
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
