"""Chaudhuri, Sarwate & Sinha 2013: its figures and tables, as the paper has them."""

from papers.chaudhuri_epsilon import figure_5
from papers.chaudhuri_people import figure_3a, figure_3b, figure_4a, figure_4b

EXPERIMENTS = (figure_3a(), figure_3b(), figure_4a(), figure_4b(), figure_5())
