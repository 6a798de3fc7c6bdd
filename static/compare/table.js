import { html } from "../charts/dom.js";
import { colourOf } from "../charts/theme.js";

function tableRow(line, view) {
  const i = view.index;
  const at = line.at[i];
  const swatch = html("i", { class: "dpca-swatch" });
  swatch.style.background = colourOf(line, view.theme);
  const badge = html("span", { class: `dpca-badge dpca-is-${at.kind}`, text: at.label });
  const kept = line.captured.median[i];
  const spread = line.captured.lo95?.[i];
  const percentText = (v) => (v === null || v === undefined ? "" : v >= 0.995 ? "> 99 %" : `${Math.round(v * 100)} %`);
  const row = html("button", { type: "button", class: `dpca-row ${line.key === view.lit ? "dpca-lit" : ""}`, "data-key": line.key, title: at.why },
    html("span", { class: "dpca-who" }, swatch, html("b", { text: line.name })),
    html("span", {}, badge),
    html("span", { class: "dpca-holds", text: at.holds }),
    html("span", { class: "dpca-number", text: at.noise }),
    html("span", { class: "dpca-number dpca-kept" }, html("b", { text: at.note ? "" : percentText(kept) }), html("i", { class: "dpca-interval", text: at.note ? "" : ` ${at.interval}` }), document.createTextNode(spread === null || spread === undefined ? "" : ` ${Math.round(spread * 100)}–${percentText(line.captured.hi95[i])}`)),
    html("span", { class: "dpca-number" }, line.sin.median[i] === null ? null : html("span", { text: line.sin.median[i].toFixed(2) }), html("i", { class: "dpca-interval", text: line.sin.median[i] === null ? "" : ` ${at.sin_interval}` })),
    html("span", { class: "dpca-number", text: line.needed }),
    html("span", { class: "dpca-number", text: line.milliseconds }),
    at.note ? html("span", { class: "dpca-note", text: at.note }) : null);
  [...row.children].forEach((cell, j) => cell.textContent && view.data.labels[j] && (cell.dataset.label = view.data.labels[j]));
  row.addEventListener("click", () => view.light(view.lit === line.key ? null : line.key));
  return row;
}

export function fillTable(view) {
  const { data, index } = view;
  const value = (l) => l.captured.median[index] ?? -1;
  const ranked = data.lines.filter((l) => l.at[index].ranked).sort((a, b) => value(b) - value(a));
  const apart = data.lines.filter((l) => !l.at[index].ranked).sort((a, b) => value(b) - value(a));
  const head = html("div", { class: "dpca-row dpca-headrow" }, ...data.columns.map((text) => html("span", { text })));
  view.table.replaceChildren(head, ...ranked.map((l) => tableRow(l, view)), ...(apart.length ? [html("p", { class: "dpca-apart", text: data.apart }), ...apart.map((l) => tableRow(l, view))] : []));
}
