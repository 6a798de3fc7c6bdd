import { pathOf } from "../charts/curve_path.js";
import { fill, html, svg } from "../charts/dom.js";
import { saveRaster } from "../charts/downloads.js";
import { placeLabels } from "../charts/label_placement.js";
import { colourOf, textColour } from "../charts/theme.js";
import { ticksOf } from "../charts/ticks.js";

export const CHARTS = { captured: { height: 380, title: "kept" }, sin: { height: 190, title: "sin" } };
const SHARES = [95, 80, 50];

export function xAt(value, axis, width) {
  const of = axis.log ? Math.log : (v) => v;
  const [low, high] = [of(axis.values[0]), of(axis.values[axis.values.length - 1])];
  return high > low ? ((of(value) - low) / (high - low)) * width : width / 2;
}

function rangeOf(chart, data) {
  if (chart === "sin") {
    const most = Math.max(...data.random.sin);
    return { low: -most * 0.03, high: most * 1.15 };
  }
  const seen = data.lines.flatMap((l) => l.captured.median.filter((v) => v !== null));
  const floor = Math.max(0, Math.min(...data.random.captured, ...seen, 0.85) - 0.03);
  return { low: floor, high: 1.02 };
}

function place(chart, view) {
  const { low, high } = rangeOf(chart, view.data);
  const { height } = CHARTS[chart];
  return (value) => ((high - value) / (high - low)) * height;
}

function trail(line, chart, name, view) {
  const y = place(chart, view);
  return line[chart][name].map((v, i) => (v === null ? null : { x: xAt(view.data.axis.values[i], view.data.axis, view.width), y: y(v) }));
}

function grounds(chart, view) {
  const { data, theme, width } = view;
  const y = place(chart, view);
  const { low, high } = rangeOf(chart, data);
  const { height } = CHARTS[chart];
  const steps = chart === "sin" ? ticksOf(high, 4) : [0, 0.2, 0.4, 0.6, 0.8, 0.9, 1].filter((t) => t >= low);
  const across = (value, stroke, dash, w = 1) => svg("line", { x1: 0, x2: width, y1: y(value), y2: y(value), stroke, "stroke-dasharray": dash, "stroke-width": w });
  const word = (x, value, text, anchor, colour = theme.grey) => svg("text", { x, y: y(value) + 4, "text-anchor": anchor, "font-size": 12, fill: colour, text });
  const nodes = steps.flatMap((t) => [across(t, theme.hair), word(width + 8, t, chart === "sin" ? String(t) : `${Math.round(t * 100)}${t === 1 ? " %" : ""}`, "start")]);
  const random = data.random[chart].map((v, i) => ({ x: xAt(data.axis.values[i], data.axis, width), y: y(v) }));
  nodes.push(svg("path", { d: pathOf(random), fill: "none", stroke: theme.faint, "stroke-dasharray": "6 5", "stroke-width": 1.2 }), svg("text", { x: width - 4, y: random[random.length - 1].y - 5, "text-anchor": "end", "font-size": 12, fill: theme.grey, text: data.random.name }));
  nodes.push(across(chart === "sin" ? 0 : 1, theme.ink, null, 1.6));
  if (chart === "captured") nodes.push(across(data.target, theme.ink, "1 3"));
  data.axis.ticks.forEach(({ value, text }) => {
    const x = xAt(value, data.axis, width);
    nodes.push(svg("line", { x1: x, x2: x, y1: 0, y2: height, stroke: theme.hair }));
    if (chart === "sin") nodes.push(svg("text", { x, y: height + 16, "text-anchor": "middle", "font-size": 12, fill: theme.grey, text }));
  });
  if (chart === "sin") nodes.push(svg("text", { x: width / 2, y: height + 34, "text-anchor": "middle", "font-size": 13, fill: theme.grey, text: data.axis.title }));
  return nodes;
}

function stroked(line, chart, view) {
  const { theme } = view;
  const strong = view.lit === line.key;
  const dash = { dotted: "2 3", dashed: "7 5" }[line.dash];
  return svg("path", { d: pathOf(trail(line, chart, "median", view), !view.data.complete), stroke: colourOf(line, theme), "stroke-width": strong ? 3 : line.apart ? 1.1 : 1.7, "stroke-dasharray": dash, opacity: view.lit && !strong ? 0.45 : line.apart ? 0.8 : 1, fill: "none", "stroke-linejoin": "round" });
}

