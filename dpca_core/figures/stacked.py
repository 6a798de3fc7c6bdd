"""Charts below one another as Plotly's figure, which never offers to upload what it shows."""

from typing import Any

from plotly.graph_objects import Figure

from dpca_core.figures.bundle import CONFIG
from dpca_core.figures.chart import MARGIN, Spec, with_names
from dpca_core.figures.colours import Theme, resolve

PLOT_WIDTH, TITLE = 640, 40.0
"""Pixels: width of a plot, and height of a title."""


def _configured(method: str) -> Any:
    """Return a method of Plotly's figure that is given ``CONFIG``, below what its caller says."""

    def called(self: "QuietFigure", *args: Any, **options: Any) -> Any:
        config = CONFIG | (options.pop("config", None) or {})
        return getattr(Figure, method)(self, *args, config=config, **options)

    return called


class QuietFigure(Figure):  # type: ignore[misc]
    """A figure that is shown and written with ``CONFIG``; another configuration adds to it."""

    show, to_html, write_html = map(_configured, ("show", "to_html", "write_html"))

    def _ipython_display_(self) -> None:
        self.show()

    def _repr_html_(self) -> str:
        return str(self.to_html(full_html=False))

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, str]:
        return {"text/html": self._repr_html_()}


def stacked(panels: dict[str, Spec], theme: Theme) -> QuietFigure:
    """Return charts with a common x axis, by their titles, each below its own."""
    drawn = [resolve(with_names(panel, PLOT_WIDTH), theme) for panel in panels.values()]
    margins = [each["layout"]["margin"] for each in drawn]
    frames = [
        each["layout"]["height"] - margin["t"] - margin["b"]
        for each, margin in zip(drawn, margins, strict=True)
    ]
    inside, bottom = sum(frames) + TITLE * (len(frames) - 1), max(each["b"] for each in margins)
    figure = QuietFigure()
    figure.set_subplots(
        len(drawn),
        shared_xaxes=True,
        row_heights=frames,
        vertical_spacing=TITLE / inside if len(drawn) > 1 else 0,
        subplot_titles=[f"<b>{title}</b>" for title in panels],
    )
    ink = resolve({"color": "ink"}, theme)
    figure.update_annotations(x=0, xanchor="left", yshift=4, font={"size": None, **ink})
    for row, each in enumerate(drawn, 1):
        here: dict[str, Any] = {"row": row, "col": 1}
        for trace in each["data"]:
            once = {"showlegend": row == 1 and trace.get("showlegend", False)}
            figure.add_trace(trace | once, **here)
        for words in each["layout"]["annotations"]:
            figure.add_annotation(words, **here)
        last = {} if row == len(drawn) else {"title": None, "showticklabels": False}
        figure.update_xaxes(each["layout"].pop("xaxis") | last, **here)
        figure.update_yaxes(each["layout"].pop("yaxis"), **here)
        del each["layout"]["annotations"]
    height = inside + TITLE + MARGIN["t"] + bottom
    figure.update_layout(
        drawn[0]["layout"],
        height=height,
        width=PLOT_WIDTH + MARGIN["l"] + MARGIN["r"],
        margin=MARGIN | {"t": MARGIN["t"] + TITLE, "b": bottom},
        paper_bgcolor=resolve({"color": "page"}, theme)["color"],
    )
    return figure
