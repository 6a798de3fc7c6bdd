/* Draws any page: charts in a grid, a rule to drag over those of its axis, rows to choose from, and the
   sentences that follow the rule. All words and numbers come from Python (ui/page). */

import { drawCharts, drawMarks, reserve, rowsOf } from "./chart.js";
import { at, fill, keep, partsOf, write } from "./dom.js";
import { saveChart } from "./files.js";
import { plotly } from "./plotly.js";
import { received } from "./received.js";
import { ahead, bindRule, placeRule, readRule } from "./rule.js";
import { addSkipLink } from "./skip_link.js";

/* Milliseconds without a touch before more is asked for: else that would come before the touch's answer. */
const CALM = 250;
/* Milliseconds between two refinements that are painted. */
const PAINT_EVERY = 400;
const NARROW = 700;
/* A4 without its margins, in pixels. */
const PAPER_WIDTH = 718;
const VIEWS = new WeakMap();

const skeleton = ({ measured, stopped, stop, resume }) => `<div class="dpca dpca-page" data-ready="false">
  <h1 class="dpca-answer" aria-live="polite" data-part="answer"></h1>
  <p class="dpca-below" data-part="under"></p>
  <div class="dpca-work" data-part="work" hidden>
    <progress class="dpca-progress" max="1" aria-label="${measured}" data-part="bar"></progress>
    <span role="status"><span data-part="progress"></span> <span data-part="stopped" hidden>${stopped}</span></span>
    <button type="button" class="dpca-button" data-do="stop" data-part="stop" data-words="${stop}|${resume}">${stop}</button>
  </div>
  <div class="dpca-track" data-part="track" hidden><b class="dpca-handle" role="slider" tabindex="0" data-part="handle"></b><span class="dpca-with" data-part="beside" aria-hidden="true"></span></div>
  <div class="dpca-charts" data-part="grid"></div>
  <section class="dpca-list" data-part="list" hidden><h2 data-part="heading"></h2><p class="dpca-lead" data-part="lead"></p>
    <div class="dpca-heads" data-part="heads"></div><div class="dpca-rows" role="group" data-part="rows"></div></section>
  <footer data-part="footer"></footer><p class="dpca-paper" data-part="settings"></p></div>`;

/* ---- charts and rows: nodes that stay while their keys do --------------------------------------- */

function chartNode({ key, place, ruled, figure }, { download_as: saved }) {
  const section = document.createElement("section");
  section.className = `dpca-chart ${place}`;
  section.dataset.key = key;
  section.toggleAttribute("data-ruled", ruled);
  const buttons = ["CSV", "PNG", "SVG"].map((form) => {
    const name = saved.replace("{name}", key).replace("{format}", form);
    return `<button type="button" data-do="save" data-value="${form}" aria-label="${name}">${form}</button>`;
  });
  section.innerHTML = `
    <div class="dpca-title"><h2 id="${key}-title" data-part="title"></h2><p id="${key}-sub" data-part="sub"></p>
      <span class="dpca-take">${buttons.join("")}</span></div>
    <div class="dpca-body"><div class="dpca-beside" data-part="beside"></div>
      <div class="dpca-frame" role="figure" aria-labelledby="${key}-title ${key}-sub" data-part="frame">
        <div data-part="figure"></div><div class="dpca-over" data-part="over"></div><i class="dpca-line" data-part="line"></i></div></div>
    <p class="dpca-note" data-part="note"></p>`;
  const parts = partsOf(section);
  parts.line.hidden = !ruled;
  parts.frame.hidden = section.querySelector(".dpca-take").hidden = !figure;
  return section;
}

function rowNode({ key, cells }) {
  const row = Object.assign(document.createElement("button"), { type: "button", className: "dpca-row" });
  Object.assign(row.dataset, { do: "row", value: key });
  row.innerHTML = `<svg width="30" height="8" aria-hidden="true"><line x2="30" y1="4" y2="4"/></svg><span></span>${"<span></span>".repeat(cells.length)}`;
  return row;
}

function drawRow(view, node, { name, style, dash, chosen, struck, at: from, cells, key }) {
  const { rule } = view.data;
  node.style.cssText = style;
  node.setAttribute("aria-pressed", chosen || key === view.lit);
  node.classList.toggle("dpca-met", Boolean(rule && from !== null && from <= rule.values[view.index]));
  fill(node.querySelector("line"), { "stroke-width": chosen ? 2.75 : 1.8, "stroke-dasharray": dash === "solid" ? "none" : dash });
  write(node.children[1], struck ? `<s>${name}</s>` : name);
  cells.forEach((cell, j) => write(node.children[j + 2], at(cell, view.index)));
}

