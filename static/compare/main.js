import { fill, writeAll } from "../charts/dom.js";
import { drawFigure, listenTo } from "../charts/figure.js";
import { pageOf, painted } from "../charts/page.js";
import { axisOf, bindRule, moveRule, nearest } from "../charts/rule.js";
import { comparedPanel, fitHeadline, hideCovered, presenting } from "../charts/presentation.js";
import { stylesheets } from "../page/stylesheets.js";
import { fillTable } from "./table.js";

await stylesheets("../charts/charts.css", "../compare/compare.css", "../charts/present.css");

const PHONE = 560;

function drawReading(view) {
  const { data: { answers, axis: { texts, values, label } }, index, parts } = view;
  view.axis = axisOf(parts.figure, values);
  moveRule(view, parts.tag, parts.rule);
  parts.tag.hidden = parts.rule.hidden;
  writeAll(parts, { tag: texts[index], at: texts[index], answer: answers[index] });
  fill(parts.handle, { "aria-label": label, "aria-valuemin": 0, "aria-valuemax": texts.length - 1, "aria-valuenow": index, "aria-valuetext": texts[index] });
  fillTable(view);
  fitHeadline(parts.answer);
  hideCovered(parts.tag, parts.figure.querySelectorAll(".xtick > text, .annotation"));
}

function paint(view) {
  const { root, data, parts, look, Plotly } = view;
  const room = presenting();
  const figure = room ? comparedPanel(data) : data.figure;
  const layout = { ...figure.layout, hovermode: view.unified ? "x unified" : "closest" };
  const { clientWidth: width, clientHeight } = parts.frame;
  drawFigure(Plotly, parts.figure, { ...figure, layout }, look, { width, height: room ? clientHeight : undefined, phone: room || root.clientWidth < PHONE });
  const { height, margin: { t, b }, yaxis2 } = parts.figure.layout;
  if (yaxis2) parts.sin_title.style.top = `${t + (1 - yaxis2.domain[1]) * (height - t - b)}px`;
  parts.all.setAttribute("aria-pressed", Boolean(view.unified));
  drawReading(view);
  listenTo(parts.figure, { chosen: (key) => light(view, key), clicked: (x) => readAt(view, x), zoomed: () => drawReading(view) });
  painted(view);
}

function readAt(view, x) {
  view.index = nearest(view.axis.places, x);
  view.rest();
}

/* The rule and the strip above the chart are dragged; in the chart itself one zooms, and a click reads it there. */
function build(view) {
  const { handle, rule, all, rows } = view.parts;
  bindRule(view, [handle, rule], handle, drawReading, () => view.say("axis_value", view.data.axis.values[view.index]));
  all.addEventListener("click", () => {
    view.unified = !view.unified;
    view.paint();
  });
  rows.addEventListener("click", ({ target }) => light(view, target.closest("button")?.dataset.key));
}

/* A click on a line, on its name or on its row shows its bands, and another one hides them. */
function light(view, key) {
  if (!key) return;
  view.data.lit = key === view.data.lit ? null : key;
  fillTable(view);
  view.say("lit", view.data.lit ?? "");
}

export default pageOf({ build, paint });
