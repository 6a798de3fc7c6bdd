"""Axes, for the charts of panels that have not moved to ``chart``."""

from dpca_core.figures.chart import LARGE_COUNT, POWERS, Axis, count_format

__all__ = ["LARGE_COUNT", "POWERS", "Axis", "count_format"]