function banded(line, chart, view) {
  return SHARES.flatMap((share, i) => {
    if (!line[chart][`lo${share}`]) return [];
    const [low, high] = [trail(line, chart, `lo${share}`, view), trail(line, chart, `hi${share}`, view)];
    const both = low.map((_, j) => j).filter((j) => low[j] && high[j]);
    const outline = [...both.map((j) => high[j]), ...both.reverse().map((j) => low[j])];
    return outline.length ? [svg("path", { d: `${pathOf(outline)}Z`, fill: colourOf(line, view.theme), "fill-opacity": view.theme.band[i] })] : [];
  });
}

export function drawChart(chart, view) {
  const { frame, ground, curves, names } = view.charts[chart];
  const { data, width, theme } = view;
  const { height } = CHARTS[chart];
  const foot = chart === "sin" ? 40 : 0;
  for (const node of [ground, curves]) fill(node, { width: width + 58, height: height + foot + 8, viewBox: `-2 -8 ${width + 58} ${height + foot + 8}` }, []);
  frame.style.height = `${height + foot + 8}px`;
  ground.replaceChildren(...grounds(chart, view));
  const lit = data.lines.find((l) => l.key === view.lit);
  const order = [...data.lines.filter((l) => l.apart), ...data.lines.filter((l) => !l.apart)].filter((l) => l !== lit);
  curves.replaceChildren(...(lit ? banded(lit, chart, view) : []), ...order.map((l) => stroked(l, chart, view)), ...(lit ? [stroked(lit, chart, view)] : []));
  const lines = [...(lit ? [lit] : []), ...data.lines.filter((l) => l !== lit)].map((l) => ({ name: l.name, line: l, chosen: l === lit, points: trail(l, chart, "median", view) }));
  const placed = placeLabels(lines, [], width, height, 0);
  names.replaceChildren(...placed.map(({ line, x, y, anchor }) => {
    const node = html("span", { text: line.name, class: line.chosen ? "dpca-lit" : "" });
    node.style.cssText = `left:${x + 2}px;top:${y + 8}px;color:${textColour(line.line, theme)};transform:translate(${anchor === "right" ? "-100%" : "0"},-50%)`;
    return node;
  }));
}

export function drawRule(view) {
  const { axis } = view.data;
  const x = xAt(axis.values[view.index], axis, view.width);
  for (const chart of Object.keys(CHARTS)) view.charts[chart].rule.style.transform = `translateX(${x + 2}px)`;
  view.tag.textContent = axis.texts[view.index];
  view.tag.style.transform = `translateX(${x + 2}px) translateX(-50%)`;
  fill(view.handle, { "aria-valuenow": view.index, "aria-valuetext": axis.texts[view.index], "aria-valuemin": 0, "aria-valuemax": axis.values.length - 1 }, []);
}

export function chartTable(chart, data) {
  const names = (l) => ["median", ...SHARES.flatMap((s) => [`lo${s}`, `hi${s}`])].filter((n) => l[chart][n]);
  const head = [data.axis.name, ...data.lines.flatMap((l) => names(l).map((n) => `${l.key} ${n}`))];
  return [head, ...data.axis.values.map((v, i) => [v, ...data.lines.flatMap((l) => names(l).map((n) => l[chart][n][i]))])];
}

export function pictured(chart, view) {
  const { ground, curves, names } = view.charts[chart];
  const copy = ground.cloneNode(true);
  copy.append(...curves.cloneNode(true).childNodes);
  for (const name of names.children) copy.append(svg("text", { x: parseFloat(name.style.left) - (name.style.transform.includes("-100%") ? name.offsetWidth : 0) - 2, y: parseFloat(name.style.top) - 4, "font-size": 12.5, fill: name.style.color, text: name.textContent }));
  return copy;
}

export function raster(chart, view) {
  saveRaster(`compare-${chart}`, pictured(chart, view), view.theme.page);
}
