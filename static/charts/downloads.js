import { colourOf } from "./colours.js";
import { html } from "./dom.js";

/* Everything that can be saved goes through a function of this file: saveFile takes what the server
   made, the others mark what they save. tests/ui/widgets/test_downloads.py holds that there is no third way. */
const NOT_PRIVATE = "Not private: computed from the true data";

function save(name, blob) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* A release under its guarantee, or a file that the server has marked. */
export function saveFile(file) {
  if (!file.guaranteed && !file.text.includes(NOT_PRIVATE)) throw new Error(`${file.name} carries neither a guarantee nor the mark.`);
  save(file.name, new Blob([file.text], { type: file.type }));
}

/* An apostrophe before whatever a spreadsheet would compute, wherever it splits the line. */
function inert(text) {
  return text.replace(/(^|[,;:|\t\r\n])([\s"']*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
}

function cell(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(7)));
  const text = inert(String(value));
  return /[",;:|#'\t\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function saveTable(name, rows) {
  const lines = [`# ${NOT_PRIVATE}`, ...rows.map((r) => r.map(cell).join(","))];
  save(`dpca-${name}.csv`, new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
}

/* A picture of a figure below title, subtitle and mark: SVG, or PNG of twice as many dots each way. */
export async function saveFigure(name, format, { title, sub, look }, figure, Plotly) {
  const { data, layout } = headed(figure, [[title, 16, 650, "ink"], [sub, 13, 400, "grey"], [NOT_PRIVATE, 12, 650, "accent"]], look);
  const { width, height } = layout;
  const found = await Plotly.toImage({ data, layout }, { format, width, height, scale: format === "png" ? 2 : 1, imageDataOnly: true });
  const [content, type] = format === "svg" ? [found, "image/svg+xml"] : [Uint8Array.from(atob(found), (letter) => letter.charCodeAt(0)), "image/png"];
  save(`dpca-${name}.${format}`, new Blob([content], { type }));
}

/* Plotly breaks no line: a letter is taken for 0.55 times as wide as its type is high. */
function headed({ data, layout }, sentences, look) {
  const { l = 0, t = 0 } = layout.margin || {};
  let top = 8;
  const heading = sentences.map(([sentence, size, weight, role]) => {
    const most = Math.floor((layout.width - 24) / (0.55 * size));
    const lines = escaped(sentence).match(new RegExp(`\\S.{0,${most}}(?=\\s|$)|\\S+`, "gu")) ?? [];
    const from = top;
    top += lines.length * size * 1.3 + 4;
    return { text: lines.join("<br>"), align: "left", showarrow: false, font: { size, weight, color: colourOf(role, look) }, xref: "paper", x: 0, xanchor: "left", xshift: 8 - l, yref: "paper", y: 1, yanchor: "top", yshift: t - from };
  });
  const annotations = [...(layout.annotations || []), ...heading.map((part) => ({ ...part, yshift: part.yshift + top }))];
  return { data, layout: { ...layout, annotations, height: layout.height + top, margin: { ...layout.margin, t: t + top }, paper_bgcolor: colourOf("page", look) } };
}

function escaped(text) {
  return String(text ?? "").replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/* A page with a figure and Plotly inside: it opens without a network. */
export function savePage(name, { title, sub, look }, { data, layout }, config, bundle) {
  const [page, ink, accent] = ["page", "ink", "accent"].map((role) => colourOf(role, look));
  const figure = JSON.stringify([data, layout, config]).replaceAll("<", "\\u003c");
  save(`dpca-${name}.html`, new Blob([
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>`,
    `<style>body { margin: 24px; background: ${page}; color: ${ink}; font-family: sans-serif; } strong { color: ${accent}; }</style>`,
    `<body><h1 style="font-size: 20px">${escaped(title)}</h1><p>${escaped(sub)}</p><p><strong>${NOT_PRIVATE}</strong></p><div id="figure"></div>`,
    `<script>${bundle.replaceAll("</script", "<\\/script")}</script><script>Plotly.newPlot("figure", ...${figure});</script></body></html>\n`,
  ], { type: "text/html" }));
}
