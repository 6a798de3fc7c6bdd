"""Every figure and table that is run again, in the order of the papers."""

from papers import imtiaz
from papers.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    imtiaz.figure_1a(),
    imtiaz.figure_1b(),
    imtiaz.figure_2a(),
    imtiaz.figure_2b(),
)

BY_KEY = {experiment.key: experiment for experiment in EXPERIMENTS}
