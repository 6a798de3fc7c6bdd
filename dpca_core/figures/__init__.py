"""Figures as plain dictionaries in Plotly's schema: curves, charts and the names beside lines.

Nothing here imports Plotly, except ``plot`` when it is called. Arrays of numbers are NumPy arrays
in single precision, with NaN for a gap. Colours are roles such as ``"gaussian/.13"``, which
``theme.resolve`` replaces by colours of the light or the dark theme.
"""
