"""Makes `.venv`, keeps it in step with the source, and starts canasta in it. Standard library only.

What is installed is written down part by part in `.venv/installed.json`: a part is struck out before it is
touched and entered once it is complete, so that an interrupted set-up is taken up where it stopped.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

RUN_LOCKS = ("requirements/runtime.txt", "requirements/build.txt")
DEV_LOCKS = ("requirements/dev.txt",)
BOOTSTRAP_LOCK = "requirements/bootstrap.txt"

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
    return headers.exists() and any(map(shutil.which, ("cc", "gcc", "clang")))


class House:
    """The folder of the project with its `.venv`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.python = self.venv / "bin" / "python"
        self.stamp = self.venv / "installed.json"
        self.log = self.venv / "install.log"
        self.build = self.venv / "build"

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

    def wanted(self, *, dev: bool) -> dict[str, str]:
        """Every part of a complete installation with its fingerprint, in the order of installing."""
        recipe = [self.root / name for name in ("pyproject.toml", "setup.py", "LICENSE", RUN_LOCKS[1])]
        locks = [self.root / name for name in (BOOTSTRAP_LOCK, *RUN_LOCKS)]
        dev_locks = [self.root / name for name in DEV_LOCKS]
        return {
            # Where the interpreter that .venv was made with went away or became another one, all is void.
            "python": os.path.realpath(self.python) if self.python.exists() else "",
            "packages": self.fingerprint(locks),
            **({"tools": self.fingerprint(dev_locks)} if dev else {}),
            "recipe": self.fingerprint(recipe, will_compile()),
            "source": self.fingerprint(self.sources()),
        }

    # What is installed

    def installed(self) -> dict[str, str]:
        try:
            parts = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return {}
        return parts if isinstance(parts, dict) else {}

    def is_complete(self, wanted: dict[str, str]) -> bool:
        return wanted["python"] != "" and wanted.items() <= self.installed().items()

    def enter(self, **parts: str) -> None:
        self._write({**self.installed(), **parts})

    def strike_out(self, *names: str) -> None:
        self._write({name: value for name, value in self.installed().items() if name not in names})

    def _write(self, parts: dict[str, str]) -> None:
        fresh = self.stamp.with_suffix(".new")
        fresh.write_text(json.dumps(parts, indent=1))
        fresh.replace(self.stamp)

    # Installing

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds off a second launcher. The lock is on the launcher itself, which is always there."""
        with (self.root / "canasta").open("rb") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("waiting for another start of canasta that is setting things up")
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield

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

    def set_up(self, *, dev: bool) -> None:
        if self.is_complete(self.wanted(dev=dev)):
            return
        with self.alone():
            wanted = self.wanted(dev=dev)
            if self.is_complete(wanted):
                return
            begun = time.monotonic()
            if wanted["python"] == "" or self.installed().get("python") != wanted["python"]:
                self.make_venv()
            installed = self.installed()
            self.log.write_text("")
            if installed.get("packages") != wanted["packages"]:
                self.fetch_uv()
                self.install_locks("packages", RUN_LOCKS, wanted["packages"])
            if dev and installed.get("tools") != wanted["tools"]:
                self.install_locks("tools", DEV_LOCKS, wanted["tools"])
            if any(installed.get(part) != wanted[part] for part in ("recipe", "source")):
                self.install_project(wanted)
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
        self.enter(python=os.path.realpath(self.python))

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
        if (self.venv / "bin" / "uv").exists():
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
        texts = [(self.root / name).read_text() for name in locks]
        say(f"installing {sum(text.count('==') for text in texts)} {part}")
        self.strike_out(part)
        if not self.install(["--require-hashes", *(word for name in locks for word in ("-r", name))]):
            raise Trouble(
                "the packages could not be installed: is this machine online? "
                f"What the installer said is in {self.log}."
            )
        self.enter(**{part: fingerprint})

    def install_project(self, wanted: dict[str, str]) -> None:
        say("building canasta" + will_compile() * " (compiling it takes up to a minute)")
        if self.installed().get("recipe") != wanted["recipe"]:
            shutil.rmtree(self.build, ignore_errors=True)
        self.strike_out("recipe", "source")
        wheels = self.build / "wheel"
        shutil.rmtree(wheels, ignore_errors=True)
        wheels.mkdir(parents=True)
        output = self.run([self.python, "-P", "-c", BUILD_WHEEL, wheels], CANASTA_BUILD=str(self.build))
        built = [str(path) for path in wheels.glob("*.whl")]
        if output is None or not built:
            raise Trouble(f"canasta could not be built; what was said is in {self.log}.")
        for line in output.splitlines():
            if line.startswith("canasta: "):
                print(line, file=sys.stderr, flush=True)
        if not self.install(["--no-deps", "--no-index", "--force-reinstall", *built]):
            raise Trouble(f"canasta could not be installed; what was said is in {self.log}.")
        self.enter(recipe=wanted["recipe"], source=wanted["source"])


def main(arguments: list[str]) -> int:
    house = House(Path(__file__).resolve().parent.parent)
    testing = arguments[:1] == ["test"]
    try:
        house.set_up(dev=testing)
    except Trouble as trouble:
        say(str(trouble))
        return 1
    except OSError as error:
        say(f"set-up stopped: {error}.")
        return 1
    except KeyboardInterrupt:
        say("set-up interrupted; the next start takes it up again.")
        return 130
    # -P: whatever lies in the current folder, canasta and its packages come from .venv.
    start = [str(house.python), "-P"]
    if testing:
        start += [str(house.root / "scripts" / "check.py"), *arguments[1:]]
    else:
        start += ["-m", "canasta", *arguments]
    return os.execv(start[0], start)
