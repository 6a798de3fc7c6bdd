import { html, keep, place } from "../page/dom.js";

/* Cells of a row, in the order of the Tab key; a sheet's block lands in those of PASTED. */
const FIELDS = ["use", "low", "typical", "high", "values", "unit", "missing", "source"];
const PASTED = { number: ["low", "typical", "high", "unit", "missing"], category: ["values"], scale: ["values"] };

/* One line of the table; `edits` knows what was typed and is not merged yet. */
export function rowOf(said, { words, placeholders }, edits) {
  const { name } = said;
  const cells = new Map(FIELDS.map((field) => [field, html(field in said.options ? "select" : "input", {
    "data-field": field, "aria-label": `${words[field]}, ${name}`, placeholder: placeholders[field] ?? "",
    autocomplete: "off", maxlength: 500_000,
  })]));
  const message = html("div", { role: "cell", class: "dpca-said", "aria-live": "polite" });
  const label = html("small", {});
  const title = html("div", { role: "rowheader", class: "dpca-name", text: name, title: name }, label);
  const steps = stepsOf(name, (text) => type("values", text));
  const node = html("div", { role: "row" }, title, ...[...cells].map(([field, cell]) => (
    html("div", { role: "cell", class: `dpca-cell dpca-${field}`, "data-head": words[field] }, cell)
  )), message, steps.node);

  /* Which cells are there follows the use that was chosen, before the server knows of it. */
  function dress() {
    const use = cells.get("use").value;
    const shown = use in PASTED ? ["use", "missing", "source", ...PASTED[use]] : ["use"];
    for (const [field, cell] of cells) cell.parentElement.hidden = !shown.includes(field);
    cells.get("values").setAttribute("list", use === "scale" ? "dpca-scales" : "");
    steps.node.hidden = use !== "scale";
  }

  function update(data) {
    Object.assign(node.dataset, { state: data.state, source: data.source });
    for (const [field, cell] of cells) {
      const typed = edits.textOf(name, field);
      if (field in data.options) offer(cell, data.options[field], typed ?? data[field]);
      else show(cell, data[field], typed);
      cell.setAttribute("aria-invalid", data.bad.includes(field));
    }
    label.textContent = data.label;
    /* An order that was moved and is not merged yet stays. */
    if (edits.textOf(name, "values") === undefined) steps.draw(data.steps);
    const items = [{ label: data.message }, ...data.actions].map((one) => ({ key: JSON.stringify(one), ...one }));
    keep(message, items, ({ label: text, cells: changes }) => html(changes ? "button" : "span", { text }));
    dress();
  }

  function type(field, text) {
    if (cells.has(field)) cells.get(field).value = text;
    edits.type(name, field, text);
    dress();
  }

  /* A line of a sheet lands in the cells from this one on. */
  function paste(field, texts) {
    const fields = PASTED[cells.get("use").value] ?? [];
    const landed = fields.slice(Math.max(fields.indexOf(field), 0));
    landed.slice(0, texts.length).forEach((one, i) => type(one, texts[i].trim()));
  }

  /* What a button beside the cells says: edits like those that are typed. */
  function answer(changes) {
    for (const change of changes) type(...change);
    edits.flush();
    cell(changes[0][0])?.focus();
  }

  /* A cell that is there. */
  const cell = (field) => (cells.get(field)?.parentElement.hidden === false ? cells.get(field) : null);
  const row = { name, node, update, type, paste, answer, cell };
  for (const one of [node, ...cells.values()]) one.row = row;
  update(said);
  return row;
}

/* What the server says stands in a cell, unless somebody is typing there or has typed. */
function show(input, text, typed) {
  const isTyped = typed !== undefined || (input === document.activeElement && input.value !== input.sent);
  if (!isTyped || input.value === text) Object.assign(input, { sent: text, value: text });
}

function offer(select, options, value) {
  const items = options.map(([given, text]) => ({ key: given + text, given, text }));
  keep(select, items, ({ given, text }) => html("option", { value: given, text }));
  Object.assign(select, { value, disabled: options.length < 2 });
}

/* The values of a scale from low to high, each as it is typed and as it is shown. A step is moved with
   the pointer, or with the arrow keys; `move` gets the list as it is typed. */
function stepsOf(name, move) {
  const node = html("div", { role: "cell", class: "dpca-steps", "aria-label": `from low to high, ${name}` });

  function draw(steps) {
    const there = new Map([...node.children].map((step) => [step.textContent, step]));
    place(node, steps.map(([value, text]) => there.get(text) ?? html("button", { type: "button", value, text })));
  }

  /* A step takes the place of another; those between them make room. */
  function put(step, over) {
    const [from, to] = [step, over].map((one) => [...node.children].indexOf(one));
    if (from < 0 || to < 0 || from === to) return;
    over[from < to ? "after" : "before"](step);
    step.focus();
    move([...node.children].map(({ value }) => value).join("; "));
  }

  node.addEventListener("keydown", (event) => {
    const over = { ArrowLeft: event.target.previousSibling, ArrowRight: event.target.nextSibling }[event.key];
    if (over) event.preventDefault();
    put(event.target, over);
  });
  /* Wherever the pointer is released, it is released on the step that it has taken. */
  node.addEventListener("pointerdown", ({ target, pointerId }) => target.setPointerCapture(pointerId));
  node.addEventListener("pointerup", ({ target, clientX, clientY }) => {
    put(target, document.elementFromPoint(clientX, clientY));
  });
  return { node, draw };
}
