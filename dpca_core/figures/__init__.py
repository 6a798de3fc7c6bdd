"""Figures as plain dictionaries in Plotly's schema; Plotly is imported by ``plot`` alone."""
