"""A file under a guarantee is a function of the release and of public settings.

The release itself is held fixed; whatever is written is compared byte by byte.
"""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget
from dpca_core.data.dataset import Dataset
from dpca_core.example_release.draw import Drawn
from dpca_core.example_release.terms import terms
from tests.core.example_release.release_cases import CHOICES, HEAD, ROWS, K, data_of
from ui.figures.downloads import release_download

ODD = {
    "an outlier that is clipped": "x,1e9,-4e5,77,a\n",
    "a text where a number was": "x,forty,1;2,=1+1,c\n",
    "thousands and decimals": 'x,"12,345,678","1.234,5",0.1,a\n',
    "not a number and infinite": "x,nan,inf,1e400,a\n",
    "nothing": ",,,,\n",
    "too many fields": "x,1,2,0.3,a,b,c,d\n",
    "a lone quote": 'x,"1,2,0.3,a\n',
    "an id like a number": "01,30,2,0.1,b\n",
    "a link": "x,https://evil.example/,2,0.1,b\n",
}


def neighbours() -> list[tuple[str, str]]:
    """Pairs of files that differ in one person, by both relations; n crosses a power of ten."""
    table = HEAD + "".join(ROWS)
    pairs = [(table, HEAD + "".join(ROWS[1:])), (table, table + "x,20,1,0.1,a\n")]
    pairs += [(table, table + row) for row in ODD.values()]
    pairs += [(table, HEAD + "".join([row, *ROWS[1:]])) for row in ODD.values()]
    constant = HEAD + "p,50,3,0.5,a\n" * 20
    return [*pairs, (constant, constant.replace("3,0.5,a", "9,0.1,b", 1))]


@pytest.fixture(scope="module")
def pairs() -> dict[str, list[tuple[Dataset, Dataset]]]:
    """Neighbouring data sets by choice; each file is read once a choice."""
    found = {}
    for name, recipe in CHOICES.items():
        read: dict[str, Dataset] = {}
        for text in (text for pair in neighbours() for text in pair):
            if text not in read:
                read[text] = data_of(text, recipe)
        found[name] = [(read[a], read[b]) for a, b in neighbours()]
    return found


def written(data: Dataset, mechanism, budget: Budget, drawn: Drawn) -> str:
    """The file, or why there is none: decided before anything is drawn."""
    try:
        return release_download(terms(data, mechanism, K, budget), drawn).text
    except InfeasibleBudget as refused:
        return f"refused: {refused}"


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("key", MECHANISMS)
def test_files_of_neighbours_are_equal_byte_by_byte(key, adjacency, pairs):
    mechanism, rng = MECHANISMS[key], np.random.default_rng(0)
    basis = np.linalg.qr(rng.standard_normal((5, K)))[0]
    for choice, found in pairs.items():
        for epsilon, delta in ((0.5, 1e-6), (0.5, 0.0)):
            budget = Budget(epsilon, delta, adjacency)
            for drawn in (Drawn(basis), Drawn(None)):
                for one, other in found:
                    first = written(one, mechanism, budget, drawn)
                    assert first == written(other, mechanism, budget, drawn), choice
                    assert "patients.csv" not in first
                    assert one.key not in first


def test_the_pairs_are_hostile(pairs):
    """What is kept out of the files does differ between neighbours."""
    found = pairs["public ranges"]
    assert {len(str(one.people)) != len(str(other.people)) for one, other in found} == {True, False}
    assert any(one.clipped_cells == 0 < other.clipped_cells for one, other in found) or any(
        one.clipped_cells != other.clipped_cells for one, other in found
    )
    assert any(
        [x.text for x in one.disclosures] != [x.text for x in other.disclosures]
        for one, other in found
    )
    assert all(np.abs(one.moment - other.moment).max() <= 1 + 1e-9 for one, other in found)
