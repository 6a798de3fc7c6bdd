"""Every figure and table that is run again, in the order of the papers."""

from papers import imtiaz
from papers.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    imtiaz.figure_1a(),
)  # fmt: skip

BY_KEY = {experiment.key: experiment for experiment in EXPERIMENTS}
