"""Every figure and table that is run again, in the order of the papers."""

from papers import chaudhuri, imtiaz
from papers.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    *chaudhuri.EXPERIMENTS,
    *imtiaz.EXPERIMENTS,
)

BY_KEY = {experiment.key: experiment for experiment in EXPERIMENTS}
