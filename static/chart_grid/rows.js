import { html, svg } from "../charts/dom.js";
import { inkOf } from "../charts/theme.js";
import { hatches, hatchOf } from "./hatching.js";
import { inRange, MARGIN } from "./scales.js";

export const ROW = 34;

/* A glyph tells what a number is: a dot was measured, ▸ is enough, ▹| is too few, ◇ an order. */
function glyph(kind, at, y, ends, color, theme) {
  switch (kind) {
    case "enough":
      return [svg("line", { x1: at, x2: ends.right, y1: y, y2: y, stroke: color, "stroke-width": 1.6, "stroke-dasharray": "7 4" }), svg("path", { d: `M${at} ${y - 8}v16M${at} ${y - 8}h5M${at} ${y + 8}h5`, fill: "none", stroke: color, "stroke-width": 2 })];
    case "few":
      return [svg("rect", { x: ends.left, y: y - 9, width: Math.max(at - ends.left, 0), height: 18, fill: hatchOf(theme) }), svg("path", { d: `M${at} ${y - 9}v18`, fill: "none", stroke: color, "stroke-width": 2.4 })];
    case "order":
      return [svg("path", { d: `M${at} ${y - 7}l7 7l-7 7l-7 -7z`, fill: theme.page, stroke: color, "stroke-width": 1.5, "stroke-dasharray": "2 2" })];
    default:
      return [svg("circle", { cx: at, cy: y, r: 6, fill: color })];
  }
}

function interval(mark, x, y, ends, color) {
  if (mark.kind !== "measured") return [];
  const [low, high] = [mark.low === null ? ends.left : x(mark.low), mark.high === null ? ends.right : x(mark.high)];
  return [svg("line", { x1: low, x2: high, y1: y, y2: y, stroke: color, "stroke-width": 5, "stroke-opacity": 0.3, "stroke-linecap": "round" })];
}

/* Words of a row's numbers stand above their marks, and give way to one another. */
function words(marks, x, y, width, theme) {
  let free = -Infinity;
  return [...marks].sort((a, b) => a.x - b.x).flatMap((mark) => {
    const size = mark.text.length * 6.3;
    const left = Math.min(Math.max(x(mark.x) - (mark.kind === "few" ? size + 6 : mark.kind === "enough" ? -4 : size / 2), 0), width - size);
    if (left < free) return [];
    free = left + size + 6;
    const strong = mark.kind === "measured";
    return [svg("text", { x: left, y: y - 9, "font-size": strong ? 12.5 : 11.5, "font-weight": strong ? 650 : 400, fill: strong ? theme.ink : theme.grey, stroke: theme.page, "stroke-width": 3, "paint-order": "stroke", text: mark.text })];
  });
}

function rowOf(view, chart, row, i, x, { width, gutter }) {
  const { theme } = view;
  const middle = i * chart.step + chart.step - 12;
  const color = inkOf(row.color, theme);
  const ends = { left: 0, right: width };
  const inside = row.marks.filter((m) => inRange(chart.x, m.x));
  const order = [...inside].sort((a, b) => (a.kind === "measured") - (b.kind === "measured"));
  const named = svg("text", { x: gutter ? -gutter : 0, y: gutter ? middle + 4 : middle - 22, "font-size": 13, "font-weight": view.lit === row.name ? 650 : 400, fill: row.apart ? theme.grey : theme.ink, text: row.name });
  if (row.label) named.append(svg("tspan", { dx: 6, "font-size": 11, "font-weight": 400, fill: row.label.includes("refuted") ? theme.accent : theme.grey, text: row.label }));
  return [
    svg("rect", { x: -gutter, y: middle + 12 - chart.step, width: width + gutter, height: chart.step, fill: view.lit === row.name ? theme.panel : "transparent" }),
    svg("line", { x1: 0, x2: width, y1: middle, y2: middle, stroke: theme.hair }),
    named,
    ...order.flatMap((m) => [...interval(m, x, middle, ends, color), ...glyph(m.kind, x(m.x), middle, ends, color, theme)]),
    ...words(inside, x, middle, width, theme),
    ...(row.note && !inside.length ? [svg("text", { x: 6, y: middle + 4, "font-size": 12, fill: theme.grey, stroke: theme.page, "stroke-width": 3, "paint-order": "stroke", text: row.note })] : []),
  ];
}

/* One row a mechanism: its name at the left (above on a phone), its numbers along one axis. */
export function drawRows(view, chart, x, frame) {
  return chart.rows.flatMap((row, i) => rowOf(view, chart, row, i, x, frame));
}

/* The row under the pointer is lit here and in the charts below. */
export function lightRow(view, chart, parts, event) {
  const at = event.clientY - parts.plot.getBoundingClientRect().top - MARGIN.top;
  const row = chart.rows[Math.floor(at / chart.step)];
  if (!row || row.name === view.lit) return;
  view.lit = row.name;
  view.repaint();
}

export function drawLegend(entries, node, theme) {
  node.replaceChildren(...entries.map((entry) => {
    const picture = svg("svg", { width: 34, height: 20, viewBox: "0 0 34 20", "aria-hidden": "true" }, hatches(theme));
    const at = { measured: 17, enough: 6, few: 26, order: 17 }[entry.kind];
    const ends = { left: 2, right: 32 };
    if (entry.kind === "measured") picture.append(...interval({ kind: "measured", low: 5, high: 29 }, (v) => v, 10, ends, theme.ink));
    picture.append(...glyph(entry.kind, at, 10, ends, theme.ink, theme));
    return html("span", {}, picture, html("span", { text: entry.text }));
  }));
}

export function rowsTable(chart) {
  return [["mechanism", "standing", "what", chart.x.title, "from", "to", "note"], ...chart.rows.flatMap((row) => (row.marks.length ? row.marks.map((m) => [row.name, row.label, m.kind === "measured" ? "measured" : `${m.kind}: ${m.text}`, m.x, m.low ?? "", m.high ?? "", row.note]) : [[row.name, row.label, "", "", "", "", row.note]]))];
}
