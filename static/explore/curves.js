import { drawFigure, sizeAt } from "../charts/figure.js";

export const PANELS = ["kept", "sin", "noise"];

/* The part of a figure's height that an empty frame of the page leaves to an axis. */
export function domainsOf(frames, box, foot) {
  const whole = box.clientHeight - foot;
  const top = box.getBoundingClientRect().top;
  return Object.fromEntries(Object.entries(frames).map(([axis, frame]) => {
    const place = frame.getBoundingClientRect();
    const ends = [1 - (place.bottom - top) / whole, 1 - (place.top - top) / whole];
    return [axis, ends.map((share) => Math.min(Math.max(share, 0), 1))];
  }));
}

/* One figure behind the titles: its panels lie where the page left their frames empty. */
export function drawCurves(view) {
  const { data, curves, frames, phoneSize } = view;
  const figure = data.curves;
  const { l, r, b } = figure.layout.margin;
  const width = Math.max(curves.parentElement.clientWidth, 240);
  view.plot = { left: l, width: width - l - r };
  view.scale = sizeAt(figure, view.plot.width).scale;
  for (const panel of PANELS) frames[panel].style.height = `${data.heights[panel] * view.scale}px`;
  const box = curves.parentElement;
  view.domains = domainsOf({ yaxis: frames.kept, yaxis2: frames.sin, yaxis3: frames.noise }, box, b);
  const shown = { ...figure, layout: { ...figure.layout, margin: { ...figure.layout.margin, t: 0 } } };
  drawFigure(view.plotly, curves, shown, view.look, { width, height: box.clientHeight, domains: view.domains, phone: phoneSize });
  view.range = curves.layout.xaxis.range.map(Number);
  listen(view);
}

/* A title that wraps differently moves the frames: then the panels follow. */
export function settleCurves(view) {
  const { frames, curves, data } = view;
  const now = domainsOf({ yaxis: frames.kept, yaxis2: frames.sin, yaxis3: frames.noise }, curves.parentElement, data.curves.layout.margin.b);
  const moved = Object.entries(now).some(([axis, ends]) => ends.some((share, i) => Math.abs(share - view.domains[axis][i]) > 0.002));
  if (moved) drawCurves(view);
}

/* A click on a curve or its name chooses the mechanism; zoom and pan move the rule too. */
function listen(view) {
  if (view.listening) return;
  view.listening = true;
  view.curves.on("plotly_click", ({ points }) => view.pick(points[0].data.meta));
  view.curves.on("plotly_clickannotation", ({ annotation }) => view.pick(annotation.name));
  view.curves.on("plotly_relayout", () => view.zoomed());
}
