"""Built-in sets: what all sessions share stays small, and every key is a set or a sentence."""

import random
import time
from threading import Event, Thread

import numpy as np
import pytest

from dpca_core.data.dataset import Dataset
from sample_data import CATALOGUE, load_key, source_of
from sample_data.source import values_in
from ui.server.built_in_cache import BuiltInCache, bytes_of

MEGABYTE = 1 << 20
NUMBERS = (
    "nan", "inf", "-inf", "1e999", "-1", "0", "1", "2", "9", "10", "11", "19.5", "20", "50", "51",
    "100", "399", "400", "401", "1000", "50000", "60000", "2e5", "200000", "200001", "9" * 400,
    "", " ", "x", "1_0", "0x10", "１０", "1e-320", "0.5", "0.99", "True", "1,000", "%00", "+5",
)  # fmt: skip


def made(size: int) -> Dataset:
    return Dataset(
        key="made",
        name="made",
        short="made",
        rows=np.zeros((size * MEGABYTE // 16, 2)),
        columns=("a", "b"),
        public=True,
    )


def test_what_is_kept_stays_within_its_bytes_and_the_least_used_go_first() -> None:
    loaded: list[str] = []

    def load(key: str) -> Dataset:
        loaded.append(key)
        return made(int(key))

    kept = BuiltInCache(10 * MEGABYTE, load)
    for key in ("4", "3", "2", "4", "1", "3"):
        kept.get(key)
        assert kept.size <= 10 * MEGABYTE
    assert loaded == ["4", "3", "2", "1"]
    kept.get("5")
    assert kept.size <= 10 * MEGABYTE
    kept.get("3")
    kept.get("1")
    assert loaded == ["4", "3", "2", "1", "5"]
    kept.get("4")
    assert loaded == ["4", "3", "2", "1", "5", "4"]
    assert len(kept.get("11").rows) == 11 * MEGABYTE // 16
    assert kept.size <= 10 * MEGABYTE


def test_nothing_is_kept_once_all_have_left() -> None:
    kept = BuiltInCache(10 * MEGABYTE, lambda key: made(1))
    kept.get("x")
    assert kept.size == MEGABYTE
    kept.clear()
    assert kept.size == 0


def test_two_who_ask_at_once_wait_for_one_loading() -> None:
    started, go, times = Event(), Event(), [0]

    def load(key: str) -> Dataset:
        times[0] += 1
        started.set()
        assert go.wait(10)
        return made(1)

    kept, found = BuiltInCache(10 * MEGABYTE, load), list[Dataset]()
    threads = [Thread(target=lambda: found.append(kept.get("x"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    assert started.wait(10)
    other = BuiltInCache(10 * MEGABYTE, lambda key: made(1))
    assert other.get("y") is other.get("y")
    go.set()
    for thread in threads:
        thread.join(10)
    assert times == [1]
    assert len({id(one) for one in found}) == 1
    assert len(found) == 6


def test_a_loading_that_fails_fails_for_each_and_is_not_remembered() -> None:
    kept = BuiltInCache()
    for _ in range(2):
        with pytest.raises(ValueError, match="fewer strong directions"):
            kept.get("wangxu?p=10&k=10")
    assert kept._loading == {}


@pytest.mark.parametrize("key", ["imtiaz?d=400&n=50000", "wangxu?n=200000&p=100", "imtiaz"])
def test_a_large_synthetic_set_is_its_sum_and_a_sample(key: str) -> None:
    data = load_key(key)
    n, d = data.people, data.d
    data.problem(3).eigenvectors  # noqa: B018
    assert n * d > 1_000_000
    assert bytes_of(data) < 8 * (2000 * d + 8 * d * d) < 25 * MEGABYTE
    assert len(data.rows) == 2000
    assert np.trace(data.moment) <= n
    # Rows are drawn one after another: the sample is how the whole begins, and S that of all.
    # A share of the trace has a standard deviation below 1 % here; five of them: 6e-7.
    ours = np.trace(data.rows.T @ data.rows) / 2000
    assert ours == pytest.approx(np.trace(data.moment) / n, rel=0.05)


def test_a_set_drawn_in_blocks_is_the_one_drawn_at_once() -> None:
    whole = load_key("imtiaz?n=20000&d=50&seed=3")
    assert len(whole.rows) == 20_000
    blocks = load_key("imtiaz?n=20001&d=50&seed=3")
    assert len(blocks.rows) == 2000
    assert blocks.rows == pytest.approx(whole.rows[:2000], abs=1e-12)
    rest = blocks.moment - whole.moment
    assert np.linalg.eigvalsh(rest)[:-1] == pytest.approx(np.zeros(49), abs=1e-8)
    assert 0 < np.trace(rest) <= 1 + 1e-9
    assert blocks.clipped_rows == pytest.approx(whole.clipped_rows, abs=1e-3)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("wangxu?p=10&k=10", "fewer strong directions"),
        ("imtiaz?d=400&n=200000", "too many"),
        ("imtiaz?d=nan", "Columns must be 20 to 400"),
        ("imtiaz?d=40&d=50", "twice"),
        ("wangxu?p=20.5", "whole number"),
        ("wangxu?p", "no value"),
        ("wangxu?p=", "no value"),
        ("wangxu?p=x", "not a number"),
        ("rand?n=5", "has no setting"),
        ("chaudhuri?" + "x" * 5000 + "=1", "has no setting"),
        ("chaudhuri?" + "&".join(f"x{i}=1" for i in range(500)), "too many settings"),
    ],
)
def test_what_is_wrong_with_a_key_is_told_before_anything_is_made(key: str, words: str) -> None:
    source = source_of(key)
    assert source is not None
    with pytest.raises(ValueError, match=words) as told:
        source.checked(values_in(key))
    assert len(str(told.value)) < 200
    assert "\n" not in str(told.value)


def test_every_key_is_a_set_or_one_sentence() -> None:
    """600 keys of hostile parameters; what passes the checks and is small is loaded too."""
    rng = random.Random(20261122)
    names = ["n", "p", "d", "k", "seed", "radius", "share", "strength", "x", ""]
    told, good, begun = list[str](), 0, time.perf_counter()
    for _ in range(600):
        source = CATALOGUE[rng.choice(list(CATALOGUE))]
        own = [p.name for p in source.parameters]
        chosen = [
            rng.choice(own or names) if rng.random() < 0.9 else rng.choice(names)
            for _ in range(rng.randint(0, 3))
        ]
        key = source.key + "?" + "&".join(f"{n}={rng.choice(NUMBERS)}" for n in chosen)
        try:
            values = source.checked(values_in(key))
        except ValueError as error:
            told.append(str(error))
            continue
        good += 1
        size = values.get("n", 0) * values.get("d", values.get("p", 10))
        if source.parameters and size <= 500_000 and time.perf_counter() - begun < 3:
            assert load_key(key).d > 1
    assert good > 50
    assert len(told) > 50
    assert all(0 < len(sentence) < 200 and "\n" not in sentence for sentence in told)
