import { filled, html, svg, write } from "../charts/dom.js";
import { saveFile, savePicture, saveTable } from "../charts/downloads.js";
import { mount, MOUNTED } from "../charts/mount.js";
import { askLater, stopAsking } from "../charts/refinement.js";
import { themeOf } from "../charts/theme.js";
import { CHARTS, chartTable, drawChart, drawRule, pictured, raster, xAt } from "./curves.js";
import { fillTable } from "./table.js";

const ASKING = 120;

function drawReading(view) {
  write(view.answer, view.data.answers[view.index]);
  drawRule(view);
  fillTable(view);
  view.root.dataset.index = view.index;
}

export function light(view, key) {
  view.lit = key;
  for (const chart of Object.keys(CHARTS)) drawChart(chart, view);
  fillTable(view);
}

function paint(view) {
  const { root, data } = view;
  view.theme = themeOf(root);
  root.classList.toggle("dpca-dark", view.theme.dark);
  root.classList.toggle("dpca-narrow", root.clientWidth < 700);
  view.width = Math.max(root.clientWidth - 60, 200);
  if (view.lit === undefined) view.lit = data.lines.find((l) => !l.apart)?.key ?? null;
  for (const chart of Object.keys(CHARTS)) {
    drawChart(chart, view);
    write(view.titles[chart].title, data.titles[chart]);
    write(view.titles[chart].sub, data.subs[chart]);
  }
  view.bar.hidden = data.complete;
  view.bar.firstChild.style.width = `${Math.round(data.share * 100)}%`;
  write(view.progress, data.progress);
  write(view.footer, data.footer);
  view.stop.hidden = data.complete;
  drawReading(view);
  Object.assign(root.dataset, { id: data.id, stage: data.stage, ready: "true", complete: data.complete });
  performance.mark("dpca-painted", { detail: data.id });
  stopAsking(view);
  if (!data.complete && !view.stopped) askLater(view, () => view.send("more", { id: data.id, stage: data.stage }), Math.max(data.pause, view.held ? ASKING : 0));
}

function createView(component) {
  const root = html("div", { class: "dpca dpca-compare", "data-ready": "false" });
  const view = { root, data: component.data, index: component.data.axis_index };
  const name = (text) => html(text, {});
  Object.assign(view, { answer: html("h1", { class: "dpca-answer", "aria-live": "polite" }), table: html("div", { class: "dpca-table" }), footer: name("footer"), progress: html("span", {}), stop: html("button", { type: "button", class: "dpca-button", text: component.data.words.stop }), bar: html("div", { class: "dpca-progress" }, html("i", {})) });
  view.tag = html("span", { class: "dpca-tag" });
  view.handle = html("div", { class: "dpca-reader", role: "slider", tabindex: 0, "aria-label": component.data.words.reading_line }, view.tag);
  view.light = (key) => light(view, key);
  view.charts = {};
  view.titles = {};
  const sections = Object.keys(CHARTS).map((chart) => {
    const parts = { ground: svg("svg", { "aria-hidden": "true" }), curves: svg("svg", { "aria-hidden": "true", class: "dpca-curves" }), names: html("div", { class: "dpca-names" }), rule: html("i", { class: "dpca-reading" }) };
    parts.frame = html("div", { class: "dpca-chart", role: "img", "aria-label": component.data.titles[chart] }, parts.ground, parts.curves, parts.names, parts.rule);
    view.charts[chart] = parts;
    view.titles[chart] = { title: html("h3", {}), sub: html("p", {}) };
    const label = (format) => filled(component.data.words.download_as, { name: chart, format });
    const takes = html("span", { class: "dpca-take" },
      html("button", { type: "button", "aria-label": label("CSV"), text: "CSV", onclick: () => saveTable(`compare-${chart}`, chartTable(chart, view.data)) }),
      html("button", { type: "button", "aria-label": label("SVG"), text: "SVG", onclick: () => savePicture(`compare-${chart}`, pictured(chart, view)) }),
      html("button", { type: "button", "aria-label": label("PNG"), text: "PNG", onclick: () => raster(chart, view) }));
    const read = (event) => {
      const box = parts.frame.getBoundingClientRect();
      const x = event.clientX - box.left - 2;
      const xs = view.data.axis.values.map((v) => Math.abs(xAt(v, view.data.axis, view.width) - x));
      view.index = xs.indexOf(Math.min(...xs));
      drawReading(view);
    };
    parts.frame.addEventListener("pointerdown", (event) => { view.held = true; parts.frame.setPointerCapture(event.pointerId); read(event); });
    parts.frame.addEventListener("pointermove", (event) => view.held && read(event));
    parts.frame.addEventListener("pointerup", () => { view.held = false; view.say("axis_value", view.data.axis.values[view.index]); });
    return html("section", { class: `dpca-of-${chart}` }, html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, view.titles[chart].title, takes), view.titles[chart].sub), ...(chart === "captured" ? [view.handle] : []), parts.frame);
  });
  view.handle.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    view.index = Math.min(Math.max(view.index + step, 0), view.data.axis.values.length - 1);
    drawReading(view);
    view.say("axis_value", view.data.axis.values[view.index]);
  });
  view.stop.addEventListener("click", () => {
    view.stopped = !view.stopped;
    view.stop.textContent = view.stopped ? view.data.words.resume : view.data.words.stop;
    paint(view);
  });
  root.append(view.answer, html("div", { class: "dpca-work" }, view.bar, view.progress, view.stop), ...sections, view.table, view.footer);
  return mount(view, component.parentElement, paint);
}

export function draw(component) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) || createView(component);
  if (view.data.id !== data.id) {
    if (!view.held) view.index = data.axis_index;
    view.stopped = false;
    view.stop.textContent = data.words.stop;
    if (!data.lines.some((l) => l.key === view.lit)) view.lit = undefined;
  }
  if (data.file && data.file.number !== view.data.file?.number) saveFile(data.file);
  view.data = data;
  view.say = (name, value) => setStateValue(name, { value, at: Date.now() });
  view.send = setTriggerValue;
  paint(view);
  return view.close;
}
