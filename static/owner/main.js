/* Columns: the table in which columns get ranges and values (ui/owner/columns_table.py). */

import { partsOf, place, received } from "../page/dom.js";
import { editsOf } from "./edits.js";
import { isDescribed, keepDraft, keepEdits, kept } from "./kept.js";
import { rowOf } from "./row.js";

const PHONE = 640;
const TABS = ["all", "need", "out"];
/* Rows that are drawn at once, and how many more where they are scrolled to. */
const [ALL_AT_ONCE, STEP] = [200, 100];

/* The end of a view is returned at once: whoever leaves the page may not outrun it. */
export default (sent, skeleton) => {
  const view = (sent.parentElement.table ??= create(sent.parentElement, skeleton));
  view.sent = sent;
  received(sent).then((data) => data && arrive(view, data));
  return view.close;
};

function create(parent, skeleton) {
  parent.insertAdjacentHTML("beforeend", `<div class="dpca dpca-owner" data-ready="false">${skeleton}</div>`);
  const root = parent.lastElementChild;
  const view = { root, parts: partsOf(root), rows: new Map(), names: [], limit: ALL_AT_ONCE, tab: "all" };
  const leaving = new AbortController();
  view.edits = editsOf((message) => {
    if (!view.before) keepEdits(message);
    view.sent.setStateValue("edits", message);
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
  view.data = data;
  edits.acknowledge(data.merged);
  if (isFirst) recall(view);
  for (const said of data.rows) rows.get(said.name)?.update(said);
  if (!view.before) keepDraft(data.kept, view.others, edits.settled());
  parts.offer.hidden = !view.before;
  parts.find.parentElement.hidden = !data.long;
  Object.assign(parts.missing, { textContent: data.missing, disabled: !data.first });
  parts.decide.ariaDisabled = Boolean(data.missing);
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

/* Another table, and what this tab kept of it: that values were shown holds at once, the rest is offered. */
function recall(view) {
  const { message, columns } = kept();
  const said = new Map(view.data.rows.map((row) => [row.name, row]));
  const ours = columns.filter(([name]) => said.has(name));
  view.rows.clear();
  view.others = columns.filter(([name]) => !said.has(name));
  view.before = view.data.fresh && isDescribed(ours) ? message : null;
  const seen = ours.filter(([name, column]) => column.seen && !said.get(name).seen);
  for (const [name] of seen) view.edits.type(name, "seen", "seen");
}

/* Whether what this tab kept is used, or somebody starts afresh. */
function takeUp(view, part) {
  if (part === "use_them") view.sent.setTriggerValue("restore", view.before);
  else keepDraft(view.data.kept, view.others, view.edits.settled());
  view.before = null;
  view.parts.offer.hidden = true;
}

/* The rows of the tab that is open, with the word that is looked for: as many as are drawn. */
function relist(view, changes) {
  const { parts, tab, data, stay, rows, limit } = Object.assign(view, changes);
  const word = parts.find.value.trim().toLowerCase();
  const open = { all: () => true, need: ({ name }) => stay.has(name), out: ({ out }) => out }[tab];
  const found = data.rows.filter((row) => open(row) && row.name.toLowerCase().includes(word));
  for (const name of TABS) Object.assign(parts[name], { textContent: data.tabs[name], ariaPressed: name === tab });
  view.names = found.map(({ name }) => name);
  const undrawn = found.slice(0, limit).filter(({ name }) => !rows.has(name));
  for (const said of undrawn) rows.set(said.name, rowOf(said, data, view.edits));
  place(parts.body, view.names.slice(0, limit).map((name) => rows.get(name).node));
}

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
  else if (!data.missing) view.sent.setTriggerValue("decide", true);
  if (view.deciding || !data.first) return;
  const [name, field] = data.first;
  parts.find.value = "";
  relist(view, { tab: view.tab === "all" ? "all" : "need" });
  const { node, cell } = reach(view, name);
  (cell(field) ?? node.querySelector("button") ?? cell("use"))?.focus();
  node.scrollIntoView({ block: "center" });
}

function listen(view, { signal }) {
  const { root, parts, edits } = view;
  parts.find.addEventListener("input", () => relist(view));
  parts.body.addEventListener("input", ({ target }) => target.row?.type(target.dataset.field, target.value));
  /* Alt comes before the arrow that leads back. */
  parts.body.addEventListener("keydown", (event) => (event.altKey ? edits.flush() : step(view, event)));
  parts.body.addEventListener("paste", (event) => paste(view, event));
  root.addEventListener("focusout", edits.flush);
  root.addEventListener("click", ({ target }) => {
    const { part } = target.dataset;
    if (TABS.includes(part)) relist(view, { tab: part, stay: new Set(view.data.needed) });
    else if (part === "missing" || part === "decide") decide(view);
    else if (part === "use_them" || part === "afresh") takeUp(view, part);
    else if (target.item?.cells) target.closest("[role=row]").row.answer(target.item.cells);
  });
  /* Before the click that follows: what is sent after it would call the page back that is left. */
  for (const event of ["pointerdown", "visibilitychange", "pagehide"]) {
    addEventListener(event, edits.flush, { capture: true, signal });
  }
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
  text.split(/\r?\n/).forEach((line, i) => reach(view, names[i])?.paste(target.dataset.field, line.split("\t")));
  view.edits.flush();
}
