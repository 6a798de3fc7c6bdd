"""The table of columns in a real browser: nothing typed is lost; keys, paste, many columns, names.

The server is the real merging of drafts behind a run as Streamlit has it: a run merges the last
state that was sent, takes its time, and then shows the draft as it was when the run began; what is
sent meanwhile waits for the next run, and only the last of it counts. All times are of the page's
own clock, which a test moves.
"""

import json
from base64 import b64encode
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.ui.owner.beginnings import every_row
from ui.owner.columns_table import skeleton, table_content
from ui.owner.edits import merge
from ui.page.content import packed

_SERVER = """async ([url, skeleton, seconds, first]) => {
  const { default: draw } = await import(url);
  const parent = document.body.appendChild(document.createElement("div"));
  const server = { messages: [], triggers: [], state: null, running: false, seconds };
  window.server = server;
  server.show = async (picture) => {
    if (server.closed) return;
    const data = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
    const drawn = new Promise((done) => {
      const watch = { subtree: true, attributes: true, attributeFilter: ["data-ready"] };
      new MutationObserver(done).observe(parent, watch);
      server.leave = () => {
        server.close();
        server.left = true;
        done();
      };
    });
    const sent = { parentElement: parent, data, setStateValue, setTriggerValue };
    server.close = draw(sent, skeleton);
    await drawn;
  };
  const setTriggerValue = (name, value) => server.triggers.push([name, value]);
  const setStateValue = async (name, value) => {
    if (server.left) return;
    server.messages.push(value);
    server.state = value;
    if (server.running) return;
    server.running = true;
    while (server.state) {
      const message = server.state;
      server.state = null;
      const picture = await merged(message);
      await new Promise((done) => setTimeout(done, server.seconds * 1000));
      await server.show(picture);
    }
    server.running = false;
  };
  await server.show(first);
}"""
_IDLE = "!server.running && !server.state && !document.querySelector('[data-pending=true]')"
_MOST_STEPS, STEP = 600, 50
"""Of the page's clock until the server has to be at rest; milliseconds of each."""


class OwnerTable:
    """The table in a page, and what the server knows of it."""

    def __init__(self, page, draft):
        self.page, self.draft, self.merged = page, draft, {}

    def picture(self):
        content = packed(table_content(self.draft, (), self.merged))
        return b64encode(content).decode()

    def take(self, message):
        self.draft, self.merged = merge(self.draft, self.merged, message)
        return self.picture()

    def answers(self, **columns):
        """Let the server show a draft in which these fields of columns are others."""
        self.draft = self.draft.merge(columns)
        self.page.evaluate("(picture) => server.show(picture)", self.picture())

    def rests(self):
        for _ in range(_MOST_STEPS):
            if self.page.evaluate(_IDLE):
                return
            self.page.clock.run_for(STEP)
        raise AssertionError("the server does not come to rest")

    def known(self, field):
        """Return what the server has in a field of all columns, once it is at rest."""
        self.rests()
        return [self.draft.column(name)[field].text for name in self.draft.header]

    def shown(self, field):
        cells = self.page.locator(f"input[data-field={field}]")
        return cells.evaluate_all("cells => cells.map(cell => cell.value)")

    def cell(self, name, field):
        return self.page.get_by_label(f"{field}, {name}", exact=True)


@pytest.fixture
def mounted(page):
    """Mount the table of a draft in a page of ``static/``; the server's runs take some time."""
    tables = []
    page.expose_function("merged", lambda message: tables[-1].take(message))

    @contextmanager
    def mount(draft, seconds=0.0):
        tables.append(OwnerTable(page, draft))
        sent = ["/owner/main.js", skeleton(), seconds, tables[-1].picture()]
        page.evaluate(_SERVER, sent)
        try:
            yield tables[-1]
        finally:
            page.evaluate("{ server.closed = true; server.close(); }")

    return mount


def draft_of(names, **columns):
    """Draft of a table of numbers, each row of which is a person's."""
    return every_row(names, **{name: {"use": "number"} for name in names}).merge(columns)


NAMES, TWENTY = [*"abcd"], [f"c{i}" for i in range(20)]
READY = {"low": "0", "high": "1"}

