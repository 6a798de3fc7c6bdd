import { lookOf } from "../charts/colours.js";
import { fill, html, plain, write } from "../charts/dom.js";
import { saveFile } from "../charts/downloads.js";
import { exportButtons } from "../charts/export.js";
import { drawFigure } from "../charts/figure.js";
import { mount, MOUNTED } from "../charts/mount.js";
import { askLater, stopAsking } from "../charts/refinement.js";
import { fillTable } from "./table.js";

const ASKING = 120;
const PHONE = 560;

/* The x axis as it is shown, zoomed or not: where its values lie, in pixels of the figure. */
function scaleOf({ figure, data }) {
  const { margin, width, xaxis } = figure.layout;
  const [low, high] = xaxis.range;
  const places = data.axis.values.map((v) => margin.l + ((xaxis.type === "log" ? Math.log10(v) : v) - low) / (high - low) * (width - margin.l - margin.r));
  return { places, left: margin.l, right: width - margin.r };
}

function drawReading(view) {
  const { data, index, figure, handle, rule, tag } = view;
  const { places, left, right } = scaleOf(view);
  const x = places[index];
  const inside = x > left - 1 && x < right + 1;
  for (const node of [rule, tag]) node.hidden = !inside;
  rule.style.transform = `translateX(${x}px)`;
  tag.style.transform = `translateX(${Math.min(Math.max(x - tag.offsetWidth / 2, 0), figure.layout.width - tag.offsetWidth)}px)`;
  tag.textContent = data.axis.texts[index];
  write(view.answer, data.answers[index]);
  fill(handle, { "aria-valuenow": index, "aria-valuetext": data.axis.texts[index], "aria-valuemin": 0, "aria-valuemax": data.axis.values.length - 1 }, []);
  fill(figure, { "aria-label": `${data.titles.captured}: ${data.subs.captured}. ${data.titles.sin}: ${data.subs.sin}. ${plain(data.answers[index])}` }, []);
  fillTable(view);
  view.root.dataset.index = index;
}

function paint(view) {
  const { root, data, figure, frame } = view;
  view.look = lookOf(root, view.palette);
  view.theme = view.look;
  const phone = root.clientWidth < PHONE;
  root.classList.toggle("dpca-dark", view.look.dark);
  root.classList.toggle("dpca-narrow", root.clientWidth < 700);
  const layout = { ...data.figure.layout, hovermode: view.everything ? "x unified" : "closest" };
  view.drawn = { ...data.figure, layout };
  drawFigure(view.Plotly, figure, view.drawn, view.look, { width: frame.clientWidth, phone });
  const { height, margin: { t, b }, yaxis } = figure.layout;
  for (const [name, { title, sub }] of Object.entries(view.titles)) {
    write(title, data.titles[name]);
    write(sub, data.subs[name]);
  }
  view.titles.sin.block.style.top = `${t + (1 - yaxis.domain[0]) * (height - t - b)}px`;
  view.work.hidden = data.complete;
  view.bar.value = data.share;
  write(view.progress, data.progress);
  write(view.footer, data.footer);
  drawReading(view);
  Object.assign(root.dataset, { id: data.id, stage: data.stage, ready: "true", complete: data.complete });
  performance.mark("dpca-painted", { detail: data.id });
  stopAsking(view);
  if (!data.complete && !view.stopped) askLater(view, () => view.send("more", { id: data.id, stage: data.stage }), Math.max(data.pause, view.held ? ASKING : 0));
}

function readAt(view, event) {
  const x = event.clientX - view.frame.getBoundingClientRect().left;
  const away = scaleOf(view).places.map((place) => Math.abs(place - x));
  view.index = away.indexOf(Math.min(...away));
  drawReading(view);
}

function readHere(view) {
  view.held = false;
  view.tell("axis_value", view.data.axis.values[view.index]);
}

