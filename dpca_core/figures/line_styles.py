"""Dashes and widths of lines, for what has not moved to ``colours``."""

from dpca_core.figures.colours import (
    CHOSEN_WIDTH,
    DASHES,
    PRINTED_DASHES,
    PRINTED_WIDTH,
    WIDTH,
    dash,
    width,
)

__all__ = [
    "CHOSEN_WIDTH", "DASHES", "PRINTED_DASHES", "PRINTED_WIDTH", "WIDTH", "dash", "width",
]  # fmt: skip
