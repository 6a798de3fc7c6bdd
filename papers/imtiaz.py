"""Imtiaz & Sarwate 2016: its figures, as the paper has them."""

from papers.imtiaz_epsilon import figure_1a, figure_1b
from papers.imtiaz_people import figure_2a, figure_2b
from papers.imtiaz_table import table_1

FIGURES = (figure_1a(), figure_1b(), figure_2a(), figure_2b(), table_1())
