import { svg } from "../charts/dom.js";

export function hatchOf(theme) {
  return `url(#dpca-hatch-${theme.dark ? "dark" : "light"})`;
}

export function hatches(theme) {
  return svg("defs", {}, svg("pattern", { id: `dpca-hatch-${theme.dark ? "dark" : "light"}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("line", { x1: 0, x2: 0, y1: 0, y2: 6, stroke: theme.faint, "stroke-width": 1.4, "stroke-opacity": 0.55 })));
}
