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

/* One figure behind the titles of a column: its panels lie where the page left frames empty. */
export function drawPanels({ Plotly, look }, node, figure, phone) {
  const box = node.parentElement;
  const domains = domainsOf(box, figure.layout.margin.b);
  const shown = { ...figure, layout: { ...figure.layout, margin: { ...figure.layout.margin, t: 0 } } };
  drawFigure(Plotly, node, shown, look, { width: Math.max(box.clientWidth, 200), height: box.clientHeight, domains, phone });
}
