"""What is drawn at once, and what only when it comes near the window."""

from tests.frontend.conftest import Call

PLACED = """
    const frames = async () => {
      for (let i = 0; i < 6; i += 1) await new Promise(requestAnimationFrame);
    };
    const node = document.createElement("div");
    const put = (top) => {
      node.style.cssText = `position: absolute; top: ${top}px; width: 9px; height: 9px`;
    };
    document.documentElement.append(node);
    const drawn = [];
    const Plotly = { react: (where, data) => drawn.push(...data) };
    const look = { palette: {}, dark: false };
    const draw = (what, printing = false) => {
      const figure = { data: [what], layout: { height: 9 } };
      m.drawPlaces({ Plotly, look, printing }, [{ node, figure }]);
    };
"""


def test_what_is_in_the_window_is_drawn_at_once(in_module: Call) -> None:
    assert in_module("charts/near.js", f"{PLACED} put(9); draw('it'); return drawn;") == ["it"]


def test_what_is_far_below_is_drawn_once_when_it_comes_near(in_module: Call) -> None:
    """Of two figures that waited for the place, the newer."""
    code = f"""{PLACED}
        put(innerHeight + 4000);
        draw("older");
        draw("newer");
        await frames();
        const far = [...drawn];
        put(innerHeight + 300);
        await frames();
        put(innerHeight + 4000);
        await frames();
        put(9);
        await frames();
        return [far, drawn];
    """
    assert in_module("charts/near.js", code) == [[], ["newer"]]


def test_what_was_drawn_meanwhile_is_not_drawn_from_before(in_module: Call) -> None:
    code = f"""{PLACED}
        put(innerHeight + 4000);
        draw("older");
        put(9);
        draw("newer");
        await frames();
        return drawn;
    """
    assert in_module("charts/near.js", code) == ["newer"]


def test_on_paper_everything_is_drawn(in_module: Call) -> None:
    code = f"{PLACED} put(innerHeight + 4000); draw('it', true); return drawn;"
    assert in_module("charts/near.js", code) == ["it"]


def test_a_place_is_as_high_as_its_figure_before_that_is_drawn(in_module: Call) -> None:
    code = f"{PLACED} put(innerHeight + 4000); draw('it'); return [drawn, node.style.minHeight];"
    assert in_module("charts/near.js", code) == [[], "9px"]
