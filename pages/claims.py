"""Claims: what each paper claims, what holds, what that means, and an attack to see for oneself."""

from ui.claims.page import draw_page

draw_page()
