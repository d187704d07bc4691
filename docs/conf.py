"""Configuration of the documentation: `sphinx-build -W docs docs/_build`."""

import re
import sys
from pathlib import Path
from typing import Any

# The API reference reads the source: compiled functions have no signature.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import canasta
from canasta.installation import build_facts

project = "Canasta"
author = "the canasta authors"
project_copyright = "the canasta authors, MIT licence"
version = str(build_facts()["version"] or "")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
highlight_language = "none"
# Console sessions show terminal output, which no lexer needs to understand.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True
# Parameters and results may have types of inner layers, which have no page.
nitpick_ignore_regex = [("py:.*", r".*")]

# Docstrings are written in the notation of Markdown: `name` is code.
default_role = "code"
add_module_names = False
autoclass_content = "both"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True}

html_theme = "furo"
html_title = "Canasta"
html_static_path = ["_static"]
html_css_files = ["table.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1c6b55", "color-brand-content": "#a8432d"},
    "dark_css_variables": {"color-brand-primary": "#d9b15c", "color-brand-content": "#e0785f"},
}
# Do not fetch links to other sites during a build: a broken page elsewhere must not break ours.
linkcheck_ignore = [r"https?://"]


def link_public_name(app: Any, _env: object, node: Any, content: Any) -> Any:
    """Link an annotation to the public name of its type: `canasta.engine.view.View` is `canasta.View`."""
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in canasta.__all__:
        return None
    domain = app.env.get_domain("py")
    return domain.resolve_xref(app.env, node["refdoc"], app.builder, "obj", f"canasta.{name}", node, content)


UNIONS = (("Move", r"moves\.types"), ("Event", "events"))
"""Types with many members: the name to show, and the pattern of the engine module that contains them."""
INNER_NAMES = {"load_ruleset": "load_rules", "preset_names": "game_names"}


def shorten_unions(  # the arguments of Sphinx's event
    _app: object, _kind: str, _name: str, _thing: object, _options: object, signature: str, result: str
) -> tuple[str | None, str | None]:
    """Write `Move` or `Event` for the union of all moves or events."""
    return shortened(signature), shortened(result)


def shortened(text: str | None) -> str | None:
    for name, module in UNIONS:
        member = rf"~?canasta\.engine\.{module}\.\w+"
        text = re.sub(rf"{member}( \| {member})+", name, text) if text else text
    return text


def use_public_names(  # the arguments of Sphinx's event
    _app: object, _kind: str, _name: str, _thing: object, _options: object, lines: list[str]
) -> None:
    """Replace the inner names of functions in examples by their public ones."""
    for inner, public in INNER_NAMES.items():
        lines[:] = [line.replace(inner, public) for line in lines]


def setup(app: Any) -> None:
    app.connect("missing-reference", link_public_name)
    app.connect("autodoc-process-signature", shorten_unions)
    app.connect("autodoc-process-docstring", use_public_names)
