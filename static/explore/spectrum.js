import { filled, svg } from "../charts/dom.js";
import { compact } from "../charts/numbers.js";
import { colourOf, textColour, translucent } from "../charts/theme.js";
import { ticksOf } from "../charts/ticks.js";

/* Eigenvalues in people; the band is as long as the noise and stands on the same foot as the gap. */
export function drawSpectrum(view) {
  const { data, theme, spectrum, index } = view;
  const { values, k } = data.spectrum;
  const width = view.rightWidth;
  const height = 300;
  const shown = values.slice(0, Math.min(values.length, Math.max(10, k + 3)));
  const [left, foot, head] = [46, height - 22, 10];
  const top = Math.max(values[k - 1] * 1.42, 1e-12);
  const y = (v) => foot - (Math.min(Math.max(v, 0), top) / top) * (foot - head);
  const step = (width - left - 18) / shown.length;
  const x = (i) => left + step * (i + 0.6);
  const chosen = data.mechanisms.find((m) => m.chosen);
  const noise = chosen?.noise ? chosen.noise[index] : null;
  const parts = ticksOf(top, 4).flatMap((t) => [
    svg("line", { x1: left, x2: width, y1: y(t), y2: y(t), stroke: theme.hair }),
    svg("text", { x: left - 8, y: y(t) + 4, "text-anchor": "end", "font-size": 12, fill: theme.grey, text: t.toLocaleString("en") }),
  ]);
  const band = noise === null ? [] : noiseBand(noise, values[k] || 0, top, { left, width, y }, colourOf(chosen, theme), textColour(chosen, theme), filled(data.words.noise, { value: compact(noise ?? 0), unit: data.unit.many }));
  const taken = band.length ? Number(band[1].getAttribute("y")) : -100;
  parts.push(...band);
  parts.push(svg("line", { x1: left, x2: width, y1: foot, y2: foot, stroke: theme.rule }));
  shown.forEach((value, i) => {
    const colour = i < k ? theme.ink : theme.faint;
    parts.push(svg("line", { x1: x(i), x2: x(i), y1: foot, y2: y(value), stroke: colour, "stroke-width": i < k ? 2 : 1.4 }));
    if (value <= top) parts.push(svg("circle", { cx: x(i), cy: y(value), r: 4.2, fill: i < k ? colour : theme.page, stroke: colour, "stroke-width": 1.6 }));
    else parts.push(svg("text", { x: x(i) + 5, y: head + 8 + (i % 3) * 14, "font-size": 12, fill: theme.ink, text: `↑ ${compact(value)}` }));
    if (step > 15 || i % 5 === 0) parts.push(svg("text", { x: x(i), y: height - 6, "text-anchor": "middle", "font-size": 12, fill: theme.grey, text: i + 1 }));
  });
  parts.push(...bracket(values, k, { x, y, step, width, taken }, theme, data));
  spectrum.setAttribute("width", width);
  spectrum.setAttribute("height", height);
  spectrum.replaceChildren(...parts);
}

function noiseBand(noise, from, top, area, colour, ink, words) {
  const over = from + noise > top;
  const text = `${over ? "↑ " : ""}${words}`;
  const head = area.y(from + noise);
  return [
    svg("rect", { x: area.left, y: head, width: area.width - area.left, height: Math.max(area.y(from) - head, 1), fill: translucent(colour, 0.2) }),
    svg("text", { x: area.width - 4, y: Math.max(head + (over ? 12 : -5), 12), "text-anchor": "end", "font-size": 12.5, "font-weight": 700, fill: ink, text }),
  ];
}

function bracket(values, k, { x, y, step, width, taken }, theme, data) {
  if (values.length <= k) return [];
  const [high, low] = [y(values[k - 1]), y(values[k])];
  const at = x(k - 1) + Math.min(step * 0.55, 16);
  const outside = at + 12 + 7.5 * data.gap_text.length > width;
  const above = Math.abs(high - 10 - taken) < 15 ? Math.max(taken - 15, 12) : high - 10;
  const place = outside ? { x: width, y: above, "text-anchor": "end" } : { x: at + 12, y: (high + low) / 2 + 4 };
  const line = (a, b, c, d) => svg("line", { x1: a, y1: b, x2: c, y2: d, stroke: theme.ink, "stroke-width": 1.6 });
  return [
    line(x(k - 1), high, at + 8, high), line(at, low, x(k), low), line(at, high, at, low),
    svg("text", { ...place, "font-size": 13, "font-weight": 700, fill: theme.ink, stroke: theme.page, "stroke-width": 4, "paint-order": "stroke", text: data.gap_text }),
  ];
}
