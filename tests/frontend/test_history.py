"""The history of the browser: one entry for each change that somebody made."""

from tests.frontend.conftest import Call

HISTORY = "history/main.js"
ADDRESSES = """
  const at = (path) => new URL(path, "http://127.0.0.1/");
  return x.map(([from, to, now]) => m.replaces(at(from), at(to), now));
"""


def replaced(in_module: Call, *steps: tuple[str, str, float]) -> list[bool]:
    """Tell for each step, from an address to another at some millisecond, if it is replaced."""
    found: list[bool] = in_module(HISTORY, ADDRESSES, [["/x?a=0", "/y", 0], *steps])
    return found[1:]


def test_another_page_and_another_setting_are_new_entries(in_module: Call) -> None:
    steps = (("/x?k=1", "/y", 5e3), ("/y?k=1", "/y?k=2", 5e3), ("/y?k=2", "/y?k=2&n=5", 5e3))
    assert replaced(in_module, *steps) == [False, False, False]


def test_an_address_without_settings_is_replaced_by_the_one_with_them(in_module: Call) -> None:
    assert replaced(in_module, ("/x", "/x?k=1", 0), ("/x?k=1", "/x?k=2", 1)) == [True, False]


def test_the_steps_of_one_drag_are_one_entry(in_module: Call) -> None:
    steps = [(f"/x?k={i}", f"/x?k={i + 1}", 900.0 * i) for i in range(4)]
    assert replaced(in_module, *steps, ("/x?k=4", "/x?k=5", 9e3)) == [False, *[True] * 3, False]


def test_the_same_address_once_more_is_no_entry(in_module: Call) -> None:
    steps = (("/x?k=1&n=5", "/x?k=1&n=5", 0), ("/x?k=1", "/x?k=2", 9e3), ("/x?k=2", "/x?k=2", 5e4))
    assert replaced(in_module, *steps) == [True, False, True]


def test_on_a_page_of_steps_each_step_is_one_entry(in_module: Call) -> None:
    who, columns, decide = (f"/data?step={step}" for step in ("who", "columns", "decide"))
    steps = (
        (who, columns, 0),
        (columns, decide, 10),
        (decide, f"{decide}&people=900", 20),
        (f"{decide}&people=900", f"{decide}&people=900&chosen=middle", 9e3),
        (f"{decide}&people=900&chosen=middle", columns, 9e3 + 10),
    )
    assert replaced(in_module, *steps) == [False, False, True, True, False]


def test_the_browser_goes_back_to_what_was_before_the_drag(in_module: Call) -> None:
    code = """
      const length = history.length, start = location.href;
      m.default();
      m.default();
      dispatchEvent(new PopStateEvent("popstate"));
      for (const k of [1, 2, 3]) history.pushState({}, "", `?k=${k}`);
      history.pushState({}, "", "?k=3&n=5");
      const entries = history.length - length;
      const back = () => new Promise((done) => {
        addEventListener("popstate", () => done(location.search), { once: true });
        history.back();
      });
      const seen = await back();
      delete history.pushState;
      history.replaceState({}, "", start);
      return [entries, seen];
    """
    assert in_module(HISTORY, code) == [2, "?k=3"]
