"""The system's Chromium: where it is and how tests and benchmarks start it."""

import os
import shutil
import sys

# The browser without its window, which nobody sees here, comes first: a page costs a tenth less.
NAMES = (
    *filter(None, [os.environ.get("CHROMIUM")]),
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
SHORT_LIVED = (
    *(*FLAGS, "--js-flags=--no-opt --no-maglev", "--disable-features=ScriptStreaming"),
    *("--disable-software-rasterizer", "--disable-lcd-text", "--num-raster-threads=1"),
)
"""For pages that are open for seconds: compiling for speed costs them more than it gains. What
measures speed takes ``FLAGS``."""


def executable() -> str:
    """Path of the first Chromium or Chrome; RuntimeError with the remedy where there is none."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise RuntimeError("no Chromium or Chrome found: install one, or set CHROMIUM to its path")
    return path


if __name__ == "__main__":
    try:
        print(executable())
    except RuntimeError as error:
        sys.exit(str(error))
