import { filled, svg } from "../charts/dom.js";
import { colourOf, textColour } from "../charts/theme.js";
import { xOfEpsilon } from "./epsilon_scale.js";

const ROW = 19;

export function rankedMechanisms(data) {
  return data.mechanisms
    .filter((m) => !m.is_baseline && m.captured)
    .sort((a, b) => (a.needed ?? 1e9) - (b.needed ?? 1e9) || a.name.localeCompare(b.name));
}

/* Which ε each mechanism needs: legend, inverse question and switch in one. */
export function drawLadder(view, pick) {
  const { data, theme, size, ladder, index } = view;
  const rows = rankedMechanisms(data);
  const width = size.left + size.width + size.right;
  ladder.setAttribute("width", width);
  ladder.setAttribute("height", data.mechanisms.filter((m) => !m.is_baseline).length * ROW + 8);
  ladder.replaceChildren(
    ...rows.map((m, i) => {
      const colour = colourOf(m, theme);
      const y = i * ROW + 13;
      const edge = size.left + size.width;
      const x = m.needed === null ? edge : size.left + xOfEpsilon(m.needed, data, size.width);
      const label = `${m.ranked ? m.name : filled(data.words.not_ranked, { name: m.name })}  ${m.needed_text}`;
      const room = label.length * 6.6 + 16;
      const leftwards = m.needed === null || x + room > edge + size.right;
      const good = m.ranked && m.needed !== null && m.needed <= data.epsilons[index];
      const dot = svg("circle", { cx: x, cy: y, r: m.chosen ? 6.5 : 4.6, fill: good ? colour : theme.page, stroke: colour, "stroke-width": m.chosen ? 2.4 : 1.6, visibility: m.needed === null ? "hidden" : "visible" });
      const text = svg("text", { x: leftwards ? x - (m.needed === null ? 0 : 12) : x + 12, y: y + 4.4, "text-anchor": leftwards ? "end" : "start", "font-size": m.chosen ? 13.5 : 12.5, "font-weight": m.chosen ? 700 : 400, fill: textColour(m, theme), "text-decoration": m.struck ? "line-through" : null, text: label });
      const row = svg("g", { role: "button", tabindex: 0, "aria-pressed": m.chosen, "aria-label": filled(data.words.choose, { label }), class: "dpca-row" }, svg("rect", { x: 0, y: y - 10, width, height: ROW, fill: "transparent" }), dot, text);
      row.addEventListener("click", () => pick(m.key));
      row.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        pick(m.key);
      });
      row.fillDot = (at) => dot.setAttribute("fill", m.ranked && m.needed !== null && m.needed <= at ? colour : theme.page);
      return row;
    }),
  );
}

export function fillLadder(view) {
  for (const row of view.ladder.children) row.fillDot?.(view.data.epsilons[view.index]);
}
