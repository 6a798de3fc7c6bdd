import { unmarked } from "./dom.js";
import { saveFigure, savePage, saveTable } from "./downloads.js";
import { frameOf, laidOut } from "./figure.js";
import { numbers } from "./packed_content.js";
import { bundleText, plotly } from "./plotly.js";

/* Pixels for the ticks of an axis that has none on its page, where it continues another. */
const TICKS = 50;

/* What a button of a page's skeleton saves: the figure drawn in the part that it names, below the title beside it. */
export async function saveShown({ root, look, data: { settings } }, { dataset: { format }, parentElement }) {
  const { name, figure: part, axis } = parentElement.dataset;
  const heading = parentElement.closest(".dpca-title");
  const { figure } = (heading.closest("[data-key]") ?? root).querySelector(`[data-part="${part}"]`);
  const [title, said] = ["h2", "p"].map((tag) => heading.querySelector(tag).textContent);
  const drawn = figure.saved?.at ? `${figure.saved.at}: ${said}` : said;
  const sub = settings ? `${drawn}. ${settings}` : drawn;
  if (format === "CSV") saveTable(name, figureTable(figure, axis));
  else if (format === "HTML") savePage(name, { title, sub, look }, shown({ figure, look, axis }), look.palette.config, await bundleText());
  else saveFigure(name, format.toLowerCase(), { title, sub, look }, shown({ figure, look, axis }), await plotly);
}

/* Data and layout as they are drawn now, but not zoomed, with what the page has over the figure; of the panel above one y axis only, with its ticks, if one is named. */
function shown({ figure, look, axis }) {
  const shapes = [...(figure.layout.shapes ?? []), ...(figure.saved?.shapes ?? [])];
  const { data, layout } = laidOut({ ...figure, layout: { ...figure.layout, shapes } }, look, { ...frameOf(figure), phone: false });
  if (!axis) return { data, layout };
  const own = data.filter((trace) => (trace.yaxis ?? "y") === axis);
  const kept = new Set([axis, ...own.map((trace) => trace.xaxis ?? "x")].map((name) => `${name[0]}axis${name.slice(1)}`));
  const [panel] = kept;
  const { r = 0, t = 0, b = 0 } = layout.margin;
  const ticks = layout[panel].showticklabels === false && { side: "right", showticklabels: true };
  const room = ticks ? TICKS : 0;
  const [low, high] = layout[panel].domain ?? [0, 1];
  const alone = { ...layout, width: layout.width + room, margin: { ...layout.margin, r: r + room }, height: (layout.height - t - b) * (high - low) + t + b };
  for (const key of Object.keys(layout).filter((name) => /^[xy]axis/.test(name))) {
    if (!kept.has(key)) delete alone[key];
    else alone[key] = key === panel ? { ...layout[key], domain: [0, 1], ...ticks } : { ...layout[key], anchor: axis };
  }
  for (const items of ["annotations", "shapes"]) alone[items] = layout[items]?.filter((item) => (item.yref ?? "y") === axis);
  return { data: own, layout: alone };
}

/* Rows of the numbers behind a figure: a column for each of its named traces where these share their x, else a row for each point; or the figure's own table, of a panel or of all. */
export function figureTable({ data, layout, table, columns: heads = {} }, axis) {
  if (table) return table[axis] ?? table;
  const own = data.filter((trace) => (trace.name ?? trace.meta) !== undefined && (!axis || (trace.yaxis ?? "y") === axis));
  const series = own.flatMap((trace) => seriesOf(trace, heads[trace.name]));
  const places = series.reduce((most, { x }) => (x.length > most.length ? x : most), []);
  const known = new Set(places);
  if (!series.every(({ x }) => new Set(x).size === x.length && x.every((place) => known.has(place)))) {
    return [["series", "x", "y"], ...series.flatMap(({ name, x, y }) => x.map((place, i) => [name, place, y[i]]))];
  }
  const [side, number] = own[0]?.orientation === "h" ? ["y", own[0].yaxis] : ["x", own[0]?.xaxis];
  const title = layout[`${side}axis${(number ?? side).slice(1)}`]?.title?.text;
  const columns = series.map(({ x, y }) => new Map(x.map((place, i) => [place, y[i]])));
  return [[unmarked(title ?? "x"), ...series.map(({ name }) => name)], ...places.map((place) => [place, ...columns.map((column) => column.get(place))])];
}

/* A trace as { name, x, y }; a band, whose outline goes there and back, as its upper and lower edge. */
function seriesOf(trace, column) {
  const name = unmarked(column ?? trace.name ?? trace.meta);
  const [x, y] = (trace.orientation === "h" ? [trace.y, trace.x] : [trace.x, trace.y]).map((values) => (values.bdata === undefined ? [...values] : [...numbers(values)]));
  if (trace.fill !== "toself" || !x.every((place, i) => place === x.at(-1 - i))) return [{ name, x, y }];
  const half = x.length / 2;
  return [{ name: `${name} high`, x: x.slice(0, half), y: y.slice(0, half) }, { name: `${name} low`, x: x.slice(half).reverse(), y: y.slice(half).reverse() }];
}
