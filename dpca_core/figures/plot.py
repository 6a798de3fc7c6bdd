"""Figures for notebooks: of a sweep's table and of a fitted ``PrivatePCA``."""

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.figures.chart import Axis, Band, Bars, Curve, Spec, chart
from dpca_core.figures.colours import CHANCE, Theme, dash, family_role, width
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.text.guarantee_sentences import promise

if TYPE_CHECKING:
    from pandas import DataFrame

    from dpca_core.figures.stacked import QuietFigure

AXES = {
    "epsilon": "privacy budget ε",
    "delta": "failure probability δ",
    "n": "people n",
    "k": "directions k",
}
"""Columns of a sweep's table of which one varies, and what the x axis says then."""
METRICS = {"captured": "Variation kept, as a share of what PCA keeps", "sin_theta": "sin Θ"}
BAND, MOST_REFUSED_SHARE = (0.1, 0.9), 0.1
"""Quantiles over releases between which the first mechanism's band lies; share of releases refused
above which nothing is drawn."""
PANEL, LOADINGS = 240.0, 150.0
"""Heights of a panel and of bars of loadings, in pixels."""
MOST_NAMES, LONGEST_NAME = 40, 24
"""Columns up to which each is named, and letters of a name, which is cut."""


def plot(source: Any, theme: Theme = "light") -> "QuietFigure":
    """Draw the table that a sweep returned, or a fitted ``PrivatePCA``, with Plotly.

    A sweep, in which one of ε, δ, n and k must vary: medians over releases, and for the first
    mechanism the band that holds 80 % of them. An estimator: the loadings of its components, which
    are released, and nothing of the rows it was fitted to.

    The figure is Plotly's own, but it never offers to upload what it shows.
    """
    try:
        from dpca_core.figures.stacked import stacked
    except ModuleNotFoundError as error:
        raise ImportError(
            "Figures need Plotly: pip install '.[plot]' in this project’s folder adds it."
        ) from error
    return stacked(_loadings(source) if hasattr(source, "components_") else _sweep(source), theme)


def _sweep(table: "DataFrame") -> dict[str, Spec]:
    """Return the charts of a sweep's table by their titles: variation kept above sin Θ."""
    if not {"mechanism", "trial", *AXES, *METRICS} <= set(getattr(table, "columns", ())):
        kind = type(table).__name__
        raise TypeError(f"Only a sweep's table or a fitted PrivatePCA can be drawn, not a {kind}.")
    varying = [name for name in AXES if table[name].nunique() > 1]
    if len(varying) != 1:
        raise ValueError(
            f"Exactly one of {', '.join(AXES)} must vary in the table, not {varying or 'none'}."
        )
    median = f": median of {table['trial'].nunique():,} releases"
    band = f"; 80 % of {_name(table['mechanism'].iloc[0])}’s lie in the band"
    titles = [f"{METRICS['captured']}{median}{band}", f"{METRICS['sin_theta']}{median}"]
    panels = [_panel(table, varying[0], metric) for metric in METRICS]
    return dict(zip(titles, panels, strict=True))


def _panel(table: "DataFrame", name: str, metric: str) -> Spec:
    x = np.sort(table[name].unique()).astype(np.float64)
    keys = list(dict.fromkeys(table["mechanism"]))
    medians = [_quantile(table, key, name, metric, 0.5) for key in keys]
    curves = [_curve(key, y, first=key == keys[0]) for key, y in zip(keys, medians, strict=True)]
    low, high = (_quantile(table, keys[0], name, metric, q) for q in BAND)
    known = np.concatenate([low, high, *(curve.y for curve in curves)])
    known = known[np.isfinite(known)]
    shares = metric == "captured"
    top = 1.0 if shares else float(known.max(initial=0.0)) or 1.0
    foot = float(known.min(initial=1.0)) if shares and len(known) else 0.0
    room = 0.06 * max(top - foot, 0.05)
    return chart(
        Axis(x[0], x[-1], log=name != "k" and x[0] > 0, title=AXES[name]),
        Axis(foot - room if shares else 0.0, top + room, tick_format=".0%" if shares else "~g"),
        x,
        curves,
        bands=[Band(low, high, f"{curves[0].color}/band80")],
        height=PANEL,
        hover="%{y:.1%}" if shares else "%{y:.3g}",
    )


def _curve(key: str, y: Array, *, first: bool) -> Curve:
    if key not in MECHANISMS:
        return Curve(key, _name(key), y, CHANCE, chosen=first, bridged=False)
    known = MECHANISMS[key]
    style = family_role(known.family), dash(known), width(known, first)
    return Curve(key, _name(key), y, *style, chosen=first, bridged=False)


def _quantile(table: "DataFrame", key: str, name: str, metric: str, share: float) -> Array:
    """Return a quantile over releases at each value of the axis, (p,).

    NaN where there is none, and where too many were refused: the rest would flatter.
    """
    own = table[table["mechanism"] == key].groupby(name)
    found = own[metric].quantile(share).where(own["refused"].mean() <= MOST_REFUSED_SHARE)
    return np.asarray(found.reindex(np.sort(table[name].unique())), dtype=np.float64)


def _name(key: str) -> str:
    return escape(MECHANISMS[key].name if key in MECHANISMS else key, False)


def _loadings(fitted: Any) -> dict[str, Spec]:
    """Return bars of each component's loadings, by their titles: only of what was released."""
    components = np.asarray(fitted.components_, dtype=np.float32)
    d = components.shape[1]
    names = [
        escape(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", False)
        for name in map(str, getattr(fitted, "feature_names_in_", ()))
    ]
    mechanism = fitted.mechanism
    known = mechanism if isinstance(mechanism, Mechanism) else MECHANISMS[mechanism]
    across = Axis(-0.5, d - 0.5, title="column")
    if names and d <= MOST_NAMES:
        across = Axis(-0.5, d - 0.5, ticks=tuple(range(d)), tick_texts=tuple(names))
    most, at = float(np.abs(components).max()) * 1.05, np.arange(float(d))
    panels = {}
    for i, row in enumerate(components):
        panel = chart(
            across,
            Axis(-most, most),
            at,
            bars=[Bars(f"direction {i + 1}", at, row, family_role(known.family))],
            height=LOADINGS,
            hover="%{text}: %{y:.3f}",
        )
        said = names or [f"column {j + 1}" for j in range(d)]
        panel["data"][0] |= {"text": said, "textposition": "none"}
        guarantee = "" if i else f": loadings ({promise(fitted.privacy_)})"
        panels[f"Direction {i + 1}{guarantee}"] = panel
    return panels
