/* Draws a page's charts: figures of Python's, in which colours are roles and words have places. */

import { html, write } from "./dom.js";

/* dpca_core/figures/colours.py says what roles are; `opacity` is that of bands. */
export function colourOf(role, { colours, opacity }, dark) {
  if (colours[role]) return colours[role][dark];
  const [, name, shade] = role.match(/(.*)\/(.*)/);
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colours[name][dark].slice(i, i + 2), 16));
  return `rgba(${r},${g},${b},${opacity[shade]?.[dark] ?? Number(shade)})`;
}

/* Puts colours in the places of their roles, in a figure or a part of one; a list's are those of its name. */
function colour(part, look, dark, list = "") {
  for (const [key, value] of Object.entries(part)) {
    const name = Array.isArray(part) ? list : key;
    if (value !== null && typeof value === "object") colour(value, look, dark, name);
    else if (typeof value === "string" && name.endsWith("color")) part[key] = colourOf(value, look, dark);
  }
}

/* The numbers of an array that Python packed, in rows; NaN where there is none. */
export function rowsOf({ bdata, shape = "" }) {
  const { buffer } = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  const numbers = new Float32Array(buffer);
  const width = Number(shape.split(", ")[1] ?? numbers.length);
  return Array.from({ length: numbers.length / width || 0 }, (_, i) => numbers.subarray(i * width, (i + 1) * width));
}

/* A figure in a frame of this size; names, legend and what they change are those for the widest plot that fits. */
function laidOut(view, item, { width, height }) {
  const { narrow, lit, room, printing, data: { charts } } = view;
  const { ruled, figure, figure: { layout: { margin } } } = item;
  const widths = Object.keys(figure.names ?? {});
  const widest = widths.findLast((plot) => plot <= width - margin.l - margin.r) ?? widths[0];
  const names = figure.names?.[widest] ?? { annotations: [], legend: [] };
  const data = figure.data.map((trace) => ({
    ...trace,
    showlegend: names.legend.includes(trace.meta),
    ...(lit && trace.meta && trace.meta !== lit && { opacity: 0.3 }),
  }));
  /* Along the rule one chart has the ticks for all; alone, on a phone, on paper and before a room, each has them. */
  const alone = ruled && (narrow || room || printing);
  const { xaxis, margin: { b } } = (alone ? charts.findLast((chart) => chart.ruled).figure : figure).layout;
  /* On a phone a finger scrolls; before a room nothing moves but the rule. */
  const still = (narrow || room) && { dragmode: false };
  const layout = { ...figure.layout, ...names.layout, xaxis, width, annotations: [], ...still };
  const more = b - margin.b;
  layout.height = height ?? layout.height + more;
  layout.margin = { ...layout.margin, b: layout.margin.b + more };
  layout.legend = { ...layout.legend, y: -b / (layout.height - layout.margin.t - layout.margin.b) };
  return { data, layout, words: [...(figure.layout.annotations ?? []), ...names.annotations] };
}

function drawFigure(view, item, node, frame) {
  const { Plotly, look, dark } = view;
  /* Most of a refinement is as it was, and drawing it again would keep the next key waiting. */
  const asked = JSON.stringify({ ...laidOut(view, item, frame), dark });
  if (node.asked === asked) return;
  const isFirst = !node.asked;
  node.asked = asked;
  const drawn = JSON.parse(asked);
  colour(drawn, look, dark);
  Plotly.react(node, drawn.data, drawn.layout, look.config);
  performance.mark("dpca-react");
  node.style.minHeight = "";
  node.words = drawn.words;
  writeWords(node);
  if (!isFirst) return;
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
  const share = (ref, { range: [from, to] }, at) => (ref === "paper" ? at : (at - from) / (to - from));
  const words = node.words.map((word) => {
    const [across, up] = [share(word.xref, xaxis, word.x), share(word.yref, yaxis, word.y)];
    const { xanchor = "center", yanchor = "middle", xshift = 0, yshift = 0, align = "center" } = word;
    const { color, size } = { ...font, ...word.font };
    const left = l + across * (width - l - r) + xshift;
    const top = t + (1 - up) * (height - t - b) - yshift;
    const chosen = word.captureevents && { "data-do": "row", "data-value": word.name };
    const span = html("span", { class: "annotation", ...chosen });
    span.style.cssText = `color: ${color}; font-size: ${size}px; text-align: ${align}; left: ${left}px; top: ${top}px`;
    span.style.translate = `${ANCHORS[xanchor]}% ${ANCHORS[yanchor]}%`;
    span.hidden = [[word.xref, across], [word.yref, up]].some(([ref, at]) => ref !== "paper" && !(at >= 0 && at <= 1));
    /* Plotly's markup is tags without attributes; whatever else a visitor's own unit holds is text. */
    span.innerHTML = word.text.replaceAll(/<(?!\/?(?:b|s|sub)>|br>)/g, "&lt;");
    return span;
  });
  node.layer ??= node.appendChild(html("div", { class: "dpca-words" }));
  node.layer.style.font = `${font.size}px ${font.family}`;
  node.layer.replaceChildren(...words);
}

