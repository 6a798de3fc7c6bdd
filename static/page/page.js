/* Draws any page: charts, a rule to drag over those of its axis, rows to choose from, sentences that follow it. */

import { drawCharts, drawMarks, reserve, rowsOf } from "./chart.js";
import { at, fill, html, keep, partsOf, place, received, write } from "./dom.js";
import { saveChart } from "./files.js";
import { plotly } from "./plotly.js";
import { ahead, bindRule, placeRule, readRule, sayRule } from "./rule.js";

/* Milliseconds without a touch before more is asked for: else that would come before the touch's answer. */
const CALM = 250;
/* Milliseconds between two refinements that are painted. */
const PAINT_EVERY = 400;
const NARROW = 700;
const EPSILON = '.dpca [role="slider"], [class*="st-key-epsilon"] input';

const skeleton = ({ measured, stop }) => `<div class="dpca dpca-page" data-ready="false">
  <h1 class="dpca-answer" aria-live="polite" data-part="answer"></h1><p class="dpca-below" data-part="under"></p>
  <div class="dpca-work" data-part="work" hidden>
    <progress class="dpca-progress" max="1" aria-label="${measured}" data-part="bar"></progress>
    <span role="status" data-part="progress"></span>
    <button type="button" class="dpca-button" data-do="stop" data-part="stop">${stop}</button></div>
  <div class="dpca-track" data-part="track"><b class="dpca-handle" role="slider" tabindex="0" data-part="handle"></b>
    <span class="dpca-with" data-part="beside" aria-hidden="true"></span></div>
  <div class="dpca-charts" data-part="grid"></div>
  <section class="dpca-list" data-part="list"><h2 data-part="heading"></h2><p class="dpca-lead" data-part="lead"></p>
    <div class="dpca-heads" data-part="heads"></div><div class="dpca-rows" role="group" data-part="rows">
      <p class="dpca-apart" data-part="apart"></p></div></section>
  <footer data-part="footer"></footer><p class="dpca-paper" data-part="settings"></p></div>`;

function chartNode({ key, place: column, ruled, figure }, { download_as: saved }) {
  const section = html("section", { class: `dpca-chart ${column} ${figure ? "drawn" : ""}`, "data-key": key });
  const buttons = ["CSV", "PNG", "SVG"].map((form) => {
    const name = saved.replace("{name}", key).replace("{format}", form);
    return `<button type="button" data-do="save" data-value="${form}" aria-label="${name}">${form}</button>`;
  });
  section.innerHTML = `
    <div class="dpca-title"><h2 id="${key}-title" data-part="title"></h2><p id="${key}-sub" data-part="sub"></p>
      <span class="dpca-take">${buttons.join("")}</span></div>
    <div class="dpca-body"><div class="dpca-beside" data-part="beside"></div>
      <div class="dpca-frame" role="figure" aria-labelledby="${key}-title ${key}-sub" data-part="frame">
        <div data-part="figure"></div><div class="dpca-over" data-part="over"></div>
        <i class="dpca-line" data-part="line" ${ruled ? "" : "hidden"}></i></div></div>
    <p class="dpca-note" data-part="note"></p>`;
  return Object.assign(section, { parts: partsOf(section) });
}

function rowNode({ key, cells }) {
  const row = html("button", { type: "button", class: "dpca-row", "data-do": "row", "data-value": key });
  const line = '<svg width="30" height="8" aria-hidden="true"><line x2="30" y1="4" y2="4"/></svg>';
  return Object.assign(row, { innerHTML: line + "<span></span>".repeat(1 + cells.length) });
}

function follow(view) {
  const { data, data: { says, rule, order, ranked }, index, parts, charts, rows } = view;
  if (rule) sayRule(view);
  for (const [name, text] of Object.entries(says)) write(parts[name], at(text, index));
  parts.answer.style.setProperty("--letters", parts.answer.textContent.length);
  for (const section of charts) {
    for (const name of ["title", "sub", "note", "beside"]) write(section.parts[name], at(section.item[name], index));
    drawMarks(section, index);
  }
  for (const row of rows) {
    const { at: from, cells } = row.item;
    row.classList.toggle("dpca-met", Boolean(rule && from !== null && from <= rule.values[index]));
    cells.forEach((cell, i) => write(row.children[i + 2], at(cell, index)));
  }
  const ordered = order[index]?.map((number) => rows[number]);
  if (says.apart && ranked.length) ordered?.splice(ranked[index], 0, parts.apart);
  if (ordered) place(parts.rows, ordered);
  /* The first answer has sentences near the rule only: whoever goes farther asks for the others. */
  if (Array.isArray(says.answer) && says.answer[index] === null && view.asked !== data) {
    view.asked = data;
    view.say("more", data.id);
  }
}

