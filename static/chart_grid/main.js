import { partsOf, write, writeAll } from "../charts/dom.js";
import { drawFigure, heightAt } from "../charts/figure.js";
import { drawNear, inWindow } from "../charts/near.js";
import { pageOf } from "../charts/page.js";
import { CALM, goOn } from "../charts/refinement.js";
import { fitHeadline, hideCornered, onlyLines, presenting } from "../charts/room.js";
import { stylesheets } from "../charts/stylesheets.js";
import { lit, rowUnder } from "./lit_row.js";

await stylesheets("../charts/charts.css", "../chart_grid/chart_grid.css");

function paint(view) {
  const { root, data, parts } = view;
  // Not in the page yet, or on a tab that is not shown: its first width paints it.
  if (!root.clientWidth) return;
  if (!data.lit || !data.charts.some(({ figure }) => figure.layout.shapes?.some(({ name }) => name === view.lit))) view.lit = data.lit;
  writeAll(parts, data.says);
  fitHeadline(parts.answer);
  if (view.markup !== data.markup) layOut(view);
  // All widths are read before anything is drawn: a reading in between lays the page out again.
  const places = data.charts.map((chart) => {
    const own = view.sections[chart.key];
    writeAll(own, chart.says);
    return { chart, own, width: own.frame.clientWidth, height: presenting() ? own.frame.clientHeight : undefined, seen: inWindow(own.frame) };
  });
  for (const place of places) paintChart(view, place);
  Object.assign(root.dataset, { id: data.id, stage: data.stage ?? 0, ready: "true" });
  performance.mark("dpca-painted", { detail: data.id });
  goOn(view, Math.max(data.pause, data.fresh ? CALM : 0));
}

function layOut(view) {
  const { data: { markup }, parts: { grid } } = view;
  view.markup = markup;
  write(grid, markup);
  view.sections = Object.fromEntries([...grid.children].map((section) => [section.dataset.key, partsOf(section)]));
}

/* What did not change stays as it is; what is outside the window is drawn when it comes near. */
function paintChart(view, { chart, own, width, height, seen }) {
  const { Plotly, look, narrow: phone } = view;
  const room = presenting() && chart.room;
  const figure = lit(room ? onlyLines(chart.figure, chart.room) : chart.figure, room ? (view.litInRoom ?? view.lit) : view.lit);
  const drawn = JSON.stringify([figure, chart.beside, width, height, look.dark]);
  if (own.drawn === drawn) return;
  own.drawn = drawn;
  own.figure.style.minHeight = height ? "" : `${heightAt(figure, width)}px`;
  drawNear(own.frame, seen || view.printing, () => {
    if (chart.beside) drawFigure(Plotly, own.beside, chart.beside, look, { width: chart.beside.layout.width, phone });
    drawFigure(Plotly, own.figure, figure, look, { width, height, phone: phone || Boolean(height) });
    if (height) hideCornered(own.figure);
  });
}

function build(view) {
  const { grid } = view.parts;
  const light = (event) => {
    const figure = event.target.closest('[data-part="figure"]');
    const name = figure && rowUnder(figure, event);
    if (!name || name === view.lit) return;
    view.lit = name;
    view.paint();
  };
  for (const act of ["pointermove", "pointerdown"]) grid.addEventListener(act, light);
  const lightInRoom = ({ detail }) => {
    view.litInRoom = detail;
    view.paint();
  };
  addEventListener("dpca-lit", lightInRoom);
  return () => removeEventListener("dpca-lit", lightInRoom);
}

export default pageOf("sheets", { build, paint, arrive: () => true });
