import { html } from "../page/dom.js";

/* The values of a scale from low to high, each with its label where it has one. A step is moved with
   the pointer, or with the arrow keys; `move` gets the list as it is typed. */
export function stepsOf(name, move) {
  const about = `from low to high, ${name}`;
  const node = html("div", { role: "cell", class: "dpca-steps", "aria-label": about });
  const places = () => [...node.children];
  let held = null;

  function show(steps) {
    const now = steps.map(([value]) => value);
    if (held || now.join("\0") === places().map(({ dataset }) => dataset.value).join("\0")) return;
    node.replaceChildren(...steps.map(([value, label]) => html("button", {
      type: "button", "data-value": value, text: `${value} ${label}`.trim(),
    })));
  }

  function put(step, place) {
    const others = places().filter((one) => one !== step);
    if (place < 0 || place > others.length || places()[place] === step) return;
    node.insertBefore(step, others[place] ?? null);
  }

  const send = () => move(places().map(({ dataset }) => written(dataset.value)).join("; "));
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

/* As ui/owner/typed_values.py reads it. */
function written(value) {
  return /[;"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
