"""Create `.venv`, keep it up to date with the source, and start canasta in it. Standard library only.

The installed parts are recorded in `.venv/installed.json`. A part is removed from it before being changed and
added when it is complete, so that an interrupted set-up resumes where it stopped.

Each build of canasta has its own folder and never changes; a file in site-packages names the build to run. So
an open table keeps its build while the next one is made. Commands that open a table don't wait for the
compiler: they run as plain Python once, while this file, run as a background process, compiles for the next
start.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import system

RUN_LOCKS = ("requirements/runtime.txt", "requirements/build.txt")
DEV_LOCKS = ("requirements/dev.txt",)
BOOTSTRAP_LOCK = "requirements/bootstrap.txt"

NEEDS_SPEED = ("test", "arena", "stats", "bench", "review")
"""Commands that wait for the compiled build rather than start at once."""

TEST_HELP = """Usage: canasta test [OPTIONS] [PATHS]

  Run every check of the project: format, lint, types, layers, the browser
  table, the documentation, and the tests, compiled and interpreted.

Options:
  --long       Run the long tests too; takes hours.
  --install    As root on Debian: install Chromium, PostgreSQL and Redis; some
               tests are skipped without them.
  All other arguments are passed to pytest, such as -k WORDS, -x or test files.

  Example:
    canasta test -k pile"""

COMPILED, PLAIN = "compiled", "plain"

# The locked folders always exist, even if .venv is deleted or git rewrites files. A launcher that needs both
# locks takes `BUILDING` first: otherwise two launchers could deadlock.
BUILDING = "scripts"
INSTALLING = "."

BUILD_WHEEL = "import setuptools.build_meta as b, sys; b.build_wheel(sys.argv[1])"


class Trouble(Exception):
    """Set-up can't continue; the message says what to do."""


class CompileError(Trouble):
    """Compiling failed and left a plain Python build; the message is the reason."""


def say(text: str) -> None:
    # Standard output belongs to the command that is started.
    print(f"canasta: {text}", file=sys.stderr, flush=True)


def will_compile() -> bool:
    """Return whether `setup.py` will compile: that needs a C compiler and Python's header files."""
    if os.environ.get("CANASTA_PURE", "") not in ("", "0"):
        return False
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return headers.exists() and system.has_compiler()


def must_compile() -> bool:
    """Return whether the user wants set-up to fail rather than run the slow engine."""
    return os.environ.get("CANASTA_COMPILED") == "require"


