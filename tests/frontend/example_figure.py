"""A small figure of two panels, as a page sends it to the browser."""

import json
import zlib
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import BAND_OPACITY, palette
from dpca_core.figures.config import CONFIG
from dpca_core.figures.curve_panels import curve_panels
from dpca_core.figures.layout import Spec
from dpca_core.figures.panels import Band, Curve, Mark, Panel, Reference
from ui.figures.packed_content import encode

X = np.geomspace(0.01, 10, 31)
KEPT = 1 / (1 + X**-2)
GAPS = np.where((X > 0.1) & (X < 0.2), np.nan, KEPT**2)
PALETTE = json.loads(json.dumps({"colours": palette(), "opacity": BAND_OPACITY, "config": CONFIG}))
SELECTED, ESCAPED = "A &lt;mechanism&gt; &amp; its name", "A <mechanism> & its name"
"""The name of a curve as markup, and what a person reads."""


def example_figure() -> Spec:
    """Return two panels: two curves with a band and a reference line above one with a mark."""
    selected = Curve("gaussian", SELECTED, KEPT, "gaussian", chosen=True)
    kept = Panel(
        "kept",
        Axis(0, 1.05),
        200,
        [selected, Curve("laplace", "Laplace", GAPS, "laplace", bridged=False)],
        bands=[Band(KEPT * 0.9, np.minimum(KEPT * 1.05, 1), "gaussian/band95")],
        references=[Reference(0.27, text="random: 27 %")],
    )
    curve = Curve("gaussian", SELECTED, 1 - KEPT, "gaussian", chosen=True)
    turned = Panel("sin", Axis(0, 1.05), 160, [curve], marks=[Mark(1, 0.5, "here")])
    return curve_panels(Axis(0.01, 10, log=True, title="ε"), X, [kept, turned], "first view")


def sent(content: Any) -> Any:
    """Return content as the browser has it: as JSON, with packed arrays."""
    return json.loads(zlib.decompress(encode({"content": content})))["content"]
