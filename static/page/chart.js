/* Draws a page's charts: figures of Python's, in which colours are roles and words have places. */

import { write } from "./dom.js";

/* dpca_core/figures/colours.py says what roles are; `opacity` is that of bands. */
export function colourOf(role, { colours, opacity }, dark) {
  if (colours[role]) return colours[role][dark];
  const cut = role.lastIndexOf("/");
  const [name, shade] = [role.slice(0, cut), role.slice(cut + 1)];
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colours[name][dark].slice(i, i + 2), 16));
  return `rgba(${r},${g},${b},${opacity[shade]?.[dark] ?? Number(shade)})`;
}

/* A figure, or a part of one, with colours in the places of their roles. */
export function resolved(value, look, dark, key = "") {
  if (Array.isArray(value)) return value.map((item) => resolved(item, look, dark, key));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, look, dark, name)]));
  }
  return typeof value === "string" && key.endsWith("color") ? colourOf(value, look, dark) : value;
}

/* The numbers of an array that Python packed, in rows; NaN where there is none. */
export function rowsOf({ bdata, shape = "" }) {
  const bytes = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  const numbers = new Float32Array(bytes.buffer);
  const width = Number(shape.split(", ")[1] ?? numbers.length);
  const count = width ? numbers.length / width : 0;
  return Array.from({ length: count }, (_, i) => numbers.subarray(i * width, (i + 1) * width));
}

/* ---- a figure in its frame ---------------------------------------------------------------------- */

/* Words, legend and layout for the widest plot that fits (dpca_core/figures/chart.py). */
function namesFor({ names = {} }, plot) {
  const widths = Object.keys(names).map(Number).sort((a, b) => a - b);
  return names[widths.findLast((width) => width <= plot) ?? widths[0]] ?? { annotations: [], legend: [], layout: {} };
}

/* The layout whose ticks along x a chart has: alone, on a phone, on paper and before a room, those of the
   chart that has them for all along the rule. */
function foot({ narrow, room, printing, data: { charts } }, { ruled, figure }) {
  const alone = ruled && (narrow || room || printing);
  return (alone ? charts.findLast((chart) => chart.ruled).figure : figure).layout;
}

/* Data, layout and words of a figure in a frame of this width, and before a room of this height. */
function laidOut(view, chart, { width, height }) {
  const { narrow, lit, room } = view;
  const { figure } = chart;
  const { margin, annotations = [] } = figure.layout;
  const names = namesFor(figure, width - margin.l - margin.r);
  const data = figure.data.map((trace) => ({
    ...trace,
    showlegend: names.legend.includes(trace.meta),
    ...(lit && trace.meta && trace.meta !== lit && { opacity: 0.3 }),
  }));
  const layout = { ...figure.layout, ...names.layout, width, annotations: [] };
  const { xaxis, margin: { b } } = foot(view, chart);
  layout.height = height ?? layout.height + b - margin.b;
  layout.margin = { ...layout.margin, b: layout.margin.b + b - margin.b };
  layout.legend = { ...layout.legend, y: -b / (layout.height - layout.margin.t - layout.margin.b) };
  layout.xaxis = xaxis;
  /* On a phone a finger scrolls; before a room nothing moves but the rule. */
  if (narrow || room) layout.dragmode = false;
  return { data, layout, words: [...annotations, ...names.annotations] };
}

function drawFigure(view, chart, node, frame) {
  const { Plotly, look, dark } = view;
  const { data, layout, words } = laidOut(view, chart, frame);
  /* Most of a refinement is as it was, and drawing it again would keep the next key waiting. */
  const asked = JSON.stringify([data, layout, words, dark]);
  if (node.asked === asked) return;
  node.asked = asked;
  const config = { ...look.config, ...(layout.dragmode === false && { displayModeBar: false }) };
  const start = performance.now();
  Plotly.react(node, resolved(data, look, dark), resolved(layout, look, dark), config);
  performance.measure("dpca-react", { start });
  node.style.minHeight = "";
  node.words = resolved(words, look, dark);
  writeWords(node);
  if (node.heard) return;
  node.heard = true;
  node.on("plotly_click", ({ points: [{ data: { meta } }] }) => meta && view.choose(meta));
  node.on("plotly_legendclick", ({ data: traces, curveNumber }) => {
    view.choose(traces[curveNumber].meta);
    return false;
  });
  node.on("plotly_relayout", () => [writeWords(node), view.zoomed()]);
}

/* How far words are moved from their place, as a percentage of their own size. */
const ANCHORS = { left: 0, center: -50, right: -100, top: 0, middle: -50, bottom: -100 };

/* The words of a chart, over it: as annotations each would take Plotly a millisecond of every answer.
   A zoom moves them, and hides those outside. */
