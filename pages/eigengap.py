"""Eigengap: why PCA is hard to privatise, and what smooth sensitivity achieves."""

from ui.eigengap.page import draw_page

draw_page()
