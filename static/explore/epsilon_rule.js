import { plain, svg } from "../charts/dom.js";
import { colourOf } from "../charts/colours.js";
import { sentencesAt } from "./sentences.js";

const TICK_LABELS = [1, 3];

/* Where an ε lies, in pixels from the left end of the plot: view.range is the x axis of Plotly's. */
export function xOf(epsilon, { plot, range }) {
  return ((Math.log10(epsilon) - range[0]) / (range[1] - range[0])) * plot.width;
}

export function drawRuler(view) {
  const { data, look, plot, ruler } = view;
  const line = 40;
  const [ink, grey] = ["ink", "grey"].map((role) => colourOf(role, look));
  const ticks = data.epsilons.flatMap((epsilon, i) => {
    const x = plot.left + xOf(epsilon, view);
    if (x < plot.left - 1 || x > plot.left + plot.width + 1) return [];
    const lead = Number((epsilon / 10 ** Math.floor(Math.log10(epsilon) + 1e-9)).toPrecision(2));
    const text = TICK_LABELS.includes(lead) && (lead === 1 || plot.width > 480);
    return [svg("line", { x1: x, x2: x, y1: line, y2: line + (lead === 1 ? 8 : 5), stroke: ink }), text ? svg("text", { x, y: line + 21, "text-anchor": "middle", "font-size": 12 * Math.sqrt(view.scale), fill: grey, text: data.epsilon_texts[i] }) : null];
  });
  const axis = svg("line", { x1: plot.left, x2: plot.left + plot.width, y1: line, y2: line, stroke: ink, "stroke-width": 1.4 });
  ruler.scale.setAttribute("width", plot.left + plot.width + 40);
  ruler.scale.setAttribute("height", 64);
  ruler.scale.replaceChildren(axis, ...ticks.filter(Boolean));
  const { handle } = ruler;
  handle.setAttribute("aria-valuemin", data.epsilons[0]);
  handle.setAttribute("aria-valuemax", data.epsilons.at(-1));
}

export function moveRule(view) {
  const { data, plot, ruler, index } = view;
  const x = plot.left + (view.dragX ?? xOf(data.epsilons[index], view));
  const text = `ε = ${data.epsilon_texts[index]}`;
  ruler.handle.style.transform = `translateX(${x}px) translateX(-50%)`;
  ruler.handle.textContent = text;
  ruler.handle.setAttribute("aria-valuenow", data.epsilons[index]);
  ruler.handle.setAttribute("aria-valuetext", `${text}. ${plain(sentencesAt(view).answer)}`);
  ruler.line.style.transform = `translateX(${x - 8}px)`;
  ruler.line.hidden = x < plot.left - 1 || x > plot.left + plot.width + 1;
}

function nearestStop(x, view) {
  const distances = view.data.epsilons.map((epsilon) => Math.abs(xOf(epsilon, view) - x));
  return distances.indexOf(Math.min(...distances));
}

/* Dragging redraws here only; the server is told when the rule comes to rest. */
export function bindRule(view, redraw, send) {
  const { ruler } = view;
  const to = (event) => {
    const x = event.clientX - ruler.track.getBoundingClientRect().left - view.plot.left;
    view.dragX = Math.min(Math.max(x, 0), view.plot.width);
    view.index = nearestStop(view.dragX, view);
    redraw(view);
  };
  const end = () => {
    if (!view.dragging) return;
    view.dragging = false;
    view.dragX = null;
    redraw(view);
    send();
  };
  for (const grip of [ruler.track, ruler.line]) {
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      ruler.handle.focus({ preventScroll: true });
      grip.setPointerCapture(event.pointerId);
      view.dragging = true;
      to(event);
    });
    grip.addEventListener("pointermove", (event) => view.dragging && to(event));
    for (const name of ["pointerup", "pointercancel"]) grip.addEventListener(name, end);
  }
  ruler.handle.addEventListener("keydown", (event) => {
    const last = view.data.epsilons.length - 1;
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 6, PageDown: -6 }[event.key];
    const goal = { Home: 0, End: last }[event.key] ?? (step && view.index + step);
    if (goal === undefined) return;
    event.preventDefault();
    view.index = Math.min(Math.max(goal, 0), last);
    redraw(view);
    clearTimeout(view.keyTimer);
    view.keyTimer = setTimeout(send, 150);
  });
}
