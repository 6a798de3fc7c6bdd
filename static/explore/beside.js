import { drawFigure } from "../charts/figure.js";
import { colourOf } from "../charts/colours.js";
import { numbers, rows } from "../charts/packed_content.js";
import { domainsOf } from "./curves.js";

const PLOTS = { kept: 0, sin: 1 };

/* Dots of both panels and the spectrum: one figure behind the right column's titles. */
export function drawBeside(view) {
  const { data, beside, boxes, scale } = view;
  const box = beside.parentElement;
  for (const [name, frame] of Object.entries(boxes)) frame.style.height = `${data.heights[name] * scale}px`;
  const { l, r, b } = data.beside.layout.margin;
  const width = Math.max(box.clientWidth, 200);
  view.piles = { kept: rows(data.dots.kept), sin: rows(data.dots.sin) };
  view.noise = data.noise && numbers(data.noise);
  view.besidePlot = { width: width - l - r };
  const domains = domainsOf({ yaxis: boxes.kept, yaxis2: boxes.sin, yaxis3: boxes.spectrum }, box, b);
  const pixels = Object.fromEntries(["xaxis", "xaxis2"].map((axis) => [axis, { ...data.beside.layout[axis], range: [0, view.besidePlot.width] }]));
  const figure = { data: data.beside.data.map((trace) => (trace.meta in PLOTS ? { ...trace, ...placed(view, trace.meta), marker: { ...trace.marker, color: filling(view, trace.meta) } } : trace)), layout: { ...data.beside.layout, ...pixels } };
  view.besideFigure = figure;
  drawFigure(view.plotly, beside, figure, view.look, { width, height: box.clientHeight, domains, phone: true });
  view.marks = Object.fromEntries(Object.keys(PLOTS).map((panel, i) => [panel, [...beside.querySelectorAll(".scatterlayer")[i].querySelectorAll(".point")]]));
  moveBeside(view);
}

/* Rows of dots whose edge lies on the target, so that no row mixes kept and missed; in pixels. */
function pile(view, panel) {
  const { data, scale, besidePlot: { width } } = view;
  const size = data.beside.data[PLOTS[panel]].marker.size + 1;
  const height = data.heights[panel] * scale;
  const [low, high] = data.beside.layout[panel === "kept" ? "yaxis" : "yaxis2"].range;
  const origin = ((high - (panel === "kept" ? data.target : 0)) / (high - low)) * height;
  const values = view.piles[panel][view.index];
  const step = Math.min(size, (width - size - 4) / Math.max(values.length - 1, 1));
  const taken = new Map();
  return Array.from(values, (value) => {
    if (Number.isNaN(value)) return { x: -99, y: -99 };
    const up = origin - ((high - value) / (high - low)) * height;
    const row = Math.floor(up / size + (panel === "kept" && value >= data.target ? 1e-6 : 0));
    const place = taken.get(row) || 0;
    taken.set(row, place + 1);
    return { x: size / 2 + 2 + place * step, y: Math.min(Math.max(origin - (row + 0.5) * size, size / 2), height - size / 2), value };
  });
}

function filling(view, panel) {
  const { color } = view.data.beside.data[PLOTS[panel]].marker.line;
  return Array.from(view.piles[panel][view.index], (value) => (panel === "sin" || value >= view.data.target ? color : "page"));
}

/* Places of the dots as Plotly's data. */
function placed(view, panel) {
  const height = view.data.heights[panel] * view.scale;
  const [low, high] = view.data.beside.layout[panel === "kept" ? "yaxis" : "yaxis2"].range;
  const spots = pile(view, panel);
  return { x: spots.map(({ x }) => x), y: spots.map(({ y }) => high - (y / height) * (high - low)), text: spots.map(({ value }) => value) };
}

/* While the rule moves Plotly is not called: its own marks are moved, and the band of noise. */
export function moveBeside(view) {
  if (!view.marks || view.data.dots === undefined) return;
  for (const [panel, marks] of Object.entries(view.marks)) {
    const colours = filling(view, panel).map((role) => colourOf(role, view.look));
    pile(view, panel).forEach(({ x, y }, i) => {
      marks[i]?.setAttribute("transform", `translate(${x},${y})`);
      if (marks[i]) marks[i].style.fill = colours[i];
    });
  }
  moveNoise(view);
}

/* At rest Plotly learns where its marks are. */
export function restBeside(view) {
  const panels = Object.keys(PLOTS);
  if (!view.marks) return undefined;
  const spots = panels.map((panel) => placed(view, panel));
  const colours = panels.map((panel) => filling(view, panel).map((role) => colourOf(role, view.look)));
  const change = { x: spots.map((s) => s.x), y: spots.map((s) => s.y), text: spots.map((s) => s.text), "marker.color": colours };
  return view.plotly.restyle(view.beside, change, panels.map((panel) => PLOTS[panel]));
}

/* The band is as long as the noise and stands on the same foot as the gap. */
function moveNoise(view) {
  const { data, band, boxes, besidePlot } = view;
  const noise = view.noise?.[view.index];
  band.hidden = !(noise >= 0);
  if (band.hidden) return;
  const { layout } = data.beside;
  const left = layout.xaxis3.domain[0] * besidePlot.width;
  const width = besidePlot.width - left;
  const [, top] = layout.yaxis3.range;
  const height = boxes.spectrum.clientHeight;
  const y = (v) => (1 - Math.min(Math.max(v, 0), top) / top) * height;
  const [head, foot] = [y(data.next_eigenvalue + noise), y(data.next_eigenvalue)];
  const chosen = data.mechanisms.find((m) => m.chosen);
  const over = data.next_eigenvalue + noise > top;
  Object.assign(band.style, { left: `${left}px`, width: `${width}px`, top: `${head}px`, height: `${Math.max(foot - head, 1)}px`, background: colourOf(`${chosen.color}/.2`, view.look), color: colourOf(`${chosen.color}/text`, view.look) });
  band.dataset.words = `${over ? "↑ " : ""}${data.noise_texts[view.index]}`;
  const gapLabel = layout.annotations.find(({ name }) => name === "gap");
  const gap = gapLabel && y(gapLabel.y) - (gapLabel.yshift || 0);
  const at = over ? 2 : -17;
  const lifted = gapLabel && Math.abs(head + at + 8 - gap) < 17 ? gap - 25 - head : at;
  band.style.setProperty("--words", `${lifted}px`);
}