class House:
    """The project's folder with its `.venv`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.python = self.venv / system.PROGRAMS / f"python{system.PROGRAM_ENDING}"
        self.stamp = self.venv / "installed.json"
        self.log = self.venv / "install.log"
        self.builds = self.venv / "canasta"
        self.compile_failure = self.venv / "compile-failed.json"
        """The build that could not be compiled, and the reason."""
        self.at_work = False
        """Whether something is being installed."""

    # Desired state

    def fingerprint(self, paths: Iterable[Path], *facts: object) -> str:
        """Return a digest of the names and contents of files, and of other facts."""
        digest = hashlib.sha256(repr(facts).encode())
        for path in sorted(paths):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(self.root)} {len(content)}\n".encode())
            digest.update(content)
        return digest.hexdigest()

    def sources(self) -> Iterator[Path]:
        for folder, folders, files in os.walk(self.root / "src" / "canasta"):
            folders[:] = [name for name in folders if name != "__pycache__"]
            yield from (Path(folder, name) for name in files)

    def recipe(self) -> list[Path]:
        return [self.root / name for name in ("pyproject.toml", "setup.py", "LICENSE", RUN_LOCKS[1])]

    def wanted(self, *, dev: bool, kind: str) -> dict[str, str]:
        """Return every part of a complete installation with its fingerprint, in order of installation."""
        locks = [self.root / name for name in (BOOTSTRAP_LOCK, *RUN_LOCKS)]
        dev_locks = [self.root / name for name in DEV_LOCKS]
        return {
            # If the interpreter that created .venv is gone or has changed, everything must be reinstalled.
            "interpreter": os.path.realpath(self.python) if self.python.exists() else "",
            "packages": self.fingerprint(locks),
            **({"tools": self.fingerprint(dev_locks)} if dev else {}),
            "build": f"{self.fingerprint([*self.recipe(), *self.sources()])[:20]}-{kind}",
        }

    # Installed state

    def installed(self) -> dict[str, str]:
        try:
            parts = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return {}
        return parts if isinstance(parts, dict) else {}

    def has_packages(self, wanted: dict[str, str]) -> bool:
        """Return whether everything except canasta itself is installed."""
        parts = {part: value for part, value in wanted.items() if part != "build"}
        return wanted["interpreter"] != "" and parts.items() <= self.installed().items()

    def is_complete(self, wanted: dict[str, str]) -> bool:
        build = wanted["build"]
        return (
            self.has_packages(wanted)
            and self.installed().get("build") == build
            and (self.builds / build).is_dir()
        )

    def enter(self, **parts: str) -> None:
        self._write(self.stamp, json.dumps({**self.installed(), **parts}, indent=1))

    def strike_out(self, name: str) -> None:
        left = {part: value for part, value in self.installed().items() if part != name}
        self._write(self.stamp, json.dumps(left, indent=1))

    def _write(self, path: Path, text: str) -> None:
        fresh = path.with_suffix(".new")
        fresh.write_text(text)
        fresh.replace(path)

    # Installing

    @contextmanager
    def alone(self, *locks: str, patient: bool = True) -> Iterator[bool]:
        """Lock out other launchers and yield whether that succeeded; wait for them if `patient`."""
        with ExitStack() as stack:
            for name in locks:
                lock = system.lock(
                    self.root / name,
                    patient=patient,
                    waiting="canasta: waiting for another start of canasta that is setting things up",
                )
                if not stack.enter_context(lock):
                    yield False
                    return
            yield True

    def run(self, command: Sequence[str | Path], **settings: str) -> str | None:
        """Run a command, log it, and return its output, or None if it failed."""
        environment = {**os.environ, **settings}
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.root,
            env=environment,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        with self.log.open("a") as log:
            log.write(f"$ {' '.join(map(str, command))}\n{done.stdout}[{done.returncode}]\n")
        return done.stdout if done.returncode == 0 else None

    def set_up(self, *, dev: bool = False, at_once: bool = False) -> None:
        """Install everything that a command needs. With `at_once`, plain Python is enough for now."""
        best = COMPILED if will_compile() else PLAIN
        if must_compile():
            if best == PLAIN:
                raise Trouble(
                    "CANASTA_COMPILED=require is set, but the engine can't be compiled here: that needs a "
                    "C compiler and Python's header files, and CANASTA_PURE must not be set."
                )
            at_once = False
        elif best == COMPILED and (reason := self.why_not_compiled()):
            self.say_slow(reason)
            best = PLAIN
        wanted = self.wanted(dev=dev, kind=best)
        if self.is_complete(wanted):
            return
        if not at_once or best == PLAIN or (self.builds / wanted["build"]).is_dir():
            self.complete(BUILDING, INSTALLING, dev=dev, kind=best)
            return
        now = self.wanted(dev=dev, kind=PLAIN)
        if not self.is_complete(now):
            # A background compiler needs the packages, but a second build doesn't disturb it.
            locks = (INSTALLING,) if self.has_packages(now) else (BUILDING, INSTALLING)
            self.complete(*locks, dev=dev, kind=PLAIN)
        self.compile_later()

    def complete(self, *locks: str, dev: bool, kind: str) -> None:
        with self.alone(*locks):
            wanted = self.wanted(dev=dev, kind=kind)
            if self.is_complete(wanted):
                return
            begun, self.at_work = time.monotonic(), True
            if wanted["interpreter"] == "" or self.installed().get("interpreter") != wanted["interpreter"]:
                self.make_venv()
            installed = self.installed()
            self.log.write_text("")
            if installed.get("packages") != wanted["packages"]:
                self.fetch_uv()
                self.install_locks("packages", RUN_LOCKS, wanted["packages"])
            if dev and installed.get("tools") != wanted["tools"]:
                self.install_locks("tools", DEV_LOCKS, wanted["tools"])
            if not (self.builds / wanted["build"]).is_dir():
                say("building canasta" + (kind == COMPILED) * " (compiling it takes up to a minute)")
                try:
                    self.make_build(wanted["build"])
                except CompileError as error:
                    if must_compile():
                        raise
                    self.say_slow(str(error))
                    wanted = self.wanted(dev=dev, kind=PLAIN)
                    if not (self.builds / wanted["build"]).is_dir():
                        self.make_build(wanted["build"])
            self.choose_build(wanted["build"])
            say(f"ready after {time.monotonic() - begun:.0f} s")

    def make_venv(self) -> None:
        say(f"making .venv with Python {sys.version.split()[0]}")
        self.stamp.unlink(missing_ok=True)
        command = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(self.venv)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0 or not self.python.exists():
            reason = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
            raise Trouble(
                f"this Python cannot make a virtual environment ({reason}); on Debian and Ubuntu "
                "`apt install python3-venv` adds what is missing."
            )
        self.enter(interpreter=os.path.realpath(self.python))

    def find_pip(self) -> list[str] | None:
        """Return the command for this Python's pip, or else for one installed in .venv with `ensurepip`."""
        outside = [sys.executable, "-m", "pip", "--python", str(self.python)]
        inside = [str(self.python), "-m", "pip"]
        if self.run([*outside, "--version"]) is not None:
            return outside
        if self.run([*inside, "--version"]) is not None:
            return inside
        return inside if self.run([self.python, "-m", "ensurepip"]) is not None else None

    def fetch_uv(self) -> None:
        """Install uv, which is ten times faster than pip. If that fails, pip does the work."""
        pip = self.find_pip()
        if pip is not None:
            say("fetching uv")
            lock = ["--only-binary", ":all:", "--require-hashes", "-r", BOOTSTRAP_LOCK]
            self.run([*pip, "install", *lock], PIP_USER="0")

    def installers(self) -> Iterator[list[str]]:
        """Yield the installers to try, best first. Pip may know of mirrors that uv doesn't."""
        if (self.venv / system.PROGRAMS / f"uv{system.PROGRAM_ENDING}").exists():
            yield [str(self.python), "-m", "uv", "pip", "install", "--python", str(self.python)]
        pip = self.find_pip()
        if pip is not None:
            yield [*pip, "install"]
        elif found := shutil.which("uv"):
            yield [found, "pip", "install", "--python", str(self.python)]
        else:
            raise Trouble(
                "Python's installer pip is missing; on Debian and Ubuntu `apt install python3-pip` adds it, "
                "elsewhere `python3 -m ensurepip` may."
            )

    def install(self, what: Sequence[str]) -> bool:
        return any(
            self.run([*installer, *what], UV_SYSTEM_CERTS="1", PIP_USER="0") is not None
            for installer in self.installers()
        )

    def install_locks(self, part: str, locks: Sequence[str], fingerprint: str) -> None:
        lines = [line for name in locks for line in (self.root / name).read_text().splitlines()]
        say(f"installing {sum(line[:1].isalnum() for line in lines)} {part}")
        self.strike_out(part)
        if not self.install(["--require-hashes", *(word for name in locks for word in ("-r", name))]):
            raise Trouble(
                "the packages could not be installed: is this machine online? "
                f"The installer's output is in {self.log}."
            )
        self.enter(**{part: fingerprint})

    def make_build(self, name: str) -> None:
        """Build the current package in a folder, which gets its final name when it is complete."""
        kind = name.rsplit("-", 1)[1]
        # Reuse earlier compiler output if it came from the same recipe and that build finished: an
        # interrupted build may have left half a file.
        kept = self.venv / "build" / f"{kind}-{self.fingerprint(self.recipe())[:20]}"
        wheels = kept / "wheel"
        for folder in kept.parent.glob(f"{kind}-*"):
            if folder != kept or not any(wheels.glob("*.whl")):
                shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(wheels, ignore_errors=True)
        wheels.mkdir(parents=True)
        command = [str(self.python), "-P", "-c", BUILD_WHEEL, str(wheels)]
        # This script decides whether a plain build is acceptable, not setup.py.
        settings = {"CANASTA_PURE": "1" if kind == PLAIN else "", "CANASTA_COMPILED": ""}
        output = self.run(command, CANASTA_BUILD=str(kept), **settings)
        wheel = next(wheels.glob("*.whl"), None)
        if output is None or wheel is None:
            raise Trouble(f"canasta could not be built; the details are in {self.log}.")
        notes = [line for line in output.splitlines() if line.startswith("canasta: ")]
        if kind == COMPILED and wheel.name.endswith("-none-any.whl"):
            wheel.unlink()  # so that the next attempt starts from nothing
            reason = notes[0].split(": ")[1] if notes else "no reason was given"
            self._write(
                self.compile_failure,
                json.dumps({"build": name, "compiler": self.compiler(), "reason": reason}),
            )
            raise CompileError(reason)
        if kind == COMPILED:
            self.compile_failure.unlink(missing_ok=True)
        for line in notes:
            if not will_compile():
                print(line, file=sys.stderr, flush=True)
        unpacked = kept / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        with zipfile.ZipFile(wheel) as content:
            content.extractall(unpacked)
        if self.wanted(dev=False, kind=kind)["build"] != name:
            raise Trouble("the source was changed while canasta was being built; start it again.")
        self.builds.mkdir(exist_ok=True)
        unpacked.rename(self.builds / name)

    def choose_build(self, name: str) -> None:
        """Make Python import this build, and delete those of other sources unless they are in use."""
        packages = next(self.venv.glob("[lL]ib/**/site-packages"))
        self._write(packages / "canasta.pth", os.path.relpath(self.builds / name, packages) + "\n")
        self.enter(build=name)
        for other in self.builds.iterdir():
            if not other.name.startswith(name.partition("-")[0]):
                with suppress(OSError):
                    system.remove_unused(other)

    def keep_build(self) -> int:
        """Protect the build that is about to run until this process ends, even after `exec`."""
        build = self.builds / self.installed()["build"]
        handle = system.keep(build)
        if not build.exists():  # deleted by another launcher that had seen a newer source
            raise Trouble("the source was changed while canasta was being started; start it again.")
        return handle

    # When compiling fails

    def compiler(self) -> str:
        """Return an identification of the C compiler, so that a different one is tried again."""
        names = system.compiler_command()[:1] or ["cc"]
        path = shutil.which(names[0])
        return f"{os.path.realpath(path)} {Path(path).stat().st_mtime_ns}" if path else names[0]

    def why_not_compiled(self) -> str:
        """Return why compiling this very source with this compiler failed before; empty if it did not."""
        try:
            failure = json.loads(self.compile_failure.read_text())
            same = failure["build"] == self.wanted(dev=False, kind=COMPILED)["build"]
            return str(failure["reason"]) if same and failure["compiler"] == self.compiler() else ""
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def say_slow(self, reason: str) -> None:
        say(
            f"the engine is not compiled ({reason}) and runs 26 to 40 times slower; "
            "CANASTA_COMPILED=require tries again, and .venv/*.log has the details"
        )

    # Compiling in the background

    def compile_later(self) -> None:
        say("plain Python this time; the compiled build is being made in the background for the next start")
        system.start_in_background(
            [sys.executable, str(self.root / "scripts" / "launch.py")], folder=self.root
        )

    def compile_now(self) -> None:
        """Compile silently in the background; on any failure the plain build stays in use."""
        with self.alone(BUILDING, patient=False) as is_alone:
            wanted = self.wanted(dev=False, kind=COMPILED)
            if not is_alone or not self.has_packages(wanted) or self.is_complete(wanted):
                return
            self.log = self.venv / "compile.log"
            self.log.write_text("")
            self.make_build(wanted["build"])
            with self.alone(INSTALLING):
                # The source may have changed in the meantime, and another start may have installed it.
                if self.wanted(dev=False, kind=COMPILED) == wanted:
                    self.choose_build(wanted["build"])


def main(arguments: list[str]) -> int:
    house = House(Path(__file__).resolve().parent.parent)
    testing = arguments[:1] == ["test"]
    if testing and {"--help", "-h"} & set(arguments):
        print(TEST_HELP)
        return 0
    try:
        house.set_up(dev=testing, at_once=not arguments or arguments[0] not in NEEDS_SPEED)
        house.keep_build()
    except Trouble as trouble:
        say(str(trouble))
        return 1
    except OSError as error:
        say(f"set-up stopped: {error}.")
        return 1
    except KeyboardInterrupt:
        if house.at_work:
            say("set-up interrupted; the next start takes it up again.")
        return 130
    # -P: import canasta and its packages from .venv, never from the current folder.
    start = [str(house.python), "-P"]
    if testing:
        start += [str(house.root / "scripts" / "check.py"), *arguments[1:]]
    else:
        start += ["-m", "canasta", *arguments]
    return system.become(start, hold_back=not testing)


if __name__ == "__main__":
    system.stand_back()
    with suppress(Trouble, OSError):
        House(Path(__file__).resolve().parent.parent).compile_now()
