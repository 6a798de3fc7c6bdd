import { partsOf, write, writeAll } from "../charts/dom.js";
import { drawFigure } from "../charts/figure.js";
import { drawPlaces } from "../charts/near.js";
import { pageOf, painted } from "../charts/page.js";
import { CALM } from "../charts/refinement.js";
import { fitHeadline, hideCornered, onlyLines, presenting } from "../charts/presentation.js";
import { stylesheets } from "../charts/stylesheets.js";
import { lit, rowUnder } from "./lit_row.js";

await stylesheets("../charts/charts.css", "../chart_grid/chart_grid.css");

function paint(view) {
  const { root, data, parts } = view;
  // Not in the page yet, or on a tab that is not shown: its first width paints it.
  if (!root.clientWidth) return;
  if (!data.lit || !data.charts.some(({ figure }) => figure.layout.shapes?.some(({ name }) => name === view.lit))) view.lit = data.lit;
  fitHeadline(parts.answer);
  write(parts.grid, data.markup);
  drawPlaces(view, data.charts.map((chart, i) => placeOf(view, chart, partsOf(parts.grid.children[i]))));
  painted(view, Math.max(data.pause, data.fresh ? CALM : 0));
}

/* What a chart says, and where and how its figure is drawn. */
function placeOf({ Plotly, look, narrow, lit: name, litInRoom }, { figure, beside, says, room: lines }, own) {
  writeAll(own, says);
  const room = presenting();
  const height = room ? own.frame.clientHeight : undefined;
  const shown = room && lines ? lit(onlyLines(figure, lines), litInRoom ?? name) : lit(figure, name);
  const after = () => {
    if (beside) drawFigure(Plotly, own.beside, beside, look, { width: beside.layout.width, phone: narrow });
    if (room) hideCornered(own.figure);
  };
  return { node: own.figure, figure: shown, height, phone: narrow || room, after };
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
  addEventListener("dpca-lit", ({ detail }) => {
    view.litInRoom = detail;
    view.paint();
  }, { signal: view.signal });
}

export default pageOf({ build, paint });
