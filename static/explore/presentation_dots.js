const NS = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, DOT, FOOT] = [25, 16.5, 1, 2.4];
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5];
const MOST_TICKS = 5;

function draw(svg, tag, attributes, text = "") {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  svg.append(node);
}

/* From the share asked for, or the least that a release keeps, to all of it. */
function scaleOf(values, target) {
  const least = Math.min(target, ...values);
  const step = STEPS.find((one) => Math.ceil((1 - least) / one - 1e-9) <= MOST_TICKS);
  const low = 1 - Math.ceil((1 - least) / step - 1e-9) * step;
  const ticks = Array.from({ length: Math.round((1 - low) / step) + 1 }, (_, i) => low + i * step);
  return { low, ticks, place: (value) => 0.6 + ((value - low) / (1 - low)) * (WIDTH - 3.2) };
}

/* The releases at the rule's ε, one dot for each along the variation that it keeps, in rem; full where that is enough. */
export function drawDots({ data, index, parts: { dots_frame: frame } }) {
  const values = data.released[index].toSorted((a, b) => a - b);
  const { target } = data;
  const { low, ticks, place } = scaleOf(values, target);
  const role = data.beside.data[0].marker.line.color.replaceAll(/\W/g, "-");
  const svg = document.createElementNS(NS, "svg");
  svg.style.setProperty("--chosen", `var(--${role})`);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const base = HEIGHT - FOOT;
  const columns = new Map();
  for (const value of values) {
    const column = Math.floor((place(value) - 0.6) / DOT);
    columns.set(column, [...(columns.get(column) ?? []), value]);
  }
  const highest = Math.max(0, ...[...columns.values()].map((column) => column.length));
  const size = Math.min(DOT, (base - 0.4) / Math.max(highest, 1));
  if (target >= low) draw(svg, "line", { x1: place(target), x2: place(target), y1: 0, y2: base, class: "dpca-asked" });
  draw(svg, "line", { x1: 0.2, x2: WIDTH - 2, y1: base, y2: base, class: "dpca-base" });
  for (const tick of ticks) draw(svg, "text", { x: place(tick), y: HEIGHT - 0.5 }, `${Math.round(tick * 100)}${tick === ticks.at(-1) ? "\u00a0%" : ""}`);
  for (const [column, held] of columns) {
    held.forEach((value, i) => draw(svg, "circle", { cx: 0.6 + (column + 0.5) * DOT, cy: base - 0.15 - (i + 0.5) * size, r: size * 0.46, class: value >= target ? "dpca-enough" : "dpca-less" }));
  }
  frame.replaceChildren(svg);
}
