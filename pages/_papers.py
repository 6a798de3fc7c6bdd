"""Papers: every printed figure and table of the five papers beside our own run of it."""

from ui.papers.page import draw_page

draw_page()
