"""A request of the browser for a figure, for tests of what it gets."""

from ui.figures.saved_figure import figure_requests

TITLE = "At ε = 1 half of the variation is <kept> & this title is long" + ", and longer" * 9
SUB = "Medians of 200 </script><script>window.hit = 1</script>"


def message(**changes):
    """Return what the browser sends."""
    return {
        "number": 0.5,
        "id": "content",
        "chart": "sheet",
        "name": "variation-kept",
        "figure": "figure",
        "axis": "y",
        "format": "CSV",
        "title": TITLE,
        "sub": SUB,
        "width": 720,
        "dark": False,
        "index": 0,
    } | changes


def asked(**changes):
    """Return the request as the server reads it."""
    (found,) = figure_requests([message(**changes)])
    return found
