import { fieldsFrom } from "./row.js";

/* Enter and the arrows go from row to row, as in a sheet, and a block of a sheet can be pasted. */
export function bindKeys(view, body, nameOf) {
  body.addEventListener("keydown", (event) => {
    const { target, key, shiftKey } = event;
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: shiftKey ? -1 : 1 }[key];
    if (target.tagName !== "INPUT" || event.isComposing || !step) return;
    event.preventDefault();
    neighbour(view, nameOf(target), target.dataset.field, step)?.select();
  });
  body.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
    const { target } = event;
    if (target.tagName !== "INPUT" || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    paste(view, nameOf(target), target.dataset.field, text.split(/\r?\n/));
    view.edits.flush();
  });
}

/* The same cell of the next row that has it. */
function neighbour(view, name, field, step) {
  const names = view.list.names();
  for (let i = names.indexOf(name) + step; i in names; i += step) {
    view.list.reach(names[i]);
    const cell = view.rows.get(names[i]).cell(field);
    if (cell) return cell;
  }
  return null;
}

/* A line of the block is a row of the table; lines of rows without cells land nowhere. */
function paste(view, name, field, lines) {
  const names = view.list.names();
  const start = names.indexOf(name);
  for (const [i, column] of names.slice(start, start + lines.length).entries()) {
    view.list.reach(column);
    const row = view.rows.get(column);
    const texts = lines[i].split("\t").map((text) => text.trim());
    for (const [j, landed] of fieldsFrom(row, field).slice(0, texts.length).entries()) {
      view.type(column, landed, texts[j]);
      row.cell(landed).value = texts[j];
    }
  }
}
