import { fill } from "../charts/dom.js";

const NS = "http://www.w3.org/2000/svg";
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
const PARTS = ["line", "circle", "text"];
const DIGITS = 3;

/* Where a share of the scale lies in the picture, by what its svg says about itself. */
function placeOf({ kind }, { x, y, r, x0, x1 }, share) {
  if (kind === "needle") {
    const turn = (share * Math.PI) / 2;
    return { x1: x, y1: y, x2: x + r * Math.cos(turn), y2: y - r * Math.sin(turn) };
  }
  const at = x0 + share * (x1 - x0);
  return { x1: kind === "bar" ? x0 : at, y1: kind === "bar" ? y : 0, x2: at, y2: y };
}

function shareAt({ kind }, { x, y, x0, x1 }, point) {
  if (kind === "needle") return Math.atan2(y - point.y, point.x - x) / (Math.PI / 2);
  return (point.x - x0) / (x1 - x0);
}

const measures = (svg) => Object.fromEntries(Object.entries(svg.dataset).map(([name, value]) => [name, Number(value)]));

/* A guess on a picture: a slider that is dragged or moved by keys, and that stays beside the answer. */
export function showGuess(view, svg, name, guess) {
  const where = measures(svg);
  if (!("y" in where) || !("x" in where || "x0" in where)) return;
  const state = (view.guesses[name] ??= { value: guess.start, moved: false });
  const node = svg.querySelector(".dpca-guess") ?? create(svg);
  const [line, circle, text] = PARTS.map((tag) => node.querySelector(tag));
  const { low, high, step, factor, unit } = guess;
  const draw = () => {
    const place = placeOf(guess, where, (state.value - low) / (high - low));
    const said = `${Number((state.value * factor).toPrecision(DIGITS))}${unit}`;
    fill(line, place);
    fill(circle, { cx: place.x2, cy: place.y2, r: view.told ? 6 : 9 });
    const needle = guess.kind === "needle";
    const above = { needle: place.y2 - 14, bar: place.y2 + 5, dot: 16 }[guess.kind];
    fill(text, { x: place.x2 + (needle ? -14 : 14), y: above, "text-anchor": needle ? "end" : "start" });
    text.textContent = state.moved ? said : guess.hint;
    fill(node, { "aria-label": guess.label, "aria-valuemin": low * factor, "aria-valuemax": high * factor, "aria-valuenow": state.value * factor, "aria-valuetext": said });
  };
  const put = (value) => {
    Object.assign(state, { value: Math.min(Math.max(low + Math.round((value - low) / step) * step, low), high), moved: true });
    draw();
  };
  node.hidden = false;
  node.style.display = view.told && !state.moved ? "none" : "";
  fill(node, { tabindex: view.told ? -1 : 0, "aria-disabled": view.told });
  node.drag = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    if (!view.told) put(low + shareAt(guess, where, point) * (high - low));
  };
  node.step = (by) => !view.told && put(Math.abs(by) === Infinity ? (by > 0 ? high : low) : state.value + by * step);
  draw();
}

function create(svg) {
  const node = document.createElementNS(NS, "g");
  fill(node, { class: "dpca-guess", role: "slider" });
  for (const tag of PARTS) node.append(document.createElementNS(NS, tag));
  svg.append(node);
  /* What holds a slider is no single image. */
  if (svg.getAttribute("role") === "img") svg.setAttribute("role", "group");
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    node.dragged = true;
    node.drag(event);
  });
  node.addEventListener("pointermove", (event) => node.dragged && node.drag(event));
  for (const act of ["pointerup", "pointercancel"]) node.addEventListener(act, () => (node.dragged = false));
  node.addEventListener("keydown", (event) => {
    if (!KEYS[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    node.step(KEYS[event.key]);
  });
  return node;
}
