"""What is said twice is said alike: in the views of Explore, on Eigengap, in a plan of people."""

import re

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

SETTINGS = [("rand", "gaussian", 2, 0.1), ("rand", "wishart", 3, 0.5), ("rand", "laplace", 2, 1.0)]
RIVALS = (MECHANISMS["gaussian"], MECHANISMS["laplace"])


@pytest.mark.parametrize(("data", "key", "k", "epsilon"), SETTINGS)
def test_numbers_are_equal_wherever_they_stand(data, key, k, epsilon):
    """Kept, needed ε, odds and noise, as printed; of 200 releases in each view."""
    study = begun(data, key, rivals=RIVALS, k=k, epsilon=epsilon)
    measured(study, epsilon)
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
    if key == "gaussian":
        title = plain(chart_of(one, "noise").title[at(epsilon)])
        noise = re.search(r"Noise ([\d.,]+) people", title)[1]
        settings = (1e-6, study.asked.adjacency)
        gap = study.problem.gap
        asked = EigengapQuery(study.dataset, k, study.asked.n, gap, epsilon, *settings)
        assert f"noise {noise} people" in plain(" ".join(texts_of(eigengap(asked))))
