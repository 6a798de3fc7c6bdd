"""Every figure and table that is run again, in the order of the papers."""

from papers import (
    chaudhuri,
    gonen,
    imtiaz,
    jiang,
    wang_xu_covertype,
    wang_xu_dense,
    wang_xu_figure_4,
    wang_xu_tables,
)
from papers.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    *chaudhuri.FIGURES,
    *imtiaz.FIGURES,
    *jiang.FIGURES,
    *gonen.FIGURES,
    *wang_xu_covertype.FIGURES,
    *wang_xu_dense.FIGURES,
    *wang_xu_figure_4.FIGURES,
    *wang_xu_tables.FIGURES,
)

BY_KEY = {experiment.key: experiment for experiment in EXPERIMENTS}
