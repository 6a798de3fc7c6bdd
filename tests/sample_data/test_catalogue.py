"""The built-in data sets: what they hold, where from, their self-describing keys and words."""

import numpy as np
import pytest

from dpca_core.data.provenance import Mark
from sample_data import CATALOGUE, load_key, source_of
from sample_data.synthetic import CHAUDHURI_SPECTRUM
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
    assert all((data.origin, data.licence, source.description))
    assert data.private is (key not in READ_THEIR_ROWS)
    marks = {leak.mark for leak in data.disclosures}
    assert marks == ({Mark.NOTHING} if data.private else {Mark.NOTHING, Mark.READS})
    assert 1 <= source.default_k < data.d
    assert data.problem(source.default_k).gap > 0
    assert set(source.column_words) <= set(data.columns)


def test_words_for_the_ends_of_columns_name_no_cause():
    words = CATALOGUE["rand"].column_words
    for one in words.values():
        assert all((one.name, one.low, one.high))
        assert one.low != one.high
        assert (one.low_people == "") == (one.high_people == "")
        said = " ".join([one.low, one.high, one.name, one.topic, one.low_people, one.high_people])
        assert not {"cause", "causes", "because", "due", "leads"} & {*said.lower().split()}
    # Which end of the mental health index is the healthy one is not in RAND's codebook.
    assert "age" in words
    assert "mental health index" not in words


def test_digits_are_images_and_rand_is_as_published():
    digits = load_key("digits")
    assert (digits.image_shape, digits.unit.many, digits.clipped_rows) == ((8, 8), "images", 0)
    data = load_key("rand")
    assert data.rows.shape == (5912, 19)
    assert data.clipped_rows == pytest.approx(0.0727, abs=5e-5)
    spectrum = [908.8, 791.6, 663.0, 645.6, 472.3, 241.9, 153.2, 133.1]
    assert data.problem(2).spectrum[:8] == pytest.approx(spectrum, abs=0.051)
    first, second = np.abs(data.problem(2).basis.T)
    for direction, pair in (
        (first, {"child", "age"}),
        (second, {"deductible plan", "log coinsurance"}),
    ):
        assert {data.columns[i] for i in np.argsort(direction)[-2:]} == pair


@pytest.mark.chance(1e-7)
def test_synthetic_spectra_are_the_papers():
    """Limits of six standard deviations of an eigenvalue, √(2/n) of it, and more."""
    shape = load_key("chaudhuri").problem(2).spectrum / 5000 * 2.5**2
    assert shape == pytest.approx(CHAUDHURI_SPECTRUM, rel=0.15, abs=2e-4)
    spiked = load_key("wangxu?p=20&k=3&n=200000").problem(3).spectrum / 200_000
    assert spiked[:3] == pytest.approx(np.full(3, 1 / 100), rel=0.02)
    assert spiked[3:] == pytest.approx(np.full(17, 1 / 200), rel=0.03)
    head = load_key("imtiaz").problem(10)
    assert head.spectrum[:10].sum() / head.spectrum.sum() == pytest.approx(0.9, abs=0.005)


def test_a_key_says_everything():
    source, settings = CATALOGUE["wangxu"], {"p": 20, "strength": 0.5, "n": 1000}
    assert source.make().key == "wangxu"
    made = source.make(settings)
    assert source_of(made.key) is source
    again = load_key(made.key)
    assert (again.key, again.identity) == (made.key, made.identity)
    assert again.rows.shape == (1000, 20)


@pytest.mark.parametrize(
    "key",
    ["nothing", "wangxu?p=3", "wangxu?q=3", "wangxu?p=x", "wangxu?p=nan", "rand?n=5",
     "wangxu?p=", "wangxu?p=20&p=20", "wangxu?p=20.5", "rand?" + 30 * "n=5&",
     "wangxu?n=200000&p=400", "wangxu?p=10&k=50"],
)  # fmt: skip
def test_a_key_that_cannot_be_met_is_one_sentence(key):
    with pytest.raises(ValueError, match=r"\w") as refused:
        load_key(key)
    require_sentence(refused.value)


def test_a_large_set_is_its_sum_and_a_sample_drawn_in_blocks_as_the_whole_at_once():
    whole = load_key("imtiaz?n=20000&d=50&seed=3")
    assert len(whole.rows) == 20_000
    blocks = load_key("imtiaz?n=20001&d=50&seed=3")
    assert len(blocks.rows) == 2000
    assert blocks.rows == pytest.approx(whole.rows[:2000], abs=1e-12)
    rest = blocks.moment - whole.moment
    assert np.linalg.eigvalsh(rest)[:-1] == pytest.approx(np.zeros(49), abs=1e-8)
    assert 0 < np.trace(rest) <= 1 + 1e-9
    assert blocks.clipped_rows == pytest.approx(whole.clipped_rows, abs=1e-3)
