const MARGIN = { left: 10, right: 64, top: 10, bottom: 42 };

function scaleOf({ low, high, log }, from, to) {
  const of = log ? Math.log : (v) => v;
  const [a, b] = [of(low), of(high)];
  return (v) => from + ((of(v) - a) / (b - a)) * (to - from);
}

function inRange({ low, high, log }, v) {
  return v !== null && Number.isFinite(v) && (!log || v > 0) && v >= low * (low > 0 ? 0.999 : 1.001) && v <= high * 1.001;
}

function inkOf(name, theme) {
  return Array.isArray(name) ? name[theme.dark ? 1 : 0] : theme[name] || name;
}

/* Points of a line inside the frame; what leaves it is cut at the frame. */
function inFrame(line, chart, x, y, width, height) {
  return chart.x.values.map((v, i) => {
    const value = line.y[i];
    if (value === null || !inRange(chart.x, v) || (chart.y.log && value <= 0)) return null;
    return { x: x(v), y: Math.min(Math.max(y(value), -20), height + 20) };
  });
}

function drawOne(view, chart, parts) {
  const { theme } = view;
  const full = parts.frame.clientWidth;
  const [width, height] = [Math.max(full - MARGIN.left - MARGIN.right, 120), chart.height];
  const x = scaleOf(chart.x, 0, width);
  const y = scaleOf(chart.y, height, 0);
  fill(parts.plot, { width: full, height: height + MARGIN.top + MARGIN.bottom, viewBox: `${-MARGIN.left} ${-MARGIN.top} ${full} ${height + MARGIN.top + MARGIN.bottom}` }, []);
  const nodes = [];
  const text = (attributes, fillName = "grey") => svg("text", { "font-size": 12, fill: inkOf(fillName, theme), ...attributes });
  for (const { value, text: word } of chart.x.ticks) {
    nodes.push(svg("line", { x1: x(value), x2: x(value), y1: 0, y2: height, stroke: theme.hair }), text({ x: x(value), y: height + 16, "text-anchor": "middle", text: word }));
  }
  for (const { value, text: word } of chart.y.ticks) {
    nodes.push(svg("line", { x1: 0, x2: width, y1: y(value), y2: y(value), stroke: theme.hair }), text({ x: width + 8, y: y(value) + 4, text: word }));
  }
  nodes.push(text({ x: width / 2, y: height + 34, "text-anchor": "middle", "font-size": 12.5, text: chart.x.title }));
  const inner = svg("svg", { x: 0, y: 0, width, height, style: "overflow: hidden" });
  for (const bar of chart.bars || []) {
    const half = (width / chart.x.values.length) * 0.34;
    const top = y(Math.max(bar.y, chart.y.log ? chart.y.low : 0));
    inner.append(svg("rect", { x: x(bar.x) - half, y: top, width: half * 2, height: Math.max(height - top, 0), fill: bar.filled ? inkOf(bar.color, theme) : "none", stroke: inkOf(bar.color, theme), "stroke-width": 1.2 }));
  }
  for (const rule of chart.rules || []) {
    const [across, at] = rule.y === undefined ? [false, x(rule.x)] : [true, y(rule.y)];
    const ends = across ? { x1: 0, x2: width, y1: at, y2: at } : { x1: at, x2: at, y1: 0, y2: height };
    inner.append(svg("line", { ...ends, stroke: inkOf(rule.color, theme), "stroke-width": rule.width || 1.4, "stroke-dasharray": rule.dash }));
  }
  const trails = chart.lines.map((line) => ({ name: line.name, line, chosen: Boolean(line.strong), points: inFrame(line, chart, x, y, width, height) }));
  for (const { line, points } of trails) {
    inner.append(svg("path", { d: pathOf(points), fill: "none", stroke: inkOf(line.color, theme), "stroke-width": line.strong ? 2.75 : 1.6, "stroke-dasharray": line.dash, "stroke-linejoin": "round" }));
  }
  nodes.push(inner);
  for (const dot of chart.dots || []) {
    if (!inRange(chart.x, dot.x) || !inRange(chart.y, dot.y)) continue;
    nodes.push(svg("circle", { cx: x(dot.x), cy: y(dot.y), r: 5, fill: dot.filled ? inkOf(dot.color, theme) : theme.page, stroke: inkOf(dot.color, theme), "stroke-width": 1.6 }));
    if (dot.text) nodes.push(text({ x: x(dot.x) + (x(dot.x) > width * 0.7 ? -9 : 9), y: y(dot.y) - 9, "text-anchor": x(dot.x) > width * 0.7 ? "end" : "start", "font-weight": 650, "font-size": 13, text: dot.text }, "ink"));
  }
  for (const rule of chart.rules || []) {
    if (!rule.text) continue;
    const place = rule.y === undefined ? { x: x(rule.x) + (x(rule.x) > width * 0.6 ? -6 : 6), y: 12, "text-anchor": x(rule.x) > width * 0.6 ? "end" : "start" } : { x: 4, y: y(rule.y) - 5 };
    nodes.push(text({ ...place, "font-weight": 650, text: rule.text }, rule.color));
  }
  for (const { line, x: left, y: top, anchor } of placeLabels(trails, [], width, height, 0)) {
    nodes.push(svg("text", { x: left, y: top + 4, "text-anchor": anchor === "right" ? "end" : "start", "font-size": line.chosen ? 13.5 : 12.5, "font-weight": line.chosen ? 650 : 400, fill: inkOf(line.line.color, theme), stroke: theme.page, "stroke-width": 3, "paint-order": "stroke", text: line.name }));
  }
  parts.plot.replaceChildren(...nodes);
  parts.read = (event) => {
    const box = parts.plot.getBoundingClientRect();
    const at = event.clientX - box.left - MARGIN.left;
    const places = chart.x.values.map((v) => Math.abs(x(v) - at));
    const i = places.indexOf(Math.min(...places));
    const seen = chart.lines.filter((l) => l.y[i] !== null).map((l) => `${l.name} ${compact(l.y[i])}`);
    parts.tip.textContent = [`${chart.x.name} = ${chart.x.texts?.[i] ?? compact(chart.x.values[i])}`, ...seen].join(" · ");
    parts.tip.hidden = seen.length === 0;
  };
}

