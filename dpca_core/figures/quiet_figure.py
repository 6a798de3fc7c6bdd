"""Plotly's figure, which never offers to upload what it shows."""

from typing import Any

from plotly.graph_objects import Figure

from dpca_core.figures.bundle import CONFIG


class QuietFigure(Figure):  # type: ignore[misc]
    """A figure that is shown and written with ``CONFIG``; another configuration adds to it."""

    def show(self, *args: Any, **options: Any) -> None:
        """Show the figure as ``plotly.graph_objects.Figure.show`` does."""
        super().show(*args, **_configured(options))

    def to_html(self, *args: Any, **options: Any) -> str:
        """Return the figure as HTML, as ``plotly.graph_objects.Figure.to_html`` does."""
        return str(super().to_html(*args, **_configured(options)))

    def write_html(self, *args: Any, **options: Any) -> None:
        """Write the figure as HTML, as ``plotly.graph_objects.Figure.write_html`` does."""
        super().write_html(*args, **_configured(options))

    def _ipython_display_(self) -> None:
        self.show()

    def _repr_html_(self) -> str:
        return self.to_html(full_html=False)

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, str]:
        return {"text/html": self._repr_html_()}


def _configured(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"config": CONFIG | (options.get("config") or {})}
