"""The one table of mechanisms, in menu order. Adding a mechanism is one file and one line here."""

from dpca_core.mechanism import Mechanism
from dpca_core.mechanisms.baselines import NonPrivate, RandomProjection
from dpca_core.mechanisms.gap_release import GapRelease
from dpca_core.mechanisms.gaussian import AnalyzeGauss, Gaussian
from dpca_core.mechanisms.laplace import Laplace, LaplacePrinted
from dpca_core.mechanisms.smooth import SmoothGaussianPrinted
from dpca_core.mechanisms.wishart import WishartDifference

MECHANISMS: dict[str, Mechanism] = {
    mechanism.key: mechanism
    for mechanism in (
        Gaussian(),
        AnalyzeGauss(),
        WishartDifference(),
        Laplace(),
        LaplacePrinted(),
        GapRelease(),
        SmoothGaussianPrinted(),
        RandomProjection(),
        NonPrivate(),
    )
}
