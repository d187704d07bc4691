"""A fake checkout for tests: its installers are recorded, not run."""

import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

import launch
from launch import COMPILED, PLAIN, House

FILES = (
    *(
        "canasta",
        "LICENSE",
        "pyproject.toml",
        "setup.py",
        "src/canasta/commands/cli.py",
        "src/canasta/rules/base.toml",
    ),
    *(launch.BOOTSTRAP_LOCK, *launch.RUN_LOCKS, *launch.DEV_LOCKS, "scripts/launch.py"),
)


class PretendHouse(House):
    """A small tree with a real .venv, whose installers are recorded, not run."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.done: list[str] = []
        self.breaks_at = ""
        self.compiler_works = True
        for name in FILES:
            self.write(name, f"{name} pinned==1\n")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def make_venv(self) -> None:
        super().make_venv()
        self.done.append("venv")

    def run(self, command: Sequence[str | Path], **settings: str) -> str | None:
        line = " ".join(map(str, command))
        if "--version" in line:
            return "pip 25"
        kind = PLAIN if settings.get("CANASTA_PURE") == "1" else COMPILED
        if "build_wheel" in line:
            made = kind if self.compiler_works else PLAIN
            tags = "cp311-cp311-linux_x86_64" if made == COMPILED else "py3-none-any"
            with zipfile.ZipFile(Path(command[-1], f"canasta-0-{tags}.whl"), "w") as wheel:
                wheel.writestr("canasta/kind.py", f"KIND = {made!r}\n")
            self.while_building()
        job = next(
            job
            for job, sign in (
                (kind, "build_wheel"),
                ("uv", "bootstrap.txt"),
                ("packages", "runtime.txt"),
                ("tools", "dev.txt"),
            )
            if sign in line
        )
        if job == self.breaks_at:
            raise KeyboardInterrupt
        self.done.append(job)
        return (
            "" if self.compiler_works else "canasta: the C compiler failed: the engine runs as plain Python"
        )

    def while_building(self) -> None:
        """Do nothing; a test overrides this to act in the middle of a build."""

    def compile_later(self) -> None:
        self.done.append("later")

    def jobs(self, *, dev: bool = False, at_once: bool = False) -> list[str]:
        self.done = []
        self.set_up(dev=dev, at_once=at_once)
        return self.done

    def jobs_of_background(self) -> list[str]:
        self.done = []
        self.compile_now()
        return self.done

    def kind_found(self) -> str:
        """Return which build of canasta the Python in .venv imports."""
        command = [str(self.python), "-I", "-c", "from canasta.kind import KIND; print(KIND)"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
