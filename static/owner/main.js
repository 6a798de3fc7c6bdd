import { html, partsOf } from "../charts/dom.js";
import { received } from "../charts/packed_content.js";
import { stylesheets } from "../charts/stylesheets.js";
import { editsOf } from "./edits.js";
import { bindKeys } from "./keys.js";
import { listOf } from "./list.js";
import { rowOf } from "./row.js";
import { typedBefore } from "./typed_before.js";

await stylesheets("../charts/charts.css", "../owner/owner.css");

const PHONE = 640;
const MOUNTED = new WeakMap();

/* The end of a view is returned at once: whoever leaves the page may not outrun it. */
export default (sent, palette, skeleton) => {
  const { parentElement } = sent;
  const view = MOUNTED.get(parentElement) ?? create(parentElement, skeleton);
  MOUNTED.set(parentElement, view);
  Object.assign(view, { say: sent.setStateValue, send: sent.setTriggerValue });
  received(sent).then(({ data }) => data && arrive(view, data));
  return view.close;
};

function create(parentElement, skeleton) {
  const root = html("div", { class: "dpca dpca-owner", "data-ready": "false" });
  root.innerHTML = skeleton;
  const parts = partsOf(root);
  const view = { root, parts, rows: new Map(), said: new Map(), kept: new Set(), tab: "all" };
  const seen = (name) => view.said.get(name)?.seen;
  view.edits = editsOf((message) => {
    view.before.add(message.cells, seen);
    view.say("edits", message);
  });
  view.list = listOf(parts.body, parts.end, (name) => drawn(view, name));
  view.type = (name, field, text) => {
    view.edits.type(name, field, text);
    view.rows.get(name)?.dress(view.said.get(name));
  };
  const leaving = new AbortController();
  listen(view, leaving.signal);
  parentElement.append(root);
  view.close = () => {
    view.edits.flush();
    leaving.abort();
    view.list.close();
    root.remove();
    MOUNTED.delete(parentElement);
  };
  return view;
}

/* A newer picture of the draft: rows are changed in place, never the cell somebody types in. */
function arrive(view, data) {
  const { parts, root } = view;
  const first = !view.data;
  if (view.data?.table !== data.table) {
    view.before = typedBefore(data.table);
    view.rows.clear();
  }
  view.data = data;
  view.said = new Map(data.rows.map((row) => [row.name, row]));
  view.edits.acknowledge(data.merged);
  for (const [name, row] of view.rows) row.update(view.said.get(name));
  for (const [tab, text] of Object.entries(data.tabs)) parts[tab].textContent = text;
  if (first && root.clientWidth < PHONE && data.needed.length > 0) view.tab = "need";
  if (view.tab === "need") for (const name of data.needed) view.kept.add(name);
  parts.offer.hidden = !(data.fresh && view.before.cells().length > 0);
  parts.find.parentElement.hidden = !data.long;
  parts.missing.textContent = data.missing;
  parts.missing.disabled = !data.first;
  parts.decide.setAttribute("aria-disabled", String(Boolean(data.missing)));
  relist(view);
  root.dataset.ready = "true";
  if (view.deciding && view.edits.settled()) decide(view);
}

function drawn(view, name) {
  if (!view.rows.has(name)) {
    const row = rowOf(name, view.data.words, view.edits);
    row.node.dpcaColumn = name;
    view.rows.set(name, row);
    row.update(view.said.get(name));
  }
  return view.rows.get(name);
}

/* What was open when its tab was opened stays there, answered or not, until the tab is chosen. */
function relist(view) {
  const { parts, tab, data } = view;
  const word = parts.find.value.trim().toLowerCase();
  const open = { all: () => true, need: (row) => view.kept.has(row.name), out: (row) => row.out };
  const found = data.rows.filter((row) => open[tab](row) && row.name.toLowerCase().includes(word));
  for (const name of ["all", "need", "out"]) {
    parts[name].setAttribute("aria-pressed", String(name === tab));
  }
  view.list.show(found.map(({ name }) => name));
}

function openTab(view, tab) {
  Object.assign(view, { tab, kept: new Set(view.data.needed) });
  relist(view);
}

/* To the first answer that is missing, or on, once all that was typed has been merged. */
function decide(view) {
  const { data, edits } = view;
  view.deciding = !edits.settled();
  if (view.deciding) edits.flush();
  else if (data.first) goTo(view, ...data.first);
  else if (!data.missing) view.send("decide", true);
}

function goTo(view, name, field) {
  view.parts.find.value = "";
  relist(view);
  if (!view.list.reach(name)) openTab(view, "need");
  view.list.reach(name);
  const { node, cell } = drawn(view, name);
  (cell(field) ?? node.querySelector("button") ?? cell("use"))?.focus();
  node.scrollIntoView({ block: "center" });
}

function listen(view, signal) {
  const { root, parts, edits } = view;
  const name = (target) => target.closest("[role=row]")?.dpcaColumn;
  const changed = ({ target }) => {
    if (target.dataset.field) view.type(name(target), target.dataset.field, target.value);
  };
  parts.body.addEventListener("input", changed);
  parts.body.addEventListener("click", ({ target }) => {
    if (!target.dataset.cells) return;
    const answered = JSON.parse(target.dataset.cells);
    const row = drawn(view, name(target));
    for (const [field, text] of answered) {
      view.type(name(target), field, text);
      if (row.cell(field)) row.cell(field).value = text;
    }
    edits.flush();
    row.cell(answered[0][0])?.focus();
  });
  bindKeys(view, parts.body, name);
  root.addEventListener("focusout", edits.flush);
  document.addEventListener("visibilitychange", edits.flush, { signal });
  addEventListener("pagehide", edits.flush, { signal });
  for (const tab of ["all", "need", "out"]) {
    parts[tab].addEventListener("click", () => openTab(view, tab));
  }
  parts.find.addEventListener("input", () => relist(view));
  parts.missing.addEventListener("click", () => decide(view));
  parts.decide.addEventListener("click", () => decide(view));
  parts.use_them.addEventListener("click", () => {
    for (const [column, fields] of view.before.cells()) {
      if (view.said.has(column)) for (const [f, text] of fields) edits.type(column, f, text);
    }
    edits.flush();
    parts.offer.hidden = true;
  });
  parts.afresh.addEventListener("click", () => {
    view.before.forget();
    parts.offer.hidden = true;
  });
}
