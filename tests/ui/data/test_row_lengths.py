"""The histogram of row lengths: its bars hold every row, and its words say which rows they are."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.theme import Theme, resolve
from ui.data.controls import row_lengths
from ui.data.figures import exceeds, histogram, row_length_figure
from ui.data.text import CHOOSING_R, row_lengths_subtitle, shortened_rows, small_share

RNG = np.random.default_rng(0)
LENGTHS = np.concatenate([np.full(2200, 1.0), RNG.uniform(0, 2, 700), [5.0] * 3, [1e300]])
RADII = (1.0, 1.4, 0.03, 5.0, 1e-9, 1e250, 1e300)


@pytest.mark.parametrize("radius", RADII)
def test_r_lies_between_the_bars(radius: float) -> None:
    edges, left, cut = histogram(LENGTHS, radius)
    long = radius * (1 + 1e-12) < LENGTHS
    assert (left.sum(), cut.sum()) == ((~long).sum(), long.sum())
    middles = (edges[1:] + edges[:-1]) / 2
    assert (middles[left > 0] < radius).all()
    assert (middles[cut > 0] > radius).all()


@pytest.mark.parametrize("radius", RADII)
def test_the_figure_holds_every_row(radius: float) -> None:
    figure = row_length_figure(LENGTHS, radius)
    kept, shortened = figure["data"]
    long = int(exceeds(LENGTHS, radius).sum())
    assert (sum(kept["y"]), sum(shortened["y"])) == (len(LENGTHS) - long, long)
    assert all(x < radius for x in kept["x"])
    assert all(x > radius for x in shortened["x"])
    (line,) = figure["layout"]["shapes"]
    assert line["x0"] == line["x1"] == radius


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("radius", RADII)
def test_plotly_accepts_the_figure(radius: float, theme: Theme) -> None:
    figure = resolve(with_names(row_length_figure(LENGTHS, radius)), theme)
    go.Figure(figure)
    json.dumps(figure, allow_nan=False)


def test_the_title_counts_and_never_rounds_to_nothing_or_all() -> None:
    def said(radius: float, *, first: bool) -> str:
        long = int(exceeds(LENGTHS, radius).sum())
        return shortened_rows(long, len(LENGTHS), radius, first=first)

    assert said(2.0, first=True).endswith("shortens 4 of the first 2,904 rows (0.14\u00a0%)")
    assert said(1e300, first=False).endswith("shortens none of all 2,904 rows")
    assert said(1e-300, first=False).endswith("shortens all of all 2,904 rows")
    assert small_share(1, 20_000) == "0.005\u00a0%"
    assert small_share(19_999, 20_000) == "99.995\u00a0%"
    assert small_share(2_200, 20_000) == "11\u00a0%"


def test_the_subtitle_says_which_rows_are_measured() -> None:
    assert row_lengths_subtitle(90, 90).startswith("All rows")
    assert row_lengths_subtitle(20_000, 99_762).startswith("Only the first 20,000 of 99,762 rows")
    assert row_lengths_subtitle(500, None).startswith("Only the first 500 rows of the file")


def row_lengths_page() -> None:
    """Draw the lengths of 200 rows, of which 28 lie beyond R, as a page of its own."""
    import numpy as np
    import pandas as pd

    from dpca_core.data.recipe import Number, Recipe, Scaling
    from ui.data.controls.row_lengths import show_row_lengths

    table = pd.DataFrame({"a": np.arange(200) % 7, "b": np.arange(200) % 2 / 9})
    numbers = (Number("a", 0.0, 6.0), Number("b", 0.0, 1.0))
    recipe = Recipe(numbers, scaling=Scaling.NORM_ONLY, radius=5.5)
    show_row_lengths(table, recipe)


def test_the_page_says_what_it_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, object]] = []
    monkeypatch.setattr(row_lengths, "show_charts", lambda charts, key: shown.extend(charts))
    assert not AppTest.from_function(row_lengths_page).run().exception
    monkeypatch.setattr(row_lengths, "MOST_ROWS", 14)
    assert not AppTest.from_function(row_lengths_page).run().exception
    whole, first = shown
    assert "shortens 28 of all 200 rows (14" in str(whole["title"])
    assert "shortens 2 of the first 14 rows (14" in str(first["title"])
    assert "Only the first 14 of 200 rows" in str(first["sub"])
    assert whole["note"] == first["note"] == CHOOSING_R
    assert "part of no release" in CHOOSING_R
