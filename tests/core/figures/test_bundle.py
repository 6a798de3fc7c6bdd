"""The vendored bundle of Plotly is the one it is said to be, with its licence beside it."""

from hashlib import sha256

import plotly.offline

from dpca_core.figures.bundle import NAME, bundle_text
from tests.paths import ROOT

VENDORED = ROOT / "static" / "plotly"
DIGEST = "99784e3abfb07b142a15e521a439e6d9addceadb3f79553fd24c72774f0649ba"


def test_the_file_is_the_pinned_one_of_the_librarys_version_and_lies_with_its_licence():
    assert sorted(path.name for path in VENDORED.iterdir()) == ["LICENSE", NAME]
    assert sha256((VENDORED / NAME).read_bytes()).hexdigest() == DIGEST
    assert "MIT License" in (VENDORED / "LICENSE").read_text("utf-8")
    version = plotly.offline.get_plotlyjs_version()
    assert f"plotly-basic-{version}.min.js" == NAME
    assert f"plotly.js (basic - minified) v{version}\n" in bundle_text()[:100]
