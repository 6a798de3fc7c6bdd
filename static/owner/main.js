/* Columns: the table in which columns get ranges and values (ui/owner/columns_table.py). */

import { html, partsOf, place, received } from "../page/dom.js";
import { editsOf } from "./edits.js";
import { isDescribed, keepDraft, keepEdits, kept } from "./kept.js";
import { rowOf } from "./row.js";

const PHONE = 640;
const TABS = ["all", "need", "out"];
/* Rows that are drawn at once, and how many more where they are scrolled to. */
const [ALL_AT_ONCE, STEP] = [200, 100];

/* The end of a view is returned at once: whoever leaves the page may not outrun it. */
export default (sent, skeleton) => {
  const { parentElement: parent } = sent;
  const view = (parent.table ??= create(parent, skeleton));
  Object.assign(view, { say: sent.setStateValue, send: sent.setTriggerValue });
  received(sent).then((data) => data && arrive(view, data));
  return view.close;
};

function create(parent, skeleton) {
  const root = html("div", { class: "dpca dpca-owner", "data-ready": "false" });
  root.innerHTML = skeleton;
  parent.append(root);
  const view = { root, parts: partsOf(root), rows: new Map(), names: [], limit: ALL_AT_ONCE, tab: "all" };
  const leaving = new AbortController();
  view.edits = editsOf((message) => {
    if (!view.before) keepEdits(message);
    view.say("edits", message);
  }, (waits) => (root.dataset.pending = waits));
  view.close = () => {
    view.edits.flush();
    leaving.abort();
    root.remove();
    delete parent.table;
  };
  listen(view, leaving);
  return view;
}

/* A newer picture of the draft: rows are changed in place, never the cell somebody types in. */
function arrive(view, data) {
  const { parts, root, edits, rows } = view;
  const isFirst = view.data?.table !== data.table;
  if (!view.data && root.clientWidth < PHONE && data.needed.length > 0) view.tab = "need";
  if (isFirst) rows.clear();
  view.data = data;
  view.said = new Map(data.rows.map((row) => [row.name, row]));
  edits.acknowledge(data.merged);
  for (const [column, row] of rows) row.update(view.said.get(column));
  for (const tab of TABS) parts[tab].textContent = data.tabs[tab];
  if (isFirst) recall(view);
  if (!view.before) keepDraft(data.kept, view.others, edits.settled());
  parts.offer.hidden = !view.before;
  parts.find.parentElement.hidden = !data.long;
  parts.missing.textContent = data.missing;
  parts.missing.disabled = !data.first;
  parts.decide.setAttribute("aria-disabled", Boolean(data.missing));
  /* What needed an answer stays in its tab while somebody is in the table, answered or not. */
  const stay = parts.body.contains(document.activeElement) ? view.stay : [];
  relist(view, { stay: new Set([...stay, ...data.needed]) });
  root.dataset.ready = "true";
  /* Whoever comes from the step before, and has the keyboard nowhere, types at once. */
  const isFree = document.activeElement === document.body && root.clientWidth >= PHONE;
  const [name, field] = (isFirst && isFree && data.fresh && !view.before && data.first) || [];
  rows.get(name)?.cell(field)?.focus({ preventScroll: true });
  if (view.deciding && edits.settled()) decide(view);
}

/* What this tab kept before a reload: that values were shown holds at once, the rest is offered. */
function recall(view) {
  const found = kept();
  const ours = found.columns.filter(([name]) => view.said.has(name));
  view.others = found.columns.filter(([name]) => !view.said.has(name));
  view.before = view.data.fresh && isDescribed(ours) ? found : null;
  const seen = ours.filter(([name, column]) => column.seen && !view.said.get(name).seen);
  for (const [name] of seen) view.edits.type(name, "seen", "seen");
}

/* Whether what this tab kept is used, or somebody starts afresh. */
function takeUp(view, part) {
  const { before: { draft, edits }, data, others } = view;
  view.before = null;
  view.parts.offer.hidden = true;
  if (part === "use_them") view.send("restore", { draft, edits });
  else keepDraft(data.kept, others, view.edits.settled());
}

