import { pathOf } from "../charts/curve_path.js";
import { fill, svg } from "../charts/dom.js";
import { placeLabels } from "../charts/label_placement.js";
import { compact } from "../charts/numbers.js";
import { inkOf } from "../charts/theme.js";
import { hatches, hatchOf } from "./hatching.js";
import { drawRows, lightRow, ROW } from "./rows.js";
import { inRange, MARGIN, scaleOf } from "./scales.js";

const NAMES = 215;

/* Points of a line inside the frame; what leaves it is cut at the frame. */
function inFrame(line, chart, x, y, width, height) {
  return chart.x.values.map((v, i) => {
    const value = line.y[i];
    if (value === null || !inRange(chart.x, v) || (chart.y.log && value <= 0)) return null;
    return { x: x(v), y: Math.min(Math.max(y(value), -20), height + 20) };
  });
}

/* Where a chart's frame lies: rows have their names at the left, above them on a phone. */
function frameOf(view, chart, parts) {
  const narrow = view.root.classList.contains("dpca-narrow");
  const gutter = chart.rows && !narrow ? NAMES : 0;
  const { full } = parts;
  const left = MARGIN.left + gutter;
  const right = chart.rows ? 24 : MARGIN.right;
  chart.step = chart.rows ? (narrow ? ROW + 16 : ROW) : 0;
  const height = chart.rows ? chart.step * chart.rows.length : chart.height;
  return { full, gutter, left, width: Math.max(full - left - right, 120), height };
}

function words12(attributes, fillName, theme) {
  return svg("text", { "font-size": 12, fill: inkOf(fillName, theme), ...attributes });
}

function groundOf(chart, x, y, { width, height }, theme) {
  const across = chart.y.ticks.flatMap(({ value, text }) => [
    svg("line", { x1: 0, x2: width, y1: y(value), y2: y(value), stroke: theme.hair }),
    words12({ x: width + 8, y: y(value) + 4, text }, "grey", theme),
  ]);
  const down = chart.x.ticks.flatMap(({ value, text }) => [
    svg("line", { x1: x(value), x2: x(value), y1: 0, y2: height, stroke: theme.hair }),
    words12({ x: x(value), y: height + 16, "text-anchor": "middle", text }, "grey", theme),
  ]);
  const title = words12({ x: width / 2, y: height + 34, "text-anchor": "middle", "font-size": 12.5, text: chart.x.title }, "grey", theme);
  return [...down, ...(chart.rows ? [] : across), title];
}

function barsOf(chart, x, y, { width, height }, theme) {
  const half = (width / chart.x.values.length) * 0.34;
  return (chart.bars || []).map((bar) => {
    const top = y(Math.max(bar.y, chart.y.log ? chart.y.low : 0));
    return svg("rect", { x: x(bar.x) - half, y: top, width: half * 2, height: Math.max(height - top, 0), fill: bar.filled ? inkOf(bar.color, theme) : "none", stroke: inkOf(bar.color, theme), "stroke-width": 1.2 });
  });
}

function rulesOf(chart, x, y, { width, height }, theme) {
  return (chart.rules || []).map((rule) => {
    const [across, at] = rule.y === undefined ? [false, x(rule.x)] : [true, y(rule.y)];
    const ends = across ? { x1: 0, x2: width, y1: at, y2: at } : { x1: at, x2: at, y1: 0, y2: height };
    return svg("line", { ...ends, stroke: inkOf(rule.color, theme), "stroke-width": rule.width || 1.4, "stroke-dasharray": rule.dash });
  });
}

function ruleNames(chart, x, y, { width, height }, theme) {
  const seen = (rule) => rule.text && (rule.y !== undefined || inRange(chart.x, rule.x));
  return (chart.rules || []).filter(seen).map((rule) => {
    const right = rule.y === undefined && x(rule.x) > width * 0.6;
    const place = rule.y === undefined ? { x: x(rule.x) + (right ? -6 : 6), y: rule.low ? height - 8 : chart.rows ? -1 : 12, "text-anchor": right ? "end" : "start" } : { x: 4, y: y(rule.y) - 5 };
    return words12({ ...place, "font-weight": 650, stroke: theme.page, "stroke-width": 3, "paint-order": "stroke", text: rule.text }, rule.color, theme);
  });
}