/* The rule and the strip above the chart are dragged; the chart itself is zoomed. */
function listen(view) {
  const { figure, handle, rule } = view;
  for (const node of [handle, rule]) {
    node.addEventListener("pointerdown", (event) => {
      view.held = true;
      node.setPointerCapture(event.pointerId);
      readAt(view, event);
    });
    node.addEventListener("pointermove", (event) => view.held && readAt(view, event));
    node.addEventListener("lostpointercapture", () => readHere(view));
  }
  handle.addEventListener("keydown", (event) => {
    const last = view.data.axis.values.length - 1;
    const next = { ArrowLeft: view.index - 1, ArrowDown: view.index - 1, ArrowRight: view.index + 1, ArrowUp: view.index + 1, PageDown: view.index - 6, PageUp: view.index + 6, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    view.index = Math.min(Math.max(next, 0), last);
    drawReading(view);
    readHere(view);
  });
  view.stop.addEventListener("click", () => {
    view.stopped = !view.stopped;
    view.stop.textContent = view.data.words[view.stopped ? "resume" : "stop"];
    paint(view);
  });
  view.all.addEventListener("click", () => {
    view.everything = !view.everything;
    view.all.setAttribute("aria-pressed", view.everything);
    paint(view);
  });
  figure.addEventListener("pointerdown", () => (view.chose = false), true);
  figure.addEventListener("click", (event) => {
    if (view.chose || !event.target.closest(".draglayer")) return;
    readAt(view, event);
    readHere(view);
  });
}

/* A click on a line or on its name shows its bands, and another one hides them. */
function listenToPlotly(view) {
  const choose = (key) => {
    view.chose = Boolean(key);
    if (key) view.light(key);
  };
  view.figure.on("plotly_click", ({ points: [point] }) => choose(point.data.meta));
  view.figure.on("plotly_clickannotation", ({ annotation }) => choose(annotation.name));
  view.figure.on("plotly_relayout", () => drawReading(view));
}

function createView({ data, parentElement }, palette, Plotly) {
  const part = (tag, name, more) => html(tag, { class: `dpca-${name}`, ...more });
  const button = (name, text) => part("button", name, { type: "button", text });
  const view = { data, palette, Plotly, titles: {} };
  const titled = (name, axis, ...more) => {
    const [title, sub] = [html("h2", {}), html("p", {})];
    const asked = () => ({ figure: view.drawn, look: view.look, title: title.textContent, sub: sub.textContent, axis });
    view.titles[name] = { title, sub, block: html("div", { class: `dpca-title dpca-title-${name}` }, html("div", { class: "dpca-head" }, title, ...more, exportButtons(data.words, data.titles[name], asked)), sub) };
    return view.titles[name].block;
  };
  Object.assign(view, {
    answer: part("h1", "answer", { "aria-live": "polite" }), progress: html("span", {}), footer: html("footer", {}), stop: button("button", data.words.stop),
    bar: part("progress", "progress", { max: 1, "aria-label": data.words.measured }), table: part("section", "table"), tag: part("span", "tag"),
    all: button("button dpca-all", data.words.all_values), figure: part("div", "figure", { role: "figure" }), rule: part("div", "rule", { "aria-hidden": "true" }),
  });
  view.handle = part("div", "reader", { role: "slider", tabindex: 0, "aria-label": data.words.reading_line });
  view.handle.append(view.tag);
  view.frame = html("div", { class: "dpca-frame" }, view.figure, view.rule, titled("sin", "y2"));
  view.work = html("div", { class: "dpca-work" }, view.bar, view.progress, view.stop);
  const charts = html("section", { class: "dpca-charts" }, titled("captured", "y", view.all), view.handle, view.frame);
  view.root = html("div", { class: "dpca dpca-compare", "data-ready": "false" }, view.answer, view.work, html("div", { class: "dpca-halves" }, charts, view.table), view.footer);
  view.light = (key) => {
    view.lit = key === view.lit ? null : key;
    fillTable(view);
    view.tell("lit", view.lit ?? "");
  };
  listen(view);
  return mount(view, parentElement, paint);
}

export function draw(component, palette, Plotly) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  if (!data) return undefined;
  const known = MOUNTED.get(parentElement);
  const view = known || createView(component, palette, Plotly);
  const before = known ? view.data : {};
  const changed = before.id !== data.id;
  if (!view.held && (changed || before.axis.index !== data.axis.index)) view.index = data.axis.index;
  if (changed) {
    view.stopped = false;
    view.stop.textContent = data.words.stop;
  }
  if (known && data.file && data.file.number !== before.file?.number) saveFile(data.file);
  Object.assign(view, { data, lit: data.lit, send: setTriggerValue, tell: (name, value) => setStateValue(name, { value, at: Date.now() }) });
  paint(view);
  if (!known) listenToPlotly(view);
  return view.close;
}
