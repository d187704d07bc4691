"""The source tree: locks, versions, sizes, and the contents of the wheel."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import licences
import pytest
from launch import will_compile
from system import has_compiler

import canasta
from canasta.installation import EXTRA_OF, why_missing

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "canasta"
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

LONGEST_MODULE = 600

IMPORTED_AS = {"argon2-cffi": "argon2", "open-spiel": "pyspiel", "pyyaml": "yaml"}
"""Packages that are imported under another name."""

EXTRAS_OF = {
    "arena": ("ray",),
    "bots": ("terminal", "server", "research"),
    "commands": ("terminal",),
    "lessons": ("terminal", "server"),
    "research": ("research", "openspiel"),
    "review": ("terminal", "server"),
    "server": ("server", "postgres", "redis", "push"),
    "table": ("terminal", "server"),
    "terminal": ("terminal",),
    "worker_process.py": ("terminal", "server"),
}
"""The extras that each package or module of canasta may use; those not listed here use none."""

LAUNCHED = ("server", "terminal")
"""The extras that the launcher always installs."""


def tracked_files() -> list[Path]:
    """Return the files that a clone would have, including files not committed yet."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def plain_name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def pins(lock: Path) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", lock.read_text(), re.MULTILINE)
    return {plain_name(name): version for name, version in found}


def asked_for(source: Path) -> set[str]:
    lines = [line.split("#")[0].strip() for line in source.read_text().splitlines()]
    return {plain_name(line) for line in lines if line}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_locks_hold_pins_and_hashes_and_nothing_else(lock: Path) -> None:
    entries = lock.read_text().replace("\\\n", " ").splitlines()
    assert entries
    entry = re.compile(
        r"[a-z0-9._-]+==[0-9][\w.]*( ; [^;#]+?)?( +--hash=sha256:[0-9a-f]{64})+", re.IGNORECASE
    )
    assert [line for line in entries if not entry.fullmatch(line.strip())] == []


def test_locks_hold_what_was_asked_for() -> None:
    folder = ROOT / "requirements"
    extras = PROJECT["project"]["optional-dependencies"]
    lines = [*PROJECT["project"]["dependencies"], *(line for extra in LAUNCHED for line in extras[extra])]
    assert {plain_name(line) for line in lines} <= pins(folder / "runtime.txt").keys()
    for source in folder.glob("*.in"):
        assert asked_for(source) <= pins(source.with_suffix(".txt")).keys(), source.name


def test_locks_agree_with_each_other() -> None:
    chosen: dict[str, str] = {}
    for lock in LOCKS:
        for name, version in pins(lock).items():
            assert chosen.setdefault(name, version) == version, f"{name} in {lock.name}"


@pytest.mark.skipif(not licences.BROWSER_LOCK.exists(), reason="the browser table has no lock here")
def test_the_lock_of_the_browser_table_is_good_for_every_platform() -> None:
    packages = json.loads(licences.BROWSER_LOCK.read_text())["packages"]
    wanted = {name for about in packages.values() for name in about.get("optionalDependencies", {})}
    locked = {path.rpartition("node_modules/")[2] for path in packages}
    assert sorted(wanted - locked) == []
    assert [path for path, about in packages.items() if path and not about.get("integrity")] == []


NO_TEXTS = (".jpg", ".npz", ".woff2")


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    words = re.compile(
        r'"resolved": *"http|^ *(?:url|registry) *= *"?http|--(?:extra-)?index-url'
        r"|(?<![\w.])/(?:home|root|Users|work|tmp)/\w"
        r"|(?:pypi\.org|pythonhosted\.org|registry\.npmjs\.org)/",
        re.MULTILINE,
    )
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in tracked_files()
        if path.suffix not in NO_TEXTS and (match := words.search(path.read_text(errors="replace")))
    ]
    assert found == []


def test_no_python_file_is_too_long() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in tracked_files() if path.suffix == ".py"}
    assert len(lengths) > 10
    assert [f"{path}: {lines}" for path, lines in lengths.items() if lines > LONGEST_MODULE] == []


def test_nothing_built_lies_in_the_source() -> None:
    # Python would import a compiled extension instead of the source next to it.
    assert [*PACKAGE.rglob("*.so"), *PACKAGE.rglob("*.c"), *PACKAGE.parent.glob("*.egg-info")] == []


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_what_the_source_imports_is_declared() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    undeclared = set()
    for path in PACKAGE.rglob("*.py"):
        package = path.relative_to(PACKAGE).parts[0]
        lines = [*PROJECT["project"]["dependencies"]]
        for extra in EXTRAS_OF.get(package, ()):
            lines += extras[extra]
        modules = {IMPORTED_AS.get(name, name.replace("-", "_")) for name in map(plain_name, lines)}
        allowed = modules | set(sys.stdlib_module_names) | {"canasta"}
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            undeclared |= {(path.name, name) for name in names if name.split(".")[0] not in allowed}
    assert undeclared == set()


