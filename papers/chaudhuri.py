"""Chaudhuri, Sarwate & Sinha 2013: its figures and tables, as the paper has them."""

from papers.chaudhuri_bound import figure_1
from papers.chaudhuri_epsilon import figure_5
from papers.chaudhuri_people import figure_3a, figure_3b, figure_4a, figure_4b
from papers.chaudhuri_table_1 import table_1
from papers.chaudhuri_table_2 import table_2
from papers.gibbs_trace import figure_2

FIGURES = (
    table_1(),
    figure_1(),
    figure_2(),
    figure_3a(),
    figure_3b(),
    figure_4a(),
    figure_4b(),
    table_2(),
    figure_5(),
)
