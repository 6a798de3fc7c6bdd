import { html, plain, svg, write } from "../charts/dom.js";
import { savePicture, takeAway } from "../charts/downloads.js";
import { mount, MOUNTED } from "../charts/mount.js";
import { askLater, CALM, stopAsking } from "../charts/refinement.js";
import { themeOf } from "../charts/theme.js";
import { drawOne } from "./chart.js";
import { drawNeedle, drawPictures, joined, picturesTable } from "./pictures.js";
import { drawLegend, rowsTable } from "./rows.js";

export function paintGrid(view) {
  const { root, data } = view;
  view.theme = themeOf(root);
  root.classList.toggle("dpca-dark", view.theme.dark);
  root.classList.toggle("dpca-narrow", root.clientWidth < 700);
  if (!data.lit || !data.charts.some((c) => c.rows?.some((r) => r.name === view.lit))) view.lit = data.lit;
  write(view.answer, data.answer);
  write(view.under, data.under);
  if (view.grid.children.length !== data.charts.length || view.keys !== data.charts.map((c) => c.key).join()) layOut(view);
  // All widths are read before anything is drawn: a reading in between lays the page out again.
  for (const { key } of data.charts) view.parts[key].full = view.parts[key].frame.clientWidth;
  const around = [view.theme.dark, root.classList.contains("dpca-narrow"), view.lit];
  for (const chart of data.charts) {
    const parts = view.parts[chart.key];
    const drawn = JSON.stringify([chart, parts.full, ...around]);
    if (parts.drawn === drawn) continue;
    parts.drawn = drawn;
    paintChart(view, chart, parts);
  }
  write(view.footer, data.footer);
  Object.assign(root.dataset, { id: data.id, ready: "true" });
  performance.mark("dpca-painted", { detail: data.id });
  goOn(view);
}

function paintChart(view, chart, parts) {
  write(parts.title, chart.title);
  write(parts.sub, chart.sub);
  write(parts.note, chart.note || "");
  parts.chart = chart;
  if (chart.needle) drawNeedle(view, chart.needle, parts.needle);
  if (chart.legend) drawLegend(chart.legend, parts.legend, view.theme);
  if (chart.pictures) drawPictures(view, chart, parts.pictures);
  else drawOne(view, chart, parts);
  parts.frame.setAttribute("aria-label", `${plain(chart.title)}. ${plain(chart.sub)}`);
}

/* Where measuring goes on: how far it is, a way to stop it, and the question for more. */
function goOn(view) {
  const { data } = view;
  const complete = data.complete ?? true;
  view.work.hidden = data.share === undefined;
  view.bar.hidden = view.stop.hidden = complete;
  view.bar.firstChild.style.width = `${Math.round((data.share ?? 1) * 100)}%`;
  write(view.progress, data.progress || "");
  Object.assign(view.root.dataset, { stage: data.stage ?? 0, complete });
  stopAsking(view);
  if (!complete && !view.stopped) askLater(view, () => view.send("more", { id: data.id, stage: data.stage }), Math.max(data.pause, data.fresh ? CALM : 0));
}

function chartTable(chart, words) {
  if (chart.rows) return rowsTable(chart);
  if (chart.pictures) return picturesTable(chart, words);
  return [[chart.x.name, ...chart.lines.map((l) => l.name)], ...chart.x.values.map((v, i) => [v, ...chart.lines.map((l) => l.y[i])])];
}

function layOut(view) {
  view.parts = {};
  view.keys = view.data.charts.map((c) => c.key).join();
  view.grid.replaceChildren(...view.data.charts.map((chart) => {
    const parts = { plot: svg("svg", { "aria-hidden": "true", class: "dpca-curves" }), title: html("h3", {}), sub: html("p", {}), note: html("p", { class: "dpca-smooth" }), tip: html("div", { class: "dpca-readout", hidden: "" }), needle: svg("svg", { "aria-hidden": "true", class: "dpca-needle" }), legend: html("p", { class: "dpca-legend" }), pictures: html("div", { class: "dpca-pictures" }) };
    parts.frame = html("div", { class: "dpca-chart", role: "img" }, ...(chart.pictures ? [parts.pictures] : [parts.plot, parts.tip]));
    view.parts[chart.key] = parts;
    for (const act of ["pointermove", "pointerdown"]) parts.frame.addEventListener(act, (event) => parts.read?.(event));
    parts.frame.addEventListener("pointerleave", () => (parts.tip.hidden = true));
    const head = html("div", { class: "dpca-head" }, parts.title, takeAway(view.data.words, chart.key, () => chartTable(parts.chart, view.data.words), () => savePicture(chart.key, chart.pictures ? joined(parts.pictures) : parts.plot)));
    return html("section", { class: `dpca-sheet-${chart.key} ${chart.wide ? "dpca-wide" : ""}`, "data-key": chart.key }, html("div", { class: "dpca-title" }, head, parts.sub), ...(chart.legend ? [parts.legend] : []), ...(chart.needle ? [html("div", { class: "dpca-beside" }, parts.needle, parts.frame)] : [parts.frame]), parts.note);
  }));
}

function createView(component) {
  const root = html("div", { class: "dpca dpca-sheets", "data-ready": "false" });
  const view = { root, data: component.data, answer: html("h1", { class: "dpca-answer", "aria-live": "polite" }), under: html("p", { class: "dpca-below" }), grid: html("div", { class: "dpca-sheetgrid" }), footer: html("footer", {}), bar: html("div", { class: "dpca-progress" }, html("i", {})), progress: html("span", {}), stop: html("button", { type: "button", class: "dpca-button", text: component.data.words.stop }) };
  view.repaint = () => paintGrid(view);
  view.work = html("div", { class: "dpca-work", hidden: "" }, view.bar, view.progress, view.stop);
  view.stop.addEventListener("click", () => {
    view.stopped = !view.stopped;
    view.stop.textContent = view.stopped ? view.data.words.resume : view.data.words.stop;
    goOn(view);
  });
  root.append(view.answer, view.under, view.work, view.grid, view.footer);
  return mount(view, component.parentElement, paintGrid);
}

export function draw(component) {
  const { parentElement, data, setTriggerValue } = component;
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) || createView(component);
  if (view.data.id !== data.id) {
    view.stopped = false;
    view.stop.textContent = data.words.stop;
  }
  view.data = data;
  view.send = setTriggerValue;
  paintGrid(view);
  return view.close;
}
