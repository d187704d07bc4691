"""Compile the engine with mypyc, if possible.

Without a C compiler, with CANASTA_PURE=1 in the environment, or if compiling fails, the same source is
installed as plain Python, and one line says why. With CANASTA_COMPILED=require the build fails instead.

All intermediate files go into the folder named by CANASTA_BUILD, or into a temporary one, and never next to
the source: a leftover extension module there would be imported instead of the source.
"""

import ast
import atexit
import os
import re
import shutil
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NoReturn, cast

from setuptools import Extension, setup
from setuptools._distutils.ccompiler import new_compiler
from setuptools._distutils.sysconfig import customize_compiler
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

sys.path.insert(0, "scripts")

from system import has_compiler

SOURCE = Path("src/canasta")

COMPILED = (
    *("errors.py", "rules/model.py", "engine/**/*.py", "bots/**/*.py"),
    *("notation/cards.py", "notation/moves.py"),
    *(f"research/{name}.py" for name in ("batch", "episode", "opponents")),
)
"""Code that runs on every move.

The other rules modules run once, at startup: compiling them would take half as long again and save nothing.
The layers above wait for people, files and networks.
"""

NOT_COMPILED = ("__init__.py", "levels.py")
"""Files that only re-export names, and the list of computer players, which loads them when they sit down."""

ENDINGS = tuple(EXTENSION_SUFFIXES)
"""File endings of extension modules. The first is the one they are
built with: `.cpython-312-x86_64-linux-gnu.so`."""

LTO = "-flto=auto"
"""Link-time optimisation: about 3% more moves per second, but not supported by every linker."""

OPTIMISED = ("-O3", "-fvisibility=hidden", "-fno-plt") if sys.platform == "linux" else ()
"""Options for the compiler and the linker."""

REQUIRED = os.environ.get("CANASTA_COMPILED") == "require"
"""Whether the build must fail rather than fall back to plain Python."""

BUILDING = "bdist_wheel" in sys.argv
"""Whether to compile: not for metadata or an editable install."""


def fall_back(why: str) -> None:
    """Report that the engine is not compiled; fail the build if it must be."""
    if REQUIRED:
        refuse(why)
    say(f"{why}: the engine runs as plain Python, 26 to 40 times slower.")


def refuse(why: str) -> NoReturn:
    raise SystemExit(f"canasta: {why}, and CANASTA_COMPILED=require is set.")


def say(text: str) -> None:
    print(f"canasta: {text}", file=sys.stderr, flush=True)


def can_link_with_lto(folder: Path) -> bool:
    """Return whether the compiler and the linker can build a shared library with link-time optimisation."""
    compiler = new_compiler()
    customize_compiler(compiler)
    source = folder / "probe.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("int canasta_probe(void) { return 1; }\n")
    options = [*OPTIMISED, LTO]
    try:
        objects = compiler.compile([str(source)], output_dir=str(folder), extra_postargs=options)
        compiler.link_shared_object(objects, str(folder / "probe.so"), extra_postargs=options)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return False
    return True


def modules() -> list[str]:
    """Return the paths of the modules to compile."""
    found = {pattern: sorted(SOURCE.glob(pattern)) for pattern in COMPILED}
    missing = [pattern for pattern, paths in found.items() if not paths]
    if missing:
        raise SystemExit(
            f"setup.py: nothing in {SOURCE} matches {', '.join(missing)}; COMPILED is out of date."
        )
    return [str(path) for paths in found.values() for path in paths if path.name not in NOT_COMPILED]


def extensions(build: Path) -> list[Extension]:
    """Return the extension modules to build; empty for plain Python."""
    if not BUILDING:
        return []
    if os.environ.get("CANASTA_PURE", "") not in ("", "0"):
        fall_back("CANASTA_PURE is set")
        return []
    if not has_compiler():
        fall_back("no C compiler was found")
        return []
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        fall_back("Python's header files were not found (on Debian they are in python3-dev)")
        return []
    try:
        from mypyc.build import mypycify

        translated = mypycify(
            [
                # Keep its type cache out of the source tree too.
                f"--cache-dir={build / 'types'}",
                # Modules that are not compiled may import an extra that is not installed here.
                *("--follow-imports=silent", "--ignore-missing-imports"),
                *modules(),
            ],
            opt_level="3",
            debug_level="0",
            group_name="canasta",
            multi_file=True,
            target_dir=os.path.relpath(build / "c"),
        )
    except (Exception, SystemExit) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        fall_back("mypyc could not translate the source")
        return []
    found = cast("list[Extension]", translated)
    options = list(OPTIMISED)
    if sys.platform == "linux":
        if can_link_with_lto(build / "probe"):
            options.append(LTO)
        else:
            print("link-time optimisation does not work here; building without it", file=sys.stderr)
    for extension in found:
        if sys.platform != "win32":
            # A newer compiler may warn about C code that mypyc writes; that must not fail the build.
            extension.extra_compile_args = [*extension.extra_compile_args, "-Wno-error", *options]
        extension.extra_link_args = [*extension.extra_link_args, *options]
        extension.sources = [with_docstrings(Path(name), build / "documented") for name in extension.sources]
    return found


Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def docstrings(tree: Documented, path: str = "") -> dict[str, str]:
    """Return every docstring of a module by the path of its object: `` for the module, `Match.new`."""
    text = ast.get_docstring(tree)
    found = {path: text} if text else {}
    for node in tree.body if not isinstance(tree, ast.FunctionDef) else ():
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found |= docstrings(node, f"{path}.{node.name}".lstrip("."))
    return found