/* The rows of the tab that is open, with the word that is looked for: as many as are drawn. */
function relist(view, changes) {
  const { parts, tab, data, stay, rows, limit } = Object.assign(view, changes);
  const word = parts.find.value.trim().toLowerCase();
  const open = { all: () => true, need: ({ name }) => stay.has(name), out: ({ out }) => out }[tab];
  const found = data.rows.filter((row) => open(row) && row.name.toLowerCase().includes(word));
  for (const name of TABS) parts[name].setAttribute("aria-pressed", name === tab);
  view.names = found.map(({ name }) => name);
  const drawn = found.slice(0, limit).map((said) => {
    if (!rows.has(said.name)) rows.set(said.name, rowOf(said, data, view.edits));
    return rows.get(said.name).node;
  });
  place(parts.body, drawn);
}

const openTab = (view, tab) => relist(view, { tab, stay: new Set(view.data.needed) });

/* The row of a name, drawn with those before it and some behind. */
function reach(view, name) {
  const at = view.names.indexOf(name);
  if (at >= view.limit) relist(view, { limit: at + STEP });
  return view.rows.get(name);
}

/* To the first answer that is missing, or on, once all that was typed has been merged. */
function decide(view) {
  const { data, edits, parts } = view;
  view.deciding = !edits.settled();
  if (view.deciding) edits.flush();
  else if (!data.missing) view.send("decide", true);
  if (view.deciding || !data.first) return;
  const [name, field] = data.first;
  parts.find.value = "";
  relist(view);
  if (!view.names.includes(name)) openTab(view, "need");
  const { node, cell } = reach(view, name);
  (cell(field) ?? node.querySelector("button") ?? cell("use"))?.focus();
  node.scrollIntoView({ block: "center" });
}

function listen(view, { signal }) {
  const { root, parts, edits } = view;
  parts.find.addEventListener("input", () => relist(view));
  parts.body.addEventListener("input", ({ target }) => target.row?.type(target.dataset.field, target.value));
  parts.body.addEventListener("keydown", (event) => step(view, event));
  parts.body.addEventListener("paste", (event) => paste(view, event));
  root.addEventListener("focusout", edits.flush);
  root.addEventListener("click", ({ target }) => {
    const { part } = target.dataset;
    if (TABS.includes(part)) openTab(view, part);
    else if (part === "missing" || part === "decide") decide(view);
    else if (part === "use_them" || part === "afresh") takeUp(view, part);
    else if (target.item?.cells) target.closest("[role=row]").row.answer(target.item.cells);
  });
  /* Before the click that follows: what is sent after it would call the page back that is left. */
  for (const event of ["pointerdown", "visibilitychange"]) {
    document.addEventListener(event, edits.flush, { capture: true, signal });
  }
  addEventListener("pagehide", edits.flush, { signal });
  new IntersectionObserver(([{ isIntersecting }]) => {
    if (isIntersecting && view.limit < view.names.length) reach(view, view.names[view.limit]);
  }, { scrollMargin: "800px" }).observe(parts.end);
}

/* Enter and the arrows lead to the same cell of the next row that has it, as in a sheet. */
function step(view, event) {
  const { target, key, shiftKey } = event;
  const by = { ArrowDown: 1, ArrowUp: -1, Enter: shiftKey ? -1 : 1 }[key];
  if (target.tagName !== "INPUT" || event.isComposing || !by) return;
  event.preventDefault();
  const cellOf = (at) => reach(view, view.names[at])?.cell(target.dataset.field);
  let at = view.names.indexOf(target.row.name) + by;
  while (at in view.names && !cellOf(at)) at += by;
  cellOf(at)?.select();
}

/* A line of a sheet's block is a row of the table; lines of rows without cells land nowhere. */
function paste(view, event) {
  const text = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
  const { target } = event;
  if (target.tagName !== "INPUT" || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const names = view.names.slice(view.names.indexOf(target.row.name));
  for (const [i, line] of text.split(/\r?\n/).slice(0, names.length).entries()) {
    reach(view, names[i]).paste(target.dataset.field, line.split("\t"));
  }
  view.edits.flush();
}