function writeWords(node) {
  const { layout: { width, height, font, margin: { l, r, t, b }, xaxis, yaxis } } = node;
  const share = ({ range: [from, to] }, place) => (place - from) / (to - from);
  node.layer ??= node.appendChild(Object.assign(document.createElement("div"), { className: "dpca-words" }));
  node.layer.style.font = `${font.size}px ${font.family}`;
  node.layer.replaceChildren(...node.words.map((said) => {
    const { text, name, captureevents, x, y, xref, yref, align, font: own = {} } = said;
    const { xanchor = "center", yanchor = "middle", xshift = 0, yshift = 0 } = said;
    const across = xref === "paper" ? x : share(xaxis, x);
    const up = yref === "paper" ? y : share(yaxis, y);
    const outside = [[xref, across], [yref, up]].some(([ref, at]) => ref !== "paper" && !(at >= 0 && at <= 1));
    const word = Object.assign(document.createElement("span"), { className: "annotation", hidden: outside });
    /* Plotly's markup is tags without attributes; whatever else a visitor's own unit holds is text. */
    word.innerHTML = text.replaceAll(/<(?!\/?(?:b|s|sub)>|br>)/g, "&lt;");
    if (captureevents) Object.assign(word.dataset, { do: "row", value: name });
    word.style.cssText = `color: ${own.color ?? font.color}; font-size: ${own.size ?? font.size}px; translate: ${ANCHORS[xanchor]}% ${ANCHORS[yanchor]}%`;
    word.style.textAlign = align ?? "center";
    word.style.left = `${l + across * (width - l - r) + xshift}px`;
    word.style.top = `${t + (1 - up) * (height - t - b) - yshift}px`;
    return word;
  }));
}

/* Dots and bands over a chart, where the rule stands. */
export function drawMarks({ over }, { figure: { layout }, over: layer }, index) {
  if (!over.length || !layout) return;
  const { l, r, t, b } = layout.margin;
  layer.style.inset = `${t}px ${r}px ${b}px ${l}px`;
  const percent = (share) => `${(100 * share).toFixed(2)}%`;
  write(layer, over.map(({ kind, style, size, y, x }) => {
    const [ys, xs] = [y, x].map((rows) => rows?.[Math.min(index, rows.length - 1)]);
    if (kind === "band") {
      return ys[0] >= 0 ? `<i class="dpca-band" style="${style}; top: ${percent(ys[0])}; height: ${percent(ys[1] - ys[0])}"></i>` : "";
    }
    const dots = Array.from(ys, (up, i) => (up >= 0 && xs[i] >= 0 ? `<i style="left:${percent(xs[i])};top:${percent(up)}"></i>` : ""));
    return `<div class="dpca-${kind}" style="${style}; --size: ${size}px">${dots.join("")}</div>`;
  }).join(""));
}

/* ---- all charts --------------------------------------------------------------------------------- */

/* Charts within 400 pixels of the window are drawn in the frames after those inside it. */
const FAR = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) target.draw();
}, { rootMargin: "400px" });

/* Width of the whole window in a room, in pixels of its charts: their type is large enough for the back. */
const ROOM_WIDTH = 780;

/* Where a chart is to be drawn, and how large. Before a room its frame is scaled to what the window leaves. */
function frameOf({ room }, { figure, frame }) {
  /* Even an empty style that is written again makes the next reading style the page. */
  if (frame.style.length) frame.style.cssText = "";
  const { width, height, top, bottom } = frame.getBoundingClientRect();
  if (!room || !width) return { frame: { width: figure.clientWidth }, near: top < innerHeight && bottom > 0 };
  const scale = innerWidth / ROOM_WIDTH;
  return { frame: { width: width / scale, height: height / scale }, scale, near: true };
}

/* Charts that are not drawn yet have their places: as high as they will be at this width. */
export function reserve(view) {
  const { data, charts } = view;
  const empty = charts.map((own, i) => ({ node: own.figure, chart: data.charts[i] })).filter(({ node, chart }) => chart.figure && !node.asked);
  const widths = empty.map(({ node }) => node.clientWidth);
  empty.forEach(({ node, chart }, i) => {
    const { height, margin: { l, r, b } } = chart.figure.layout;
    const named = namesFor(chart.figure, widths[i] - l - r).layout.height ?? height;
    node.style.minHeight = `${named + foot(view, chart).margin.b - b}px`;
  });
}

/* Draws charts in their places: at once in the window, else when they come near it. All places are read
   before any is drawn, as a reading in between lays the page out again. */
export function drawCharts(view, some = () => true) {
  const all = view.data.charts.map((chart, i) => ({ chart, own: view.charts[i] }));
  const shown = all.filter(({ chart }) => chart.figure && some(chart));
  const read = shown.map(({ own }) => frameOf(view, own));
  shown.forEach(({ chart, own }, i) => {
    const { frame, near, scale } = read[i];
    if (!frame.width) return;
    if (scale) own.frame.style.cssText = `flex: none; width: ${frame.width}px; height: ${frame.height}px; transform: scale(${scale})`;
    own.figure.draw = () => {
      FAR.unobserve(own.figure);
      drawFigure(view, chart, own.figure, frame);
      drawMarks(chart, own, view.index);
    };
    if (view.printing || near) own.figure.draw();
    else FAR.observe(own.figure);
  });
}