# --- Nothing typed is lost, however slow the server and hasty the owner ---

VALUES = [str(100 + i) for i in range(20)]
BETWEEN = 75
"""Milliseconds for one value: twenty take 1.5 s."""
BLUR = "document.activeElement.blur()"
PRESS = "document.body.dispatchEvent(new Event('pointerdown', {bubbles: true}))"
HIDE = "document.dispatchEvent(new Event('visibilitychange'))"
ALT = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {altKey: 1, bubbles: 1}))"


def offers(page):
    return page.get_by_role("button", name="Use them").count()


@pytest.mark.parametrize(("leaving", "seconds"), [(False, 0.0), (False, 1.0), (True, 1.0)])
def test_twenty_values_typed_in_haste_arrive_and_leaving_at_once_loses_none(
    page, mounted, seconds, leaving
):
    with mounted(draft_of(TWENTY), seconds) as table:
        table.cell("c0", "low").focus()
        for value in VALUES:
            page.keyboard.type(value)
            page.clock.run_for(BETWEEN)
            page.keyboard.press("Enter")
        assert table.shown("low") == VALUES
        if leaving:
            page.keyboard.type("7")
            page.evaluate("server.leave()")
        assert table.known("low") == [*VALUES[:-1], VALUES[-1] + "7" * leaving]
        assert leaving or table.shown("low") == VALUES


@pytest.mark.parametrize("event", [BLUR, PRESS, HIDE, ALT])
def test_what_is_typed_is_sent_before_a_blur_a_press_the_hiding_of_the_tab_and_a_way_back(
    page, mounted, event
):
    with mounted(draft_of(TWENTY), 1.0) as table:
        table.cell("c3", "high").fill("9")
        page.evaluate(event)
        (message,) = page.evaluate("server.messages")
        assert message["cells"] == [["c3", "high", "9", 1]]


def test_an_old_picture_takes_nothing_back_and_a_new_one_no_cell_that_somebody_types_in(
    page, mounted
):
    """A text that changed after it was sent stays, though the message that held it is merged."""
    with mounted(draft_of(TWENTY)) as table:
        table.cell("c0", "low").fill("1")
        assert table.known("low")[0] == "1"
        page.evaluate("server.seconds = 1")
        table.cell("c0", "low").fill("12")
        page.clock.run_for(300)
        table.cell("c0", "low").fill("123")
        table.answers(c0={"low": "99"})
        assert table.shown("low")[0] == "123"
        assert table.known("low")[0] == "123"
        table.answers(c0={"low": "5"}, c1={"low": "6"})
        assert table.shown("low")[:2] == ["5", "6"]
        page.evaluate("document.activeElement.value = '57'")
        table.answers(c0={"low": "8"}, c1={"low": "9"})
        assert table.shown("low")[:2] == ["57", "9"]
        table.cell("c1", "low").focus()
        table.answers(c0={"low": "7"})
        assert table.shown("low")[0] == "7"


def test_after_a_reload_what_was_said_is_offered_and_that_it_was_seen_holds(page, mounted):
    described = draft_of(TWENTY, c0={"low": "7"})
    seen = described.with_columns([described.column("c2").filled({"low": "2.71"})])
    with mounted(seen) as table:
        assert "2.71" not in page.evaluate("Object.values(sessionStorage)[0]")
        table.cell("c1", "low").fill("8")
        page.evaluate(BLUR)
    page.reload()
    with mounted(draft_of([*TWENTY, "c20"])) as table:
        table.rests()
        assert [table.draft.column(name).seen for name in ("c1", "c2")] == [False, True]
        page.get_by_role("button", name="Use them").click()
        ((name, sent),) = page.evaluate("server.triggers")
        assert name == "restore"
        assert json.loads(sent["draft"])["columns"]["c0"]["entries"]["low"]["text"] == "7"
        # The last keys were not known to be merged.
        assert sent["edits"]["cells"] == [["c1", "low", "8", 1]]
        assert offers(page) == 0


