import { partsOf, write, writeAll } from "../charts/dom.js";
import { drawFigure, listenTo } from "../charts/figure.js";
import { drawPlaces } from "../charts/near.js";
import { pageOf, painted } from "../charts/page.js";
import { CALM } from "../charts/refinement.js";
import { fitHeadline, hideCornered, onlyLines, presenting } from "../charts/presentation.js";
import { stylesheets } from "../page/stylesheets.js";
import { holds, lit, rowUnder } from "./lit_row.js";

await stylesheets("../charts/charts.css", "../chart_grid/chart_grid.css", "../charts/present.css");

function paint(view) {
  const { root, data, parts } = view;
  // Not in the page yet, or on a tab that is not shown: its first width paints it.
  if (!root.clientWidth) return;
  if (!data.charts.some(({ figure }) => holds(figure, view.picked))) view.picked = undefined;
  fitHeadline(parts.answer);
  write(parts.grid, data.markup);
  drawPlaces(view, data.charts.map((chart, i) => placeOf(view, chart, partsOf(parts.grid.children[i]))));
  painted(view, Math.max(data.pause, data.fresh ? CALM : 0));
}

/* What a chart says, and where and how its figure is drawn. */
function placeOf(view, { figure, beside, says, room: lines }, own) {
  const { Plotly, look, narrow, data: { lit: best }, picked: name = best } = view;
  writeAll(own, says);
  const room = presenting();
  const shown = room && lines ? lit(onlyLines(figure, lines), name, true) : lit(figure, name, view.picked);
  const after = () => {
    if (beside) drawFigure(Plotly, own.beside, beside, look, { width: beside.layout.width, phone: narrow });
    if (room) hideCornered(own.figure);
    listenTo(own.figure, { chosen: (key) => pick(view, key === view.picked ? undefined : key), zoomed() {} });
  };
  return { node: own.figure, figure: shown, height: room ? own.frame.clientHeight : undefined, phone: narrow || room, after };
}

/* Lights the row and the lines of a name: where the pointer is on that row, or after a click on a line or its name; another click ends it. */
const pick = (view, name) => Object.assign(view, { picked: name }).paint();

function build(view) {
  for (const act of ["pointermove", "pointerdown"]) view.parts.grid.addEventListener(act, (event) => {
    const figure = event.target.closest('[data-part="figure"]');
    const name = figure && rowUnder(figure, event);
    if (name && name !== view.picked) pick(view, name);
  });
}

export default pageOf({ build, paint });
