import { plain, svg } from "../charts/dom.js";
import { stopAt, tickText, xOf } from "./epsilon_scale.js";
import { sentencesAt } from "./sentences.js";

const TICK_LABELS = [1, 3];

export function drawRuler(view) {
  const { data, theme, size, ruler } = view;
  const line = 40;
  const ticks = [];
  for (const [i, epsilon] of data.epsilons.entries()) {
    const lead = Number((epsilon / 10 ** Math.floor(Math.log10(epsilon) + 1e-9)).toPrecision(2));
    const x = size.left + xOf(i, data, size.width);
    ticks.push(svg("line", { x1: x, x2: x, y1: line, y2: line + (lead === 1 ? 8 : 5), stroke: theme.ink, "stroke-width": 1 }));
    if (TICK_LABELS.includes(lead) && (lead === 1 || size.width > 480)) ticks.push(svg("text", { x, y: line + 21, "text-anchor": "middle", "font-size": 12, fill: theme.grey, text: tickText(epsilon) }));
  }
  const hint = size.left > 100 ? svg("text", { x: size.left - 10, y: line + 4, "text-anchor": "end", "font-size": 12, fill: theme.faint, text: data.words.more_private }) : null;
  const axis = svg("line", { x1: size.left, x2: size.left + size.width, y1: line, y2: line, stroke: theme.ink, "stroke-width": 1.4 });
  ruler.scale.setAttribute("width", size.left + size.width + size.right);
  ruler.scale.setAttribute("height", 64);
  ruler.scale.replaceChildren(axis, ...ticks, ...(hint ? [hint] : []));
}

export function moveRule(view) {
  const { data, size, ruler, index } = view;
  const x = size.left + (view.dragX ?? xOf(index, data, size.width));
  const text = `ε = ${tickText(data.epsilons[index])}`;
  ruler.handle.style.transform = `translateX(${x}px) translateX(-50%)`;
  ruler.handle.textContent = text;
  ruler.handle.setAttribute("aria-valuenow", data.epsilons[index]);
  ruler.handle.setAttribute("aria-valuetext", `${text}. ${plain(sentencesAt(view).answer)}`);
  ruler.line.style.transform = `translateX(${x - 8}px)`;
}

/* Dragging redraws here only; the server is told when the rule comes to rest. */
export function bindRule(view, redraw, send) {
  const { ruler } = view;
  const to = (event) => {
    const x = event.clientX - ruler.track.getBoundingClientRect().left - view.size.left;
    view.dragX = Math.min(Math.max(x, 0), view.size.width);
    view.index = stopAt(view.dragX, view.data, view.size.width);
    redraw(view);
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
    for (const end of ["pointerup", "pointercancel"]) {
      grip.addEventListener(end, () => {
        if (!view.dragging) return;
        view.dragging = false;
        view.dragX = null;
        redraw(view);
        send();
      });
    }
  }
  ruler.handle.addEventListener("keydown", (event) => {
    const last = view.data.epsilons.length - 1;
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 6, PageDown: -6 }[event.key];
    const goal = event.key === "Home" ? 0 : event.key === "End" ? last : step && view.index + step;
    if (goal === undefined) return;
    event.preventDefault();
    view.index = Math.min(Math.max(goal, 0), last);
    redraw(view);
    clearTimeout(view.keyTimer);
    view.keyTimer = setTimeout(send, 150);
  });
}
