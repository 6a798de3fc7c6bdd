"""The table of columns by keyboard, by paste, with many columns and with hostile names."""

from dataclasses import replace

from playwright.sync_api import expect

from tests.frontend.owner_table import draft_of, mounted
from ui.owner.draft import FOUND, Who
from ui.owner.text import missing_answers

NAMES = ["a", "b", "c", "d"]
_PASTE = """([selector, text]) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  return document.activeElement.dispatchEvent(event);
}"""


def test_keys_go_from_row_to_row_and_the_tab_key_along_a_row_to_the_next(page):
    draft = draft_of(NAMES, b={"use": "category"}, c={"use": "out"})
    with mounted(page, draft) as table:
        table.cell("a", "high").focus()
        page.keyboard.press("Enter")
        assert table.focused() == "high, d"
        for key, focused in (("ArrowUp", "a"), ("Shift+Enter", "a"), ("ArrowDown", "d")):
            page.keyboard.press(key)
            assert table.focused() == f"high, {focused}"
        table.cell("a", "use as").focus()
        along = ["low", "typical", "high", "unit", "missing", "where from"]
        below = ["use as", "values", "missing", "where from"]
        for field in (*(f"{field}, a" for field in along), *(f"{field}, b" for field in below)):
            page.keyboard.press("Tab")
            assert table.focused() == field


def test_a_block_of_a_sheet_lands_cell_by_cell(page):
    draft = draft_of(NAMES, b={"use": "out"}, c={"use": "category"})
    with mounted(page, draft) as table:
        table.cell("a", "low").focus()
        block = "1\t\t12,5\tkg\t-9\textra\nnot used\nx; y\n0\t5\t10\n7\n"
        assert page.evaluate(_PASTE, ["", block]) is False
        assert table.known("low") == ["1", "", "", "0"]
        assert table.known("typical") == ["", "", "", "5"]
        assert table.known("high") == ["12,5", "", "", "10"]
        assert (table.known("unit")[0], table.known("missing")[0]) == ("kg", "-9")
        assert table.known("values") == ["", "", "x; y", ""]
        assert table.shown("high") == ["12,5", "", "", "10"]
        assert page.evaluate(_PASTE, ["", "12"]) is True, "a single value is pasted as everywhere"


def test_names_are_texts(page):
    names = ["<img src=x onerror='window.hit=1'>", "\u202egp.exe", "=cmd|' /C calc'!A0", "x" * 4000]
    names += ["__proto__", "constructor", "", "toString"]
    with mounted(page, draft_of(names)) as table:
        titles = page.locator(".dpca-name").evaluate_all("all => all.map(one => one.textContent)")
        assert titles == names
        assert page.locator(".dpca-owner img").count() == 0
        assert page.evaluate("window.hit") is None
        for i, name in enumerate(names):
            table.cell(name, "low").fill(str(i))
        assert table.known("low") == [*map(str, range(len(names)))]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_use_changes_the_cells_before_the_server_knows(page):
    with mounted(page, draft_of(NAMES), 5.0) as table:
        table.cell("a", "low").fill("3")
        table.cell("a", "use as").select_option("category")
        assert not table.cell("a", "low").is_visible()
        assert table.cell("a", "values").is_visible()
        table.cell("a", "use as").select_option("number")
        assert table.cell("a", "low").input_value() == "3"


def test_the_order_of_a_scale_is_moved_by_keys_and_by_the_pointer(page):
    scale = {"use": "scale", "values": 'low; "a; b"; high'}
    with mounted(page, draft_of(["a", "b"], a=scale)) as table:
        steps = page.locator(".dpca-steps:visible button")
        assert steps.all_inner_texts() == ["low", "a; b", "high"]
        steps.nth(0).press("ArrowRight")
        assert table.known("values")[0] == '"a; b"; low; high'
        assert table.shown("values")[0] == '"a; b"; low; high'
        table.answers(a={"steps": [["a; b", ""], ["low", ""], ["high", ""]]})
        steps.nth(0).drag_to(steps.nth(2))
        assert steps.all_inner_texts() == ["low", "high", "a; b"]
        assert table.known("values")[0] == 'low; high; "a; b"'
        assert page.locator("datalist option[value='never; rarely; often; always']").count() == 1


