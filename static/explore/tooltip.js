import { compact } from "../charts/numbers.js";
import { known } from "./curves.js";
import { stopAt, tickText, xOf } from "./epsilon_scale.js";
import { PANELS, sizeOf, yAxis, yPixel } from "./panels.js";

const NEAR = 24;

function valueText(panel, value, data) {
  if (panel === "kept") return `${(value * 100).toFixed(1)} % of the variation PCA finds`;
  if (panel === "sin") return `‖sin Θ‖_F = ${value.toFixed(3)}`;
  return `largest effect on any direction ${compact(value)} ${data.unit.many}`;
}

/* The line under the pointer, by name and value; a click chooses it. */
export function bindHover(view, panel) {
  const { frame, tip } = view.plots[panel];
  frame.addEventListener("pointermove", (event) => {
    const spot = event.buttons ? null : nearest(view, panel, event);
    tip.hidden = !spot;
    if (!spot) return;
    const { mechanism, x, y, value, epsilon } = spot;
    tip.textContent = `${mechanism.name}, ε = ${tickText(epsilon)}: ${valueText(panel, value, view.data)}`;
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
  const pinned = data.ghost?.[field] ? [{ name: `Pinned (${data.ghost.label})`, [field]: data.ghost[field] }] : [];
  for (const mechanism of [...known(panel, data), ...pinned]) {
    const value = mechanism[field][i];
    const [point] = value === null ? [null] : [{ x: xOf(i, data, size.width), y: yPixel(value, axis, size.height) }];
    const distance = point ? Math.hypot(point.x - at.x, point.y - at.y) : NEAR;
    if (distance < (best?.distance ?? NEAR)) best = { mechanism, value, distance, epsilon: data.epsilons[i], x: point.x + size.left, y: point.y };
  }
  return best;
}
