import { html, keep, place } from "../page/dom.js";

/* Cells of a row, in the order of the Tab key; a sheet's block lands in those of PASTED. */
const FIELDS = ["use", "low", "typical", "high", "values", "unit", "missing", "source"];
const SELECTS = { use: "uses", source: "sources" };
const PASTED = { number: ["low", "typical", "high", "unit", "missing"], category: ["values"], scale: ["values"] };

/* One line of the table; `edits` knows what was typed and is not merged yet. */
export function rowOf(said, { words, placeholders }, edits) {
  const { name } = said;
  const cells = new Map(FIELDS.map((field) => [field, html(field in SELECTS ? "select" : "input", {
    "data-field": field, "aria-label": `${words[field]}, ${name}`, placeholder: placeholders[field] ?? "",
    autocomplete: "off", maxlength: 500_000,
  })]));
  const message = html("div", { role: "cell", class: "dpca-said", "aria-live": "polite" });
  const label = html("small", {});
  const title = html("div", { role: "rowheader", class: "dpca-name", text: name, title: name }, label);
  const steps = stepsOf(name, (text) => type("values", text));
  const node = html("div", { role: "row" }, title, ...[...cells].map(([field, cell]) => {
    const head = html("span", { class: "dpca-head", "aria-hidden": "true", text: words[field] });
    return html("div", { role: "cell", class: `dpca-cell dpca-${field}` }, head, cell);
  }), message, steps.node);
  let known = said;

  /* Which cells are there follows the use that was chosen, before the server knows of it. */
  function dress() {
    const { state, source } = known;
    const use = edits.textOf(name, "use") ?? known.use;
    Object.assign(node.dataset, { use, state, source });
    const shown = use in PASTED ? ["use", "missing", "source", ...PASTED[use]] : ["use"];
    for (const [field, cell] of cells) cell.parentElement.hidden = !shown.includes(field);
    cells.get("values").setAttribute("list", use === "scale" ? "dpca-scales" : "");
    steps.node.hidden = use !== "scale";
  }

  function update(data) {
    known = data;
    for (const [field, cell] of cells) {
      const typed = edits.textOf(name, field);
      if (field in SELECTS) offer(cell, data[SELECTS[field]], typed ?? data[field]);
      else show(cell, data[field], typed);
      cell.setAttribute("aria-invalid", data.bad.includes(field));
    }
    label.textContent = data.label;
    steps.draw(data.steps);
    message.dataset.state = data.state;
    const actions = data.actions.map((action) => ({ key: JSON.stringify(action), ...action }));
    keep(message, [{ key: data.message }, ...actions], ({ key, label: text }) => (
      text ? html("button", { type: "button", text }) : html("span", { text: key })
    ));
    dress();
  }

  function type(field, text) {
    if (cells.has(field)) cells.get(field).value = text;
    edits.type(name, field, text);
    dress();
  }

  /* A line of a sheet lands in the cells from this one on. */
  function paste(field, texts) {
    const fields = PASTED[node.dataset.use] ?? [];
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

/* A value of a list, as ui/owner/typed_values.py reads it. */
const written = (value) => (/[;"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/* The values of a scale from low to high, each with its label where it has one. A step is moved with
   the pointer, or with the arrow keys; `move` gets the list as it is typed. */
function stepsOf(name, move) {
  const node = html("div", { role: "cell", class: "dpca-steps", "aria-label": `from low to high, ${name}` });
  let held = null;

  function draw(steps) {
    const there = new Map([...node.children].map((step) => [step.textContent, step]));
    const texts = steps.map(([value, label]) => ({ type: "button", value, text: `${value} ${label}`.trim() }));
    if (!held) place(node, texts.map((step) => there.get(step.text) ?? html("button", step)));
  }

  function put(step, at) {
    const steps = [...node.children].filter((one) => one !== step);
    steps.splice(Math.max(at, 0), 0, step);
    place(node, steps);
    step.focus();
    move(steps.map(({ value }) => written(value)).join("; "));
  }

  node.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    put(event.target, [...node.children].indexOf(event.target) + by);
  });
  node.addEventListener("pointerdown", ({ target, pointerId }) => {
    if (target === node) return;
    held = target;
    node.setPointerCapture(pointerId);
  });
  node.addEventListener("pointerup", ({ clientX, clientY }) => {
    const over = [...node.children].indexOf(document.elementFromPoint(clientX, clientY));
    if (held && over >= 0) put(held, over);
    held?.focus();
  });
  node.addEventListener("lostpointercapture", () => (held = null));
  return { node, draw };
}
