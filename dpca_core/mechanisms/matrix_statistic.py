"""What an attacker computes from a published matrix. A mechanism declares which one is optimal."""

from enum import StrEnum


class MatrixStatistic(StrEnum):
    """A statistic of the published matrix; the value is its description in a sentence."""

    INNER_PRODUCT = (
        "the inner product of the published matrix with the change of S caused by the person"
    )
    LAPLACE_RATIO = "the Laplace log-likelihood ratio of the published matrix"
    SMALLEST_EIGENVALUE = (
        "the smallest eigenvalue of the published matrix minus the others and the person"
    )
    NUCLEAR_DISTANCE = (
        "how much closer in nuclear norm the published matrix is with the person than without"
    )
    WISHART_RATIO = "the Wishart log-likelihood ratio of the published matrix"
