"""Figures for notebooks: of the table that ``sweep`` returns, and of a fitted ``PrivatePCA``."""

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import Theme, colour, family_role, resolve
from dpca_core.figures.curve_panels import MARGINS, curve_panels, with_names
from dpca_core.figures.fitted import loadings
from dpca_core.figures.layout import Spec
from dpca_core.figures.line_styles import dash, width
from dpca_core.figures.panels import Band, Curve, Panel
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family
from dpca_core.mechanisms.registry import MECHANISMS

if TYPE_CHECKING:
    from pandas import DataFrame

    from dpca_core.figures.quiet_figure import QuietFigure

AXES = {
    "epsilon": "privacy budget ε",
    "delta": "failure probability δ",
    "n": "people n",
    "k": "directions k",
}
"""Columns of a sweep's table of which one varies, and what the x axis says then."""
METRICS = {"captured": "Variation kept, as a share of what PCA keeps", "sin_theta": "sin Θ"}
BAND = (0.1, 0.9)
"""Quantiles over releases between which the first mechanism's band lies."""
MOST_REFUSED_SHARE = 0.1
"""Share of releases refused above which nothing is drawn."""
PLOT_WIDTH, PANEL_HEIGHT, TITLE_HEIGHT = 640, 240.0, 40
"""Pixels."""


def plot(source: Any, theme: Theme = "light") -> "QuietFigure":
    """Draw the table of a sweep, or a fitted ``PrivatePCA``, with Plotly.

    A sweep: medians over releases along the axis that varies, named at the lines, and for the first
    mechanism the band that holds 80 % of releases. An estimator: the loadings of its components,
    which are released, and nothing of the rows it was fitted to.

    The figure is Plotly's own but for what it offers: it is shown and written with ``CONFIG`` of
    ``dpca_core.figures.config``, since Plotly's default offers to upload it.

    Parameters
    ----------
    source
        What ``sweep`` returned, or a fitted ``PrivatePCA``.

    Raises
    ------
    ImportError
        Without Plotly.
    TypeError
        For anything else.
    ValueError
        For a table in which not exactly one of ε, δ, n and k varies.
    """
    try:
        from dpca_core.figures.quiet_figure import QuietFigure
    except ModuleNotFoundError as error:
        raise ImportError(
            "Figures need Plotly: pip install '.[plot]' in this project’s folder adds it."
        ) from error
    figure = with_names(_spec(source), PLOT_WIDTH)
    drawn = QuietFigure(resolve(figure, theme))
    drawn.update_layout(
        width=PLOT_WIDTH + MARGINS["l"] + MARGINS["r"], paper_bgcolor=colour("page", theme)
    )
    return drawn


def sweep_figure(table: "DataFrame") -> Spec:
    """Return the figure of a sweep's table: variation kept above sin Θ."""
    varying = [name for name in AXES if table[name].nunique() > 1]
    if len(varying) != 1:
        raise ValueError(
            f"Exactly one of {', '.join(AXES)} must vary in the table, not {varying or 'none'}."
        )
    name = varying[0]
    x = np.sort(table[name].unique()).astype(np.float64)
    x_axis = Axis(x[0], x[-1], log=name != "k" and x[0] > 0, title=AXES[name])
    panels = [_panel(table, name, x, metric) for metric in METRICS]
    figure = curve_panels(x_axis, x, panels)
    first = _name(table["mechanism"].iloc[0])
    trials = table["trial"].nunique()
    titles = [f"{title}: median of {trials:,} releases" for title in METRICS.values()]
    titles[0] += f"; 80 % of {first}’s lie in the band"
    titled(figure, titles)
    return figure


def titled(figure: Spec, titles: list[str]) -> None:
    """Write a title above each y axis of a figure, and make room for the first."""
    layout = figure["layout"]
    layout["margin"]["t"] += TITLE_HEIGHT
    layout["height"] += TITLE_HEIGHT
    layout["annotations"] = layout.get("annotations", []) + [
        {
            "text": f"<b>{title}</b>",
            "xref": "paper",
            "x": 0,
            "xanchor": "left",
            "yref": "paper",
            "y": layout[f"yaxis{i + 1 if i else ''}"]["domain"][1],
            "yanchor": "bottom",
            "yshift": 4,
            "font": {"color": "ink"},
        }
        for i, title in enumerate(titles)
    ]


def _spec(source: Any) -> Spec:
    if hasattr(source, "components_"):
        figure = loadings(source)
        titled(figure, figure.pop("titles"))
        return figure
    columns = set(getattr(source, "columns", ()))
    if not {"mechanism", "trial", *AXES, *METRICS} <= columns:
        kind = type(source).__name__
        raise TypeError(f"Only a sweep's table or a fitted PrivatePCA can be drawn, not a {kind}.")
    return sweep_figure(source)


def _panel(table: "DataFrame", name: str, x: Array, metric: str) -> Panel:
    keys = list(dict.fromkeys(table["mechanism"]))
    curves = []
    for i, key in enumerate(keys):
        known_mechanism = MECHANISMS.get(key)
        y = _quantile(table, key, name, metric, 0.5)
        role = family_role(known_mechanism.family if known_mechanism else Family.BASELINE)
        curve = Curve(key, _name(key), y, role, chosen=i == 0, bridged=False)
        if known_mechanism:
            style = dash(known_mechanism), width(known_mechanism, chosen=i == 0)
            curve = replace(curve, dash=style[0], width=style[1])
        curves.append(curve)
    low, high = (_quantile(table, keys[0], name, metric, q) for q in BAND)
    known = [v for c in curves for v in c.y[np.isfinite(c.y)]]
    known += [v for v in (*low, *high) if np.isfinite(v)]
    shares = metric == "captured"
    top = 1.0 if shares else max(known, default=1.0)
    foot = min(known, default=0.0) if shares else 0.0
    room = 0.06 * max(top - foot, 0.05)
    return Panel(
        metric,
        Axis(foot - room if shares else 0.0, top + room, tick_format=".0%" if shares else "~g"),
        PANEL_HEIGHT,
        curves,
        bands=[Band(low, high, f"{curves[0].color}/band80")],
        hover="%{fullData.name}: %{y:.1%}" if shares else "%{fullData.name}: %{y:.3g}",
    )


def _quantile(table: "DataFrame", key: str, name: str, metric: str, share: float) -> Array:
    """Return a quantile over releases at each value of the axis, (p,).

    NaN where there is none, and where too many were refused: the rest would flatter.
    """
    own = table[table["mechanism"] == key].groupby(name)
    found = own[metric].quantile(share).where(own["refused"].mean() <= MOST_REFUSED_SHARE)
    return np.asarray(found.reindex(np.sort(table[name].unique())), dtype=np.float64)


def _name(key: str) -> str:
    return escape(MECHANISMS[key].name if key in MECHANISMS else key, False)
