"""Built-in sets that tests of every page go through."""

from sample_data import CATALOGUE

LARGE_SUMS = {"kddcup", "covtype_ranged", "covtype_unit", "census"}
"""Like ``covtype`` in all that a page can tell, and with up to 503 columns slow to measure."""
QUICK_SETS = tuple(key for key in CATALOGUE if key not in LARGE_SUMS)
