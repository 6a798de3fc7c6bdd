import { colourOf } from "../charts/colours.js";
import { drawFigure } from "../charts/figure.js";
import { rows } from "../charts/packed_content.js";

/* The dots of one ε and the spectrum as one figure; ui/explore/saved_figures.py does the same for a file. */
export function drawBeside(view, frame) {
  const { data: { beside: { data, layout }, dots: { kept, sin, piles } }, index, look, parts: { beside } } = view;
  const dots = piles.map(({ x, y }, i) => {
    const [across, up, customdata] = [x, y, [kept, sin][i]].map((packed) => [...rows(packed)[index]]);
    return { ...data[i], x: across, y: up, customdata };
  });
  drawFigure(view.Plotly, beside, { data: [...dots, ...data.slice(dots.length)], layout }, look, frame);
  const { margin: { l, r, b }, width, height, ...axes } = beside.layout;
  const layers = beside.querySelectorAll(".scatterlayer");
  view.marks = piles.map(({ x, y, filled_from: line }, i) => {
    const [across, up] = ["x", "y"].map((letter) => axes[`${letter}axis${i + 1}`.replace("1", "")]);
    const high = (up.domain[1] - up.domain[0]) * (height - b);
    const scales = { x: scaleOf(across, 0, width - l - r), y: scaleOf(up, high, 0) };
    return { ...scales, line, across: rows(x), up: rows(y), full: colourOf(data[i].marker.line.color, look), nodes: layers[i].querySelectorAll(".point") };
  });
  moveBeside(view);
}

function scaleOf({ range: [low, high] }, from, to) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/* While the rule moves Plotly is not called: its own marks are moved, and the band of noise. */
export function moveBeside({ data, index, look, marks = [], parts: { band } }) {
  const empty = colourOf("page", look);
  for (const { x, y, line, across, up, full, nodes } of marks) {
    nodes.forEach((node, i) => {
      node.setAttribute("transform", `translate(${x(across[index][i])},${y(up[index][i])})`);
      node.style.fill = up[index][i] >= line ? full : empty;
    });
  }
  const noise = data.noise_bands?.[index];
  band.hidden = !noise;
  band.style.cssText = noise?.style ?? "";
  band.dataset.words = noise?.words ?? "";
}
