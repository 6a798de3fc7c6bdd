import { fill, html, svg } from "../charts/dom.js";
import { imageOf } from "../charts/signed_image.js";
import { inkOf } from "../charts/theme.js";

const DISC = { size: 230, middle: 112, radius: 100, truth: Math.PI / 4 };

function needleAt(angle, attributes) {
  return [0, Math.PI].map((half) => svg("line", { x1: DISC.middle, y1: DISC.middle, x2: DISC.middle + DISC.radius * Math.cos(angle + half), y2: DISC.middle - DISC.radius * Math.sin(angle + half), ...attributes }));
}

function disc(node, theme, ...inside) {
  fill(node, { width: DISC.size, height: DISC.size, viewBox: `0 0 ${DISC.size} ${DISC.size}` }, []);
  node.replaceChildren(svg("circle", { cx: DISC.middle, cy: DISC.middle, r: DISC.radius, fill: "none", stroke: theme.hair }), ...inside);
}

/* One person moves, and the top direction turns by an angle. */
export function drawNeedle(view, needle, node) {
  const { theme } = view;
  const turned = DISC.truth + needle.angle;
  const arc = (radius) => {
    const [from, to] = [DISC.truth, turned].map((angle) => `${DISC.middle + radius * Math.cos(angle)} ${DISC.middle - radius * Math.sin(angle)}`);
    return `M${from}A${radius} ${radius} 0 0 0 ${to}`;
  };
  disc(node, theme, ...needleAt(DISC.truth, { stroke: theme.ink, "stroke-width": 2 }), ...needleAt(turned, { stroke: theme.accent, "stroke-width": 2.5 }), svg("path", { d: arc(62), fill: "none", stroke: theme.accent, "stroke-width": 2 }));
}

/* Releases as a fan about the truth: narrow where the noise is small against the gap. */
function drawFan(picture, node, theme) {
  const color = inkOf(picture.color, theme);
  disc(node, theme, ...picture.fan.flatMap((angle) => needleAt(DISC.truth + angle, { stroke: color, "stroke-width": 1.4, "stroke-opacity": 0.55 })), ...needleAt(DISC.truth, { stroke: theme.ink, "stroke-width": 2.4 }));
}

/* Lengths to one scale: the longer fills the width. */
function drawBars(picture, node, theme) {
  const width = 300;
  fill(node, { width, height: DISC.size, viewBox: `0 0 ${width} ${DISC.size}` }, []);
  node.replaceChildren(...picture.bars.flatMap((bar, i) => {
    const y = 46 + i * 84;
    return [svg("text", { x: 0, y: y - 8, "font-size": 13.5, "font-weight": 650, fill: theme.ink, text: bar.text }), svg("rect", { x: 0, y, width: Math.max(bar.share * width, 1), height: 40, fill: inkOf(bar.color, theme) })];
  }));
}

export function drawPictures(view, chart, place) {
  place.replaceChildren(...chart.pictures.map((picture) => {
    if (picture.image) return html("figure", { class: "dpca-image" }, imageOf(picture.image, picture.shape, 1, view.theme, picture.caption), html("figcaption", { text: picture.caption }));
    const node = svg("svg", { "aria-hidden": "true" });
    (picture.bars ? drawBars : drawFan)(picture, node, view.theme);
    return html("figure", {}, node, html("figcaption", { text: picture.caption }));
  }));
}

export function picturesTable(chart, words) {
  return [["picture", "what", "value"], ...chart.pictures.flatMap((p) => (p.image ? p.image.map((v) => [p.caption, words.share_of_largest, v]) : p.bars ? p.bars.map((b) => ["lengths", b.text, b.share]) : p.fan.map((a) => [p.caption, words.degrees, Math.abs((a * 180) / Math.PI)])))];
}

function taken(figure) {
  const canvas = figure.querySelector("canvas");
  return canvas ? svg("image", { href: canvas.toDataURL(), width: 180, height: 180 }) : figure.querySelector("svg");
}

/* Several pictures side by side as one drawing, to be taken away. */
export function joined(place) {
  const parts = [...place.querySelectorAll("figure")].map((figure) => ({ drawing: taken(figure), text: figure.textContent }));
  let left = 0;
  const nodes = parts.map(({ drawing, text }) => {
    const width = Number(drawing.getAttribute("width"));
    const copy = fill(drawing.cloneNode(true), { x: left, y: 0 }, []);
    const node = svg("g", {}, copy, svg("text", { x: left, y: DISC.size + 16, "font-size": 13, text: drawing.querySelector("rect") ? "" : text }));
    left += width + 40;
    return node;
  });
  return svg("svg", { width: left, height: DISC.size + 30, viewBox: `0 0 ${left} ${DISC.size + 30}` }, ...nodes);
}
