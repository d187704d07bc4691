"""Makes `.venv`, keeps it in step with the source, and starts canasta in it. Standard library only.

What is installed is written down part by part in `.venv/installed.json`: a part is struck out before it is
touched and entered once it is complete, so that an interrupted set-up is taken up where it stopped.

Each build of canasta lies in a folder of its own and is never changed: a file in site-packages names the one
to run. So a table that is open keeps its build while the next one is made. The commands that open a table do
not wait for the compiler: they run as plain Python once, and this file, started on its own in the background,
compiles for the next start.
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
"""Commands that had rather be fast than start at once."""

TEST_HELP = """Usage: canasta test [OPTIONS] [PATHS]

  Run every check of the project: format, lint, types, layers, the browser
  table, the documentation, and the tests, compiled and interpreted.

Options:
  --long       Run the long tests too; takes hours.
  --install    As root on Debian: install chromium, PostgreSQL and Redis, which
               some tests need and are skipped without.
  Everything else is handed to pytest: -k WORDS, -x, paths of tests.

  Example:
    canasta test -k pile"""

COMPILED, PLAIN = "compiled", "plain"

# Locks are on folders, which stay the same whatever becomes of .venv and whatever git writes anew. Whoever
# takes both begins with the first one, or two launchers could wait for each other.
BUILDING = "scripts"
INSTALLING = "."

BUILD_WHEEL = "import setuptools.build_meta as b, sys; b.build_wheel(sys.argv[1])"


class Trouble(Exception):
    """Set-up cannot go on; the message is one sentence that says what to do."""


def say(text: str) -> None:
    # Not standard output: that belongs to the command that follows.
    print(f"canasta: {text}", file=sys.stderr, flush=True)


def will_compile() -> bool:
    """As `setup.py` decides it: a C compiler and Python's header files are there, and wanted."""
    if os.environ.get("CANASTA_PURE", "") not in ("", "0"):
        return False
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return headers.exists() and system.has_compiler()


