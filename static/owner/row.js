import { html } from "../charts/dom.js";

/* The texts of a row, in the order of the Tab key; a sheet's block lands in them from PASTED on. */
const TEXTS = ["low", "typical", "high", "values", "unit", "missing"];
const PASTED = { number: ["low", "typical", "high", "unit", "missing"], category: ["values"] };
const SENT = new WeakMap();
const DRAWN = new WeakMap();

/* One line of the table; `edits` knows what was typed and is not merged yet. */
export function rowOf(name, words, edits) {
  const label = (field) => `${words[field]}, ${name}`;
  const inputs = TEXTS.map((field) => html("input", {
    "data-field": field, "aria-label": label(field), autocomplete: "off", spellcheck: "false",
  }));
  const menu = (field) => html("select", { "data-field": field, "aria-label": label(field) });
  const [use, source] = [menu("use"), menu("source")];
  const message = html("div", { role: "cell", class: "dpca-said", "aria-live": "polite" });
  const title = html("div", { role: "rowheader", class: "dpca-name", text: name, title: name });
  const cells = new Map([["use", use], ...inputs.map((i) => [i.dataset.field, i])]);
  cells.set("source", source);
  const node = html("div", { role: "row" }, title, ...[...cells].map(([field, cell]) => {
    const head = html("span", { class: "dpca-head", "aria-hidden": "true", text: words[field] });
    return html("div", { role: "cell", class: `dpca-cell dpca-${field}` }, head, cell);
  }), message);

  /* Which cells are there follows the use that was chosen, before the server knows of it. */
  function dress(row) {
    const chosen = edits.textOf(name, "use") ?? row.use;
    Object.assign(node.dataset, { use: chosen, state: row.state });
    const shown = PASTED[chosen] ?? [];
    for (const [field, cell] of cells) {
      const kept = field === "use" || shown.includes(field);
      const both = chosen in PASTED && ["source", "missing"].includes(field);
      cell.parentElement.dataset.away = String(!(kept || both));
    }
  }

  function update(row) {
    offer(use, row.uses, edits.textOf(name, "use") ?? row.use);
    offer(source, row.sources, edits.textOf(name, "source") ?? row.source);
    use.disabled = row.uses.length < 2;
    source.disabled = row.sources.length < 2;
    for (const input of inputs) {
      const field = input.dataset.field;
      show(input, row[field], edits.textOf(name, field) !== undefined);
      const bad = row.bad.includes(field);
      input.toggleAttribute("aria-invalid", bad);
      if (bad) input.setAttribute("aria-invalid", "true");
    }
    say(message, row);
    dress(row);
  }

  const there = (field) => cells.get(field)?.parentElement.dataset.away === "false";
  return { node, update, dress, cell: (field) => (there(field) ? cells.get(field) : null) };
}

/* The fields below which a block of a sheet lands, from this one on. */
export function fieldsFrom(row, field) {
  const fields = PASTED[row.node.dataset.use] ?? [];
  return fields.slice(Math.max(fields.indexOf(field), 0));
}

/* What the server says stands in a cell, unless somebody is typing there or has typed. */
function show(input, text, dirty) {
  const same = input.value === text;
  const typing = input === document.activeElement && input.value !== SENT.get(input);
  if (!same && (dirty || typing)) return;
  SENT.set(input, text);
  if (!same) input.value = text;
}

function offer(select, options, value) {
  if (changed(select, options)) {
    select.replaceChildren(...options.map(([key, text]) => html("option", { value: key, text })));
  }
  select.value = value;
}

function say(node, { message, state, actions }) {
  node.dataset.state = state;
  if (!changed(node, [message, actions])) return;
  const buttons = actions.map(({ label, cells }) => html("button", {
    type: "button", text: label, "data-cells": JSON.stringify(cells),
  }));
  node.replaceChildren(html("span", { text: message }), ...buttons);
}

function changed(node, content) {
  const text = JSON.stringify(content);
  const before = DRAWN.get(node);
  DRAWN.set(node, text);
  return before !== text;
}
