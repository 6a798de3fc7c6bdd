import { html } from "../charts/dom.js";

export function drawLeaks(view) {
  const { leaks, words } = view.data;
  const rows = leaks.rows.map((row) =>
    html("div", { class: "dpca-leak" }, html("b", { text: row.name }), html("span", { class: `dpca-mark dpca-${row.mark}`, "aria-label": words.marks[row.mark], role: "img" }), html("span", { text: row.text }), html("i", { text: row.cost })),
  );
  view.leaks.replaceChildren(html("h3", { text: leaks.title }), html("p", { text: leaks.sub }), ...rows, html("p", { class: "dpca-legend", text: leaks.legend }), leaks.clipping ? html("p", { class: "dpca-legend", text: leaks.clipping }) : "");
}
