"""The documents as a site: ``make docs`` builds it by Sphinx, without a network.

The source folder is the repository, so that a link leads to the same file here and in an editor.
"""

from pathlib import Path

from sphinx.application import Sphinx

project = html_title = "dpca"
root_doc = "README"
include_patterns = [f"{one}.md" for one in ("README", "CONTRIBUTING", "CHANGELOG", "docs/*")]
include_patterns.append("papers/printed/README.md")
extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinx-mathjax-offline"]
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 3
html_theme = "furo"
html_show_copyright = html_show_sphinx = html_copy_source = False

OWNERS = ("preparation", "pairs", "files", "codebooks", "large-data", "release", "deploy")
BASIS = ("conventions", "errata", "decisions")
MEASURED = ("sample-size", "order-statistics", "first-order", "sweep-precision")
_NAMES = {path.stem for path in Path(__file__).parent.glob("*.md")}
MENU = {
    "For data owners": OWNERS,
    "What everything rests on": BASIS,
    "Mechanisms and their proofs": sorted(
        _NAMES.difference(OWNERS, BASIS, MEASURED, ["architecture"])
    ),
    "What the pages measure": MEASURED,
    "For contributors": ("architecture", "/CONTRIBUTING", "/papers/printed/README", "/CHANGELOG"),
}


def _add_menu(app: Sphinx, name: str, text: list[str]) -> None:
    """Put the menu below the README, which is read where there is no site, too."""
    if name == root_doc:
        for caption, names in MENU.items():
            places = [one if one.startswith("/") else f"docs/{one}" for one in names]
            text[0] += "\n".join(["\n```{toctree}", f":caption: {caption}", ":hidden:", *places])
            text[0] += "\n```\n"


def setup(app: Sphinx) -> None:
    """Connect what is above with Sphinx."""
    app.connect("source-read", _add_menu)
