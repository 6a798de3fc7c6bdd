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
/* Plotly's own: within it a second click resets the zoom, and the rule stays. */
const DOUBLE_CLICK = 300;
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -6, PageUp: 6, Home: -Infinity, End: Infinity };

/* Where the axis's values are, in pixels of the figure, zoomed or not. */
function placesOf({ figure: { layout }, data }) {
  const { margin: { l, r }, width, xaxis: { type, range: [low, high] } } = layout;
  return data.axis.values.map((v) => l + ((type === "log" ? Math.log10(v) : v) - low) / (high - low) * (width - l - r));
}

function drawReading(view) {
  const { data, index, figure: { layout }, handle, rule, tag } = view;
  const { texts } = data.axis;
  const x = placesOf(view)[index];
  for (const node of [rule, tag]) node.hidden = x < layout.margin.l - 1 || x > layout.width - layout.margin.r + 1;
  tag.textContent = texts[index];
  tag.style.transform = `translateX(${Math.min(Math.max(x - tag.offsetWidth / 2, 0), layout.width - tag.offsetWidth)}px)`;
  rule.style.transform = `translateX(${x}px)`;
  write(view.answer, data.answers[index]);
  fill(handle, { "aria-valuemin": 0, "aria-valuemax": texts.length - 1, "aria-valuenow": index, "aria-valuetext": texts[index] }, []);
  fill(view.figure, { "aria-label": plain([data.answers[index], ...["captured", "sin"].map((name) => `${data.titles[name]}: ${data.subs[name]}.`)].join(" ")) }, []);
  fillTable(view);
  view.root.dataset.index = index;
}

function paint(view) {
  const { root, data, figure } = view;
  view.look = lookOf(root, view.palette);
  root.classList.toggle("dpca-dark", view.look.dark);
  root.classList.toggle("dpca-narrow", root.clientWidth < 700);
  view.drawn = { ...data.figure, layout: { ...data.figure.layout, hovermode: view.unified ? "x unified" : "closest" } };
  drawFigure(view.Plotly, figure, view.drawn, view.look, { width: view.frame.clientWidth, phone: root.clientWidth < PHONE });
  const { height, margin: { t, b }, yaxis2 } = figure.layout;
  for (const [name, { title, sub }] of Object.entries(view.titles)) {
    write(title, data.titles[name]);
    write(sub, data.subs[name]);
  }
  view.titles.sin.block.style.top = `${t + (1 - yaxis2.domain[1]) * (height - t - b)}px`;
  view.work.hidden = data.complete;
  view.bar.value = data.share;
  write(view.progress, data.progress);
  write(view.footer, data.footer);
  view.stop.textContent = data.words[view.stopped ? "resume" : "stop"];
  view.all.setAttribute("aria-pressed", Boolean(view.unified));
  drawReading(view);
  Object.assign(root.dataset, { id: data.id, stage: data.stage, ready: "true", complete: data.complete });
  performance.mark("dpca-painted", { detail: data.id });
  stopAsking(view);
  if (!data.complete && !view.stopped) askLater(view, () => view.send("more", { id: data.id, stage: data.stage }), Math.max(data.pause, view.held ? ASKING : 0));
}

function readAt(view, event) {
  const x = event.clientX - view.frame.getBoundingClientRect().left;
  const away = placesOf(view).map((place) => Math.abs(place - x));
  view.index = away.indexOf(Math.min(...away));
  drawReading(view);
}

function rest(view) {
  view.held = false;
  view.tell("axis_value", view.data.axis.values[view.index]);
}

/* The rule and the strip above the chart are dragged; in the chart itself one zooms, and a click reads it there. */
function listen(view) {
  for (const node of [view.handle, view.rule]) {
    node.addEventListener("pointerdown", (event) => {
      view.held = true;
      node.setPointerCapture(event.pointerId);
      readAt(view, event);
    });
    node.addEventListener("pointermove", (event) => view.held && readAt(view, event));
    node.addEventListener("lostpointercapture", () => rest(view));
  }
  view.handle.addEventListener("keydown", (event) => {
    if (!KEYS[event.key]) return;
    event.preventDefault();
    view.index = Math.min(Math.max(view.index + KEYS[event.key], 0), view.data.axis.values.length - 1);
    drawReading(view);
    rest(view);
  });
  for (const [node, name] of [[view.stop, "stopped"], [view.all, "unified"]]) {
    node.addEventListener("click", () => {
      view[name] = !view[name];
      paint(view);
    });
  }
  view.figure.addEventListener("pointerdown", () => (view.chose = false), true);
  view.figure.addEventListener("click", (event) => {
    clearTimeout(view.clicked);
    if (view.chose || !event.target.closest(".draglayer")) return;
    view.clicked = setTimeout(() => {
      readAt(view, event);
      rest(view);
    }, DOUBLE_CLICK);
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
  view.figure.on("plotly_doubleclick", () => (view.chose = true));
  view.figure.on("plotly_relayout", () => drawReading(view));
}

function createView({ data, parentElement }, palette, Plotly) {
  const part = (tag, name, more, ...children) => html(tag, { class: `dpca-${name}`, ...more }, ...children);
  const button = (name, text) => part("button", name, { type: "button", text });
  const view = { data, palette, Plotly, titles: {} };
  const titled = (name, axis, ...more) => {
    const [title, sub] = [html("h2", {}), html("p", {})];
    const buttons = exportButtons(data.words, data.titles[name], () => ({ figure: view.drawn, look: view.look, title: title.textContent, sub: sub.textContent, axis }));
    view.titles[name] = { title, sub, block: part("div", `title dpca-title-${name}`, {}, part("div", "head", {}, title, ...more, buttons), sub) };
    return view.titles[name].block;
  };
  Object.assign(view, {
    answer: part("h1", "answer", { "aria-live": "polite" }), progress: html("span", {}), footer: html("footer", {}), stop: button("button", ""), all: button("button dpca-all", data.words.all_values),
    bar: part("progress", "progress", { max: 1, "aria-label": data.words.measured }), table: part("section", "table"), tag: part("span", "tag"), figure: part("div", "figure", { role: "figure" }), rule: part("div", "rule", { "aria-hidden": "true" }),
  });
  view.handle = part("div", "reader", { role: "slider", tabindex: 0, "aria-label": `${data.words.reading_line}: ${data.axis.title}` }, view.tag);
  view.frame = part("div", "frame", {}, view.figure, view.rule, titled("sin", "y2"));
  view.work = part("div", "work", {}, view.bar, view.progress, view.stop);
  const charts = part("section", "charts", {}, titled("captured", "y", view.all), view.handle, view.frame);
  view.root = part("div", "compare dpca", { "data-ready": "false" }, view.answer, view.work, part("div", "halves", {}, charts, view.table), view.footer);
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
  if (!view.held && (before.id !== data.id || before.axis.index !== data.axis.index)) view.index = data.axis.index;
  if (before.id !== data.id) view.stopped = false;
  if (known && data.file && data.file.number !== before.file?.number) saveFile(data.file);
  Object.assign(view, { data, lit: data.lit, send: setTriggerValue, tell: (name, value) => setStateValue(name, { value, at: Date.now() }) });
  paint(view);
  if (!known) listenToPlotly(view);
  return view.close;
}
