import { filled } from "../charts/dom.js";
import { compact } from "../charts/numbers.js";
import { known } from "./curves.js";
import { stopAt, tickText, xOf } from "./epsilon_scale.js";
import { PANELS, sizeOf, yAxis, yPixel } from "./panels.js";

const NEAR = 24;

function valueText({ mechanism, value, epsilon }, panel, { words, unit }) {
  const { sentence, text } = {
    kept: { sentence: words.read_captured, text: (value * 100).toFixed(1) },
    sin: { sentence: words.read_sin, text: value.toFixed(3) },
    noise: { sentence: words.read_noise, text: compact(value) },
  }[panel];
  return filled(sentence, { name: mechanism.name, epsilon: tickText(epsilon), value: text, unit: unit.many });
}

/* The line under the pointer, by name and value; a click chooses it. */
export function bindHover(view, panel) {
  const { frame, tip } = view.plots[panel];
  frame.addEventListener("pointermove", (event) => {
    const spot = event.buttons ? null : nearest(view, panel, event);
    tip.hidden = !spot;
    if (!spot) return;
    const { x, y } = spot;
    tip.textContent = valueText(spot, panel, view.data);
    const left = x + 14 + tip.offsetWidth > frame.clientWidth ? x - 14 - tip.offsetWidth : x + 14;
    tip.style.transform = `translate(${left}px, ${Math.max(y - 34, 0)}px)`;
  });
  frame.addEventListener("pointerleave", () => (tip.hidden = true));
}

function nearest(view, panel, event) {
  const { data, plots } = view;
  const size = sizeOf(view, panel);
  const place = plots[panel].frame.getBoundingClientRect();
  const at = { x: event.clientX - place.left - size.left, y: event.clientY - place.top };
  const axis = yAxis(panel, data);
  const i = stopAt(at.x, data, size.width);
  let best = null;
  const field = PANELS[panel].field;
  const pinned = data.ghost?.[field] ? [{ name: filled(data.words.pinned_line, { label: data.ghost.label }), [field]: data.ghost[field] }] : [];
  for (const mechanism of [...known(panel, data), ...pinned]) {
    const value = mechanism[field][i];
    const [point] = value === null ? [null] : [{ x: xOf(i, data, size.width), y: yPixel(value, axis, size.height) }];
    const distance = point ? Math.hypot(point.x - at.x, point.y - at.y) : NEAR;
    if (distance < (best?.distance ?? NEAR)) best = { mechanism, value, distance, epsilon: data.epsilons[i], x: point.x + size.left, y: point.y };
  }
  return best;
}
