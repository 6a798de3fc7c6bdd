/* What a room sees of a figure: everything larger by one number, so that the smallest type is 1.5rem. */
const SMALLEST = 12;
const SMALLEST_REM = 1.5;
/* The chosen line stands out from afar: 7 pixels beside 3, on a screen of 1920. */
const [CHOSEN, CHOSEN_MORE] = [2.4, 1.28];
/* Of a headline: sizes from the largest, and how high two lines are. */
const [TYPE_REMS, TWO_LINES] = [[4.15, 3.8, 3.5, 3.2, 2.9, 2.6, 2.3], 2.5];
/* Of a ranking. */
const ROWS_READ = 5;
/* Around a chip, in rem. */
const RING = 0.5;
const PLACES = new Set(["xshift", "yshift", "ticklen", "tickwidth", "linewidth", "gridwidth", "standoff", "ticklabelstandoff", "borderpad", "borderwidth"]);

export const presenting = () => document.body.classList.contains("dpca-present");

export function enlargement() {
  return presenting() ? (parseFloat(getComputedStyle(document.documentElement).fontSize) * SMALLEST_REM) / SMALLEST : 1;
}

/* A figure, or a part of one, larger: type, lines, dashes, marks and margins, not the numbers it shows. */
export function enlarged(value, factor, key = "", parent = "") {
  if (Array.isArray(value)) return key === "size" ? value.map((one) => one * factor) : value.map((one) => enlarged(one, factor, "", key));
  if (value !== null && typeof value === "object" && !ArrayBuffer.isView(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, enlarged(one, factor, name, key)]));
  }
  if (key === "dash" && typeof value === "string") return value.replaceAll(/[\d.]+(?=px)/g, (pixels) => pixels * factor);
  if (typeof value !== "number") return value;
  if (key === "size") return (parent.endsWith("font") ? Math.max(value, SMALLEST) : value) * factor;
  if (key === "width" && parent === "line") return value * factor * (value > CHOSEN ? CHOSEN_MORE : 1);
  const larger = PLACES.has(key) || parent === "margin" || (parent === "layout" && ["width", "height"].includes(key));
  return larger ? value * factor : value;
}

/* Data and layout of a figure, laid out in a smaller frame and made larger. */
export function forRoom(laidOut, figure, look, frame) {
  const factor = enlargement();
  if (factor === 1) return laidOut(figure, look, frame);
  const { width, height } = frame;
  return enlarged(laidOut(figure, look, { ...frame, width: width / factor, height: height && height / factor }), factor);
}

/* A headline of at most two lines, in smaller type where it is long. */
export function fitHeadline(headline, largest = TYPE_REMS[0]) {
  headline.style.fontSize = "";
  if (!presenting()) return;
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize);
  headline.style.height = "auto";
  const found = TYPE_REMS.filter((rem) => rem <= largest).find((rem) => {
    headline.style.fontSize = `${rem}rem`;
    return headline.scrollHeight <= TWO_LINES * rem * unit;
  });
  Object.assign(headline.style, { height: "", fontSize: `${found ?? TYPE_REMS.at(-1)}rem` });
}

/* The panel above one y axis alone, with the lines of these names and those without one; with the ticks of its x axis, or without where these are drawn beside it. */
export function onlyPanel(figure, axis, names, { ticks }) {
  const kept = (name) => !name || names.includes(name);
  const here = ({ yref = "y" }) => yref === axis;
  const words = (items = []) => items.filter((word) => here(word) && kept(word.name));
  const { yaxis, xaxis, shapes, ...rest } = figure.layout;
  const layout = Object.fromEntries(Object.entries(rest).filter(([key]) => !/^[xy]axis/.test(key)));
  Object.assign(layout, { shapes: shapes.filter(here), annotations: words(layout.annotations), yaxis: { ...yaxis, domain: [0, 1], ticklabelstandoff: 6 } });
  layout.xaxis = { ...xaxis, anchor: axis, showgrid: false, ...(!ticks && { showticklabels: false, title: { text: "" } }) };
  const sizes = Object.fromEntries(Object.entries(figure.sizes).map(([width, size]) => [width, { ...size, annotations: words(size.annotations) }]));
  const data = figure.data.filter(({ yaxis: own = "y", meta }) => own === axis && kept(meta));
  return { ...figure, data, layout, sizes };
}

/* Of a comparison one panel, of the mechanisms whose rows a room reads. */
export function comparedPanel({ axis: { index }, figure, lit, ranking: { ranked, rows } }) {
  const read = ranked[index].slice(0, ROWS_READ).map((number) => rows[number].key);
  return onlyPanel(figure, "y", [...read, lit], { ticks: true });
}

/* In a room what stands under a chip is left out; elsewhere nothing does, and nothing is measured. */
export function hideCovered(chip, words) {
  const { left, right, top, bottom } = presenting() ? chip.getBoundingClientRect() : {};
  const ring = presenting() && RING * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const covered = ({ left: from, right: to, top: above, bottom: below }) => to > left - ring && from < right + ring && below > top && above < bottom;
  for (const word of words) word.style.visibility = presenting() && covered(word.getBoundingClientRect()) ? "hidden" : "";
}
