"""Errors of a linear classifier on projected data."""

from typing import Any, NamedTuple

from dpca_core.linalg.arrays import Array


class Split(NamedTuple):
    """Rows (n, d) to train on and to test on, with labels (n,) of two classes."""

    train: Array
    train_labels: Any
    test: Array
    test_labels: Any


def error_of(split: Split, basis: Array, standardised: bool) -> float:
    """Percentage of test rows that a linear SVM with C = 1 gets wrong, on rows times a basis.

    Parameters
    ----------
    standardised
        Whether projected columns get mean 0 and deviation 1, by the rows that are trained on.
    """
    from sklearn.svm import LinearSVC

    train, test = split.train @ basis, split.test @ basis
    if standardised:
        middle, deviation = train.mean(axis=0), train.std(axis=0)
        deviation[deviation == 0] = 1
        train, test = (train - middle) / deviation, (test - middle) / deviation
    fitted = LinearSVC(C=1.0, dual=False, tol=1e-6).fit(train, split.train_labels)
    return 100 * float((fitted.predict(test) != split.test_labels).mean())