/* Rows in their order where the rule stands; the keyboard stays on its row. */
function order({ data, parts: { rows: parent }, rows, index, apart }) {
  const now = data.order[index];
  if (!now) return;
  const nodes = now.map((number) => rows[number]);
  if (data.says.apart && data.ranked.length) nodes.splice(data.ranked[index], 0, apart);
  if (nodes.every((node, i) => node === parent.children[i]) && nodes.length === parent.children.length) return;
  const focused = document.activeElement;
  parent.replaceChildren(...nodes);
  if (parent.contains(focused)) focused.focus({ preventScroll: true });
}

/* ---- what follows the rule: no server and no Plotly --------------------------------------------- */

function follow(view) {
  const { data, data: { says, charts, rows }, index, parts } = view;
  placeRule(view);
  for (const [name, text] of Object.entries(says)) if (name !== "apart") write(parts[name], at(text, index));
  charts.forEach((chart, i) => {
    const own = view.charts[i];
    for (const name of ["title", "sub", "note", "beside"]) write(own[name], at(chart[name], index));
    drawMarks(chart, own, index);
  });
  parts.answer.style.setProperty("--letters", parts.answer.textContent.length);
  rows.forEach((row, i) => drawRow(view, view.rows[i], row));
  order(view);
  /* The first answer has sentences near the rule only: whoever goes farther asks for the others. */
  if (Array.isArray(says.answer) && says.answer[index] === null && view.asked !== data) {
    view.asked = data;
    view.say("more", data.id);
  }
  performance.mark("dpca-redraw");
}

/* ---- an answer ---------------------------------------------------------------------------------- */

/* What needs no Plotly: sentences, and the places of charts and rows. */
function arrange(view) {
  const { data, parts, root, look } = view;
  if (keep(parts.grid, data.charts, (chart) => chartNode(chart, look.words))) view.charts = [...parts.grid.children].map(partsOf);
  measure(view);
  if (keep(parts.rows, data.rows, rowNode)) view.rows = [...parts.rows.children];
  write(view.apart, at(data.says.apart ?? "", 0));
  parts.list.hidden = !data.rows.length;
  const cells = data.rows[0]?.cells.length ?? 0;
  parts.list.style.setProperty("--cells", cells || 1);
  parts.list.classList.toggle("dpca-short", cells < 2);
  write(parts.heads, data.heads.length ? ["", ...data.heads].map((head) => `<span>${head}</span>`).join("") : "");
  parts.track.hidden = !data.rule;
  /* What was shown keeps its place: nothing below moves when all is measured. */
  parts.work.hidden &&= data.complete;
  parts.work.style.visibility = data.complete ? "hidden" : "";
  root.dataset.id = data.id;
  reserve(view);
  follow(view);
  /* On paper no control says what was set. */
  parts.settings.textContent = parts.footer.textContent.includes(data.settings) ? "" : data.settings;
}

/* How wide the page is, whether it is dark, and whether a room looks on: at one chart of it. */
function measure(view) {
  const { root, root: { clientWidth: width } } = view;
  const room = document.body.classList.contains("dpca-present");
  Object.assign(view, { width, room, dark: isDark(root), narrow: !room && width > 0 && width < NARROW });
  view.shown = Math.min(Math.max(view.shown, 0), Math.max(view.charts.length - 1, 0));
  [...view.parts.grid.children].forEach((section, i) => section.classList.toggle("dpca-shown", i === view.shown));
  root.classList.toggle("dpca-narrow", view.narrow);
  root.classList.toggle("dpca-dark", view.dark === 1);
}

function paint(view) {
  const { data, root, parts } = view;
  // Not in the page yet, or on a tab that is not shown: its first width paints it.
  if (!view.width || !view.Plotly) return;
  view.paintedAt = performance.now();
  write(parts.progress, data.progress);
  parts.bar.value = data.share;
  const finish = () => {
    /* Sentences, rows and marks follow already: only where the charts are may be new. It is read
       when the others' places are, as each reading after a drawing lays the page out again. */
    view.zoomed();
    drawCharts(view);
    Object.assign(root.dataset, { id: data.id, stage: data.stage, complete: data.complete, ready: "true" });
    performance.mark("dpca-beside", { detail: data.id });
    goOn(view, Math.max(data.pause, data.stage > 1 ? 0 : CALM));
  };
  drawCharts(view, ({ ruled }) => ruled || !data.rule);
  performance.mark("dpca-painted", { detail: data.id });
  if (view.printing || !data.rule) finish();
  else requestAnimationFrame(() => view.data === data && finish());
}

const isDark = (node) => (getComputedStyle(node).colorScheme === "dark" ? 1 : 0);