def test_type_it_again_empties_what_was_read(page):
    draft = draft_of(["a", "b"], a={"high": "9"})
    filled = draft.with_columns([draft.column("a").filled({"low": "27", "high": "213"})])
    with mounted(page, filled) as table:
        page.get_by_role("button", name="Type it again").click()
        assert table.focused() == "low, a"
        assert (table.known("low"), table.known("high")) == (["", ""], ["9", ""])
        assert table.cell("a", "where from").is_disabled()


def test_what_is_wrong_is_said_beside_the_cell(page):
    draft = draft_of(["hr", "b"], hr={"low": "220", "high": "30"})
    with mounted(page, draft) as table:
        message = page.locator("[aria-live=polite]").first
        assert message.inner_text() == "low must be below high"
        for field, invalid in (("low", "true"), ("high", "true"), ("typical", "false")):
            assert table.cell("hr", field).get_attribute("aria-invalid") == invalid


def test_decide_leads_to_the_first_missing_answer_or_waits_until_all_is_merged(page):
    ready = {"low": "0", "high": "1"}
    with mounted(page, draft_of(NAMES, a=ready, b={"low": "0"}, d={"low": "0"})) as table:
        page.get_by_role("button", name=missing_answers(3)).click()
        assert table.focused() == "high, b"
        page.get_by_role("button", name="Decide").click(force=True)
        assert table.focused() == "high, b"
        assert page.evaluate("server.triggers") == []
    with mounted(page, draft_of(["a", "b"], a=ready, b=ready), 0.5) as table:
        table.cell("a", "high").fill("2")
        page.get_by_role("button", name="Decide").click()
        assert page.evaluate("server.triggers") == []
        assert table.known("high") == ["2", "1"]
        assert page.evaluate("server.triggers") == [["decide", True]]


def test_tabs_show_what_needs_an_answer_and_keep_what_was_answered(page):
    draft = draft_of(NAMES, a={"low": "0", "high": "1"}, c={"use": "out"})
    with mounted(page, draft) as table:
        rows = page.locator("[role=row] .dpca-name")
        page.get_by_role("button", name="Need you 2").click()
        assert rows.all_inner_texts() == ["b", "d"]
        table.cell("b", "low").focus()
        table.page.evaluate("server.content.needed = ['d']")
        table.answers(b={"low": "0"})
        assert rows.all_inner_texts() == ["b", "d"]
        page.locator(".dpca-tab").get_by_text("Need you").click()
        assert rows.all_inner_texts() == ["d"]
        page.get_by_role("button", name="Left out 1").click()
        assert rows.all_inner_texts() == ["c"]


def test_the_person_is_not_for_this_table_to_change(page):
    draft = replace(draft_of(NAMES), who=Who(("a",), FOUND, "patient", "patients"))
    with mounted(page, draft) as table:
        assert table.cell("a", "use as").is_disabled()
        assert table.cell("a", "use as").locator("option").all_inner_texts() == ["the patient"]


def test_thousands_of_rows_are_drawn_as_they_scroll_and_found_by_name(page):
    names = [f"c{i}" for i in range(10_000)]
    with mounted(page, draft_of(names)) as table:
        rows = page.locator("[data-part=body] [role=row]")
        assert rows.count() == 200
        page.locator("[data-part=end]").scroll_into_view_if_needed()
        expect(rows).not_to_have_count(200)
        assert 200 < rows.count() <= 1000
        page.get_by_label("Find a column").fill("c777")
        assert rows.count() == 11
        table.cell("c7770", "low").fill("1")
        assert table.known("low")[7770] == "1"


def test_a_phone_opens_what_needs_an_answer_and_all_stays_inside_at_every_width(page):
    page.set_viewport_size({"width": 390, "height": 844})
    ready = {"low": "0", "high": "1"}
    with mounted(page, draft_of(NAMES, a=ready, b=ready)) as table:
        assert page.locator(".dpca-name").all_inner_texts() == ["c", "d"]
        assert table.cell("c", "low").bounding_box()["height"] >= 40
        style = "e => getComputedStyle(e).fontSize"
        assert table.cell("c", "low").evaluate(style) == "16px"
        for width in (390, 640, 800, 830, 850, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
