/* Files of the charts that are shown, made here and nowhere else, each with the mark "Not private …". */

import { colourOf, rowsOf } from "./chart.js";

/* Of what stands above a picture: size and weight of the type, and its colour. */
const HEADING = { title: [16, 650, "ink"], sub: [13, 400, "grey"], mark: [12, 650, "accent"] };
const [LETTER, LINE, EDGE] = [0.55, 1.3, 12];

const numbersOf = (values) => [...((values?.bdata === undefined ? values : rowsOf(values)[0]) ?? [])];

/* The table that a figure says it has; else a column for each named trace at all places of any: a band has two. */
function tableOf({ data, layout, columns = {}, table }) {
  if (table) return table;
  const found = data.filter(({ name }) => name).flatMap(({ name, x, y, fill }) => {
    const [places, values] = [numbersOf(x), numbersOf(y)];
    if (fill !== "toself") return [[columns[name] ?? name, places, values]];
    const half = places.length / 2;
    return [
      [`${name}, high`, places.slice(0, half), values.slice(0, half)],
      [`${name}, low`, places.slice(half), values.slice(half)],
    ];
  });
  const places = [...new Set(found.flatMap(([, x]) => x))];
  if (places.every((place) => typeof place === "number")) places.sort((a, b) => a - b);
  const known = found.map(([, x, y]) => new Map(x.map((place, i) => [place, y[i]])));
  const head = [layout.xaxis.title?.text ?? "x", ...found.map(([name]) => name)];
  return [head, ...places.map((place) => [place, ...known.map((column) => column.get(place))])];
}

/* Words without their markup; what a spreadsheet would take for a formula is a text. */
function cellOf(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(Number(value.toPrecision(7))) : "";
  const text = new DOMParser().parseFromString(value ?? "", "text/html").body.textContent;
  const safe = text.replace(/^(?=[=+@\-\t\r])/, "'");
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/* A figure as it is drawn, below its title, subtitle and mark. */
function pictureOf({ data, words, layout }, said, { look, dark }) {
  const { margin } = layout;
  const letters = (layout.width - 2 * EDGE) / LETTER;
  const left = { align: "left", xref: "paper", x: 0, xanchor: "left", xshift: EDGE - margin.l };
  let top = EDGE;
  const heading = Object.entries(said).map(([part, text]) => {
    const [size, weight, role] = HEADING[part];
    const lines = text.match(new RegExp(`.{1,${Math.floor(letters / size)}}(?:\\s|$)|\\S+`, "g")) ?? [];
    const written = lines.join("<br>").replaceAll("&", "&amp;").replaceAll(/<(?!br>)/g, "&lt;");
    const place = { ...left, yref: "paper", y: 1, yanchor: "top", yshift: -top };
    top += lines.length * size * LINE + 4;
    return { ...place, text: written, font: { size, weight, color: colourOf(role, look, dark) } };
  });
  const annotations = [...words, ...heading.map((word) => ({ ...word, yshift: word.yshift + margin.t + top }))];
  const whole = { height: layout.height + top, margin: { ...margin, t: margin.t + top }, annotations };
  return { data, layout: { ...layout, ...whole, paper_bgcolor: colourOf("page", look, dark) } };
}

/* Saves a chart as CSV, PNG or SVG: the one place in which a page's file is made. */
export function saveChart(view, { item, parts: { figure, title, sub } }, form) {
  const filename = `dpca-${item.key}`;
  if (form === "CSV") {
    const rows = tableOf(item.figure).map((cells) => cells.map(cellOf).join(","));
    const text = `# ${[view.look.words.mark, ...rows].join("\n")}\n`;
    const href = `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
    return Object.assign(document.createElement("a"), { href, download: `${filename}.csv` }).click();
  }
  const where = item.ruled ? "" : view.data.rule?.texts[view.index];
  const below = [where, sub.textContent, view.data.settings].filter(Boolean).join(". ");
  const picture = pictureOf(figure, { title: title.textContent, sub: below, mark: view.look.words.mark }, view);
  const { width, height } = picture.layout;
  const as = { format: form.toLowerCase(), filename, width, height, scale: form === "PNG" ? 2 : 1 };
  return view.Plotly.downloadImage(picture, as);
}
