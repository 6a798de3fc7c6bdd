"""The built-in data sets: what they hold, where from, their keys, as the papers prepare them."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core.data.disclosures import Mark
from papers import data as papers_data
from sample_data import CATALOGUE, load_key
from sample_data.paper_sums import read_sums
from tests.hostile.one_sentence import require_sentence

READ_THEIR_ROWS = {"kddcup", "covtype", "covtype_ranged", "census"}


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_set_is_ready_for_a_mechanism(key):
    source = CATALOGUE[key]
    data = source.make()
    assert np.linalg.norm(data.rows, axis=1).max(initial=0) <= 1 + 1e-12
    assert len(data.columns) == data.d == len(set(data.columns))
    assert (len(data.rows) > 0) == source.has_rows
    assert data.public
    assert all((source.origin, data.licence, source.description))
    assert data.private is (key not in READ_THEIR_ROWS)
    marks = {leak.mark for leak in data.disclosures}
    assert marks == ({Mark.NOTHING} if data.private else {Mark.NOTHING, Mark.READS})
    assert 1 <= source.default_k < data.d
    assert data.problem(source.default_k).gap > 0
    assert set(source.column_words) <= set(data.columns)


def test_a_key_says_everything_and_one_that_cannot_be_met_is_one_sentence():
    source, settings = CATALOGUE["wangxu"], {"p": 20, "strength": 0.5, "n": 1000}
    assert source.make().key == "wangxu"
    made = source.make(settings)
    again = load_key(made.key)
    assert (again.key, again.identity) == (made.key, made.identity)
    assert replace(made, rows=made.rows / 2).identity != made.identity
    assert again.rows.shape == (1000, 20)
    sizes = ("n=200000&p=400", "p=10&k=50")
    settings = ("p=3", "q=3", "p=x", "p=nan", "p=", "p=20&p=20", "p=20.5", *sizes)
    keys = ("nothing", "rand?n=5", f"rand?{30 * 'n=5&'}", *(f"wangxu?{one}" for one in settings))
    for key in keys:
        with pytest.raises(ValueError, match=r"\w") as refused:
            load_key(key)
        require_sentence(refused.value)


@pytest.mark.long("on a real data set")
@pytest.mark.skipif(
    papers_data.path_of(papers_data.COVTYPE) is None,
    reason=f"{papers_data.COVTYPE} is not part of the project: set DPCA_DATA to its folder",
)
def test_the_recipe_gives_the_sums_that_ship():
    made, shipped = papers_data.sums("covtype"), read_sums("covtype")
    assert np.array_equal(made.gram, shipped.gram)
    assert made.longest == pytest.approx(shipped.longest)
