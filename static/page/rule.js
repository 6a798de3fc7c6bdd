/* The rule: one slider over all charts whose x axis it is of. */

import { fill } from "./dom.js";

const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -6, PageUp: 6, Home: -1e9, End: 1e9 };
/* Milliseconds after the last key before the server is told. */
const REST = 150;
/* Share of the track outside the first and the last stop, where no chart has the rule's axis. */
const INSET = 0.04;

/* Pixels from the middle of the handle to what is said beside it: more than half of its width. */
const BESIDE = 56;

/* Where stops are on a chart that is drawn, zoomed or not, in pixels of its frame. */
export function placesOn({ layout: { margin: { l, r }, width, xaxis: { type, range } } }, values) {
  const [low, high] = range.map(Number);
  return values.map((value) => l + (((type === "log" ? Math.log10(value) : value) - low) / (high - low)) * (width - l - r));
}

export function nearest(places, x) {
  const away = places.map((place) => Math.abs(place - x));
  return away.indexOf(Math.min(...away));
}

/* Whether the rule stands where the answer that came cannot know: it is being moved, or the server
   had not heard yet where it was put. Such an answer may not move it. */
export function ahead({ dragging, resting, putAt, data }) {
  return Boolean(dragging || resting || data.heard < putAt);
}

/* Reads where the stops are, of charts that are drawn: nothing is read while the rule moves. */
export function readRule(view) {
  const { data: { rule, charts }, parts: { track } } = view;
  if (!rule) return;
  const { left, width } = track.getBoundingClientRect();
  const drawn = charts.map((chart, i) => (chart.ruled ? view.charts[i] : null)).filter((own) => own?.figure.layout?.xaxis && own.figure.clientWidth);
  view.ruled = drawn.map(({ figure, line }) => ({ figure, line, places: placesOn(figure, rule.values), rect: figure.getBoundingClientRect() }));
  for (const { figure: { layout: { margin: { t, b } } }, line } of view.ruled) Object.assign(line.style, { top: `${t}px`, bottom: `${b}px` });
  view.trackWidth = width;
  const inset = (i) => (INSET + (i / Math.max(rule.values.length - 1, 1)) * (1 - 2 * INSET)) * width;
  const [first] = view.ruled;
  /* Before a room charts are scaled. */
  view.scale = first ? first.rect.width / first.figure.clientWidth : 1;
  view.places = first ? first.places.map((place) => place * view.scale + first.rect.left - left) : rule.values.map((_, i) => inset(i));
}

/* Puts the rule where it is held, or at its stop; out of sight where a zoom leaves it no place. */
export function placeRule(view) {
  const { data: { rule }, parts: { handle, beside }, ruled, places, scale, index, dragX } = view;
  if (!rule || !places) return;
  const off = dragX === undefined ? 0 : dragX - places[index];
  for (const { figure: { layout: { width, margin: { l, r } } }, line, places: own } of ruled) {
    const x = own[index] + off / scale;
    line.style.transform = `translateX(${x}px)`;
    line.hidden = x < l - 1 || x > width - r + 1;
  }
  const x = places[index] + off;
  handle.style.transform = `translateX(calc(${x}px - 50%))`;
  /* What is said beside it stands on the side that has room. */
  beside.style.transform = x < view.trackWidth / 2 ? `translateX(${x + BESIDE}px)` : `translateX(calc(${x - BESIDE}px - 100%))`;
  handle.textContent = rule.texts[index];
  fill(handle, {
    "aria-label": rule.label, "aria-valuemin": 0, "aria-valuemax": rule.values.length - 1,
    "aria-valuenow": index, "aria-valuetext": rule.texts[index],
  });
}

/* Dragged by its track or its lines, or moved by the keyboard. `moved` redraws here; the server is told
   when the rule has come to rest. */
export function bindRule(view, moved) {
  const { track, handle, grid } = view.parts;
  const rest = () => {
    Object.assign(view, { dragging: false, dragX: undefined, resting: null, putAt: Date.now() });
    moved(view);
    view.say("rule", view.data.rule.values[view.index]);
  };
  const drag = ({ clientX }) => {
    const { places } = view;
    view.dragX = Math.min(Math.max(clientX - view.origin, places[0]), places.at(-1));
    view.index = nearest(places, view.dragX);
    moved(view);
  };
  const begin = (event) => {
    const grip = event.target.closest('[data-part="track"], [data-part="line"]');
    if (event.button !== 0 || !grip || !view.places) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    Object.assign(view, { dragging: true, origin: track.getBoundingClientRect().left });
    drag(event);
  };
  for (const node of [track, grid]) {
    node.addEventListener("pointerdown", begin);
    node.addEventListener("pointermove", (event) => view.dragging && drag(event));
    node.addEventListener("lostpointercapture", () => view.dragging && rest());
  }
  handle.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if (!step || !view.data.rule) return;
    event.preventDefault();
    view.index = Math.min(Math.max(view.index + step, 0), view.data.rule.values.length - 1);
    moved(view);
    clearTimeout(view.resting);
    view.resting = setTimeout(rest, REST);
  });
}
