import { lookOf } from "../charts/colours.js";
import { html, plain, svg, write } from "../charts/dom.js";
import { saveCanvases, savePicture, takeAway } from "../charts/downloads.js";
import { exportButtons } from "../charts/export.js";
import { drawFigure, heightAt } from "../charts/figure.js";
import { mount, MOUNTED } from "../charts/mount.js";
import { numbers } from "../charts/packed_content.js";
import { askLater, CALM, stopAsking } from "../charts/refinement.js";
import { imageOf } from "../charts/signed_image.js";
import { themeOf } from "../charts/theme.js";
import { drawOne } from "./chart.js";
import { lit, rowUnder } from "./lit_row.js";
import { drawNeedle, drawPictures, joined, picturesTable } from "./pictures.js";
import { drawLegend, rowsTable } from "./rows.js";

/* Pixels beyond the window within which a chart is drawn at once. */
const NEAR = 400;

export function paintGrid(view) {
  const { root, data } = view;
  view.theme = themeOf(root);
  view.look = lookOf(root, view.palette);
  view.narrow = root.clientWidth < 700;
  root.classList.toggle("dpca-dark", view.look.dark);
  root.classList.toggle("dpca-narrow", view.narrow);
  if (!data.lit || !data.charts.some((c) => c.figure?.layout.shapes?.some(({ name }) => name === view.lit))) view.lit = data.lit;
  write(view.answer, data.answer);
  write(view.under, data.under);
  if (view.keys !== data.charts.map((c) => c.key).join()) layOut(view);
  // All widths are read before anything is drawn: a reading in between lays the page out again.
  const places = data.charts.map((chart) => {
    const { frame } = view.parts[chart.key];
    const { top, bottom } = frame.getBoundingClientRect();
    return { chart, full: frame.clientWidth, near: top < innerHeight + NEAR && bottom > -NEAR };
  });
  for (const place of places) paintChart(view, place);
  write(view.footer, data.footer);
  for (const part of ["answer", "under", "footer"]) view[part].hidden = !data[part];
  Object.assign(root.dataset, { id: data.id, ready: "true" });
  performance.mark("dpca-painted", { detail: data.id });
  goOn(view);
}

/* What did not change stays as it is; what is far from the window is drawn when it comes near. */
function paintChart(view, { chart, full, near }) {
  const parts = view.parts[chart.key];
  write(parts.title, chart.title);
  write(parts.sub, chart.sub);
  write(parts.note, chart.note || "");
  parts.frame.setAttribute("aria-label", `${plain(chart.title)}. ${plain(chart.sub)}`);
  const figure = chart.figure && lit(chart.figure, view.lit);
  const drawn = JSON.stringify([chart, full, view.look.dark, figure !== chart.figure && view.lit]);
  if (parts.drawn === drawn) return;
  Object.assign(parts, { drawn, chart, full, shown: figure });
  if (chart.images) return parts.frame.replaceChildren(...chart.images.map((image) => imageCell(view, image)));
  if (!chart.figure) return paintOld(view, chart, parts);
  parts.figure.style.minHeight = `${heightAt(chart.figure, full)}px`;
  parts.draw = () => {
    parts.draw = null;
    view.far.unobserve(parts.frame);
    if (chart.beside) drawFigure(view.Plotly, parts.beside, chart.beside, view.look, { width: chart.beside.layout.width, phone: view.narrow });
    drawFigure(view.Plotly, parts.figure, figure, view.look, { width: full, phone: view.narrow });
  };
  if (near) parts.draw();
  else view.far.observe(parts.frame);
}

function imageCell({ look }, { caption, values, shape }) {
  return html("figure", { class: "dpca-image" }, imageOf(numbers(values), shape, 1, look, caption), html("figcaption", { text: caption }));
}

