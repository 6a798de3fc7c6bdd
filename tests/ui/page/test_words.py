"""Each sentence beside a page's code is said there, and whatever is said is found."""

import re
import tomllib

import pytest

from tests.paths import ROOT
from ui.page.words import Words

FILES = sorted(ROOT.glob("ui/*/text.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_sentence_is_said_and_every_one_said_is_there(file):
    code = "".join(each.read_text("utf-8") for each in sorted(file.parent.glob("*.py")))
    found = tomllib.loads(file.read_text("utf-8"))
    names = {*found, *found.get("charts", {})} - {"charts"}
    names = {name for name in names if not name.endswith("_sub")}
    assert set(re.findall(r'\bsay(?:\.\w+)?\(\s*"([\w-]+)"', code)) <= names
    assert [name for name in names if f'"{name}"' not in code] == []


def test_numbers_are_written_as_their_template_asks(tmp_path):
    said = 'n = "{q.k:count} of {p:percent}, ε = {e:epsilon}{more}"\n'
    (tmp_path / "text.toml").write_text(said, "utf-8")
    say = Words(str(tmp_path / "page.py"))
    now = say("n", q=type("Q", (), {"k": 5912}), p=0.5, e=0.25, more=" {n}")
    assert now == "5,912 of 50\u00a0%, ε\u00a0=\u00a00.25 {n}", "values are no templates"
