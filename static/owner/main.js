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
  view.edits = editsOf((message) => {
    if (!view.before) keepEdits(message);
    view.say("edits", message);
  }, (waits) => (root.dataset.pending = waits));
  const leaving = new AbortController();
  listen(view, leaving);
  view.close = () => {
    view.edits.flush();
    leaving.abort();
    root.remove();
    delete parent.table;
  };
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
  const stay = parts.body.contains(document.activeElement) ? view.stay : [];
  view.stay = new Set([...stay, ...data.needed]);
  if (isFirst) recall(view);
  if (!view.before) keepDraft(data.kept, view.others, edits.settled());
  parts.offer.hidden = !view.before;
  parts.find.parentElement.hidden = !data.long;
  parts.missing.textContent = data.missing;
  parts.missing.disabled = !data.first;
  parts.decide.setAttribute("aria-disabled", Boolean(data.missing));
  relist(view);
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
  for (const [name, { seen }] of ours) {
    if (seen && !view.said.get(name).seen) view.edits.type(name, "seen", "seen");
  }
}

function drawRows({ rows, said, data, edits, parts, names, limit }) {
  const listed = names.slice(0, limit);
  for (const name of listed) if (!rows.has(name)) rows.set(name, rowOf(said.get(name), data, edits));
  place(parts.body, listed.map((name) => rows.get(name).node));
}

/* The row of a name, drawn with those before it and some behind. */
function reach(view, name) {
  const at = view.names.indexOf(name);
  if (at >= view.limit) {
    view.limit = at + STEP;
    drawRows(view);
  }
  return view.rows.get(name);
}

/* What needed an answer stays in its tab while somebody is in the table, answered or not. */
function relist(view) {
  const { parts, tab, data } = view;
  const word = parts.find.value.trim().toLowerCase();
  const open = { all: () => true, need: ({ name }) => view.stay.has(name), out: ({ out }) => out }[tab];
  const found = data.rows.filter((row) => open(row) && row.name.toLowerCase().includes(word));
  for (const name of TABS) parts[name].setAttribute("aria-pressed", name === tab);
  view.names = found.map(({ name }) => name);
  drawRows(view);
}

function openTab(view, tab) {
  Object.assign(view, { tab, stay: new Set(view.data.needed) });
  relist(view);
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
  bindKeys(view);
  parts.find.addEventListener("input", () => relist(view));
  parts.body.addEventListener("input", ({ target }) => target.row?.type(target.dataset.field, target.value));
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

/* Enter and the arrows go from row to row, as in a sheet, and a block of a sheet can be pasted. */
function bindKeys(view) {
  const { body } = view.parts;

  /* The same cell of the next row that has it. */
  body.addEventListener("keydown", (event) => {
    const { target, key, shiftKey } = event;
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: shiftKey ? -1 : 1 }[key];
    if (target.tagName !== "INPUT" || event.isComposing || !step) return;
    event.preventDefault();
    const cellOf = (at) => reach(view, view.names[at])?.cell(target.dataset.field);
    let at = view.names.indexOf(target.row.name) + step;
    while (at in view.names && !cellOf(at)) at += step;
    cellOf(at)?.select();
  });

  /* A line of the block is a row of the table; lines of rows without cells land nowhere. */
  body.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
    const { target } = event;
    if (target.tagName !== "INPUT" || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    const start = view.names.indexOf(target.row.name);
    for (const [i, line] of text.split(/\r?\n/).slice(0, view.names.length - start).entries()) {
      reach(view, view.names[start + i]).paste(target.dataset.field, line.split("\t"));
    }
    view.edits.flush();
  });
}

/* Whether what this tab kept is used, or somebody starts afresh. */
function takeUp(view, part) {
  const { before: { draft, edits }, data, others } = view;
  view.before = null;
  view.parts.offer.hidden = true;
  if (part === "use_them") view.send("restore", { draft, edits });
  else keepDraft(data.kept, others, view.edits.settled());
}