/* One person moves, and the top direction turns by an angle. */
function drawNeedle(view, needle, node) {
  const { theme } = view;
  const [size, middle] = [230, 112];
  const end = (angle, length) => ({ x2: middle + length * Math.cos(angle), y2: middle - length * Math.sin(angle) });
  const line = (angle, color, width) => [0, Math.PI].map((half) => svg("line", { x1: middle, y1: middle, ...end(angle + half, 100), stroke: inkOf(color, theme), "stroke-width": width }));
  const turned = Math.PI / 4 + needle.angle;
  const arc = (radius) => {
    const [from, to] = [end(Math.PI / 4, radius), end(turned, radius)];
    return `M${from.x2} ${from.y2}A${radius} ${radius} 0 0 0 ${to.x2} ${to.y2}`;
  };
  fill(node, { width: size, height: size, viewBox: `0 0 ${size} ${size}` }, []);
  node.replaceChildren(svg("circle", { cx: middle, cy: middle, r: 100, fill: "none", stroke: theme.hair }), ...line(Math.PI / 4, "ink", 2), ...line(turned, "accent", 2.5), svg("path", { d: arc(62), fill: "none", stroke: theme.accent, "stroke-width": 2 }));
}

function paintSheet(view) {
  const { root, data } = view;
  view.theme = themeOf(root);
  root.classList.toggle("dpca-dark", view.theme.dark);
  root.classList.toggle("dpca-narrow", root.clientWidth < 700);
  write(view.answer, data.answer);
  write(view.under, data.under);
  if (view.grid.children.length !== data.charts.length || view.keys !== data.charts.map((c) => c.key).join()) layOut(view);
  data.charts.forEach((chart) => {
    const parts = view.parts[chart.key];
    write(parts.title, chart.title);
    write(parts.sub, chart.sub);
    write(parts.note, chart.note || "");
    parts.chart = chart;
    if (chart.needle) drawNeedle(view, chart.needle, parts.needle);
    drawOne(view, chart, parts);
    parts.frame.setAttribute("aria-label", `${plain(chart.title)}. ${plain(chart.sub)}`);
  });
  write(view.footer, data.footer);
  Object.assign(root.dataset, { id: data.id, ready: "true" });
  performance.mark("dpca-painted");
}

function sheetTable(chart) {
  return [[chart.x.name, ...chart.lines.map((l) => l.name)], ...chart.x.values.map((v, i) => [v, ...chart.lines.map((l) => l.y[i])])];
}

function layOut(view) {
  view.parts = {};
  view.keys = view.data.charts.map((c) => c.key).join();
  view.grid.replaceChildren(...view.data.charts.map((chart) => {
    const parts = { plot: svg("svg", { "aria-hidden": "true", class: "dpca-curves" }), title: html("h3", {}), sub: html("p", {}), note: html("p", { class: "dpca-smooth" }), tip: html("div", { class: "dpca-readout", hidden: "" }), needle: svg("svg", { "aria-hidden": "true", class: "dpca-needle" }) };
    parts.frame = html("div", { class: "dpca-chart", role: "img" }, parts.plot, parts.tip);
    view.parts[chart.key] = parts;
    parts.frame.addEventListener("pointermove", (event) => parts.read?.(event));
    parts.frame.addEventListener("pointerleave", () => (parts.tip.hidden = true));
    const head = html("div", { class: "dpca-head" }, parts.title, takeAway(chart.key, () => sheetTable(parts.chart), () => savePicture(chart.key, parts.plot)));
    return html("section", { class: `dpca-sheet-${chart.key} ${chart.wide ? "dpca-wide" : ""}`, "data-key": chart.key }, html("div", { class: "dpca-title" }, head, parts.sub), ...(chart.needle ? [html("div", { class: "dpca-beside" }, parts.needle, parts.frame)] : [parts.frame]), parts.note);
  }));
}

function openSheet(component) {
  const root = html("div", { class: "dpca dpca-sheets", "data-ready": "false" });
  const view = { root, data: component.data, answer: html("h1", { class: "dpca-answer", "aria-live": "polite" }), under: html("p", { class: "dpca-below" }), grid: html("div", { class: "dpca-sheetgrid" }), footer: html("footer", {}) };
  root.append(view.answer, view.under, view.grid, view.footer);
  return mount(view, component.parentElement, paintSheet);
}

export default function (component) {
  const { parentElement, data } = component;
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) || openSheet(component);
  view.data = data;
  paintSheet(view);
  return view.close;
}
