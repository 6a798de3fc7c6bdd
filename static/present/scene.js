import { axisOf, bindRule, moveRule } from "../charts/rule.js";
import { fill } from "../charts/dom.js";
import { hideCovered } from "../charts/presentation.js";

/* Share of its own axis that the first and the last stop lie inside. */
const INSET = 0.04;
const BESIDE_THE_AXIS = [".xtick > text", ".annotation", ".g-xtitle > text"].join();

const figureOf = (key) => document.querySelector(`.dpca-sheet-${key} [data-part="figure"]`);

/* Over the axis of a chart of ε, once that is drawn. */
function overChart({ data: { chart, values }, parts: { ruler, ticks } }) {
  const figure = figureOf(chart);
  ticks.replaceChildren();
  if (!figure?.layout?.xaxis?.range || !figure.clientHeight) return null;
  const { left, top, width, height } = figure.getBoundingClientRect();
  Object.assign(ruler.style, { left: `${left}px`, width: `${width}px`, top: `${top + height - figure.layout.margin.b}px` });
  return axisOf(figure, values);
}

/* On an axis of its own, below a picture without one. */
function ownAxis({ data: { values, texts }, parts: { ruler, ticks } }) {
  Object.assign(ruler.style, { left: "", width: "", top: "" });
  const { clientWidth: width } = ruler;
  const [low, high] = [values[0], values.at(-1)].map(Math.log10);
  const places = values.map((value) => (INSET + ((Math.log10(value) - low) / (high - low)) * (1 - 2 * INSET)) * width);
  ticks.replaceChildren(...places.map((place, i) => {
    const tick = document.createElement("span");
    tick.textContent = Number.isInteger(Math.log10(values[i])) ? texts[i] : "";
    tick.style.left = `${place}px`;
    return tick;
  }));
  return { left: 0, width, low, high, places };
}

function moveChip(scene) {
  const { data: { named, label, chart }, parts: { chip, ticks }, index } = scene;
  chip.textContent = named[index];
  moveRule(scene, chip, chip);
  fill(chip, { "aria-label": label, "aria-valuemin": 0, "aria-valuemax": named.length - 1, "aria-valuenow": index, "aria-valuetext": named[index] });
  hideCovered(chip, chart ? figureOf(chart).querySelectorAll(BESIDE_THE_AXIS) : ticks.children);
}

/* Puts the chip where it belongs: a page without a scene, or a chart that is not drawn yet, has none. */
export function placeScene(scene) {
  const { data, parts: { ruler } } = scene;
  ruler.hidden = !data;
  if (!data) return;
  ruler.classList.toggle("dpca-on-chart", Boolean(data.chart));
  scene.axis = data.chart ? overChart(scene) : ownAxis(scene);
  ruler.hidden = !scene.axis;
  if (scene.axis) moveChip(scene);
}

/* A new answer moves the chip, unless it is being moved. */
export function takeScene(scene, data, heard) {
  scene.data = data;
  if (data?.lights && scene.lit) press(scene);
  if (data && !scene.dragging && !scene.resting && heard >= scene.putAt) scene.index = data.index;
  placeScene(scene);
}

function press({ parts: { list }, lit }) {
  const rows = [...list.querySelectorAll("[data-value]")];
  if (rows.some(({ dataset }) => dataset.value === lit)) for (const row of rows) row.setAttribute("aria-pressed", row.dataset.value === lit);
}

function choose(scene, say, { target }) {
  const row = target.closest("[data-value]");
  if (!row) return;
  if (scene.data?.lights) {
    scene.lit = row.dataset.value;
    press(scene);
    dispatchEvent(new CustomEvent("dpca-lit", { detail: row.dataset.value }));
  } else say("row", row.dataset.value);
}

export function createScene({ ruler, ticks, chip, list }, say, signal) {
  const scene = { parts: { ruler, ticks, chip, list }, data: null, index: 0, putAt: 0 };
  bindRule(scene, [ruler, chip], chip, moveChip, () => {
    say("step", { name: "epsilon", to: scene.data.values[scene.index] });
  });
  list.addEventListener("click", (event) => choose(scene, say, event), { signal });
  /* A page marks when it has painted. */
  const again = () => requestAnimationFrame(() => !signal.aborted && placeScene(scene));
  const painted = new PerformanceObserver(again);
  painted.observe({ type: "mark" });
  addEventListener("resize", again, { signal });
  signal.addEventListener("abort", () => painted.disconnect());
  return scene;
}
