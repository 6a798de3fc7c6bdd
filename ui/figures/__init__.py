"""Axes, colours and the components that draw figures in the browser."""
