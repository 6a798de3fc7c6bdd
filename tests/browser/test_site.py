"""The documents as a site, as ``make docs`` builds it."""

import subprocess
import sys

import pytest

from tests.paths import ROOT

BUILD = ["-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs", "."]
"""A dead link, or a document that no menu leads to, is a warning, and a warning an error."""
LOADED = "document.querySelector('.math') === null || window.MathJax?.startup"
FORMULAS = """async () => {
  await window.MathJax?.startup?.promise;
  const count = (selector) => document.querySelectorAll(selector).length;
  return [count(".math"), count("mjx-container"), count("mjx-merror")];
}"""


@pytest.mark.long("Sphinx takes ten seconds, and nothing that people are promised depends on it")
def test_every_document_is_on_the_site_with_every_formula_rendered_and_nothing_fetched(
    browser, tmp_path
):
    build = [sys.executable, *BUILD, str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    sources = ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))]
    page, addresses, formulas = browser.new_page(), list[str](), 0
    page.on("request", lambda request: addresses.append(request.url))
    for source in sources:
        page.goto((tmp_path / source).with_suffix(".html").as_uri())
        page.wait_for_function(LOADED)
        written, rendered, wrong = page.evaluate(FORMULAS)
        assert (rendered, wrong) == (written, 0), source
        formulas += rendered
    assert formulas > 3_000
    assert all(address.startswith("file:") for address in addresses)
