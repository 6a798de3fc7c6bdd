"""The history of the browser: one entry for each change that somebody made."""

import pytest

ADDRESSES = """
  const at = (path) => new URL(path, "http://127.0.0.1/");
  return x.map(([from, to, now]) => m.replaces(at(from), at(to), now));
"""
WHO, COLUMNS, DECIDE = (f"/data?step={step}" for step in ("who", "columns", "decide"))
PEOPLE, CHOSEN = f"{DECIDE}&people=900", f"{DECIDE}&people=900&chosen=middle"
DRAG = [(f"/x?k={i}", f"/x?k={i + 1}", 900 * i, i > 0) for i in range(4)]
STEPS = {
    "another page, and another setting": [
        ("/x?k=1", "/y", 5e3, False),
        ("/y?k=1", "/y?k=2", 5e3, False),
        ("/y?k=2", "/y?k=2&n=5", 5e3, False),
    ],
    "settings where there were none": [("/x", "/x?k=1", 0, True), ("/x?k=1", "/x?k=2", 1, False)],
    "the steps of one drag": [*DRAG, ("/x?k=4", "/x?k=5", 9e3, False)],
    "the same address once more": [
        ("/x?k=1&n=5", "/x?k=1&n=5", 0, True),
        ("/x?k=1", "/x?k=2", 9e3, False),
        ("/x?k=2", "/x?k=2", 5e4, True),
    ],
    "steps of a page of steps": [
        (WHO, COLUMNS, 0, False),
        (COLUMNS, DECIDE, 10, False),
        (DECIDE, PEOPLE, 20, True),
        (PEOPLE, CHOSEN, 9e3, True),
        (CHOSEN, COLUMNS, 9e3 + 10, False),
    ],
}
"""From an address to another at some millisecond, and whether the entry is replaced."""


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_each_change_that_somebody_made_is_one_entry(in_module, steps):
    asked = [["/x?a=0", "/y", 0], *(step[:3] for step in steps)]
    found = in_module("history/main.js", ADDRESSES, asked)
    assert found[1:] == [replaced for *_, replaced in steps]
