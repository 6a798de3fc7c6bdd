import { pathOf } from "../charts/curve_path.js";
import { filled, svg } from "../charts/dom.js";
import { colourOf } from "../charts/theme.js";
import { xOf } from "./epsilon_scale.js";
import { fit, PANELS, yAxis, yPixel } from "./panels.js";

export function pointsOf(panel, data, values, size, axis) {
  return values.map((v, i) => (v === null || (axis.log && v <= 0) ? null : { x: xOf(i, data, size.width), y: yPixel(v, axis, size.height) }));
}

/* Mechanisms with something to draw in a panel, the chosen one last and so on top. */
export function known(panel, data) {
  const drawn = data.mechanisms.filter((m) => m[PANELS[panel].field]);
  return [...drawn.filter((m) => !m.chosen), ...drawn.filter((m) => m.chosen)];
}

function bandNodes(panel, data, size, axis, theme) {
  const bands = data.bands[PANELS[panel].field];
  const chosen = data.mechanisms.find((m) => m.chosen);
  if (!bands) return [];
  return [95, 80, 50].map((share, i) => {
    const [low, high] = ["lo", "hi"].map((end) => pointsOf(panel, data, bands[`${end}${share}`], size, axis));
    const both = low.map((p, j) => j).filter((j) => low[j] && high[j]);
    const outline = [...both.map((j) => high[j]), ...both.reverse().map((j) => low[j])];
    return svg("path", { d: outline.length ? `${pathOf(outline)}Z` : "", fill: colourOf(chosen, theme), "fill-opacity": theme.band[i] });
  });
}

function lineNode(points, mechanism, theme, coarse) {
  const width = mechanism.chosen ? 2.75 : mechanism.weight === "thin" ? 1 : 1.4;
  return svg("path", { d: pathOf(points, coarse || !mechanism.chosen), stroke: colourOf(mechanism, theme), "stroke-width": width, "stroke-dasharray": { dotted: "2 3", dashed: "7 5" }[mechanism.dash] });
}

/* Curves and bands of one panel. Nothing here runs while the rule is dragged. */
export function drawCurves(node, panel, data, theme, size) {
  const axis = yAxis(panel, data);
  const frame = svg("svg", { x: size.left, y: 0, width: size.width, height: size.height, class: "dpca-inside", fill: "none", "stroke-linejoin": "round" });
  const points = (values) => pointsOf(panel, data, values, size, axis);
  frame.append(...bandNodes(panel, data, size, axis, theme));
  if (data.ghost && panel !== "noise") {
    frame.append(svg("path", { d: pathOf(points(data.ghost[PANELS[panel].field])), stroke: theme.ink, "stroke-width": 1.4, "stroke-dasharray": "10 3 2 3" }, svg("title", { text: filled(data.words.pinned_as, { label: data.ghost.label }) })));
  }
  for (const m of known(panel, data)) frame.append(lineNode(points(m[PANELS[panel].field]), m, theme, data.coarse));
  fit(node, size).replaceChildren(frame);
}
