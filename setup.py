"""Compile the engine with mypyc, where that is possible.

The compiled build is never required: without a C compiler, with CANASTA_PURE=1 in the environment, or where
the compilation fails, the same source is installed as plain Python and one line says so.

Everything made on the way goes into the folder named by CANASTA_BUILD, or into a temporary one, and never
beside the source: a leftover extension module there would be imported instead of the source.
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
from typing import Any, cast

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

sys.path.insert(0, "scripts")

from system import has_compiler

SOURCE = Path("src/canasta")

COMPILED = (
    *("errors.py", "rules/model.py", "rules/plain_data.py", "engine/**/*.py", "bots/**/*.py"),
    *("notation/cards.py", "notation/moves.py"),
    *(f"research/{name}.py" for name in ("batch", "episode", "opponents", "rewards")),
)
"""What runs at every move.

The rest of the rules is read once, at the start: compiling it would take half as long again and save nothing.
The layers above wait for people, files and networks.
"""

NOT_COMPILED = ("__init__.py",)
"""Files that only name what is in their package."""

ENDINGS = tuple(EXTENSION_SUFFIXES)
"""Of extension modules; first the one with which they are built: `.cpython-312-x86_64-linux-gnu.so`."""

ACROSS_MODULES = ("-O3", "-fvisibility=hidden", "-fno-plt", "-flto=auto") if sys.platform == "linux" else ()
"""Small functions become part of those that call them from another module: an eighth more moves a second."""

BUILDING = "bdist_wheel" in sys.argv
"""Asked for metadata or an editable install, there is nothing to compile."""


def say_uncompiled(why: str) -> None:
    print(
        f"canasta: {why}: the engine runs as plain Python, several times slower.",
        file=sys.stderr,
        flush=True,
    )


def modules() -> list[str]:
    found = (path for pattern in COMPILED for path in sorted(SOURCE.glob(pattern)))
    return [str(path) for path in found if path.name not in NOT_COMPILED]


def extensions(build: Path) -> list[Extension]:
    """The extension modules to build; none where plain Python is wanted or all that can be had."""
    if not BUILDING:
        return []
    if os.environ.get("CANASTA_PURE", "") not in ("", "0"):
        say_uncompiled("CANASTA_PURE is set")
        return []
    if not has_compiler():
        say_uncompiled("no C compiler was found")
        return []
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        say_uncompiled("Python's header files were not found (on Debian they are in python3-dev)")
        return []
    try:
        from mypyc.build import mypycify

        translated = mypycify(
            [
                # Its cache of types too stays out of the source tree.
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
        say_uncompiled("mypyc could not translate the source")
        return []
    found = cast("list[Extension]", translated)
    for extension in found:
        if sys.platform != "win32":
            # A newer compiler may warn of something in the C that mypyc writes: no reason to give up.
            extension.extra_compile_args = [*extension.extra_compile_args, "-Wno-error", *ACROSS_MODULES]
        extension.extra_link_args = [*extension.extra_link_args, *ACROSS_MODULES]
        extension.sources = [with_docstrings(Path(name), build / "documented") for name in extension.sources]
    return found


Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def docstrings(tree: Documented, path: str = "") -> dict[str, str]:
    """Every docstring of a module by the path of what it is about: `` for the module, `Match.new`."""
    text = ast.get_docstring(tree)
    found = {path: text} if text else {}
    for node in tree.body if not isinstance(tree, ast.FunctionDef) else ():
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found |= docstrings(node, f"{path}.{node.name}".lstrip("."))
    return found


DOCUMENTED = re.compile(
    # Where the methods, properties or the type of a class, or the functions of a module begin …
    r"^static Py(?:MethodDef|GetSetDef|TypeObject) (?P<of>\w+?)_(?:methods|getseters|template_)(?:\[\])? = {$"
    # … a signature, a property, and where the text of a module would be.
    r'|PyDoc_STR\("(?P<name>\w+)(?P<signature>\([^"]*)"\)'
    r"|\(getter\)\w+_get_(?P<property>\w+),\n +NULL, NULL, NULL}"
    r"|(?P<module>NULL), /\* docstring \*/",
    re.MULTILINE,
)


def with_docstrings(written: Path, folder: Path) -> str:
    """C that mypyc wrote, with the docstrings of its module: mypyc itself leaves them out.

    A copy, so that mypyc finds its own work unchanged the next time and need not compile it again.
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
        # The last but one of the three that a property leaves empty; of a module there is one.
        before, _, after = match[0].rpartition("NULL, " if match["property"] else "NULL")
        return f"{before}{in_c(text)}{', ' * bool(match['property'])}{after}"

    made = DOCUMENTED.sub(document, written.read_text(encoding="utf-8"))
    copy = folder / written.name
    if not copy.exists() or copy.read_text(encoding="utf-8") != made:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(made, encoding="utf-8")
    return os.path.relpath(copy)


def in_c(text: str) -> str:
    """A text as a constant in C."""
    return (
        '"'
        + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode())
        + '"'
    )


class BuildAllOrNothing(build_ext):
    """Half of the extension modules would not import: where one fails, none is installed."""

    def build_extensions(self) -> None:
        # setuptools compiles one file after the other, which takes nearly twice as long on two cores.
        one_by_one = self.compiler.compile

        def side_by_side(sources: list[str], **settings: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                compiled = pool.map(lambda source: one_by_one([source], **settings), sources)
                return [path for paths in compiled for path in paths]

        self.compiler.compile = side_by_side
        super().build_extensions()

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            say_uncompiled("the C compiler failed")
            self.extensions = []
            # The wheel is made after this, and must not say that it is for this platform only.
            wheel = cast("bdist_wheel", self.get_finalized_command("bdist_wheel"))
            wheel.root_is_pure = True
            self.distribution.ext_modules = []
            for built in Path(self.build_lib).rglob("*"):
                if built.name.endswith(ENDINGS):
                    built.unlink()


def forget_stale(library: Path, wanted: list[Extension]) -> None:
    """Empty the folder that becomes the wheel, save for the extension modules that are built again.

    Those are kept because compiling takes long: they are built anew only when their C source has changed.
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
