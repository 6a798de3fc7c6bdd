import { filled } from "../charts/dom.js";
import { rankedMechanisms } from "./needed_epsilon.js";
import { PANELS } from "./panels.js";

export function panelTable(panel, data) {
  const field = PANELS[panel].field;
  const known = data.mechanisms.filter((m) => m[field]);
  const bands = data.bands[field];
  const names = bands ? Object.keys(bands) : [];
  const chosen = data.mechanisms.find((m) => m.chosen);
  const head = ["epsilon", ...known.map((m) => filled(data.words.column_median, { name: m.name })), ...names.map((n) => `${chosen.name} ${n}`)];
  return [head, ...data.epsilons.map((e, i) => [e, ...known.map((m) => m[field][i]), ...names.map((n) => bands[n][i])])];
}

export function ladderTable(data) {
  return [["mechanism", "standing", filled(data.words.column_needed, { target: data.target })], ...rankedMechanisms(data).map((m) => [m.name, m.standing, m.needed])];
}

export function dotsTable(data, index) {
  const [captured, sin] = [data.dots.captured[index] || [], data.dots.sin[index] || []];
  return [["epsilon", "captured", "sin_theta_frobenius"], ...captured.map((v, i) => [data.epsilons[index], v, sin[i]])];
}

export function spectrumTable(data) {
  return [["direction", filled(data.words.column_eigenvalue, { unit: data.unit.many }), "kept"], ...data.spectrum.values.map((v, i) => [i + 1, v, i < data.spectrum.k ? "yes" : "no"])];
}

export function releaseTable(data) {
  const { labels, true: truth, frames, refused } = data.release;
  const head = ["column", ...truth.map((_, j) => `true_${j + 1}`), ...frames.flatMap((f, t) => (refused[t] ? [] : f.map((_, j) => `release_${t + 1}_${j + 1}`)))];
  return [head, ...labels.map((name, i) => [name, ...truth.map((v) => v[i]), ...frames.flatMap((f, t) => (refused[t] ? [] : f.map((v) => v[i])))])];
}