function paintOld(view, chart, parts) {
  if (chart.needle) drawNeedle(view, chart.needle, parts.needle);
  if (chart.legend) drawLegend(chart.legend, parts.legend, view.theme);
  if (chart.pictures) drawPictures(view, chart, parts.pictures);
  else drawOne(view, chart, parts);
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
  view.far.disconnect();
  view.parts = {};
  view.keys = view.data.charts.map((c) => c.key).join();
  view.grid.replaceChildren(...view.data.charts.map((chart) => {
    const parts = (view.parts[chart.key] = { title: html("h3", {}), sub: html("p", {}), note: html("p", { class: "dpca-smooth" }), legend: html("p", { class: "dpca-legend" }) });
    const body = chart.figure || chart.images ? bodyOf(view, parts, chart) : oldBody(parts, chart);
    const taken = chart.figure ? exportButtons(view.data.words, chart.key, () => ({ figure: parts.shown, look: view.look, title: parts.chart.title, sub: parts.chart.sub })) : chart.images ? takeAway(view.data.words, chart.key, () => imageTable(parts.chart, view.data.words), () => saveCanvases(chart.key, [...parts.frame.querySelectorAll("canvas")])) : takeAway(view.data.words, chart.key, () => chartTable(parts.chart, view.data.words), () => savePicture(chart.key, chart.pictures ? joined(parts.pictures) : parts.plot));
    const head = html("div", { class: "dpca-head" }, parts.title, taken);
    return html("section", { class: `dpca-sheet-${chart.key} ${chart.wide ? "dpca-wide" : ""}`, "data-key": chart.key }, html("div", { class: "dpca-title" }, head, parts.sub), ...(chart.legend ? [parts.legend] : []), body, parts.note);
  }));
}

function bodyOf(view, parts, chart) {
  if (chart.images) return (parts.frame = html("div", { class: "dpca-pictures", role: "img" }));
  parts.figure = html("div", {});
  const light = (event) => {
    const name = rowUnder(parts.figure, event);
    if (!name || name === view.lit) return;
    view.lit = name;
    view.repaint();
  };
  parts.frame = html("div", { class: "dpca-chart", role: "img", onpointermove: light, onpointerdown: light }, parts.figure);
  if (!chart.beside) return parts.frame;
  parts.beside = html("div", { class: "dpca-needle" });
  return html("div", { class: "dpca-beside" }, parts.beside, parts.frame);
}

function imageTable({ images }, words) {
  return [["picture", "what", "value"], ...images.flatMap(({ caption, values }) => [...numbers(values)].map((value) => [caption, words.share_of_largest, value]))];
}

function oldBody(parts, chart) {
  Object.assign(parts, { plot: svg("svg", { "aria-hidden": "true", class: "dpca-curves" }), tip: html("div", { class: "dpca-readout", hidden: "" }), needle: svg("svg", { "aria-hidden": "true", class: "dpca-needle" }), pictures: html("div", { class: "dpca-pictures" }) });
  parts.frame = html("div", { class: "dpca-chart", role: "img" }, ...(chart.pictures ? [parts.pictures] : [parts.plot, parts.tip]));
  for (const act of ["pointermove", "pointerdown"]) parts.frame.addEventListener(act, (event) => parts.read?.(event));
  parts.frame.addEventListener("pointerleave", () => (parts.tip.hidden = true));
  return chart.needle ? html("div", { class: "dpca-beside" }, parts.needle, parts.frame) : parts.frame;
}

function createView(component, palette, Plotly) {
  const root = html("div", { class: "dpca dpca-sheets", "data-ready": "false" });
  const view = { root, palette, Plotly, data: component.data, answer: html("h1", { class: "dpca-answer", "aria-live": "polite" }), under: html("p", { class: "dpca-below" }), grid: html("div", { class: "dpca-sheetgrid" }), footer: html("footer", {}), bar: html("div", { class: "dpca-progress" }, html("i", {})), progress: html("span", {}), stop: html("button", { type: "button", class: "dpca-button", text: component.data.words.stop }) };
  view.repaint = () => paintGrid(view);
  view.work = html("div", { class: "dpca-work", hidden: "" }, view.bar, view.progress, view.stop);
  view.stop.addEventListener("click", () => {
    view.stopped = !view.stopped;
    view.stop.textContent = view.stopped ? view.data.words.resume : view.data.words.stop;
    goOn(view);
  });
  const drawAll = () => Object.values(view.parts).forEach((parts) => parts.draw?.());
  view.far = new IntersectionObserver((seen) => {
    for (const { target } of seen.filter((entry) => entry.isIntersecting)) Object.values(view.parts).find(({ frame }) => frame === target)?.draw?.();
  }, { rootMargin: `${NEAR}px` });
  addEventListener("beforeprint", drawAll);
  root.append(view.answer, view.under, view.work, view.grid, view.footer);
  return mount(view, component.parentElement, paintGrid, () => {
    removeEventListener("beforeprint", drawAll);
    view.far.disconnect();
  });
}

export function draw(component, palette, Plotly) {
  const { parentElement, data, setTriggerValue } = component;
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) || createView(component, palette, Plotly);
  if (view.data.id !== data.id) {
    view.stopped = false;
    view.stop.textContent = data.words.stop;
  }
  view.data = data;
  view.send = setTriggerValue;
  paintGrid(view);
  return view.close;
}
