import { colourOf } from "../charts/colours.js";
import { filled, html, svg } from "../charts/dom.js";

/* The ranking where the axis is read; the keyboard stays on its row. */
export function fillTable(view) {
  const { data, index, table } = view;
  const { rows, ranked, apart, columns, not_ranked: notRanked } = data.ranking;
  const focused = table.contains(document.activeElement) && document.activeElement.dataset.key;
  const rowsOf = (numbers) => numbers.map((number) => tableRow(rows[number], view));
  table.replaceChildren(
    html("h2", { text: filled(data.words.ranking, { at: data.axis.texts[index] }) }),
    html("p", { class: "dpca-moving", text: data.progress }),
    html("div", { class: "dpca-columns", "aria-hidden": "true" }, ...columns.map((text) => html("span", { text }))),
    ...rowsOf(ranked[index]),
    apart[index].length ? html("p", { class: "dpca-apart", text: notRanked }) : "",
    ...rowsOf(apart[index]));
  if (focused) table.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
}

function tableRow(row, { data, index, lit, look, light }) {
  const { names, texts, columns, details } = data.ranking;
  const says = (name) => {
    const numbers = row.cells[names.indexOf(name)];
    return texts[numbers[index] ?? numbers];
  };
  const sample = svg("svg", { width: 30, height: 8, "aria-hidden": "true" },
    svg("line", { x1: 0, x2: 30, y1: 4, y2: 4, stroke: colourOf(row.role, look), "stroke-width": 2.2, "stroke-dasharray": row.dash === "solid" ? null : row.dash }));
  const number = (label, value, interval) => html("span", { class: "dpca-number" }, value && html("span", { class: "dpca-said", text: `${label} ` }), html("b", { text: value }), html("i", { text: value && interval ? ` ${interval}` : "" }));
  const more = ["holds", "spread", "noise", "needed", "milliseconds"].map((name, i) => says(name) && html("span", {}, html("span", { class: "dpca-label", text: `${details[i]} ` }), document.createTextNode(name === "noise" ? `${says(name)} ${says("unit")}` : says(name))));
  return html("button", { type: "button", class: `dpca-row ${row.key === lit ? "dpca-lit" : ""}`, "data-key": row.key, title: says("why"), "aria-pressed": row.key === lit, onclick: () => light(row.key) },
    html("span", { class: "dpca-who" }, sample, html("b", { text: row.name })),
    number(columns[1], says("note") ? "" : says("kept"), says("interval")),
    number(columns[2], says("sine"), says("sin_interval")),
    html("span", { class: "dpca-more" }, html("span", { class: `dpca-badge dpca-is-${says("kind")}`, text: says("label") }), ...more),
    says("note") && html("span", { class: "dpca-note", text: says("note") }));
}
