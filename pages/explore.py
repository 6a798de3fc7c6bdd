"""Explore: choose data, mechanism and budget, and see what a release keeps."""

from ui.explore.page import draw_page

draw_page()