/* Asks the server for more, once nobody has touched anything for a moment. */
function goOn(view, wait = CALM) {
  const { parts: { stop, stopped, progress } } = view;
  stop.textContent = stop.dataset.words.split("|")[view.stopped ? 1 : 0];
  stopped.hidden = !view.stopped;
  progress.hidden = Boolean(view.stopped);
  clearTimeout(view.later);
  if (view.data.complete || view.stopped) return;
  view.later = setTimeout(() => {
    if (view.dragging || performance.now() - view.touched < CALM) goOn(view);
    else view.say("more", view.data.id);
  }, wait);
}

/* ---- a page ------------------------------------------------------------------------------------- */

function create(parent, look) {
  parent.insertAdjacentHTML("beforeend", skeleton(look.words));
  const root = parent.lastElementChild;
  const leaving = new AbortController();
  const view = { root, look, parts: partsOf(root), index: 0, shown: 0, putAt: 0, touched: 0, paintedAt: 0, charts: [], rows: [], signal: leaving.signal };
  view.apart = Object.assign(document.createElement("p"), { className: "dpca-apart" });
  view.close = () => {
    leaving.abort();
    clearTimeout(view.later);
    root.remove();
    VIEWS.delete(parent);
  };
  view.zoomed = () => [readRule(view), placeRule(view)];
  /* What was chosen by a row, a line or its name: the page hears it, or the line is lit. */
  view.choose = (key) => {
    if (view.data.hears.includes("row")) return view.say("row", key);
    view.lit = view.lit === key ? null : key;
    return paint(view);
  };
  root.addEventListener("click", ({ target }) => {
    const { do: what, value } = target.closest("[data-do]")?.dataset ?? {};
    if (what === "stop") goOn(Object.assign(view, { stopped: !view.stopped }));
    else if (what === "save") saveChart(view, target.closest("section"), value);
    else if (what === "row") view.choose(value);
    else if (what) view.say(what, value ?? true);
  });
  bindRule(view, follow);
  watch(view);
  addSkipLink(look.words.skip, view.signal);
  VIEWS.set(parent, view);
  return view;
}

/* Paints again when the page's width or theme changes, and as wide as the paper for print. */
function watch(view) {
  const { root, signal } = view;
  const again = () => requestAnimationFrame(() => view.data && [measure, paint].forEach((step) => step(view)));
  const size = new ResizeObserver(() => Math.abs(root.clientWidth - (view.width ?? 0)) > 1 && again());
  /* In a frame, in which styles are computed anyway: asked at once the browser would do it twice. */
  const theme = new MutationObserver(() => requestAnimationFrame(() => view.dark !== undefined && isDark(root) !== view.dark && again()));
  size.observe(root);
  theme.observe(document.querySelector(".stApp") ?? document.body, { attributeFilter: ["class", "style"] });
  signal.addEventListener("abort", () => [size, theme].forEach((observer) => observer.disconnect()));
  addEventListener("dpca-room", ({ detail: { step } }) => {
    view.shown += step;
    again();
  }, { signal });
  const paper = matchMedia("print");
  const fit = (printing) => {
    if (printing === Boolean(view.printing)) return;
    view.printing = root.classList.toggle("dpca-print", printing);
    root.style.width = printing ? `${PAPER_WIDTH}px` : "";
    root.dataset.address = location.href;
    if (view.data) [measure, paint].forEach((step) => step(view));
  };
  addEventListener("beforeprint", () => fit(true), { signal });
  for (const [told, act] of [[window, "afterprint"], [paper, "change"]]) told.addEventListener(act, () => fit(paper.matches), { signal });
  fit(paper.matches);
  /* Whoever touches a control wants its answer first. */
  for (const act of ["keydown", "pointerdown"]) document.addEventListener(act, () => (view.touched = performance.now()), { capture: true, signal });
}

export default async (sent, look) => {
  const data = await received(sent);
  if (!data) return undefined;
  for (const { over } of data.charts) for (const marks of over) Object.assign(marks, { y: rowsOf(marks.y), x: marks.x && rowsOf(marks.x) });
  const view = VIEWS.get(sent.parentElement) ?? create(sent.parentElement, look);
  const before = view.data;
  /* State, not a trigger: of two triggers in one moment Streamlit keeps the later only. */
  view.say = (name, value) => sent.setStateValue(name, { value, at: Date.now() });
  view.data = data;
  if (before?.id !== data.id) view.stopped = false;
  if (data.rule && (before?.rule?.name !== data.rule.name || !ahead(view))) view.index = data.rule.index;
  arrange(view);
  view.Plotly ??= await plotly;
  if (view.data !== data) return undefined;
  /* Refinements that come fast, or after a touch whose own answer they would keep waiting, are left out. */
  const early = Math.max(view.paintedAt, view.touched) + PAINT_EVERY - performance.now();
  if (before?.id !== data.id || data.complete || early <= 0) paint(view);
  else goOn(view, data.pause);
  return view.close;
};
