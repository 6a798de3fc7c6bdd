import { compact } from "../charts/numbers.js";
import { ticksOf } from "../charts/ticks.js";

export const PANELS = {
  kept: { field: "captured", height: 226 },
  sin: { field: "sin", height: 118 },
  noise: { field: "noise", height: 136 },
};

/* Range, ticks and their texts of a panel's y axis, shared with what is drawn beside it. */
export function yAxis(panel, data) {
  if (panel === "kept") {
    const values = data.mechanisms.filter((m) => m.chosen && m.captured).flatMap((m) => m.captured.filter((v) => v !== null));
    const least = Math.min(data.random.captured, ...values, 0.9);
    const floor = Math.max(0, Math.min(least - 0.05, 0.75));
    const ticks = [0, 0.25, 0.5, 0.75, 1].filter((t) => t >= floor);
    return { low: floor, high: 1.03, ticks, texts: ticks.map((t) => (t === 1 ? "100 %" : String(t * 100))), log: false };
  }
  if (panel === "sin") {
    const high = data.random.sin * 1.22;
    const ticks = ticksOf(high, 3);
    return { low: -high * 0.03, high, ticks, texts: ticks.map(String), log: false };
  }
  const gap = data.gap > 0 ? data.gap : 1;
  const low = Math.log10(gap) - 1.6;
  const high = Math.log10(gap) + 2;
  const ticks = [];
  for (let e = Math.ceil(low); e <= high; e += 1) ticks.push(10 ** e);
  return { low, high, ticks, texts: ticks.map(compact), log: true };
}

export function yPixel(value, axis, height) {
  const v = axis.log ? Math.log10(value) : value;
  return ((axis.high - v) / (axis.high - axis.low)) * height;
}

export function fixedLines(panel, data, theme) {
  const across = (y, line) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line, layer: "below" });
  if (panel === "kept") return [across(1, { color: theme.ink, width: 1.6 }), across(data.random.captured, { color: theme.faint, width: 1.2, dash: "dash" }), across(data.target, { color: theme.ink, width: 1, dash: "dot" })];
  if (panel === "sin") return [across(0, { color: theme.ink, width: 1.6 }), across(data.random.sin, { color: theme.faint, width: 1.2, dash: "dash" })];
  return data.gap > 0 ? [across(data.gap, { color: theme.ink, width: 1.6 })] : [];
}

export function sizeOf(view, panel) {
  return { ...view.size, height: PANELS[panel].height };
}

export function fit(node, size) {
  node.setAttribute("width", size.left + size.width + size.right);
  node.setAttribute("height", size.height);
  return node;
}
