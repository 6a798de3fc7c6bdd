import { colourOf } from "../charts/colours.js";
import { rows } from "../charts/packed_content.js";
import { drawPanels } from "./panels.js";

/* The dots of one ε and the spectrum as one figure; ui/explore/saved_figures.py does the same for a file. */
function besideAt({ beside, dots }, index) {
  const drawn = dots.piles.map(({ x, y, filled_from: line }, i) => {
    const { marker } = beside.data[i];
    const up = [...rows(y)[index]];
    const color = up.map((place) => (place >= line ? marker.line.color : "page"));
    const customdata = [...rows([dots.kept, dots.sin][i])[index]];
    return { ...beside.data[i], x: [...rows(x)[index]], y: up, customdata, marker: { ...marker, color } };
  });
  return { ...beside, data: [...drawn, ...beside.data.slice(drawn.length)] };
}

/* That figure in the right column's frame, at the rule's ε. */
export function drawBeside(view, frame) {
  const { data, index, parts: { beside } } = view;
  view.piles = data.dots.piles.map(({ x, y, filled_from: line }) => ({ x: rows(x), y: rows(y), line }));
  drawPanels(view, beside, besideAt(data, index), frame);
  const { margin: { l, r, b }, width, height, xaxis, xaxis2, yaxis, yaxis2 } = beside.layout;
  const heights = [yaxis, yaxis2].map(({ domain: [low, high] }) => (high - low) * (height - b));
  const layers = beside.querySelectorAll(".scatterlayer");
  view.marks = [[xaxis, yaxis], [xaxis2, yaxis2]].map((axes, i) => ({
    x: scaleOf(axes[0], 0, width - l - r), y: scaleOf(axes[1], heights[i], 0),
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
