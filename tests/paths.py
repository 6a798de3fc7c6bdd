"""Where the project lies."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOVED = ("compare", "results", "summary")
"""Names in addresses of pages that lead to a part of another one."""
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem not in MOVED)
"""Files of all others."""


def page_file(name: str) -> Path:
    """Return the file of a page by its name in addresses, as ``app.py`` has it."""
    return ROOT / "pages" / f"{'_papers' if name == 'papers' else name}.py"