/* What needs no Plotly, and is the same at all stops: how rows look, and the places of charts and rows. */
function arrange(view) {
  const { data, data: { rows, heads }, parts, root, look } = view;
  view.charts = keep(parts.grid, data.charts, (chart) => chartNode(chart, look.words));
  view.rows = keep(parts.rows, rows, rowNode);
  for (const row of view.rows) {
    const { key, name, style, dash, chosen, struck } = row.item;
    fill(row, { style, "aria-pressed": chosen || key === view.lit });
    const dashes = dash.replace("solid", "none");
    fill(row.querySelector("line"), { "stroke-width": chosen ? 2.75 : 1.8, "stroke-dasharray": dashes });
    write(row.children[1], struck ? `<s>${name}</s>` : name);
  }
  measure(view);
  const cells = rows[0]?.cells.length || 1;
  parts.list.style.setProperty("--cells", cells);
  parts.list.classList.toggle("dpca-short", cells < 2);
  write(parts.heads, heads.length ? ["", ...heads].map((head) => `<span>${head}</span>`).join("") : "");
  /* What was shown keeps its place: nothing below moves when all is measured. */
  parts.work.hidden &&= data.complete;
  parts.work.style.visibility = data.complete ? "hidden" : "";
  root.dataset.id = data.id;
  reserve(view);
  placeRule(view);
  follow(view);
  /* On paper no control says what was set. */
  parts.settings.textContent = parts.footer.textContent.includes(data.settings) ? "" : data.settings;
}

const isDark = (node) => (getComputedStyle(node).colorScheme === "dark" ? 1 : 0);

/* How wide the page is, whether it is dark, and whether a room looks on: at one chart of it. */
function measure(view) {
  const { data, root, root: { clientWidth: width }, charts } = view;
  const room = document.body.classList.contains("dpca-present");
  Object.assign(view, { width, room, dark: isDark(root), narrow: !room && width > 0 && width < NARROW });
  view.shown = Math.max(0, Math.min(view.shown, charts.length - 1));
  charts.forEach((section, i) => section.classList.toggle("dpca-shown", i === view.shown));
  const is = { narrow: view.narrow, dark: view.dark, ruled: data.rule, listed: data.rows.length };
  for (const [name, holds] of Object.entries(is)) root.classList.toggle(`dpca-${name}`, Boolean(holds));
}

function paint(view) {
  const { data, root } = view;
  measure(view);
  // Not in the page yet, or on a tab that is not shown: its first width paints it.
  if (!view.width || !view.Plotly) return;
  view.paintedAt = performance.now();
  const finish = () => {
    /* Where the charts are may be new; it is read with the others' places, before any is drawn. */
    view.zoomed();
    drawCharts(view);
    Object.assign(root.dataset, { stage: data.stage, complete: data.complete, ready: "true" });
    goOn(view, Math.max(data.pause, data.stage > 1 ? 0 : CALM));
  };
  drawCharts(view, ({ ruled }) => ruled || !data.rule);
  performance.mark("dpca-painted", { detail: data.id });
  if (view.printing || !data.rule) finish();
  else requestAnimationFrame(() => view.data === data && finish());
}

/* Says how far it is, and asks the server for more, once nobody has touched anything for a moment. */
function goOn(view, wait = CALM) {
  const { data, stopped, look: { words }, parts } = view;
  parts.bar.value = data.share;
  parts.stop.textContent = stopped ? words.resume : words.stop;
  write(parts.progress, stopped ? words.stopped : data.progress);
  clearTimeout(view.later);
  if (data.complete || stopped) return;
  view.later = setTimeout(() => {
    if (view.dragging || performance.now() - view.touched < CALM) goOn(view);
    else view.say("more", data.id);
  }, wait);
}

