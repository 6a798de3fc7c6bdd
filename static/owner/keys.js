/* Enter and the arrows go from row to row, as in a sheet, and a block of a sheet can be pasted. `reach` draws
   the row of a name. */
export function bindKeys(view, reach) {
  const { body } = view.parts;

  /* The same cell of the next row that has it. */
  body.addEventListener("keydown", (event) => {
    const { target, key, shiftKey } = event;
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: shiftKey ? -1 : 1 }[key];
    if (target.tagName !== "INPUT" || event.isComposing || !step) return;
    event.preventDefault();
    for (let i = view.names.indexOf(target.row.name) + step; i in view.names; i += step) {
      const cell = reach(view.names[i]).cell(target.dataset.field);
      if (cell) return cell.select();
    }
    return undefined;
  });

  /* A line of the block is a row of the table; lines of rows without cells land nowhere. */
  body.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
    const { target } = event;
    if (target.tagName !== "INPUT" || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    const start = view.names.indexOf(target.row.name);
    for (const [i, line] of text.split(/\r?\n/).slice(0, view.names.length - start).entries()) {
      reach(view.names[start + i]).paste(target.dataset.field, line.split("\t"));
    }
    view.edits.flush();
  });
}
