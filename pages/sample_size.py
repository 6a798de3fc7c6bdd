"""Sample size: how many people each mechanism needs for an aim, measured and proved."""

from ui.sample_size.page import draw_page

draw_page()