def test_a_missing_package_is_told_with_its_extra() -> None:
    extras = {**PROJECT["project"]["optional-dependencies"]}
    del extras["all"]
    for extra, lines in extras.items():
        for line in lines:
            module = IMPORTED_AS.get(plain_name(line), plain_name(line))
            assert module in EXTRA_OF, module
            # If several extras need a package, it is enough that one of them is named.
            assert any(line in extras[each] for each in EXTRA_OF[module].split(",")), (extra, module)
    sentence = why_missing("a server", "litestar.exceptions")
    assert sentence.startswith("a server needs litestar.exceptions, which is not here; install the extra")
    assert "'.[server]'" in sentence
    assert why_missing("it", "canasta.nothing") == why_missing("it", None) == ""


def test_all_means_all_but_what_only_training_needs() -> None:
    extras = {**PROJECT["project"]["optional-dependencies"]}
    (line,) = extras.pop("all")
    del extras["learn"]
    assert re.findall(r"[a-z]+", line) == ["canasta", *sorted(extras)]


def test_every_package_in_use_is_listed_with_its_licence() -> None:
    row = re.compile(r"^\| (\S+) \| (\d\S*) \| [^|]+ \|$", re.MULTILINE)
    locks = [ROOT / "requirements" / name for name in ("runtime.txt", "build.txt")]
    in_use = {name for lock in locks for name in pins(lock)} - {"colorama", "tzdata"}  # Windows only
    listed = {plain_name(name): version for name, version in row.findall(licences.PAGE.read_text())}
    assert set(listed) == in_use
    # A package may be locked at one version for an older Python and at another for a newer one.
    text = "\n".join(lock.read_text() for lock in locks)
    assert {name for name, version in listed.items() if f"\n{name}=={version} " not in f"\n{text}"} == set()


def test_a_licence_comes_from_the_package_itself() -> None:
    assert licences.licence_of("typer", pins(ROOT / "requirements/runtime.txt")["typer"]) == "MIT"
    with pytest.raises(licences.Trouble, match=r"^typer \S+ is installed, the lock has 0\.0\.1\.$"):
        licences.licence_of("typer", "0.0.1")
    with pytest.raises(licences.Trouble, match=r"^no-such-package is not installed: run \./canasta version"):
        licences.licence_of("no-such-package", "1")


@pytest.mark.skipif(not licences.BROWSER_LOCK.exists(), reason="the browser table has no lock here")
def test_every_package_of_the_browser_table_is_listed() -> None:
    assert [line for line in licences.browser_list() if line not in licences.PAGE.read_text()] == []
    assert "not stated" not in licences.PAGE.read_text()


def test_the_licence_is_there() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("MIT License\n")
    assert "the canasta authors" in text
    assert PROJECT["project"]["license"] == "MIT"


def test_the_newest_change_is_about_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == PROJECT["project"]["version"]


@pytest.mark.parametrize("name", ["canasta", ".ci/run"])
def test_what_is_started_by_name_is_executable(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)


@pytest.mark.interpreted
def test_the_build_meant_is_the_build_tested() -> None:
    """Otherwise a failed compilation or a wrong path would leave one of the two builds untested."""
    engine = importlib.util.find_spec("canasta.engine.cards")
    assert engine is not None
    assert engine.origin is not None
    from_source = str(PACKAGE.parent) in os.environ.get("PYTHONPATH", "").split(os.pathsep)
    assert Path(engine.origin).is_relative_to(PACKAGE) == from_source
    if not from_source and not will_compile():
        pytest.skip("no compiled build here: no C compiler, no Python headers, or CANASTA_PURE is set")
    assert engine.origin.endswith(".py" if from_source else ".so")


