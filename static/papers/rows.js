import { enlargement } from "../charts/presentation.js";

/* Pixels of a row, before a room enlarges it. */
const STEP = 14;
/* Share of the axis that half a mark takes. */
const EDGE = 0.06;

/* A chart of rows with as many of its last cells as a room can read in a frame of this height. */
export function cutRows(figure, height) {
  if (!figure.cuts) return figure;
  const { margin: { t, b }, xaxis, yaxis } = figure.layout;
  const [[low, high], [end, start]] = [xaxis.range, yaxis.range];
  const most = (height / enlargement() - t - b) / STEP;
  const starts = [start, ...figure.cuts.slice(0, -1)];
  const first = starts.find((at) => end - at < most) ?? starts.at(-1);
  const seen = ({ y, yref = "y", y0 }) => yref === "paper" || (y0 ?? y) >= first;
  /* Names stand beside rows that are this near to each other. */
  const [, ...beside] = Object.entries(figure.sizes);
  const sizes = beside.map(([width, size]) => [width, { ...size, annotations: size.annotations.filter(seen) }]);
  const layout = { ...figure.layout, xaxis: { ...xaxis, range: [low - EDGE * (high - low), high + EDGE * (high - low)] }, yaxis: { ...yaxis, range: [end, first] }, shapes: figure.layout.shapes.filter(seen) };
  return { ...figure, layout, data: figure.data.map((trace) => ({ ...trace, cliponaxis: true })), sizes: Object.fromEntries(sizes) };
}