DOCUMENTED = re.compile(
    # Matches the start of a class's methods, properties or type, or of a module's functions …
    r"^static Py(?:MethodDef|GetSetDef|TypeObject) (?P<of>\w+?)_(?:methods|getseters|template_)(?:\[\])? = {$"
    # … a signature, a property, and the place of a module's docstring.
    r'|PyDoc_STR\("(?P<name>\w+)(?P<signature>\([^"]*)"\)'
    r"|\(getter\)\w+_get_(?P<property>\w+),\n +NULL, NULL, NULL}"
    r"|(?P<module>NULL), /\* docstring \*/",
    re.MULTILINE,
)


def with_docstrings(written: Path, folder: Path) -> str:
    """Add the module's docstrings to the C file that mypyc wrote, which lacks them. Return the path of the
    copy.

    Writing a copy leaves mypyc's own output unchanged, so it need not be generated again next time.
    """
    source = Path("src", *written.stem.removeprefix("__native_").split("___")).with_suffix(".py")
    if not source.exists():
        return str(written)
    tree = ast.parse(source.read_text(encoding="utf-8"))
    texts = docstrings(tree)
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    of = ""

    def document(match: re.Match[str]) -> str:
        nonlocal of
        name = match["property"] or match["name"]
        if name:
            text = texts.get(of if name == of else f"{of}.{name}".lstrip("."), "")
        elif match["module"]:
            text = texts.get("", "")
        else:
            of = next((name for name in classes if match["of"].endswith(f"___{name}")), "")
            text = ""
        if not text:
            return match[0]
        if match["name"]:
            return match[0].removesuffix(")") + f" {in_c(text)})"
        # A property leaves three fields empty; the docstring is the second to last. A module has only one.
        before, _, after = match[0].rpartition("NULL, " if match["property"] else "NULL")
        return f"{before}{in_c(text)}{', ' * bool(match['property'])}{after}"

    made = DOCUMENTED.sub(document, written.read_text(encoding="utf-8"))
    copy = folder / written.name
    if not copy.exists() or copy.read_text(encoding="utf-8") != made:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(made, encoding="utf-8")
    return os.path.relpath(copy)


def in_c(text: str) -> str:
    """Return a text as a C string constant."""
    return (
        '"'
        + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode())
        + '"'
    )


class BuildAllOrNothing(build_ext):
    """Installs all extension modules or none: half of them could not be imported."""

    def build_extensions(self) -> None:
        # setuptools compiles the files one by one, which takes nearly twice as long on two cores.
        one_by_one = self.compiler.compile

        def side_by_side(sources: list[str], **settings: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                compiled = pool.map(lambda source: one_by_one([source], **settings), sources)
                return [path for paths in compiled for path in paths]

        self.compiler.compile = side_by_side
        super().build_extensions()

    def run_without_lto_if_needed(self) -> None:
        compiler_name = self.compiler
        try:
            super().run()
        except Exception as error:
            if not any(LTO in extension.extra_link_args for extension in self.extensions):
                raise
            print(f"{type(error).__name__}: {error}; trying again without LTO", file=sys.stderr)
            for extension in self.extensions:
                for options in (extension.extra_compile_args, extension.extra_link_args):
                    options.remove(LTO)
            # Objects compiled for LTO hold no machine code, so they can't be reused.
            self.force = True
            self.compiler = compiler_name  # the first run has replaced it with a compiler object
            super().run()

    def run(self) -> None:
        try:
            self.run_without_lto_if_needed()
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            fall_back("the C compiler failed")
            self.extensions = []
            # The wheel is made after this, and must not be marked as specific to this platform.
            wheel = cast("bdist_wheel", self.get_finalized_command("bdist_wheel"))
            wheel.root_is_pure = True
            self.distribution.ext_modules = []
            for built in Path(self.build_lib).rglob("*"):
                if built.name.endswith(ENDINGS):
                    built.unlink()


def forget_stale(library: Path, wanted: list[Extension]) -> None:
    """Empty the folder that becomes the wheel, except for extension modules that are still wanted.

    Those are kept because compiling takes long; they are rebuilt only if their C source has changed.
    """
    names = {extension.name for extension in wanted}
    for path in library.rglob("*"):
        module = ".".join(path.relative_to(library).parts).removesuffix(ENDINGS[0])
        if path.is_file() and module not in names:
            path.unlink()


def main() -> None:
    given = os.environ.get("CANASTA_BUILD")
    build = Path(given or tempfile.mkdtemp(prefix="canasta-build-")).resolve()
    if not given:
        atexit.register(shutil.rmtree, build, ignore_errors=True)
    (build / "info").mkdir(parents=True, exist_ok=True)
    to_build = extensions(build)
    forget_stale(build / "lib", to_build)
    setup(
        ext_modules=to_build,
        cmdclass={"build_ext": BuildAllOrNothing},
        options={
            "build": {
                "build_base": str(build),
                "build_lib": str(build / "lib"),
                "build_temp": str(build / "temp"),
            },
            "egg_info": {"egg_base": str(build / "info")},
        },
    )


main()