/* Dots and bands over a chart, where the rule stands. */
export function drawMarks({ item: { over }, parts: { figure: { layout }, over: layer } }, index) {
  if (!over.length || !layout) return;
  const { l, r, t, b } = layout.margin;
  const percent = (share) => `${(100 * share).toFixed(2)}%`;
  layer.style.inset = `${t}px ${r}px ${b}px ${l}px`;
  write(layer, over.map(({ kind, style, size, y, x }) => {
    const [ys, xs] = [y, x].map((rows) => rows?.[Math.min(index, rows.length - 1)]);
    if (kind === "band") {
      const place = `top: ${percent(ys[0])}; height: ${percent(ys[1] - ys[0])}`;
      return ys[0] >= 0 ? `<i class="dpca-band" style="${style}; ${place}"></i>` : "";
    }
    const seen = Array.from(ys, (up, i) => [xs[i], up]).filter(([across, up]) => up >= 0 && across >= 0);
    const dots = seen.map(([across, up]) => `<i style="left:${percent(across)};top:${percent(up)}"></i>`);
    return `<div class="dpca-${kind}" style="${style}; --size: ${size}px">${dots.join("")}</div>`;
  }).join(""));
}

/* Charts within 400 pixels of the window are drawn in the frames after those inside it. */
const FAR = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) target.draw();
}, { rootMargin: "400px" });

/* Width of the whole window in a room, in pixels of its charts: their type is large enough for the back. */
const ROOM_WIDTH = 780;

/* Charts that are not drawn yet have their places: as high as they will be at this width. */
export function reserve(view) {
  const empty = view.charts.filter(({ item, parts }) => item.figure && !parts.figure.asked);
  const widths = empty.map(({ parts }) => parts.figure.clientWidth);
  empty.forEach(({ item, parts }, i) => {
    parts.figure.style.minHeight = `${laidOut(view, item, { width: widths[i] }).layout.height}px`;
  });
}

/* Where a chart is to be drawn, and how large. Before a room its frame is scaled to what the window leaves. */
function frameOf({ room }, { figure, frame }) {
  /* Even an empty style that is written again makes the next reading style the page. */
  if (frame.style.length) frame.style.cssText = "";
  const { width, height, top, bottom } = frame.getBoundingClientRect();
  if (!room) return { width: figure.clientWidth, near: top < innerHeight && bottom > 0 };
  const scale = innerWidth / ROOM_WIDTH;
  return { width: width / scale, height: height / scale, scale, near: true };
}

/* At once in the window, else when they come near. All places are read first: each drawing unsettles the layout. */
export function drawCharts(view, some = () => true) {
  const shown = view.charts.filter(({ item }) => item.figure && some(item));
  const places = shown.map(({ parts }) => frameOf(view, parts));
  shown.forEach((section, i) => {
    const { item, parts: { figure, frame } } = section;
    const { width, height, scale, near } = places[i];
    if (!width) return;
    if (scale) frame.style.cssText = `flex: none; width: ${width}px; height: ${height}px; transform: scale(${scale})`;
    figure.draw = () => {
      FAR.unobserve(figure);
      drawFigure(view, item, figure, { width, height });
      drawMarks(section, view.index);
    };
    if (view.printing || near) figure.draw();
    else FAR.observe(figure);
  });
}
