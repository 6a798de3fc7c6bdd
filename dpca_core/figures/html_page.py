"""A page in one HTML file: figures that Plotly draws without a network, tables and sentences."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.chart import Spec, with_names
from dpca_core.figures.colours import Theme, colour, resolve
from dpca_core.figures.config import CONFIG
from dpca_core.text.privacy_numbers import with_subscripts

WIDTH = 960
"""Of a figure, in pixels."""
NAMES_FOR = 640
"""Width of the plot at which a figure's names were placed; none overlap on a wider one."""

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


def html_page(title: str, parts: Iterable[str], bundle: str, theme: Theme = "light") -> str:
    """Return the text of a page.

    Parameters
    ----------
    title
        Of the window.
    parts
        HTML: what ``figure_part``, ``table_part`` and ``sentence_part`` return.
    bundle
        Text of Plotly's bundle for browsers.
    """
    roles = ("ink", "page", "accent", "hair", "grey")
    style = _STYLE.format(width=WIDTH, **{role: colour(role, theme) for role in roles})
    script = bundle.replace("</script", "<\\/script")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style><body><script>{script}</script>\n"
        + "\n".join(parts)
        + "</body></html>\n"
    )


def figure_part(figure: Spec, name: str, width: int = WIDTH) -> str:
    """Return a figure in the light theme, where it stands in the page.

    Parameters
    ----------
    name
        What a screen reader says of it.
    width
        In pixels.
    """
    whole = resolve(with_names(figure, NAMES_FOR), "light")
    return drawn_part(whole | {"layout": whole["layout"] | {"width": width}}, name)


def drawn_part(drawn: Spec, name: str) -> str:
    """Return a figure that is drawn as it is: at its own width, in its own colours."""
    arguments = ", ".join(map(figure_json, (drawn["data"], drawn["layout"], CONFIG)))
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


def figure_json(value: Any) -> str:
    """Return a figure, or a part of one, as JSON that can stand in a script."""
    text = json.dumps(value, default=_numbers, ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _numbers(array: np.ndarray) -> list[float | None]:
    """Return an array to six digits; NaN as None."""
    return [float(f"{v:.6g}") if np.isfinite(v) else None for v in array.tolist()]
