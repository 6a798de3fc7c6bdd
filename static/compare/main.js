import { fill, writeAll } from "../charts/dom.js";
import { drawFigure } from "../charts/figure.js";
import { pageOf } from "../charts/page.js";
import { goOn } from "../charts/refinement.js";
import { ahead, axisOf, bindRule, moveRule, nearest } from "../charts/rule.js";
import { fitHeadline, hideCovered, onlyPanel, presenting } from "../charts/room.js";
import { stylesheets } from "../charts/stylesheets.js";
import { fillTable } from "./table.js";

await stylesheets("../charts/charts.css", "../compare/compare.css");

const PHONE = 560;
const ROOM_ROWS = 5;
/* Plotly's own: within it a second click resets the zoom, and the rule stays. */
const DOUBLE_CLICK = 300;

function drawReading(view) {
  const { data, index, parts } = view;
  const { texts, values, label } = data.axis;
  view.axis = axisOf(parts.figure, values);
  moveRule(view, parts.tag, parts.rule);
  parts.tag.hidden = parts.rule.hidden;
  writeAll(parts, { tag: texts[index], at: texts[index], answer: data.answers[index] });
  fill(parts.handle, { "aria-label": label, "aria-valuemin": 0, "aria-valuemax": texts.length - 1, "aria-valuenow": index, "aria-valuetext": texts[index] });
  fillTable(view);
  fitHeadline(parts.answer);
  hideCovered(parts.tag, parts.figure.querySelectorAll([".xtick > text", ".annotation"].join()));
  view.root.dataset.index = index;
}

/* A room sees one panel, of the mechanisms whose rows it reads. */
function panelFor({ data: { axis: { index }, figure, lit, ranking: { ranked, rows } } }) {
  const read = new Set([...ranked[index].slice(0, ROOM_ROWS).map((number) => rows[number].key), lit]);
  const leftOut = new Set(rows.map(({ key }) => key).filter((key) => !read.has(key)));
  return onlyPanel(figure, "y", leftOut, { ticks: true });
}

function paint(view) {
  const { root, data, parts, look, Plotly } = view;
  const room = presenting();
  const figure = room ? panelFor(view) : data.figure;
  const layout = { ...figure.layout, hovermode: view.unified ? "x unified" : "closest" };
  const { clientWidth: width, clientHeight } = parts.frame;
  drawFigure(Plotly, parts.figure, { ...figure, layout }, look, { width, height: room ? clientHeight : undefined, phone: room || root.clientWidth < PHONE });
  const { height, margin: { t, b }, yaxis2 } = parts.figure.layout;
  if (yaxis2) parts.sin_title.style.top = `${t + (1 - yaxis2.domain[1]) * (height - t - b)}px`;
  writeAll(parts, data.says);
  parts.all.setAttribute("aria-pressed", Boolean(view.unified));
  drawReading(view);
  Object.assign(root.dataset, { id: data.id, stage: data.stage, ready: "true" });
  performance.mark("dpca-painted", { detail: data.id });
  listen(view);
  goOn(view, data.pause);
}

/* The rule and the strip above the chart are dragged; in the chart itself one zooms, and a click reads it there. */
function build(view) {
  const { handle, rule, figure, all, rows } = view.parts;
  view.index = view.data.axis.index;
  const rest = () => {
    view.putAt = Date.now();
    view.say("axis_value", view.data.axis.values[view.index]);
  };
  bindRule(view, [handle, rule], handle, drawReading, rest);
  all.addEventListener("click", () => {
    view.unified = !view.unified;
    view.paint();
  });
  rows.addEventListener("click", ({ target }) => light(view, target.closest("button")?.dataset.key));
  figure.addEventListener("pointerdown", () => (view.chose = false), true);
  figure.addEventListener("click", (event) => {
    clearTimeout(view.clicked);
    if (view.chose || !event.target.closest(".draglayer")) return;
    view.clicked = setTimeout(() => {
      view.index = nearest(view.axis.places, event.clientX - figure.getBoundingClientRect().left);
      drawReading(view);
      rest();
    }, DOUBLE_CLICK);
  });
}

/* A click on a line, on its name or on its row shows its bands, and another one hides them. */
function light(view, key) {
  view.chose = Boolean(key);
  if (!key) return;
  view.lit = key === view.lit ? null : key;
  fillTable(view);
  view.say("lit", view.lit ?? "");
}

function listen(view) {
  if (view.listening) return;
  const { figure } = view.parts;
  view.listening = true;
  figure.on("plotly_click", ({ points: [point] }) => light(view, point.data.meta));
  figure.on("plotly_clickannotation", ({ annotation }) => light(view, annotation.name));
  figure.on("plotly_doubleclick", () => (view.chose = true));
  figure.on("plotly_relayout", () => {
    /* The click that ends a drag reads nothing. */
    clearTimeout(view.clicked);
    view.chose = true;
    drawReading(view);
  });
}

function arrive(view, before) {
  const { data } = view;
  if (before.axis.name !== data.axis.name || !ahead(view)) view.index = data.axis.index;
  view.lit = data.lit;
  return true;
}

export default pageOf("compare", { build, paint, arrive });
