import { partsOf, write } from "../charts/dom.js";
import { drawFigure, heightAt } from "../charts/figure.js";
import { pageOf, painted } from "../charts/page.js";
import { fitHeadline, presenting } from "../charts/presentation.js";
import { stylesheets } from "../page/stylesheets.js";
import { listenToKeys } from "./keys.js";
import { cutRows } from "./rows.js";

await stylesheets("../charts/charts.css", "../papers/papers.css", "../papers/presentation.css");

const MARKUP = ["answer", "question", "progress", "trouble", "filters", "wall", "predict", "head", "notes", "words", "chips", "actions", "theorems"];
/* Milliseconds for which a button says that it has copied. */
const SAID = 1500;
/* Pixels by which charts beside each other may begin apart. */
const SAME_ROW = 40;

function paintWall({ data, parts }) {
  const shown = new Set(data.shown);
  parts.wall.classList.toggle("dpca-veiled", data.veiled);
  for (const tile of parts.wall.querySelectorAll("[data-figure]")) {
    const { figure } = tile.dataset;
    tile.classList.toggle("dpca-out", !shown.has(figure));
    if (figure === data.figure) tile.setAttribute("aria-current", "true");
    else tile.removeAttribute("aria-current");
  }
}

function layOutCard(view) {
  const { data, parts: { grid } } = view;
  write(grid, data.grid);
  grid.dataset.count = data.charts.length;
  view.sections = Object.fromEntries([...grid.children].map((section) => [section.dataset.key, partsOf(section)]));
}

function stopDrawing(view) {
  cancelAnimationFrame(view.frame);
  clearTimeout(view.rest);
}

/* All widths are read before anything is drawn: a reading in between lays the page out again. */
function paintCharts(view) {
  const { root, data, sections, narrow, look, Plotly, printing } = view;
  const room = presenting();
  const all = data.charts.map((chart) => {
    const own = sections[chart.key];
    const { clientWidth: width, clientHeight } = own.frame;
    const height = room ? clientHeight : undefined;
    return { figure: room ? cutRows(chart.figure, clientHeight) : chart.figure, own, width, height, top: own.frame.getBoundingClientRect().top };
  });
  /* A room sees two charts at most. */
  const places = all.filter(({ width }) => width);
  for (const { figure, own, width, height } of places) own.figure.style.minHeight = height ? "" : `${heightAt(figure, width)}px`;
  const draw = ({ figure, own, width, height }) => drawFigure(Plotly, own.figure, figure, look, { width, height, phone: narrow || room });
  /* The first row is drawn at once, what is below it one after the other. */
  const first = places[0]?.top;
  const now = ({ top }) => printing || room || top - first < SAME_ROW;
  places.filter(now).forEach(draw);
  const later = places.filter((place) => !now(place));
  stopDrawing(view);
  const next = () => {
    if (!later.length) return;
    draw(later.shift());
    view.rest = setTimeout(next);
  };
  /* Not before the frame with the first row is painted. */
  if (later.length) view.frame = requestAnimationFrame(() => (view.rest = setTimeout(next)));
  root.dataset.charts = places.length;
}

/* What is said to a room fits its side: in smaller type, or without the reason. */
function fitWords({ parts: { words } }) {
  const tighter = ["dpca-tight", "dpca-tightest"];
  words.classList.remove(...tighter);
  if (!presenting()) return;
  for (const name of tighter) if (words.scrollHeight > words.clientHeight + 1) words.classList.add(name);
}

function paint(view) {
  const { root, data, parts } = view;
  if (!root.clientWidth) return;
  for (const name of MARKUP) write(parts[name], data[name]);
  fitHeadline(presenting() ? parts.question : parts.answer);
  paintWall(view);
  layOutCard(view);
  paintCharts(view);
  fitWords(view);
  painted(view);
}

async function copyCitation(button) {
  const text = button.textContent;
  await navigator.clipboard?.writeText(button.closest("details").querySelector("pre").textContent);
  button.textContent = button.dataset.copy;
  setTimeout(() => (button.textContent = text), SAID);
}

/* A tile is a link that can be opened elsewhere; here it opens without the page being loaded again. */
function build(view) {
  const { root, parts } = view;
  view.open = (figure) => {
    if (figure && figure !== view.data.figure) view.say("figure", figure);
  };
  root.addEventListener("click", (event) => {
    const way = event.target.closest("a[data-figure]");
    const copy = event.target.closest("[data-copy]");
    if (copy) copyCitation(copy);
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    view.toCard = !parts.head.contains(way);
    view.open(way.dataset.figure);
  });
  listenToKeys(view);
  view.signal.addEventListener("abort", () => stopDrawing(view));
}

/* Another card is as it was opened first, and where it can be seen. */
function arrive(view, before) {
  if (before.figure === view.data.figure) return true;
  for (const details of view.root.querySelectorAll("details[open]")) details.open = false;
  if (view.toCard) requestAnimationFrame(() => {
    view.parts.card.focus({ preventScroll: true });
    view.parts.card.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  });
  view.toCard = false;
  return true;
}

export default pageOf({ build, paint, arrive });
