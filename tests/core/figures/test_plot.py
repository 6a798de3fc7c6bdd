"""Figures of a sweep's table and of a fitted estimator, as a notebook draws them."""

from hashlib import sha256
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from plotly.offline import get_plotlyjs_version

from dpca_core import Adjacency, PrivatePCA, Problem, plot, sweep
from dpca_core.figures import html_page
from dpca_core.figures.bundle import NAME, bundle_text
from dpca_core.figures.chart import Axis, Curve, chart
from dpca_core.figures.colours import ROLES
from dpca_core.figures.html_page import figure_part, sentence_part, table_part
from tests.paths import ROOT

DIGEST = "99784e3abfb07b142a15e521a439e6d9addceadb3f79553fd24c72774f0649ba"
"""Of the bundle of Plotly."""
KEYS = ["gaussian", "laplace", "random_projection"]
PROBLEM = Problem.from_moment(np.diag([5.0, 3.0, 2.0, 1.0]), 500, 2)


@pytest.fixture(scope="module")
def table():
    return sweep(KEYS, PROBLEM, epsilon=[0.01, 0.1, 1.0, 10.0], delta=1e-6, trials=20)


def traces(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_the_medians_of_a_sweep_are_the_lines(table):
    figure = plot(table, "dark")
    for key, name in (("gaussian", "Gaussian"), ("random_projection", "Random subspace")):
        own = table[table["mechanism"] == key].groupby("epsilon")
        for trace, metric in zip(traces(figure, name), ("captured", "sin_theta"), strict=True):
            np.testing.assert_allclose(trace.x, [0.01, 0.1, 1, 10], rtol=1e-6)
            np.testing.assert_allclose(trace.y, own[metric].median(), rtol=1e-6)
    assert figure.layout.paper_bgcolor == ROLES["page"][True]
    texts = [note.text for note in figure.layout.annotations]
    assert sum("median of 20 releases" in text for text in texts) == 2
    mine = table.assign(mechanism=table["mechanism"].replace("gaussian", "mine <1>"))
    assert traces(plot(mine), "mine &lt;1&gt;"), "a mechanism of one's own is drawn too"


ROWS = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 4)), columns=["a", "<b>", "c", "d"])


def test_the_loadings_of_a_fitted_estimator_are_the_bars():
    fitted = PrivatePCA(2, epsilon=3.0, row_norm=2.0).fit(ROWS)
    figure = fitted.plot()
    assert len(figure.data) == 2
    for trace, row in zip(figure.data, fitted.components_, strict=True):
        assert trace.type == "bar"
        np.testing.assert_allclose(trace.y, row, rtol=1e-5)
    assert list(figure.layout.xaxis.ticktext) == ["a", "&lt;b&gt;", "c", "d"]
    assert "(ε, δ)-DP with ε\u00a0=\u00a03" in figure.layout.annotations[0].text


def test_only_what_was_released_is_drawn():
    """An object that has nothing else gives the same figure."""
    fitted = PrivatePCA(1, epsilon=3.0, row_norm=1, adjacency=Adjacency.REPLACE_ONE).fit(ROWS)
    names = ("components_", "privacy_", "mechanism", "feature_names_in_")
    public = SimpleNamespace(**{name: getattr(fitted, name) for name in names})
    assert plot(public).to_json() == fitted.plot().to_json()


def test_a_page_escapes_what_it_is_given(table, monkeypatch):
    nasty = "</script><b>A & B"
    figure = chart(Axis(0, 1), Axis(0, 1), np.zeros(1), [Curve("", nasty, np.ones(1), "ink")])
    parts = [figure_part(figure, nasty), sentence_part(nasty), table_part([nasty], [[nasty]])]
    monkeypatch.setattr(html_page, "bundle_text", lambda: "bundle();")
    text = html_page.html_page(nasty, parts)
    assert nasty not in text
    assert text.count("&lt;/script&gt;&lt;b&gt;A &amp; B") == 5
    assert text.count("</script>") == text.count("<script>") == 2
    assert '"showSendToCloud": false' in text
    assert "NaN" not in text


def test_where_most_releases_are_refused_nothing_is_drawn(table):
    """One answer of twenty would stand for twenty; one refusal of twenty is drawn."""
    refused = (table["trial"] == 0) | ((table["trial"] > 1) & (table["epsilon"] == 0.01))
    kept = table[["captured", "sin_theta"]].where(~refused)
    lines = traces(plot(table.assign(refused=refused, **kept)), "Gaussian")
    assert [np.isnan(t.y).tolist() for t in lines] == [[True, False, False, False]] * 2


def test_a_figure_is_shown_and_written_without_the_upload(table) -> None:
    figure = plot(table)
    for page in (figure.to_html(), figure._repr_html_(), figure._repr_mimebundle_()["text/html"]):
        assert '"showSendToCloud": false' in page
    assert '"displayModeBar": false' in figure.to_html(config={"displayModeBar": False})


def test_the_bundle_is_the_pinned_one_of_the_librarys_version_and_lies_with_its_licence():
    folder = ROOT / "static" / "plotly"
    assert sorted(path.name for path in folder.iterdir()) == ["LICENSE", NAME]
    assert sha256((folder / NAME).read_bytes()).hexdigest() == DIGEST
    assert "MIT License" in (folder / "LICENSE").read_text("utf-8")
    version = get_plotlyjs_version()
    assert f"plotly-basic-{version}.min.js" == NAME
    assert f"plotly.js (basic - minified) v{version}\n" in bundle_text()[:100]
