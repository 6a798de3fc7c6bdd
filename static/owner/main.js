import { html, partsOf } from "../page/dom.js";
import { received } from "../page/received.js";
import { editsOf } from "./edits.js";
import { bindKeys } from "./keys.js";
import { isDescribed, keepDraft, keepEdits, kept } from "./kept.js";
import { listOf } from "./list.js";
import { rowOf } from "./row.js";

const PHONE = 640;
const TABS = ["all", "need", "out"];
const MOUNTED = new WeakMap();

/* The end of a view is returned at once: whoever leaves the page may not outrun it. */
export default (sent, skeleton) => {
  const { parentElement } = sent;
  const view = MOUNTED.get(parentElement) ?? create(parentElement, skeleton);
  MOUNTED.set(parentElement, view);
  Object.assign(view, { say: sent.setStateValue, send: sent.setTriggerValue });
  received(sent).then((data) => data && arrive(view, data));
  return view.close;
};

function create(parentElement, skeleton) {
  const root = html("div", { class: "dpca dpca-owner", "data-ready": "false" });
  root.innerHTML = skeleton;
  const parts = partsOf(root);
  const view = { root, parts, rows: new Map(), said: new Map(), kept: new Set(), tab: "all" };
  view.edits = editsOf((message) => {
    if (!view.before) keepEdits(message);
    view.say("edits", message);
  }, (waits) => (root.dataset.pending = waits));
  view.list = listOf(parts.body, parts.end, (name) => drawn(view, name));
  view.type = (name, field, text) => {
    view.edits.type(name, field, text);
    view.rows.get(name)?.dress(view.said.get(name));
  };
  const stop = listen(view);
  parentElement.append(root);
  view.close = () => {
    view.edits.flush();
    stop();
    view.list.close();
    root.remove();
    MOUNTED.delete(parentElement);
  };
  return view;
}

/* A newer picture of the draft: rows are changed in place, never the cell somebody types in. */
function arrive(view, data) {
  const { parts, root } = view;
  if (!view.data && root.clientWidth < PHONE && data.needed.length > 0) view.tab = "need";
  const isFirst = view.data?.table !== data.table;
  if (isFirst) view.rows.clear();
  view.data = data;
  view.said = new Map(data.rows.map((row) => [row.name, row]));
  view.edits.acknowledge(data.merged);
  for (const [name, row] of view.rows) row.update(view.said.get(name));
  for (const [tab, text] of Object.entries(data.tabs)) parts[tab].textContent = text;
  if (!parts.scales.hasChildNodes()) {
    parts.scales.append(...data.scales.map((value) => html("option", { value })));
  }
  if (!parts.body.contains(document.activeElement)) view.kept.clear();
  for (const name of data.needed) view.kept.add(name);
  if (isFirst) recall(view);
  if (!view.before) keep(view);
  parts.offer.hidden = !view.before;
  parts.find.parentElement.hidden = !data.long;
  parts.missing.textContent = data.missing;
  parts.missing.disabled = !data.first;
  parts.decide.setAttribute("aria-disabled", String(Boolean(data.missing)));
  relist(view);
  root.dataset.ready = "true";
  if (isFirst) begin(view);
  if (view.deciding && view.edits.settled()) decide(view);
}

/* Whoever comes from the step before, and has the keyboard nowhere, types at once. */
function begin({ data, root, before, rows }) {
  const isFree = document.activeElement === document.body && root.clientWidth >= PHONE;
  const [name, field] = (isFree && data.fresh && !before && data.first) || [];
  rows.get(name)?.cell(field)?.focus({ preventScroll: true });
}

/* What this tab kept before a reload: that values were shown holds at once, the rest is offered. */
function recall(view) {
  const found = kept();
  const [ours, others] = [[], []];
  for (const one of found.columns) (view.said.has(one[0]) ? ours : others).push(one);
  view.others = others;
  view.before = view.data.fresh && isDescribed(ours) ? found : null;
  for (const [name, { seen }] of ours) {
    if (seen && !view.said.get(name).seen) view.edits.type(name, "seen", "seen");
  }
}

function keep({ data, edits, others }) {
  keepDraft(data.kept, others);
  if (edits.settled()) keepEdits(null);
}

function drawn(view, name) {
  if (!view.rows.has(name)) {
    const row = rowOf(name, view.data, view.edits);
    row.node.dpcaColumn = name;
    view.rows.set(name, row);
    row.update(view.said.get(name));
  }
  return view.rows.get(name);
}

/* What needed an answer stays in its tab while somebody is in the table, answered or not. */
function relist(view) {
  const { parts, tab, data } = view;
  const word = parts.find.value.trim().toLowerCase();
  const open = { all: () => true, need: (row) => view.kept.has(row.name), out: (row) => row.out };
  const found = data.rows.filter((row) => open[tab](row) && row.name.toLowerCase().includes(word));
  for (const name of TABS) parts[name].setAttribute("aria-pressed", String(name === tab));
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
  const { node, cell } = drawn(view, name);
  (cell(field) ?? node.querySelector("button") ?? cell("use"))?.focus();
  node.scrollIntoView({ block: "center" });
}

function listen(view) {
  const { root, parts, edits } = view;
  const leaving = new AbortController();
  const nameOf = (target) => target.closest("[role=row]")?.dpcaColumn;
  const press = (part, act) => parts[part].addEventListener("click", act);
  parts.body.addEventListener("input", ({ target }) => {
    if (target.dataset.field) view.type(nameOf(target), target.dataset.field, target.value);
  });
  press("body", ({ target }) => {
    if (target.dataset.cells) answer(view, nameOf(target), JSON.parse(target.dataset.cells));
  });
  bindKeys(view, parts.body, nameOf);
  root.addEventListener("focusout", edits.flush);
  /* Before the click that follows: what is sent after it would call the page back that is left. */
  for (const event of ["pointerdown", "visibilitychange"]) {
    document.addEventListener(event, edits.flush, { capture: true, signal: leaving.signal });
  }
  addEventListener("pagehide", edits.flush, leaving);
  for (const tab of TABS) press(tab, () => openTab(view, tab));
  parts.find.addEventListener("input", () => relist(view));
  for (const part of ["missing", "decide"]) press(part, () => decide(view));
  press("offer", ({ target }) => {
    if (target.tagName !== "BUTTON") return;
    const { draft, edits: late } = view.before;
    view.before = null;
    parts.offer.hidden = true;
    if (target === parts.use_them) view.send("restore", { draft, edits: late });
    else keep(view);
  });
  return () => leaving.abort();
}

/* What a button beside the cells says: edits like those that are typed. */
function answer(view, name, cells) {
  const { cell } = drawn(view, name);
  for (const [field, text] of cells) {
    view.type(name, field, text);
    if (cell(field)) cell(field).value = text;
  }
  view.edits.flush();
  cell(cells[0][0])?.focus();
}
