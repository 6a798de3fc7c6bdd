import { html } from "../page/dom.js";
import { stepsOf } from "./steps.js";

/* The texts of a row, in the order of the Tab key; a sheet's block lands in them from PASTED on. */
const TEXTS = ["low", "typical", "high", "values", "unit", "missing"];
const PASTED = { number: ["low", "typical", "high", "unit", "missing"], category: ["values"], scale: ["values"] };
const TYPING = { autocomplete: "off", maxlength: 500_000 };
const COMMON = ["missing", "source"];
const [SENT, DRAWN] = [new WeakMap(), new WeakMap()];

/* One line of the table; `edits` knows what was typed and is not merged yet. */
export function rowOf(name, { words, placeholders }, edits) {
  const cell = (tag, field) => [field, html(tag, {
    "data-field": field, "aria-label": `${words[field]}, ${name}`, ...TYPING,
    ...(placeholders[field] ? { placeholder: placeholders[field] } : {}),
  })];
  const texts = TEXTS.map((field) => cell("input", field));
  const cells = new Map([cell("select", "use"), ...texts, cell("select", "source")]);
  const message = html("div", { role: "cell", class: "dpca-said", "aria-live": "polite" });
  const said = html("small", {});
  const title = html("div", { role: "rowheader", class: "dpca-name", text: name, title: name }, said);
  const line = html("div", { role: "row" }, title, ...[...cells].map(([field, node]) => {
    const head = html("span", { class: "dpca-head", "aria-hidden": "true", text: words[field] });
    return html("div", { role: "cell", class: `dpca-cell dpca-${field}` }, head, node);
  }), message);
  const values = cells.get("values");
  const steps = stepsOf(name, (text) => {
    values.value = text;
    edits.type(name, "values", text);
  });
  line.append(steps.node);

  /* Which cells are there follows the use that was chosen, before the server knows of it. */
  function dress(row) {
    const chosen = edits.textOf(name, "use") ?? row.use;
    Object.assign(line.dataset, { use: chosen, state: row.state, source: row.source });
    const shown = chosen in PASTED ? [...PASTED[chosen], ...COMMON] : [];
    for (const [field, { parentElement }] of cells) {
      parentElement.dataset.away = String(field !== "use" && !shown.includes(field));
    }
    values.setAttribute("list", chosen === "scale" ? "dpca-scales" : "");
    steps.node.hidden = chosen !== "scale";
  }

  function update(row) {
    for (const [field, options] of [["use", row.uses], ["source", row.sources]]) {
      offer(cells.get(field), options, edits.textOf(name, field) ?? row[field]);
    }
    for (const [field, input] of texts) {
      show(input, row[field], edits.textOf(name, field) !== undefined);
      input.setAttribute("aria-invalid", String(row.bad.includes(field)));
    }
    said.textContent = row.label;
    steps.show(row.steps);
    say(message, row);
    dress(row);
  }

  const there = (field) => cells.get(field)?.parentElement.dataset.away === "false";
  return { node: line, update, dress, cell: (field) => (there(field) ? cells.get(field) : null) };
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
  select.disabled = options.length < 2;
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
  const [before, text] = [DRAWN.get(node), JSON.stringify(content)];
  DRAWN.set(node, text);
  return before !== text;
}
