"""The aim and the measurement that the tests of sample sizes share."""

from dpca_core.analysis.sample_size import (
    Aim,
)

AIM = Aim.correlation(0.9, 0.9)