function create(parent, look) {
  parent.insertAdjacentHTML("beforeend", skeleton(look.words));
  const root = parent.lastElementChild;
  const leaving = new AbortController();
  const view = { root, look, parts: partsOf(root), index: 0, shown: 0, putAt: 0, touched: 0, paintedAt: 0 };
  view.close = () => {
    leaving.abort();
    nav.remove();
    clearTimeout(view.later);
    root.remove();
    delete parent.page;
  };
  view.zoomed = () => [readRule(view), placeRule(view)];
  /* What was chosen by a row, a line or its name: the page hears it, or the line is lit. */
  view.choose = (key) => {
    if (view.data.hears.includes("row")) return view.say("row", key);
    view.lit = view.lit === key ? null : key;
    return [arrange, paint].forEach((step) => step(view));
  };
  root.addEventListener("click", ({ target }) => {
    const { do: what, value } = target.closest("[data-do]")?.dataset ?? {};
    if (what === "stop") goOn(Object.assign(view, { stopped: !view.stopped }));
    else if (what === "save") saveChart(view, target.closest("section"), value);
    else if (what === "row") view.choose(value);
    else if (what) view.say(what, value ?? true);
  });
  bindRule(view, follow);
  watch(view, leaving.signal);
  /* The first stop of the tab key leads to ε, past the pages and all other controls; gone with its page. */
  const skip = html("button", { type: "button", class: "dpca-skip", text: look.words.skip });
  const nav = html("nav", { "aria-label": look.words.skip }, skip);
  skip.addEventListener("click", () => document.querySelector(EPSILON)?.focus());
  document.body.prepend(nav);
  return view;
}

/* Paints again when the page's width or theme changes, and as wide as the paper for print. */
function watch(view, signal) {
  const { root } = view;
  const again = () => requestAnimationFrame(() => view.data && paint(view));
  const size = new ResizeObserver(() => Math.abs(root.clientWidth - (view.width ?? 0)) > 1 && again());
  /* In a frame, in which styles are computed anyway: asked at once the browser would do it twice. */
  const recolour = () => view.data && isDark(root) !== view.dark && paint(view);
  const theme = new MutationObserver(() => requestAnimationFrame(recolour));
  size.observe(root);
  theme.observe(document.querySelector(".stApp") ?? document.body, { attributeFilter: ["class", "style"] });
  signal.addEventListener("abort", () => [size, theme].forEach((observer) => observer.disconnect()));
  addEventListener("dpca-room", ({ detail: step }) => [view.shown += step, again()], { signal });
  const paper = matchMedia("print");
  const fit = ({ type }) => {
    const printing = type === "beforeprint" || paper.matches;
    if (printing === Boolean(view.printing)) return;
    view.printing = root.classList.toggle("dpca-print", printing);
    root.dataset.address = location.href;
    if (view.data) paint(view);
  };
  for (const act of ["beforeprint", "afterprint"]) addEventListener(act, fit, { signal });
  paper.addEventListener("change", fit, { signal });
  fit(paper);
  /* Whoever touches a control wants its answer first. */
  const touch = () => (view.touched = performance.now());
  for (const act of ["keydown", "pointerdown"]) document.addEventListener(act, touch, { capture: true, signal });
}

export default async (sent, look) => {
  const data = await received(sent);
  if (!data) return undefined;
  const marks = data.charts.flatMap(({ over }) => over);
  for (const each of marks) Object.assign(each, { y: rowsOf(each.y), x: each.x && rowsOf(each.x) });
  const view = (sent.parentElement.page ??= create(sent.parentElement, look));
  const before = view.data;
  /* State, not a trigger: of two triggers in one moment Streamlit keeps the later only. */
  view.say = (name, value) => sent.setStateValue(name, { value, at: Date.now() });
  view.data = data;
  const isNew = before?.id !== data.id;
  if (isNew) view.stopped = false;
  if (data.rule && (before?.rule?.name !== data.rule.name || !ahead(view))) view.index = data.rule.index;
  arrange(view);
  view.Plotly ??= await plotly;
  if (view.data !== data) return undefined;
  /* Refinements that come fast, or after a touch whose own answer they would keep waiting, are left out. */
  const early = Math.max(view.paintedAt, view.touched) + PAINT_EVERY - performance.now();
  if (isNew || data.complete || early <= 0) paint(view);
  else goOn(view, data.pause);
  return view.close;
};
