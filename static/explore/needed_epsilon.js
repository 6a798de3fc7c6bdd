import { filled, svg } from "../charts/dom.js";
import { colourOf } from "../charts/colours.js";
import { xOf } from "./epsilon_rule.js";

const ROW = 24;

export function rankedMechanisms(data) {
  return data.mechanisms
    .filter((m) => !m.is_baseline && m.measured)
    .sort((a, b) => (a.needed ?? 1e9) - (b.needed ?? 1e9) || a.name.localeCompare(b.name));
}

/* Which ε each mechanism needs: legend, inverse question and switch in one. */
export function drawLadder(view) {
  const { data, look, plot, ladder } = view;
  const edge = plot.left + plot.width;
  ladder.setAttribute("width", edge + 48);
  ladder.setAttribute("height", data.mechanisms.filter((m) => !m.is_baseline).length * ROW + 8);
  ladder.replaceChildren(...rankedMechanisms(data).map((m, i) => {
    const colour = colourOf(m.color, look);
    const y = i * ROW + 14;
    const x = m.needed === null ? edge : Math.min(Math.max(plot.left + xOf(m.needed, view), plot.left), edge);
    const label = `${m.ranked ? m.name : filled(data.words.not_ranked, { name: m.name })}  ${m.needed_text}`;
    const room = label.length * 6.8 + 50;
    const leftwards = m.needed === null || (x + room > edge + 48 && x > edge / 2);
    const side = leftwards ? -1 : 1;
    const at = m.needed === null ? 0 : side * 12;
    const sample = svg("line", { x1: x + at, x2: x + at + side * 22, y1: y, y2: y, stroke: colour, "stroke-width": m.chosen ? 2.75 : 1.8, "stroke-dasharray": m.dash === "solid" ? null : m.dash.replaceAll("px", "") });
    const dot = svg("circle", { cx: x, cy: y, r: m.chosen ? 6.5 : 4.6, stroke: colour, "stroke-width": m.chosen ? 2.4 : 1.6, visibility: m.needed === null ? "hidden" : "visible" });
    const text = svg("text", { x: x + at + side * 28, y: y + 4.4, "text-anchor": leftwards ? "end" : "start", "font-size": (m.chosen ? 13.5 : 12.5) * Math.sqrt(view.scale), "font-weight": m.chosen ? 700 : 400, fill: colourOf(`${m.color}/text`, look), "text-decoration": m.standing === "refuted" ? "line-through" : null, text: label });
    const row = svg("g", { role: "button", tabindex: 0, "aria-pressed": m.chosen, "aria-label": filled(data.words.choose, { label }), class: "dpca-row" }, svg("rect", { x: 0, y: y - ROW / 2, width: edge + 48, height: ROW, fill: "transparent" }), sample, dot, text);
    row.addEventListener("click", () => view.pick(m.key));
    row.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      view.pick(m.key);
    });
    row.fillDot = (epsilon) => dot.setAttribute("fill", m.ranked && m.needed !== null && m.needed <= epsilon ? colour : colourOf("page", look));
    return row;
  }));
}

export function fillLadder(view) {
  for (const row of view.ladder.children) row.fillDot?.(view.data.epsilons[view.index]);
}
