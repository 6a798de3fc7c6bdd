"""Learn: thirteen questions that ask for a prediction before they show an answer."""

from ui.learn.page import draw_page

draw_page()
