import { svg } from "../charts/dom.js";
import { colourOf } from "../charts/theme.js";
import { fixedLines, PANELS, yAxis, yPixel } from "./panels.js";
import { sentencesAt } from "./sentences.js";

/* The first releases, at most 25, beside their curve, on the curve's own y axis. */
export function drawDots(node, view, panel) {
  const { data, theme, index } = view;
  const field = PANELS[panel].field;
  const height = PANELS[panel].height;
  const axis = yAxis(panel, data);
  const width = view.rightWidth;
  const size = panel === "kept" ? 13 : 9;
  const lines = fixedLines(panel, data, theme).map(({ y0, line }) => {
    const y = yPixel(y0, axis, height);
    const dash = { dash: "6 5", dot: "2 3" }[line.dash];
    return svg("line", { x1: 0, x2: width, y1: y, y2: y, stroke: line.color, "stroke-width": line.width, "stroke-dasharray": dash });
  });
  const grid = axis.ticks.map((t) => {
    const y = yPixel(t, axis, height);
    return svg("line", { x1: 0, x2: width, y1: y, y2: y, stroke: theme.hair });
  });
  const values = data.dots[field][index];
  const chosen = data.mechanisms.find((m) => m.chosen);
  const marks = values ? pile(values, axis, width, height, size, panel, data, colourOf(chosen, theme), theme) : [svg("text", { x: 12, y: height / 2, "font-size": 13, fill: theme.grey, text: sentencesAt(view).refused ? data.words.no_release : "" })];
  node.setAttribute("width", width);
  node.setAttribute("height", height);
  node.replaceChildren(...grid, ...lines, ...marks);
}

/* Dots in rows whose edge lies on the target, so that no row mixes kept and missed. */
function pile(values, axis, width, height, size, panel, data, colour, theme) {
  const origin = yPixel(panel === "kept" ? data.target : 0, axis, height);
  const rows = new Map();
  const step = Math.min(size + 1, (width - size - 4) / Math.max(values.length - 1, 1));
  return values.map((value) => {
    const row = Math.floor((origin - yPixel(value, axis, height)) / size + (panel === "kept" && value >= data.target ? 1e-9 : 0));
    const place = rows.get(row) || 0;
    rows.set(row, place + 1);
    const good = panel !== "kept" || value >= data.target;
    return svg("circle", {
      cx: size / 2 + 2 + place * step, cy: Math.min(Math.max(origin - (row + 0.5) * size, size / 2), height - size / 2), r: size / 2 - 0.6,
      fill: good ? colour : theme.page, stroke: colour, "stroke-width": 1.6,
    });
  });
}
