import { enlargement } from "../charts/room.js";

/* Pixels of a row, before a room enlarges it. */
const STEP = 14;
/* Share of the axis that half a mark takes. */
const EDGE = 0.06;

/* A chart of rows with as many of its cells as a room can read in a frame of this height. */
export function cutRows(figure, height) {
  if (!figure.cuts) return figure;
  const { margin: { t, b }, xaxis, yaxis } = figure.layout;
  const [low, high] = xaxis.range;
  const most = (height / enlargement() - t - b) / STEP;
  const cut = figure.cuts.findLast((at) => at < most) ?? figure.cuts[0];
  const seen = ({ y, yref = "y", y0 }) => yref === "paper" || (y0 ?? y) <= cut;
  /* Names stand beside rows that are this near to each other. */
  const [, ...beside] = Object.entries(figure.sizes);
  const sizes = beside.map(([width, size]) => [width, { ...size, annotations: size.annotations.filter(seen) }]);
  const layout = { ...figure.layout, xaxis: { ...xaxis, range: [low - EDGE * (high - low), high] }, yaxis: { ...yaxis, range: [cut, yaxis.range[1]] }, shapes: figure.layout.shapes.filter(seen) };
  return { ...figure, layout, data: figure.data.map((trace) => ({ ...trace, cliponaxis: true })), sizes: Object.fromEntries(sizes) };
}
