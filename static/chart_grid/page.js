import { lookOf } from "../charts/colours.js";
import { html, plain, write } from "../charts/dom.js";
import { saveButtons, saveCanvases, saveTable } from "../charts/downloads.js";
import { exportButtons } from "../charts/export.js";
import { drawFigure, heightAt } from "../charts/figure.js";
import { mount, MOUNTED } from "../charts/mount.js";
import { numbers } from "../charts/packed_content.js";
import { askLater, CALM, stopAsking } from "../charts/refinement.js";
import { imageOf } from "../charts/signed_image.js";
import { lit, rowUnder } from "./lit_row.js";

/* Pixels beyond the window within which a chart is drawn, in the frames after those inside it. */
const NEAR = 400;

function paintGrid(view) {
  const { root, data } = view;
  // Not in the page yet, or on a tab that is not shown: its first width paints it.
  if (!root.clientWidth) return;
  view.look = lookOf(root, view.palette);
  view.narrow = root.clientWidth < 700;
  root.classList.toggle("dpca-dark", view.look.dark);
  root.classList.toggle("dpca-narrow", view.narrow);
  if (!data.lit || !data.charts.some((c) => c.figure?.layout.shapes?.some(({ name }) => name === view.lit))) view.lit = data.lit;
  for (const part of ["answer", "under", "footer"]) {
    write(view[part], data[part]);
    view[part].hidden = !data[part];
  }
  if (view.keys !== data.charts.map(({ key }) => key).join()) layOut(view);
  for (const chart of data.charts) writeWords(view.parts[chart.key], chart);
  // All widths are read before anything is drawn: a reading in between lays the page out again.
  const places = data.charts.map((chart) => {
    const { frame } = view.parts[chart.key];
    const { top, bottom } = frame.getBoundingClientRect();
    return { chart, full: frame.clientWidth, seen: top < innerHeight && bottom > 0 };
  });
  for (const place of places) paintChart(view, place);
  Object.assign(root.dataset, { id: data.id, ready: "true" });
  performance.mark("dpca-painted", { detail: data.id });
  goOn(view);
}

function writeWords(parts, chart) {
  write(parts.title, chart.title);
  write(parts.sub, chart.sub);
  write(parts.note, chart.note);
  parts.frame.setAttribute("aria-label", `${plain(chart.title)}. ${plain(chart.sub)}`);
  parts.chart = chart;
}

/* What did not change stays as it is; what is outside the window is drawn when it comes near. */
function paintChart(view, { chart, full, seen }) {
  const { look, narrow } = view;
  const parts = view.parts[chart.key];
  const figure = chart.figure && lit(chart.figure, view.lit);
  const drawn = JSON.stringify([figure, chart.beside, chart.images, full, look.dark]);
  if (parts.drawn === drawn) return;
  Object.assign(parts, { drawn, shown: figure });
  if (figure) parts.figure.style.minHeight = `${heightAt(figure, full)}px`;
  parts.draw = () => {
    parts.draw = null;
    view.far.unobserve(parts.frame);
    if (chart.images) parts.frame.replaceChildren(...chart.images.map((image) => imageCell(image, look)));
    if (chart.beside) drawFigure(view.Plotly, parts.beside, chart.beside, look, { width: chart.beside.layout.width, phone: narrow });
    if (figure) drawFigure(view.Plotly, parts.figure, figure, look, { width: full, phone: narrow });
  };
  if (seen || view.printing) parts.draw();
  else view.far.observe(parts.frame);
}

function imageCell({ caption, values, shape }, look) {
  return html("figure", { class: "dpca-image" }, imageOf(numbers(values), shape, 1, look, caption), html("figcaption", { text: caption }));
}

/* Where measuring goes on: how far it is, a way to stop it, and the question for more. */
function goOn(view) {
  const { data } = view;
  const complete = data.complete ?? true;
  view.work.hidden = data.share === undefined;
  view.bar.hidden = view.stop.hidden = complete;
  view.bar.firstChild.style.width = `${Math.round((data.share ?? 1) * 100)}%`;
  write(view.progress, data.progress);
  Object.assign(view.root.dataset, { stage: data.stage ?? 0, complete });
  stopAsking(view);
  if (!complete && !view.stopped) askLater(view, () => view.send("more", { id: data.id, stage: data.stage }), Math.max(data.pause, data.fresh ? CALM : 0));
}

function layOut(view) {
  view.far.disconnect();
  view.parts = {};
  view.keys = view.data.charts.map(({ key }) => key).join();
  view.grid.replaceChildren(...view.data.charts.map((chart) => section(view, chart)));
}

function section(view, { key, wide, images, beside }) {
  const { words } = view.data;
  const parts = (view.parts[key] = { title: html("h2", {}), sub: html("p", {}), note: html("p", { class: "dpca-smooth" }), figure: html("div", {}), beside: html("div", { class: "dpca-needle" }) });
  const light = (event) => {
    const name = rowUnder(parts.figure, event);
    if (!name || name === view.lit) return;
    view.lit = name;
    paintGrid(view);
  };
  parts.frame = images ? html("div", { class: "dpca-pictures", role: "img" }) : html("div", { class: "dpca-chart", role: "figure", onpointermove: light, onpointerdown: light }, parts.figure);
  const taken = images
    ? saveButtons(words, key, { CSV: () => saveTable(key, imageTable(parts.chart, words)), PNG: () => saveCanvases(key, [...parts.frame.querySelectorAll("canvas")]) })
    : exportButtons(words, key, () => ({ figure: parts.shown, look: view.look, title: parts.chart.title, sub: parts.chart.sub }));
  const head = html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, parts.title, taken), parts.sub);
  const body = beside ? html("div", { class: "dpca-beside" }, parts.beside, parts.frame) : parts.frame;
  return html("section", { class: `dpca-sheet-${key} ${wide ? "dpca-wide" : ""}`, "data-key": key }, head, body, parts.note);
}

function imageTable({ images }, words) {
  return [["picture", "what", "value"], ...images.flatMap(({ caption, values }) => [...numbers(values)].map((value) => [caption, words.share_of_largest, value]))];
}

function createView({ data, parentElement }, palette, Plotly) {
  const bar = html("div", { class: "dpca-progress" }, html("i", {}));
  const view = { data, palette, Plotly, parts: {}, bar, root: html("div", { class: "dpca dpca-sheets", "data-ready": "false" }), answer: html("h1", { class: "dpca-answer", "aria-live": "polite" }), under: html("p", { class: "dpca-below" }), grid: html("div", { class: "dpca-sheetgrid" }), footer: html("footer", {}), progress: html("span", {}) };
  const stop = () => {
    view.stopped = !view.stopped;
    view.stop.textContent = view.stopped ? view.data.words.resume : view.data.words.stop;
    goOn(view);
  };
  view.stop = html("button", { type: "button", class: "dpca-button", text: data.words.stop, onclick: stop });
  view.work = html("div", { class: "dpca-work", hidden: "" }, bar, view.progress, view.stop);
  view.far = new IntersectionObserver((seen) => {
    const near = new Set(seen.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target));
    for (const parts of Object.values(view.parts)) if (near.has(parts.frame)) parts.draw?.();
  }, { rootMargin: `${NEAR}px` });
  view.root.append(view.answer, view.under, view.work, view.grid, view.footer);
  return mount(view, parentElement, paintGrid, () => view.far.disconnect());
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