def build_wheel(folder: Path, **settings: str) -> tuple[str, set[str], str]:
    """Build a wheel from this tree; return its name, the file names in it and the build's output."""
    (folder / "wheel").mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import setuptools.build_meta as b, sys; b.build_wheel(sys.argv[1])",
            str(folder / "wheel"),
        ],
        cwd=ROOT,
        env={**os.environ, "CANASTA_BUILD": str(folder), **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    (wheel,) = (folder / "wheel").glob("*.whl")
    return wheel.name, set(zipfile.ZipFile(wheel).namelist()), done.stderr


def test_a_plain_wheel_holds_the_source_and_nothing_stale(tmp_path: Path) -> None:
    before = set(tracked_files())
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for name in ("canasta/gone.py", f"canasta/engine/cards{suffix}", f"canasta__mypyc{suffix}"):
        stale = tmp_path / "lib" / name
        stale.parent.mkdir(parents=True, exist_ok=True)
        stale.touch()
    wheel, names, said = build_wheel(tmp_path, CANASTA_PURE="1")
    assert wheel == f"canasta-{PROJECT['project']['version']}-py3-none-any.whl"
    source = {str(path.relative_to(PACKAGE.parent)) for path in before if path.is_relative_to(PACKAGE)}
    assert "canasta/rules/presets/caliente.toml" in source
    assert {name for name in names if ".dist-info/" not in name} == source
    assert [line for line in said.splitlines() if line.startswith("canasta: ")] == [
        "canasta: CANASTA_PURE is set: the engine runs as plain Python, 26 to 40 times slower."
    ]
    assert set(tracked_files()) == before


@pytest.mark.long
@pytest.mark.skipif(not will_compile(), reason="no C compiler or no Python headers")
def test_a_failing_compiler_leaves_a_plain_wheel(tmp_path: Path) -> None:
    wheel, names, said = build_wheel(tmp_path, CC="false")
    assert wheel.endswith("-py3-none-any.whl")
    assert not [name for name in names if ".data/" in name]
    assert not [name for name in names if name.endswith(".so")]
    assert "canasta/engine/cards.py" in names
    assert [line for line in said.splitlines() if line.startswith("canasta: ")] == [
        "canasta: the C compiler failed: the engine runs as plain Python, 26 to 40 times slower."
    ]


def gcc_without_lto(folder: Path, *, when: str) -> Path:
    """Write a compiler that fails to link with LTO while `when`, a shell command, succeeds."""
    script = folder / "bin" / "gcc-14"
    script.parent.mkdir()
    script.write_text(
        '#!/bin/sh\ncase " $* " in *" -shared "*-flto*)\n'
        f'  {when} && {{ echo "lto1: fatal error" >&2; exit 1; }};;\nesac\nexec cc "$@"\n'
    )
    script.chmod(0o755)
    return script


@pytest.mark.long
@pytest.mark.skipif(not will_compile(), reason="no C compiler or no Python headers")
@pytest.mark.parametrize("when", ["true", 'case "$*" in *probe*) false;; esac'], ids=["probe", "real link"])
def test_a_linker_without_lto_still_gives_a_compiled_wheel(tmp_path: Path, when: str) -> None:
    compiler = gcc_without_lto(tmp_path, when=when)
    wheel, names, said = build_wheel(tmp_path / "build", CC=str(compiler), CANASTA_COMPILED="require")
    assert not wheel.endswith("-py3-none-any.whl")
    assert [name for name in names if name.startswith("canasta/engine/cards.") and name.endswith(".so")]
    assert [line for line in said.splitlines() if line.startswith("canasta: ")] == []


def test_a_build_that_must_be_compiled_fails_without_a_compiler(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failure:
        build_wheel(tmp_path, CC="no-such-compiler", CANASTA_COMPILED="require")
    assert "canasta: no C compiler was found, and CANASTA_COMPILED=require is set." in failure.value.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="$CC is not used there")
def test_the_compiler_that_cc_names_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "gcc-14"
    compiler.touch(mode=0o755)
    monkeypatch.setenv("PATH", "")
    assert not has_compiler()
    monkeypatch.setenv("CC", f"{compiler} -pipe")
    assert has_compiler()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert not has_compiler()


def test_a_program_can_ask_if_the_engine_is_compiled() -> None:
    engine = importlib.util.find_spec("canasta.engine.state")
    assert engine is not None
    assert engine.origin is not None
    assert canasta.compiled == (not engine.origin.endswith(".py"))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_clean_clone_starts_with_nothing_but_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CANASTA_PURE", raising=False)  # programs started below do not inherit it either
    clone = tmp_path / "clone"
    for path in tracked_files():
        copy = clone / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    home = tmp_path / "home"
    home.mkdir()
    bare = {"HOME": str(home), "PATH": "/usr/bin:/bin"}

    def start(*words: str, **settings: str) -> tuple[str, str]:
        command = [os.path.realpath(sys.executable), str(clone / "canasta"), *words]
        done = subprocess.run(
            command, cwd=home, env={**bare, **settings}, capture_output=True, text=True, check=True
        )
        return done.stdout, done.stderr

    out, err = start("play", "--help")
    assert "canasta play" in out
    assert "making .venv" in err
    assert ("compiled build is being made in the background" in err) == will_compile()
    # A command that needs speed waits for the compiler, and the next game uses the compiled build.
    words = ("bench", "engine", "--rules", "two-player", "--seconds", "0", "--json")
    compiled = json.loads(start(*words)[0])["compiled"]
    assert compiled == will_compile()
    assert start("play", "--help") == (out, "")
    engine = "compiled" if compiled else "interpreted"
    said, err = start("version")
    assert said.startswith(f"canasta {PROJECT['project']['version']}, ")
    assert said.endswith(f", {engine} engine\n")
    assert err == ""

    # Addresses that lead nowhere simulate a machine without a network.
    offline = {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "UV_OFFLINE": "1"}
    with (clone / "src/canasta/__init__.py").open("a") as module:
        module.write("\n")
    # Run pure Python here, so that no compiler is still running when the test ends.
    said, err = start("version", CANASTA_PURE="1", **offline)
    assert said.endswith(", interpreted engine\n")
    assert "building canasta" in err
    assert "installing" not in err
