/* The rule: one slider over all charts whose x axis it is of. */

import { fill } from "./dom.js";

const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -6, PageUp: 6, Home: -1e9, End: 1e9 };
/* Stops that a key moves the rule by; with the shift key three times as many. */
export const stepOf = ({ key, shiftKey }) => KEYS[key] * (shiftKey ? 3 : 1);
/* Milliseconds after the last key before the server is told. */
const REST = 150;
/* Share of the track outside the first and the last stop, where no chart has the rule's axis. */
const INSET = 0.04;

const between = (value, low, high) => Math.min(Math.max(value, low), high);

/* Whether the rule is being moved, or the server had not heard where it was put: no answer may move it then. */
export const ahead = ({ dragging, resting, putAt, data }) => Boolean(dragging || resting || data.heard < putAt);

/* Reads where the stops are, of charts that are drawn: nothing is read while the rule moves. */
export function readRule(view) {
  const { data: { rule }, charts, parts: { track } } = view;
  if (!rule) return;
  const { left, width } = track.getBoundingClientRect();
  const drawn = charts.filter(({ item, parts: { figure } }) => item.ruled && figure.layout && figure.clientWidth);
  const first = drawn[0]?.parts.figure.getBoundingClientRect();
  view.ruled = drawn.map(({ parts: { line, figure: { _fullLayout: { margin: { t, b }, xaxis } } } }) => {
    const { _offset: from, _length: length } = xaxis;
    Object.assign(line.style, { top: `${t}px`, bottom: `${b}px` });
    const places = rule.values.map((value) => from + xaxis.d2p(value));
    return { line, places, ends: [from - 1, from + length + 1] };
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
  beside.style.transform = x < middle ? `translateX(${x}px)` : `translateX(calc(${x}px - 100%))`;
}

export function sayRule({ data: { rule: { label, values, texts } }, parts: { handle }, index }) {
  handle.textContent = texts[index];
  fill(handle, { "aria-label": label, "aria-valuetext": texts[index] });
  fill(handle, { "aria-valuemin": 0, "aria-valuenow": index, "aria-valuemax": values.length - 1 });
}

/* Dragged or moved by the keyboard: `moved` redraws what another stop changes, the server hears where it rests. */
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
