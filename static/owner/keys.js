import { fieldsFrom } from "./row.js";

/* Enter and the arrows go from row to row, as in a sheet, and a block of a sheet can be pasted. */
export function bindKeys(view, body, nameOf) {
  body.addEventListener("keydown", (event) => {
    const { target, key, shiftKey } = event;
    const down = key === "ArrowDown" || (key === "Enter" && !shiftKey);
    const up = key === "ArrowUp" || (key === "Enter" && shiftKey);
    if (target.tagName !== "INPUT" || event.isComposing || !(down || up)) return;
    event.preventDefault();
    neighbour(view, nameOf(target), target.dataset.field, down ? 1 : -1)?.select();
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
  for (const [i, line] of lines.entries()) {
    if (!(start + i in names)) return;
    const column = names[start + i];
    view.list.reach(column);
    const row = view.rows.get(column);
    const texts = line.split("\t");
    for (const [j, landed] of fieldsFrom(row, field).entries()) {
      if (j >= texts.length) break;
      view.type(column, landed, texts[j].trim());
      row.cell(landed).value = texts[j].trim();
    }
  }
}
