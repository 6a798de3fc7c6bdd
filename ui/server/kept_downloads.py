"""A file that somebody is saving stays until the browser has come for it.

Streamlit drops a file that no page shows any more at the second run after that, whoever's run it
is. Between the click and the browser's request there may be two: of this page, which is drawn anew
while it measures, or of other visitors. The browser would get "404".
"""

from functools import wraps
from time import monotonic

from streamlit.runtime.media_file_manager import MediaFileMetadata

SECONDS = 10.0
"""How long a file stays at least from the run on that finds it unused."""


def keep_downloads_for_a_while() -> None:
    """Make this process keep each file that can be saved a little longer than it is shown."""
    original = MediaFileMetadata.mark_for_delete
    if hasattr(original, "__wrapped__"):
        return

    @wraps(original)
    def mark(file: MediaFileMetadata) -> None:
        now = monotonic()
        if now - vars(file).setdefault("unused_since", now) >= SECONDS:
            original(file)

    MediaFileMetadata.mark_for_delete = mark  # type: ignore[assignment, method-assign]