/* A line; of one below which nothing can be, what is under it is hatched. */
function stroke({ line, points, chosen, faint }, height, theme) {
  const path = svg("path", { d: pathOf(points), fill: "none", stroke: inkOf(line.color, theme), "stroke-width": chosen ? 2.75 : 1.6, "stroke-dasharray": line.dash, "stroke-opacity": faint ? 0.45 : 1, "stroke-linejoin": "round" });
  const known = points.filter(Boolean);
  if (line.area !== "below" || !known.length) return [path];
  const under = `${pathOf(known)}L${known[known.length - 1].x} ${height}L${known[0].x} ${height}Z`;
  return [svg("path", { d: under, fill: hatchOf(theme), stroke: "none" }), path];
}

function dotsOf(chart, x, y, { width }, theme) {
  return (chart.dots || []).filter((dot) => inRange(chart.x, dot.x) && inRange(chart.y, dot.y)).flatMap((dot) => {
    const left = x(dot.x) > width * 0.7;
    const circle = svg("circle", { cx: x(dot.x), cy: y(dot.y), r: 5, fill: dot.filled ? inkOf(dot.color, theme) : theme.page, stroke: inkOf(dot.color, theme), "stroke-width": 1.6 });
    const name = dot.text && words12({ x: x(dot.x) + (left ? -9 : 9), y: y(dot.y) - 9, "text-anchor": left ? "end" : "start", "font-weight": 650, "font-size": 13, text: dot.text }, "ink", theme);
    return [circle, name].filter(Boolean);
  });
}

function namesOf(trails, { width, height }, theme) {
  return placeLabels(trails, [], width, height, 0).map(({ line, x: left, y: top, anchor }) =>
    svg("text", { x: left, y: top + 4, "text-anchor": anchor === "right" ? "end" : "start", "font-size": line.chosen ? 13.5 : 12.5, "font-weight": line.chosen ? 650 : 400, fill: inkOf(line.line.color, theme), stroke: theme.page, "stroke-width": 3, "paint-order": "stroke", text: line.name }));
}

export function drawOne(view, chart, parts) {
  const { theme } = view;
  const frame = frameOf(view, chart, parts);
  const { full, left, width, height } = frame;
  const tall = height + MARGIN.top + MARGIN.bottom;
  const [x, y] = [scaleOf(chart.x, 0, width), scaleOf(chart.y, height, 0)];
  fill(parts.plot, { width: full, height: tall, viewBox: `${-left} ${-MARGIN.top} ${full} ${tall}` }, []);
  const lit = chart.lines.some((line) => line.name === view.lit) ? view.lit : null;
  const trails = chart.lines
    .map((line) => ({ name: line.quiet ? "" : line.name, line, chosen: Boolean(line.strong) || line.name === lit, faint: line.quiet || (lit !== null && line.name !== lit), points: inFrame(line, chart, x, y, width, height) }))
    .sort((a, b) => b.chosen - a.chosen);
  const inner = svg("svg", { x: 0, y: 0, width, height, style: "overflow: hidden" }, ...barsOf(chart, x, y, frame, theme), ...rulesOf(chart, x, y, frame, theme), ...[...trails].reverse().flatMap((trail) => stroke(trail, height, theme)));
  parts.plot.replaceChildren(
    hatches(theme),
    ...groundOf(chart, x, y, frame, theme),
    inner,
    ...dotsOf(chart, x, y, frame, theme),
    ...ruleNames(chart, x, y, frame, theme),
    ...namesOf(trails.filter((t) => t.name), frame, theme),
    ...(chart.rows ? drawRows(view, chart, x, frame) : []),
  );
  parts.read = (event) => chart.rows ? lightRow(view, chart, parts, event) : readOff(chart, parts, event.clientX - parts.plot.getBoundingClientRect().left - left, x);
}

function readOff(chart, parts, at, x) {
  const places = chart.x.values.map((v) => Math.abs(x(v) - at));
  const i = places.indexOf(Math.min(...places));
  const seen = chart.lines.filter((l) => l.y[i] !== null).map((l) => `${l.name} ${compact(l.y[i])}`);
  parts.tip.textContent = [`${chart.x.name} = ${chart.x.texts?.[i] ?? compact(chart.x.values[i])}`, ...seen].join(" · ");
  parts.tip.hidden = seen.length === 0;
}
