import { html } from "./elements.js";

/* The values of a scale from low to high. A step is moved with the pointer, or with the arrow keys;
   `move` gets the list as it is typed. */
export function stepsOf(name, move) {
  const label = `from low to high, ${name}`;
  const node = html("div", { role: "cell", class: "dpca-steps", "aria-label": label });
  const places = () => [...node.children];
  let held = null;

  function show(values) {
    if (held || values.join("\0") === places().map(({ textContent }) => textContent).join("\0")) return;
    node.replaceChildren(...values.map((text) => html("button", { type: "button", text })));
  }

  function put(step, place) {
    const others = places().filter((one) => one !== step);
    if (place < 0 || place > others.length || places()[place] === step) return;
    node.insertBefore(step, others[place] ?? null);
  }

  const send = () => move(places().map(({ textContent }) => written(textContent)).join("; "));
  node.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    put(event.target, places().indexOf(event.target) + by);
    event.target.focus();
    send();
  });
  node.addEventListener("pointerdown", ({ target, pointerId }) => {
    if (target === node) return;
    held = target;
    node.setPointerCapture(pointerId);
  });
  node.addEventListener("pointerup", ({ clientX, clientY }) => {
    const over = places().indexOf(node.ownerDocument.elementFromPoint(clientX, clientY));
    if (held && over >= 0) {
      put(held, over);
      send();
    }
    held?.focus();
    held = null;
  });
  node.addEventListener("pointercancel", () => (held = null));
  return { node, show };
}

/* As ui/owner/value_lists.py reads it. */
function written(value) {
  return /[;"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
