"""Where the project lies."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
"""Files of all pages."""


def page_file(name: str) -> Path:
    """Return the file of a page by its name in addresses, as ``app.py`` has it."""
    return ROOT / "pages" / f"{'_papers' if name == 'papers' else name}.py"