class House:
    """The folder of the project with its `.venv`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.python = self.venv / system.PROGRAMS / f"python{system.PROGRAM_ENDING}"
        self.stamp = self.venv / "installed.json"
        self.log = self.venv / "install.log"
        self.builds = self.venv / "canasta"
        self.at_work = False
        """Something is being installed."""

    # What should be installed

    def fingerprint(self, paths: Iterable[Path], *facts: object) -> str:
        """A digest of the names and contents of files, and of whatever else matters."""
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
        """Every part of a complete installation with its fingerprint, in the order of installing."""
        locks = [self.root / name for name in (BOOTSTRAP_LOCK, *RUN_LOCKS)]
        dev_locks = [self.root / name for name in DEV_LOCKS]
        return {
            # Where the interpreter that .venv was made with went away or became another one, all is void.
            "interpreter": os.path.realpath(self.python) if self.python.exists() else "",
            "packages": self.fingerprint(locks),
            **({"tools": self.fingerprint(dev_locks)} if dev else {}),
            "build": f"{self.fingerprint([*self.recipe(), *self.sources()])[:20]}-{kind}",
        }

    # What is installed

    def installed(self) -> dict[str, str]:
        try:
            parts = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return {}
        return parts if isinstance(parts, dict) else {}

    def has_packages(self, wanted: dict[str, str]) -> bool:
        """All but canasta itself is there."""
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
        """Holds off other launchers; an impatient one is told at once whether it is alone."""
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
        """The output of a command, None if it failed; all of it goes to the log."""
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
        """Everything that a command needs; one that starts at once is content with plain Python for now."""
        best = COMPILED if will_compile() else PLAIN
        wanted = self.wanted(dev=dev, kind=best)
        if self.is_complete(wanted):
            return
        if not at_once or best == PLAIN or (self.builds / wanted["build"]).is_dir():
            self.complete(BUILDING, INSTALLING, dev=dev, kind=best)
            return
        now = self.wanted(dev=dev, kind=PLAIN)
        if not self.is_complete(now):
            # A compiler at work in the background needs the packages, and does not mind a second build.
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
        """Pip of this Python, or else pip made in .venv from what Python carries along."""
        outside = [sys.executable, "-m", "pip", "--python", str(self.python)]
        inside = [str(self.python), "-m", "pip"]
        if self.run([*outside, "--version"]) is not None:
            return outside
        if self.run([*inside, "--version"]) is not None:
            return inside
        return inside if self.run([self.python, "-m", "ensurepip"]) is not None else None

    def fetch_uv(self) -> None:
        """Uv installs in a tenth of pip's time; where it cannot be had, pip does the work alone."""
        pip = self.find_pip()
        if pip is not None:
            say("fetching uv")
            lock = ["--only-binary", ":all:", "--require-hashes", "-r", BOOTSTRAP_LOCK]
            self.run([*pip, "install", *lock], PIP_USER="0")

    def installers(self) -> Iterator[list[str]]:
        """Ways to install, the best first. Pip may know of mirrors that uv does not, so it gets a try."""
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
                f"What the installer said is in {self.log}."
            )
        self.enter(**{part: fingerprint})

    def make_build(self, name: str) -> None:
        """A folder with the package as it is now; it gets its name when it is complete."""
        kind = name.rsplit("-", 1)[1]
        # What was compiled before saves time, as long as it is compiled in the same way and came to its end:
        # a build that was cut off may have left half a file.
        kept = self.venv / "build" / f"{kind}-{self.fingerprint(self.recipe())[:20]}"
        wheels = kept / "wheel"
        for folder in kept.parent.glob(f"{kind}-*"):
            if folder != kept or not any(wheels.glob("*.whl")):
                shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(wheels, ignore_errors=True)
        wheels.mkdir(parents=True)
        command = [str(self.python), "-P", "-c", BUILD_WHEEL, str(wheels)]
        output = self.run(command, CANASTA_BUILD=str(kept), CANASTA_PURE="1" if kind == PLAIN else "")
        wheel = next(wheels.glob("*.whl"), None)
        if output is None or wheel is None:
            raise Trouble(f"canasta could not be built; what was said is in {self.log}.")
        for line in output.splitlines():
            if line.startswith("canasta: ") and not (kind == PLAIN and will_compile()):
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
        """From now on Python finds this build; those of another source go, unless they are running."""
        packages = next(self.venv.glob("[lL]ib/**/site-packages"))
        self._write(packages / "canasta.pth", os.path.relpath(self.builds / name, packages) + "\n")
        self.enter(build=name)
        for other in self.builds.iterdir():
            if not other.name.startswith(name.partition("-")[0]):
                with suppress(OSError):
                    system.remove_unused(other)

    def keep_build(self) -> int:
        """The build that is about to run stays until this process, whatever program it becomes, has ended."""
        build = self.builds / self.installed()["build"]
        handle = system.keep(build)
        if not build.exists():  # cleared away by another launcher that had seen a newer source
            raise Trouble("the source was changed while canasta was being started; start it again.")
        return handle

    # Compiling in the background

    def compile_later(self) -> None:
        say("plain Python this time; the compiled build is being made in the background for the next start")
        system.start_in_background(
            [sys.executable, str(self.root / "scripts" / "launch.py")], folder=self.root
        )

    def compile_now(self) -> None:
        """In the background: without a word, and whatever goes wrong leaves the plain build in its place."""
        with self.alone(BUILDING, patient=False) as is_alone:
            wanted = self.wanted(dev=False, kind=COMPILED)
            if not is_alone or not self.has_packages(wanted) or self.is_complete(wanted):
                return
            self.log = self.venv / "compile.log"
            self.log.write_text("")
            self.make_build(wanted["build"])
            with self.alone(INSTALLING):
                # Meanwhile the source may have changed, and a start may have installed what it is now.
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
    # -P: whatever lies in the current folder, canasta and its packages come from .venv.
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
