import { filled, svg } from "../charts/dom.js";
import { savePicture } from "../charts/downloads.js";
import { placeLabels } from "../charts/label_placement.js";
import { colourOf, textColour } from "../charts/theme.js";
import { known, pointsOf } from "./curves.js";
import { xOfEpsilon } from "./epsilon_scale.js";
import { fit, fixedLines, PANELS, yAxis, yPixel } from "./panels.js";

const NAME_SIZE = 12.5;

/* Below the curves: grid, y ticks and the lines that don't depend on a mechanism. */
export function drawGround(node, panel, data, theme, size) {
  const axis = yAxis(panel, data);
  const edge = size.left + size.width;
  const across = (y, options) => svg("line", { x1: size.left, x2: edge, y1: y, y2: y, ...options });
  const ticks = axis.ticks.flatMap((tick, i) => {
    const y = yPixel(tick, axis, size.height);
    return [across(y, { stroke: theme.hair }), svg("text", { x: edge + 7, y: y + 4, "font-size": 12, fill: theme.grey, text: axis.texts[i] })];
  });
  const lines = fixedLines(panel, data, theme).map(({ y0, line }) =>
    across(yPixel(y0, axis, size.height), { stroke: line.color, "stroke-width": line.width, "stroke-dasharray": { dash: "9 7", dot: "2 3" }[line.dash] }),
  );
  fit(node, size).replaceChildren(...ticks, ...lines);
}

/* Above the curves: names where lines separate, and the notes on fixed lines. */
export function drawNotes(node, panel, data, theme, size, pick) {
  const axis = yAxis(panel, data);
  const lines = known(panel, data).reverse().map((m) => ({ name: m.name, mechanism: m, chosen: m.chosen, points: pointsOf(panel, data, m[PANELS[panel].field], size, axis) }));
  const level = (y) => ({ points: [0, size.width].map((x) => ({ x, y: yPixel(y, axis, size.height) })) });
  const obstacles = [...fixedLines(panel, data, theme).map((shape) => level(shape.y0)), ...corner(panel, data, size, axis)];
  const names = placeLabels(lines, obstacles, size.width, size.height, size.left).map((spot) => nameNode(spot, theme, size, pick));
  fit(node, size).replaceChildren(...fixedNotes(panel, data, theme, size, axis), ...names);
}

/* The text at the right end of the random line, as something no name may cover. */
function corner(panel, data, size, axis) {
  if (panel === "noise") return [];
  const y = yPixel(data.random[PANELS[panel].field], axis, size.height) - 9;
  return [{ points: [{ x: size.width - 130, y }, { x: size.width, y }] }];
}

function nameNode({ line, x, y, anchor }, theme, size, pick) {
  const { mechanism } = line;
  const colour = textColour(mechanism, theme);
  const key = colour === theme.ink && !mechanism.is_baseline ? svg("tspan", { fill: colourOf(mechanism, theme), text: "■ " }) : null;
  const node = svg("text", {
    x: size.left + x, y: y + 4.4, "text-anchor": anchor === "left" ? "start" : "end", "font-size": line.chosen ? 13.5 : NAME_SIZE, "font-weight": line.chosen ? 700 : 400,
    fill: colour, class: "dpca-name", "text-decoration": mechanism.struck ? "line-through" : null,
  }, key, svg("tspan", { text: mechanism.name }));
  node.addEventListener("click", () => pick(mechanism.key));
  return node;
}

function fixedNotes(panel, data, theme, size, axis) {
  const edge = size.left + size.width;
  const text = (words, x, y, options) => svg("text", { x, y, "font-size": 12, fill: theme.ink, text: words, ...options });
  const at = (value) => yPixel(value, axis, size.height);
  const pinned = pinnedName(panel, data, size, axis, text);
  const random = (words, value) => text(words, edge, at(value) - 5, { "text-anchor": "end", fill: theme.faint });
  if (panel === "kept") return [...pinned, ...(size.width > 300 ? [random(filled(data.words.random_captured, { name: data.random.name, value: Math.round(data.random.captured * 100) }), data.random.captured)] : [])];
  if (panel === "sin") return [...pinned, random(filled(data.words.random_sin, { name: data.random.name, value: data.random.sin.toFixed(2) }), data.random.sin)];
  if (!(data.gap > 0)) return [];
  const wide = size.left > 100;
  const found = [text(data.gap_text, wide ? size.left - 8 : edge, at(data.gap) + (wide ? 4 : -5), { "text-anchor": "end", "font-weight": 700, "font-size": NAME_SIZE })];
  if (data.crossing) {
    const x = size.left + xOfEpsilon(data.crossing.epsilon, data, size.width);
    found.push(svg("circle", { cx: x, cy: at(data.gap), r: 4.6, fill: theme.page, stroke: theme.ink, "stroke-width": 1.8 }), text(data.crossing.text, x - 4, at(data.gap) + 17, { "text-anchor": "end" }));
  }
  return found;
}

/* The pinned curve is named where it is nearest to the middle of the panel. */
function pinnedName(panel, data, size, axis, text) {
  const spots = pointsOf(panel, data, data.ghost?.[PANELS[panel].field] || [], size, axis).filter(Boolean);
  if (!spots.length) return [];
  const off = ({ y }) => Math.abs(y - size.height / 2);
  const spot = spots.reduce((best, p) => (off(p) < off(best) ? p : best));
  return [text(data.words.pinned, size.left + spot.x - 8, spot.y + 4, { "text-anchor": "end", "font-style": "italic" })];
}

/* One picture of a panel: ground, curves and names. */
export function panelPicture(view, panel) {
  const { ground, curves, notes } = view.plots[panel];
  const whole = ground.cloneNode(true);
  whole.prepend(svg("rect", { width: "100%", height: "100%", fill: view.theme.page }));
  whole.append(...curves.cloneNode(true).childNodes, ...notes.cloneNode(true).childNodes);
  savePicture(panel, whole);
}
