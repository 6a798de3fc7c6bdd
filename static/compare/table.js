import { write } from "../charts/dom.js";

/* The ranking where the axis is read: its rows are filled, and stand in their order there; the keyboard stays on its row. */
export function fillTable({ data: { lit, ranking }, index, parts: { rows: body } }) {
  const { names, rows, texts, ranked, apart, markup } = ranking;
  write(body, markup);
  const nodes = rows.map(({ key, cells }) => {
    const row = body.querySelector(`[data-key="${key}"]`);
    const says = cells.map((numbers) => texts[numbers[index] ?? numbers]);
    for (const node of row.querySelectorAll("[data-cell]")) node.textContent = says[node.dataset.cell];
    row.querySelector(".dpca-badge").className = `dpca-badge dpca-is-${says[names.indexOf("kind")]}`;
    row.title = says[names.indexOf("why")];
    row.classList.toggle("dpca-lit", key === lit);
    row.setAttribute("aria-pressed", key === lit);
    return row;
  });
  const note = body.querySelector(".dpca-apart");
  note.hidden = !apart[index].length;
  const order = [...ranked[index].map((number) => nodes[number]), note, ...apart[index].map((number) => nodes[number])];
  if (order.every((node, i) => node === body.children[i])) return;
  const focused = document.activeElement;
  body.append(...order);
  if (body.contains(focused)) focused.focus({ preventScroll: true });
}
