"""Configuration of the documentation: `sphinx-build -W docs docs/_build`."""

from canasta.commands.version import facts

project = "Canasta"
author = "the canasta authors"
project_copyright = "the canasta authors, MIT licence"
version = str(facts()["version"] or "")

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
# Console sessions show terminal output, which no lexer needs to understand.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True

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