def test_whoever_starts_afresh_is_not_offered_it_again(page, mounted):
    for described, offered in ({"a": {"low": "7"}}, 0), ({}, 1), ({}, 0):
        with mounted(draft_of(NAMES, **described)):
            assert offers(page) == offered
            if offered:
                page.get_by_role("button", name="Start afresh").click()
        page.reload()


# --- Keys, paste, many columns, hostile names ---

_PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  return document.activeElement.dispatchEvent(event);
}"""


def test_a_block_of_a_sheet_lands_cell_by_cell(page, mounted):
    with mounted(draft_of(NAMES, b={"use": "out"}, c={"use": "category"})) as table:
        table.cell("a", "low").focus()
        block = "1\t\t12,5\tkg\t-9\textra\nnot used\nx; y\n0\t5\t10\n7\n"
        assert page.evaluate(_PASTE, block) is False
        assert table.known("low") == ["1", "", "", "0"]
        assert table.known("typical") == ["", "", "", "5"]
        assert table.known("high") == ["12,5", "", "", "10"]
        assert (table.known("unit")[0], table.known("missing")[0]) == ("kg", "-9")
        assert table.known("values") == ["", "", "x; y", ""]
        assert page.evaluate(_PASTE, "12") is True, "a single value is pasted as everywhere"


def test_names_are_texts_whatever_they_are(page, mounted):
    names = ["<img src=x onerror='window.hit=1'>", "x" * 4000, "__proto__", "constructor", ""]
    with mounted(draft_of(names)) as table:
        titles = page.locator(".dpca-name")
        assert titles.evaluate_all("all => all.map(one => one.textContent)") == names
        assert page.locator(".dpca-owner img").count() == 0
        assert page.evaluate("window.hit") is None
        for i, name in enumerate(names):
            table.cell(name, "low").fill(str(i))
        assert table.known("low") == [*map(str, range(len(names)))]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_order_of_a_scale_is_moved_by_keys_and_by_the_pointer(page, mounted):
    scale = {"use": "scale", "values": 'low; "a; b"; high'}
    with mounted(draft_of(["a", "b"], a=scale)) as table:
        steps = page.locator(".dpca-steps:visible button")
        assert steps.all_inner_texts() == ["low", "a; b", "high"]
        steps.nth(0).press("ArrowRight")
        assert table.known("values")[0] == table.shown("values")[0] == '"a; b"; low; high'
        steps.nth(0).drag_to(steps.nth(2))
        assert steps.all_inner_texts() == ["low", "high", "a; b"]
        assert table.known("values")[0] == 'low; high; "a; b"'
        # An older picture that comes meanwhile takes no move back.
        steps.nth(2).press("ArrowLeft")
        table.answers(b={"low": "5"})
        assert steps.all_inner_texts() == ["low", "a; b", "high"]
        steps.nth(1).press("ArrowLeft")
        assert table.known("values")[0] == '"a; b"; low; high'


def test_decide_leads_to_the_first_missing_answer_or_waits_until_all_is_merged(page, mounted):
    with mounted(draft_of(NAMES, a=READY, b={"low": "0"})):
        page.get_by_role("button", name="Decide").click(force=True)
        focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert (focused, page.evaluate("server.triggers")) == ("high, b", [])
    with mounted(draft_of(["a", "b"], a=READY, b=READY), 0.5) as table:
        table.cell("a", "high").fill("2")
        page.get_by_role("button", name="Decide").click()
        assert page.evaluate("server.triggers") == []
        assert table.known("high") == ["2", "1"]
        assert page.evaluate("server.triggers") == [["decide", True]]


def test_thousands_of_rows_are_drawn_as_they_scroll_and_found_by_name(page, mounted):
    with mounted(draft_of([f"c{i}" for i in range(10_000)])) as table:
        rows = page.locator("[data-part=body] [role=row]")
        assert rows.count() == 200
        page.locator("[data-part=end]").scroll_into_view_if_needed()
        expect(rows).not_to_have_count(200)
        assert 200 < rows.count() <= 1000
        page.get_by_label("Find a column").fill("c777")
        assert rows.count() == 11
        table.cell("c7770", "low").fill("1")
        assert table.known("low")[7770] == "1"
