import { colourOf } from "../charts/colours.js";
import { rows } from "../charts/packed_content.js";
import { drawPanels } from "./panels.js";

/* Dots of both panels and the spectrum: one figure behind the right column's titles, with the dots of the rule's ε. */
export function drawBeside(view) {
  const { data, index, parts: { beside } } = view;
  const values = [data.dots.kept, data.dots.sin].map(rows);
  view.piles = data.dots.piles.map(({ x, y, filled_from: line }) => ({ x: rows(x), y: rows(y), line }));
  const dots = view.piles.map(({ x, y, line }, i) => {
    const trace = data.beside.data[i];
    const color = [...y[index]].map((place) => (place >= line ? trace.marker.line.color : "page"));
    return { ...trace, x: [...x[index]], y: [...y[index]], customdata: [...values[i][index]], marker: { ...trace.marker, color } };
  });
  drawPanels(view, beside, { ...data.beside, data: [...dots, ...data.beside.data.slice(dots.length)] }, true);
  const { margin: { l, r }, width, xaxis, xaxis2, yaxis, yaxis2 } = beside.layout;
  const frames = beside.parentElement.querySelectorAll(".dpca-frame");
  const layers = beside.querySelectorAll(".scatterlayer");
  view.marks = [[xaxis, yaxis], [xaxis2, yaxis2]].map((axes, i) => ({
    x: scaleOf(axes[0], 0, width - l - r), y: scaleOf(axes[1], frames[i].clientHeight, 0),
    full: colourOf(data.beside.data[i].marker.line.color, view.look), nodes: layers[i].querySelectorAll(".point"),
  }));
  moveBeside(view);
}

function scaleOf({ range: [low, high] }, from, to) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/* While the rule moves Plotly is not called: its own marks are moved, and the band of noise. */
export function moveBeside({ data, index, look, marks, piles, parts: { band } }) {
  if (!marks) return;
  const empty = colourOf("page", look);
  marks.forEach(({ x, y, full, nodes }, i) => {
    const { x: across, y: up, line } = piles[i];
    nodes.forEach((node, j) => {
      node.setAttribute("transform", `translate(${x(across[index][j])},${y(up[index][j])})`);
      node.style.fill = up[index][j] >= line ? full : empty;
    });
  });
  const noise = data.noise_bands?.[index];
  band.hidden = !noise;
  band.style.cssText = noise?.style ?? "";
  band.dataset.words = noise?.words ?? "";
}
