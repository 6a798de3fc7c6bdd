/* The rule: one slider over all charts whose x axis it is of. */

import { fill } from "./dom.js";

const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -6, PageUp: 6, Home: -1e9, End: 1e9 };
/* Stops that a key moves the rule by; with the shift key three times as many. */
export const stepOf = ({ key, shiftKey }) => KEYS[key] * (shiftKey ? 3 : 1);
/* Milliseconds after the last key before the server is told. */
const REST = 150;
/* Share of the track outside the first and the last stop, where no chart has the rule's axis. */
const INSET = 0.04;
/* Pixels from the middle of the handle to what is said beside it: more than half of its width. */
const BESIDE = 56;

const between = (value, low, high) => Math.min(Math.max(value, low), high);

/* Where stops are on a chart that is drawn, zoomed or not, in pixels of its frame. */
function placesOn({ layout: { margin: { l, r }, width, xaxis: { type, range } } }, values) {
  const [low, high] = range.map(Number);
  const along = (value) => ((type === "log" ? Math.log10(value) : value) - low) / (high - low);
  return values.map((value) => l + along(value) * (width - l - r));
}

/* Whether the rule stands where the answer that came cannot know: it is being moved, or the server
   had not heard yet where it was put. Such an answer may not move it. */
export const ahead = ({ dragging, resting, putAt, data }) => Boolean(dragging || resting || data.heard < putAt);

/* Reads where the stops are, of charts that are drawn: nothing is read while the rule moves. */
export function readRule(view) {
  const { data: { rule }, charts, parts: { track } } = view;
  if (!rule) return;
  const { left, width } = track.getBoundingClientRect();
  const drawn = charts.filter(({ item, parts: { figure } }) => item.ruled && figure.layout?.xaxis && figure.clientWidth);
  const first = drawn[0]?.parts.figure.getBoundingClientRect();
  view.ruled = drawn.map(({ parts: { figure, line } }) => {
    const { margin: { l, r, t, b }, width: whole } = figure.layout;
    Object.assign(line.style, { top: `${t}px`, bottom: `${b}px` });
    return { line, places: placesOn(figure, rule.values), ends: [l - 1, whole - r + 1] };
  });
  const step = (1 - 2 * INSET) / Math.max(rule.values.length - 1, 1);
  /* Before a room charts are scaled. */
  view.scale = first ? first.width / drawn[0].parts.figure.layout.width : 1;
  view.places = first
    ? view.ruled[0].places.map((place) => place * view.scale + first.left - left)
    : rule.values.map((_, i) => (INSET + i * step) * width);
  view.middle = width / 2;
}

/* Puts the rule where it is held, or at its stop; out of sight where a zoom leaves it no place. */
export function placeRule({ data: { rule }, parts: { handle, beside }, ruled, places, middle, scale, index, dragX }) {
  if (!rule || !places) return;
  const x = dragX ?? places[index];
  for (const { line, places: own, ends: [low, high] } of ruled) {
    const there = own[index] + (x - places[index]) / scale;
    line.style.transform = `translateX(${there}px)`;
    line.hidden = there < low || there > high;
  }
  handle.style.transform = `translateX(calc(${x}px - 50%))`;
  /* What is said beside it stands on the side that has room. */
  beside.style.transform = x < middle ? `translateX(${x + BESIDE}px)` : `translateX(calc(${x - BESIDE}px - 100%))`;
}

/* What the handle says at its stop. */
export function sayRule({ data: { rule: { label, values, texts } }, parts: { handle }, index }) {
  handle.textContent = texts[index];
  const ends = { "aria-valuemin": 0, "aria-valuemax": values.length - 1 };
  fill(handle, { "aria-label": label, ...ends, "aria-valuenow": index, "aria-valuetext": texts[index] });
}

/* Dragged by its track or its lines, or moved by the keyboard. `moved` redraws here what is another at another
   stop; the server is told when the rule has come to rest. */
export function bindRule(view, moved) {
  const { root, parts: { track, handle } } = view;
  const put = (index) => {
    const isNew = index !== view.index;
    view.index = index;
    placeRule(view);
    if (isNew) moved(view);
    performance.mark("dpca-redraw");
  };
  const drag = ({ clientX }) => {
    const { places, origin } = view;
    view.dragX = between(clientX - origin, places[0], places.at(-1));
    const away = places.map((place) => Math.abs(place - view.dragX));
    put(away.indexOf(Math.min(...away)));
  };
  const rest = () => {
    Object.assign(view, { dragging: false, dragX: undefined, resting: null, putAt: Date.now() });
    placeRule(view);
    view.say("rule", view.data.rule.values[view.index]);
  };
  root.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest('[data-part="track"], [data-part="line"]');
    if (event.button !== 0 || !grip || !view.places) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    Object.assign(view, { dragging: true, origin: track.getBoundingClientRect().left });
    drag(event);
  });
  root.addEventListener("pointermove", (event) => view.dragging && drag(event));
  root.addEventListener("lostpointercapture", () => view.dragging && rest());
  handle.addEventListener("keydown", (event) => {
    const step = stepOf(event);
    if (!step || !view.data.rule) return;
    event.preventDefault();
    put(between(view.index + step, 0, view.data.rule.values.length - 1));
    clearTimeout(view.resting);
    view.resting = setTimeout(rest, REST);
  });
}
