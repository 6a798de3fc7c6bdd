"""What is said twice is said alike: in the views of Explore, on Eigengap, in a plan of people."""

import re

import numpy as np
import pytest

from dpca_core import MECHANISMS
from tests.page_charts import chart_of, texts_of
from tests.ui.explore.studies import at, begun, measured, plain
from tests.ui.explore.test_sheet import text_of as page_of
from ui.eigengap.figures import page_content as eigengap
from ui.eigengap.query import EigengapQuery
from ui.explore.all import all_content
from ui.explore.one import one_content
from ui.explore.sheet_measurements import Sheet
from ui.text.numbers import count, degree_floor, rounded_count

SETTINGS = [("rand", "gaussian", 2, 0.1), ("rand", "wishart", 3, 0.5), ("rand", "laplace", 2, 1.0)]
RIVALS = (MECHANISMS["gaussian"], MECHANISMS["laplace"])


@pytest.mark.parametrize(("data", "key", "k", "epsilon"), SETTINGS)
def test_numbers_are_equal_wherever_they_stand(data, key, k, epsilon):
    """Kept, needed ε, odds, noise, people needed and half off by, as printed, in all that say so.

    Of 200 releases in each view; what directions do, of those that One page judges them by.
    """
    study = measured(begun(data, key, rivals=RIVALS, k=k, epsilon=epsilon))
    one, every = (make(study, "x", at(epsilon), 0.9) for make in (one_content, all_content))
    said = plain(one.says["answer"][at(epsilon)])
    kept = re.search(r"keeps \*\*(?:more than )?(\d+) %\*\*", said)[1]
    rows = {row.key: row for row in every.rows}
    assert f"{kept} %" in plain(rows[key].cells[0][at(epsilon)])
    for row in one.rows:
        there = rows[row.key].cells[-1]
        assert plain(row.cells[0]) == plain(there if isinstance(there, str) else there[at(epsilon)])
    assert f"200 releases per point for {study.mechanism.name}" in one.says["footer"]
    (odds,) = re.findall(r"at most \*\*([\d.]+) times in 100", one.says["under"][at(epsilon)])
    assert f"at most **{odds}** in 100" in one.says["beside"][at(epsilon)]
    sheet = Sheet(study, epsilon)
    for _ in sheet.steps():
        pass
    assert f"right at most {odds} times in 100" in page_of(sheet)
    one = one_content(study, "x", at(epsilon), 0.9)
    half = re.search(r"are off by \*\*([\d.]+)°", chart_of(one, "sin-theta").sub[at(epsilon)])[1]
    angles = study.reliability.at(at(epsilon)).angles
    assert f"{half}°" == degree_floor(np.median(angles))
    assert len(angles) == sheet.chosen.found.trials
    asked = EigengapQuery(study.dataset, k, study.asked.n, study.problem.gap, study.asked.budget)
    others = plain(" ".join(texts_of(eigengap(asked))))
    assert "off by" not in others
    assert "off by" not in plain(str(every.charts))
    people = study.people_needed(0.9, at(epsilon)).n
    many = re.findall(
        r"at ε = [\d.]+ (?:about )?\*\*(?:all )?([\d,]+) people",
        plain(one.says["lead"][at(epsilon)]),
    )
    assert many in ([rounded_count(people)], [count(study.asked.n)])
    if key == "gaussian":
        title = plain(chart_of(one, "noise").title[at(epsilon)])
        noise = re.search(r"Noise ([\d.,]+) people", title)[1]
        assert f"noise {noise} people" in others
