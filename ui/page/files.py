"""The mark on every file that is computed from the true data, wherever the file is made.

The browser makes files of the charts it shows (``static/page/files.js``) with this mark; texts and
pages that Python makes get it here. What is to be published, *Release* makes.
"""

NOT_PRIVATE = "Not private: computed from the true data"


def marked_text(text: str) -> str:
    """Return a CSV file or a script whose first line says that it is not private."""
    return f"# {NOT_PRIVATE}\n{text}"


def marked_page(page: str) -> str:
    """Return an HTML page that says that it is not private, where it is read and in its source."""
    head, body, rest = page.partition("<body>")
    start = f"<!-- {NOT_PRIVATE} -->\n{head}{body}"
    return f"{start}<p><strong>{NOT_PRIVATE}</strong></p>{rest}"
