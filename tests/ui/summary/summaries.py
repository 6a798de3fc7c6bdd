"""Summaries for tests, measured to the end."""

from dataclasses import replace
from datetime import date
from functools import cache

from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Adjacency
from sample_data import source_of
from tests.built_in_sets import loaded
from tests.ui.explore.answers import own
from ui.summary.measurements import SummaryMeasurements
from ui.summary.query import Frozen, Presentation, SummaryQuery

MADE = date(2026, 11, 22)


def query(data, k, epsilon, **changes):
    relation = Adjacency.ADD_OR_REMOVE_ONE
    asked = SummaryQuery(DEFAULT, k, float(data.people), epsilon, 1e-6, relation, 0)
    return replace(asked, **changes)


def measured(data, asked):
    found = SummaryMeasurements(data, asked)
    for _ in found.steps():
        pass
    return found


@cache
def built_in(key, k, epsilon, mechanism=DEFAULT.key, delta=1e-06):
    data = loaded(key)
    return measured(data, query(data, k, epsilon, mechanism=MECHANISMS[mechanism], delta=delta))


def own_table(**changes):
    """Return 500 rows of somebody's own table, with a telling name and a telling column."""
    names, called = ("<b>age</b>", "b**c", "income", "d"), "secret-clinic.csv"
    usual = {"key": "", "name": called, "short": called, "columns": names, "disclosures": ()}
    return replace(own(), **(usual | changes))


def frozen(found):
    return Frozen(found.dataset, found.query, {"data": found.dataset.key}, MADE, "1.0")


def shown(found, *, public=True, people=True):
    source = source_of(found.dataset.key)
    return Presentation(people, public, {} if source is None else source.column_words)
