"""What the browser saves: files of the server, each once, and none without guarantee or mark."""

from tests.frontend.conftest import Call
from ui.figures.downloads import NOT_PRIVATE

FILE = {"name": "n", "text": "t", "type": "text/csv", "number": 1}
SAVED = """
    const saved = [], blobs = [];
    const { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = (blob) => `#${blobs.push(blob) - 1}`;
    HTMLAnchorElement.prototype.click = function keep() {
      saved.push([this.download, blobs[Number(this.hash.slice(1))]]);
    };
    const Plotly = { downloadImage: (figure, how) => saved.push([how.filename, new Blob()]) };
    try { %s } finally {
      URL.createObjectURL = createObjectURL;
      HTMLAnchorElement.prototype.click = click;
    }
    return Promise.all(saved.map(async ([name, blob]) => [name, await blob.text(), blob.type]));
"""


def test_no_file_is_saved_that_is_neither_released_nor_marked(in_module: Call) -> None:
    def saved(code: str, file: dict[str, object]) -> list[list[str]]:
        """Run code beside downloads.js; return what it saves: [name, text, type]."""
        found: list[list[str]] = in_module("charts/downloads.js", SAVED % code, file)
        return found

    marked = FILE | {"text": f"# {NOT_PRIVATE}"}
    ((name, text, _),) = saved("m.saveFile(x, Plotly);", marked)
    assert (name, text) == ("n", f"# {NOT_PRIVATE}")
    code = (
        "try { m.saveFile(x, Plotly); } catch ({ message }) { saved.push([message, new Blob()]); }"
    )
    picture = {"type": "image/png", "text": '{"layout": {}}', "name": "n.png"}
    for change in ({}, picture):
        ((message, _, _),) = saved(code, FILE | change)
        assert message == f"{change.get('name', 'n')} does not carry the mark."


ASKED = """
    const root = document.createElement("div");
    document.documentElement.append(root);
    root.innerHTML = `<section data-key="sheet"><div class="dpca-title">
      <h2>A <b>title</b></h2><p>what it shows</p>
      <span class="dpca-take" data-name="kept" data-figure="figure" data-axis="y2">
      <button data-format="PNG"></button></span></div>
      <div data-part="figure" style="width: 321px"></div></section>`;
    const said = [];
    const look = { dark: true }, data = { id: "content" };
    const view = { root, look, data, index: 7, say: (...each) => said.push(each) };
    for (let i = 0; i < x; i += 1) m.askForFile(view, root.querySelector("button"));
    root.remove();
    return said;
"""


def test_a_request_says_which_figure_how_it_is_drawn_and_below_what(
    in_module: Call,
) -> None:
    ((name, (asked,)),) = in_module("charts/downloads.js", ASKED, 1)
    assert name == "files"
    assert 0 <= asked.pop("number") < 1
    assert asked == {
        "id": "content",
        "chart": "sheet",
        "name": "kept",
        "figure": "figure",
        "axis": "y2",
        "format": "PNG",
        "title": "A title",
        "sub": "what it shows",
        "width": 321,
        "dark": True,
        "index": 7,
        "frame": None,
    }


def test_each_message_holds_what_was_asked_for_before(in_module: Call) -> None:
    """Streamlit hears of the last of two messages that come in one moment."""
    said = in_module("charts/downloads.js", ASKED, 10)
    assert [len(asked) for _, asked in said] == [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]
