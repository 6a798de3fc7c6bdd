"""A page in one HTML file: figures that Plotly draws without a network, tables and sentences."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.bundle import CONFIG, bundle_text
from dpca_core.figures.chart import Spec, with_names
from dpca_core.figures.colours import ROLES, resolve
from dpca_core.text.privacy_numbers import with_subscripts

WIDTH = 960
"""Of a figure, in pixels."""

_STYLE = """\
body {{ max-width: {width}px; margin: 24px auto; padding: 0 16px; color: {ink};
  background: {page}; font: 15px/1.45 "Source Sans", "Source Sans Pro", sans-serif; }}
h1 {{ font-size: 26px; font-weight: 400; line-height: 1.25; }}
h2 {{ font-size: 18px; }}
strong {{ color: {accent}; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 3px 14px 3px 0; border-top: 1px solid {hair}; text-align: left; }}
th {{ color: {grey}; font-weight: 400; border: 0; vertical-align: bottom; }}
"""


def html_page(title: str, parts: Iterable[str]) -> str:
    """Return a page in the light theme: the window's title, and HTML of the functions below."""
    style = _STYLE.format(width=WIDTH, **{role: colours[0] for role, colours in ROLES.items()})
    script = bundle_text().replace("</script", "<\\/script")
    body = "\n".join([f"<script>{script}</script>", *parts])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style><body>{body}</body></html>\n"
    )


def figure_part(figure: Spec, name: str) -> str:
    """Return a figure in its place; a screen reader says its name."""
    drawn = resolve(with_names(figure), "light")
    layout = drawn["layout"] | {"width": WIDTH}
    arguments = ", ".join(map(_json, (drawn["data"], layout, CONFIG)))
    return (
        f'<div class="wide"><div role="img" aria-label="{escape(name)}"></div></div>'
        "<script>Plotly.newPlot(document.currentScript.previousElementSibling.firstChild, "
        f"{arguments});</script>"
    )


def table_part(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of texts."""
    head = "".join(f"<th>{_markup(text)}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{_markup(text)}</td>" for text in row) + "</tr>\n" for row in rows
    )
    return f'<div class="wide"><table><tr>{head}</tr>\n{body}</table></div>'


def sentence_part(sentence: str, tag: str = "p") -> str:
    """Return a sentence, or with another tag a heading."""
    return f"<{tag}>{_markup(sentence)}</{tag}>"


def _markup(text: str) -> str:
    return with_subscripts(escape(text))


def _json(value: Any) -> str:
    """Return a figure, or a part of one, as JSON that can stand in a script."""
    return json.dumps(value, default=_numbers, allow_nan=False).replace("<", "\\u003c")


def _numbers(array: np.ndarray) -> list[float | None]:
    """Return an array to six digits; NaN as None."""
    return [float(f"{v:.6g}") if np.isfinite(v) else None for v in array.tolist()]
