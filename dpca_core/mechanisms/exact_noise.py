"""Which law of noise can be drawn without any rounding error."""

from enum import StrEnum


class ExactNoise(StrEnum):
    """Noise on whole numbers whose law is drawn exactly, bit for bit."""

    GAUSSIAN = "rounded Gaussian"
    WISHART_DIFFERENCE = "rounded difference of Wisharts"
    LAPLACE = "discrete Laplace"
