"""Answers and data sets that the tests of the Explore screen share."""

from functools import cache

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Disclosure, Mark
from sample_data import load_key


@cache
def rand():
    return load_key("rand")


def own(**changes):
    rows = np.random.default_rng(0).normal(size=(500, 4)) @ np.diag([0.5, 0.3, 0.1, 0.1])
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    names = ("=cmd()", "b", "c", "d")
    return Dataset("upload:x:1", "x.csv", "x.csv", rows, names, disclosures=(LEAK,), **changes)


LEAK = Disclosure("Norm bound", Mark.READS, "read from the file", "not private")
