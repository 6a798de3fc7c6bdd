const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -6, PageUp: 6, Home: -Infinity, End: Infinity };
const REST = 150;

/* The x axis of a figure that is drawn, zoomed or not: its ends, and where values lie, in pixels of the figure. */
export function axisOf({ layout: { margin: { l: left, r }, width: whole, xaxis: { type, range } } }, values) {
  const [low, high] = range.map(Number);
  const width = whole - left - r;
  const places = values.map((value) => left + (((type === "log" ? Math.log10(value) : value) - low) / (high - low)) * width);
  return { left, width, low, high, places };
}

export function nearest(places, x) {
  const away = places.map((place) => Math.abs(place - x));
  return away.indexOf(Math.min(...away));
}

/* Puts the rule where it is held, or at its stop; out of sight where a zoom leaves it no place. */
export function moveRule({ axis: { left, width, places }, index, dragX }, handle, line) {
  const x = dragX ?? places[index];
  for (const node of [handle, line]) node.style.transform = `translateX(${x}px) translateX(-50%)`;
  line.hidden = x < left - 1 || x > left + width + 1;
}

/* Whether the rule stands where the answer that came cannot know: it is being moved, or the server
   had not heard yet where it was put. Such an answer may not move it. */
export function ahead({ dragging, resting, putAt = 0, data }) {
  return Boolean(dragging || resting || data.heard < putAt);
}

/* A slider: dragged by its grips, the first of which begins where the figure does, or moved by the
   keyboard. `moved` redraws here; the server is told when the rule has come to rest. */
export function bindRule(view, grips, slider, moved, rested) {
  const drag = ({ clientX }) => {
    const { places } = view.axis;
    const x = clientX - grips[0].getBoundingClientRect().left;
    view.dragX = Math.min(Math.max(x, places[0]), places.at(-1));
    view.index = nearest(places, view.dragX);
    moved(view);
  };
  view.rest = () => {
    Object.assign(view, { dragging: false, dragX: null, resting: null, putAt: Date.now() });
    moved(view);
    rested();
  };
  for (const grip of grips) {
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      slider.focus({ preventScroll: true });
      grip.setPointerCapture(event.pointerId);
      view.dragging = true;
      drag(event);
    });
    grip.addEventListener("pointermove", (event) => view.dragging && drag(event));
    grip.addEventListener("lostpointercapture", view.rest);
  }
  slider.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    view.index = Math.min(Math.max(view.index + step, 0), view.axis.places.length - 1);
    moved(view);
    clearTimeout(view.resting);
    view.resting = setTimeout(view.rest, REST);
  });
}
