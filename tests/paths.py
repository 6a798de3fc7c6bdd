"""Where the project lies."""

from pathlib import Path

import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(name for group in app.PAGES.values() for name in group)
"""Names of all pages."""


def page_script(name: str) -> str:
    """Return a script that draws a page by its name in addresses, as ``app.py`` does."""
    return f"import app\napp._draw({name!r})\n"
