"""The questions about a file, as a page shows them: each is asked once, and what was said stays."""

from streamlit.testing.v1 import AppTest

from ui.owner.reading import AS_WESTERN, ENCODING, FORMAT
from ui.owner.session import Owner
from ui.owner.table_intake import with_table

GERMAN = "Größe;Gewicht\n171;70\n180;80\n".encode("cp1252")
MIXED = b"bmi;ldl\n" + b"".join(b"%d.5;%d,%d\n" % (20 + i % 9, i % 5, i % 7) for i in range(40))
BAD_ROW = GERMAN + b"1;2;3\n"


def page(content: bytes) -> None:
    """Draw a page on which one file is read."""
    import streamlit as st

    from dpca_core.data.errors import TableError
    from dpca_core.data.recipe import Reading
    from dpca_core.readers.file_access import Upload
    from ui.owner.controls import waiting_file

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        st.session_state["upload"] = Upload("file.csv", content)
        waiting_file.ask_before("file.csv", st.session_state["upload"])
    upload = st.session_state["upload"]
    try:
        found = waiting_file.draw_waiting()
    except TableError as error:
        st.error(str(error))
        st.button(
            "anyway", on_click=waiting_file.ask_before, args=("f", upload, None, Reading.TOTAL)
        )
        return
    if found is not None:
        st.session_state["found"] = found


def opened(content: bytes) -> AppTest:
    """Return the page with a file chosen."""
    app = AppTest.from_function(page, kwargs={"content": content}, default_timeout=30).run()
    assert not app.exception
    return app


def test_a_plain_file_is_read_at_once() -> None:
    app = opened(MIXED)
    assert not app.button
    assert app.session_state["found"].table.shape == (40, 2)


def test_another_encoding_is_asked_once() -> None:
    app = opened(GERMAN)
    assert "Größe;Gewicht" in app.markdown[1].value
    app = app.button[0].click().run()
    assert not app.button
    assert [*app.session_state["found"].table.columns] == ["Größe", "Gewicht"]
    assert not app.run().button
    owner = with_table(Owner(), app.session_state["found"])
    assert owner.draft.asked == {ENCODING: AS_WESTERN, FORMAT: ""}


def test_no_is_an_answer() -> None:
    app = opened(GERMAN).button
    (no,) = (button for button in app if button.label == "No")
    app = no.click().run()
    assert "CSV UTF-8" in app.error[0].value
    assert [button.label for button in app.button] == ["anyway"]


def test_after_no_the_same_file_is_asked_about_again() -> None:
    app = opened(GERMAN)
    (no,) = (button for button in app.button if button.label == "No")
    app = no.click().run()
    app = app.button[0].click().run()
    assert [button.label for button in app.button] == [AS_WESTERN, "No"]
    assert not app.error
    app = app.button[0].click().run()
    assert [*app.session_state["found"].table.columns] == ["Größe", "Gewicht"]


def test_columns_without_names_get_some() -> None:
    app = opened(b"1.5,3\n2.5,4\n7.5,9\n").button[0].click().run()
    assert [*app.session_state["found"].table.columns] == ["c1", "c2"]


def test_a_first_line_is_shown_as_text() -> None:
    app = opened("<img src=x> *b*;Größe\n1;2\n".encode("cp1252"))
    assert "\\*b\\*" in app.markdown[1].value


def test_reading_anyway_asks_nothing_a_second_time() -> None:
    app = opened(BAD_ROW).button[0].click().run()
    assert "its header has 2" in app.error[0].value
    app = app.button[0].click().run()
    assert not app.button
    assert len(app.session_state["found"].table) == 3
