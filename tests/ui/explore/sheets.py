"""One page for tests, measured to the end."""

from dataclasses import replace
from datetime import date
from functools import cache

from dpca_core.mechanisms.registry import DEFAULT
from sample_data import source_of
from tests.built_in_sets import loaded
from tests.ui.explore.studies import own, study_of
from ui.explore.sheet_measurements import Sheet
from ui.explore.sheet_words import Wording

MADE = date(2026, 11, 22)


def measured(data, k, epsilon, key=DEFAULT.key, **changes):
    found = Sheet(study_of(data, key, k=k, epsilon=epsilon, **changes), epsilon)
    for _ in found.steps():
        pass
    return found


@cache
def built_in(data, k, epsilon, key=DEFAULT.key, delta=1e-06):
    return measured(loaded(data), k, epsilon, key, delta=delta)


def own_table(**changes):
    """Return 500 rows of somebody's own table, with a telling name and a telling column."""
    names, called = ("<b>age</b>", "b**c", "income", "d"), "secret-clinic.csv"
    usual = {"key": "", "name": called, "short": called, "columns": names, "disclosures": ()}
    return replace(own(), **(usual | changes))


def worded(found, *, public=True, people=True):
    source = source_of(found.dataset.key)
    return Wording(people, public, {} if source is None else source.column_words)
