"""Proofs: the documents that prove what the other pages say."""

from ui.proofs.page import draw_page

draw_page()
