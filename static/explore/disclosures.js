import { html } from "../charts/dom.js";

export function drawDisclosures(view) {
  const { disclosures, words } = view.data;
  const rows = disclosures.rows.map((row) =>
    html("div", { class: "dpca-leak" }, html("b", { text: row.name }), html("span", { class: `dpca-mark dpca-${row.mark}`, "aria-label": words.marks[row.mark], role: "img" }), html("span", { text: row.text }), html("i", { text: row.cost })),
  );
  view.leaks.replaceChildren(html("h2", { text: disclosures.title }), html("p", { text: disclosures.sub }), ...rows, html("p", { class: "dpca-legend", text: disclosures.legend }), disclosures.clipping ? html("p", { class: "dpca-legend", text: disclosures.clipping }) : "");
}
