import { drawFigure } from "../charts/figure.js";

/* The part of a figure's height that each empty frame of the page leaves to its axis. */
function domainsOf(box, foot) {
  const whole = box.clientHeight - foot;
  const { top } = box.getBoundingClientRect();
  return Object.fromEntries([...box.querySelectorAll(".dpca-frame")].map((frame) => {
    const place = frame.getBoundingClientRect();
    const ends = [1 - (place.bottom - top) / whole, 1 - (place.top - top) / whole];
    return [frame.dataset.axis, ends.map((share) => Math.min(Math.max(share, 0), 1))];
  }));
}

/* Where a column's figure lies: behind its titles, with panels where the page left frames empty. */
export function frameIn(node, { layout }) {
  const box = node.parentElement;
  const domains = domainsOf(box, layout.margin.b);
  return { width: Math.max(box.clientWidth, 200), height: box.clientHeight, domains };
}

/* One figure for all panels of a column. */
export function drawPanels({ Plotly, look }, node, figure, frame) {
  const { layout } = figure;
  const shown = { ...figure, layout: { ...layout, margin: { ...layout.margin, t: 0 } } };
  drawFigure(Plotly, node, shown, look, frame);
}
