"""What is drawn at once, and what only when it comes near the window."""

import pytest

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


ONCE = ["put(9); draw('it');", "put(innerHeight + 4000); draw('it', true);"]


@pytest.mark.parametrize("code", ONCE, ids=["in the window", "on paper"])
def test_what_is_seen_is_drawn_at_once(in_module: Call, code: str) -> None:
    assert in_module("charts/near.js", f"{PLACED} {code} return drawn;") == ["it"]


def test_what_is_far_below_is_drawn_once_when_it_comes_near(in_module: Call) -> None:
    """In a place as high as the figure; of two figures that waited for it, the newer."""
    code = f"""{PLACED}
        put(innerHeight + 4000);
        draw("older");
        draw("newer");
        const {{ minHeight }} = node.style;
        await frames();
        const far = [...drawn];
        put(innerHeight + 300);
        await frames();
        put(innerHeight + 4000);
        await frames();
        put(9);
        await frames();
        return [minHeight, far, drawn];
    """
    assert in_module("charts/near.js", code) == ["9px", [], ["newer"]]


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
