"""Public words for columns: of columns that exist, complete, and without a claim about causes."""

import pytest

from sample_data import CATALOGUE, load_key

WITH_WORDS = [key for key, source in CATALOGUE.items() if source.column_words]


def test_rand_has_words() -> None:
    assert "rand" in WITH_WORDS


@pytest.mark.parametrize("key", WITH_WORDS)
def test_words_are_of_columns_and_have_two_ends(key: str) -> None:
    words = CATALOGUE[key].column_words
    assert set(words) <= set(load_key(key).columns)
    for one in words.values():
        ends = {one.low, one.high}
        assert len(ends) == 2
        assert all(ends)
        assert (one.low_people == "") == (one.high_people == "")
        assert one.name
        said = " ".join([one.low, one.high, one.name, one.topic, one.low_people, one.high_people])
        assert not {"cause", "causes", "because", "due", "leads"} & {*said.lower().split()}


def test_what_the_codebook_does_not_say_has_no_words() -> None:
    """Which end of the mental health index is the healthy one is not in RAND's codebook."""
    assert "mental health index" not in CATALOGUE["rand"].column_words
