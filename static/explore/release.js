import { filled, html, svg, write } from "../charts/dom.js";
import { imageOf } from "../charts/signed_image.js";
import { colourOf, translucent } from "../charts/theme.js";
import { ticksOf } from "../charts/ticks.js";
import { tickText } from "./epsilon_scale.js";

const MOST_LABELS = 20;

export function drawRelease(view) {
  const { data, release } = view;
  const content = data.release;
  release.section.hidden = !content;
  if (!content) return;
  write(release.title, content.title);
  write(release.note, content.note);
  if (content.kind === "images") drawImages(view, content);
  else drawLoadings(view, content);
  drawProjection(view, data.projection);
  markStale(view);
}

export function frameOf(view, frames) {
  return frames[view.frame % frames.length];
}

export function markStale(view) {
  const { data, release } = view;
  const { words } = data;
  if (!data.release) return;
  const { old } = data.release;
  const stale = old || data.release.epsilon_index !== view.index;
  const refused = data.release.refused[view.frame % data.release.refused.length];
  const { length: count } = data.release.frames;
  const values = { number: (view.frame % count) + 1, count, epsilon: tickText(data.epsilons[data.release.epsilon_index]) };
  release.body.classList.toggle("dpca-stale", stale);
  const sentence = old ? words.stale_picture : stale ? words.stale : refused ? words.release_refused : words.release;
  release.count.textContent = filled(sentence, values);
}

/* Bars hold 80 % of releases, the dot is one of them, the tick is PCA without privacy. */
function drawLoadings(view, content) {
  const { theme, data: { words } } = view;
  const k = content.true.length;
  const frame = frameOf(view, content.frames);
  const refused = content.refused[view.frame % content.refused.length];
  const chosen = view.data.mechanisms.find((m) => m.chosen);
  const colour = colourOf(chosen, theme);
  const total = view.size.left + view.size.width + view.size.right;
  const columns = Math.max(1, Math.min(k, Math.floor(total / 330)));
  const width = Math.floor((total - (columns - 1) * 20) / columns);
  showRelease(view, content.true.map((truth, j) => {
    const order = truth.map((v, i) => i).sort((a, b) => Math.abs(truth[b]) - Math.abs(truth[a])).slice(0, MOST_LABELS);
    const gutter = Math.min(170, width * 0.46);
    const most = Math.max(...truth.map(Math.abs), ...order.map((i) => Math.max(Math.abs(content.hi[j][i]), Math.abs(content.lo[j][i]))), 0.05) * 1.08;
    const x = (v) => gutter + ((Math.min(Math.max(v, -most), most) + most) / (2 * most)) * (width - gutter - 6);
    const height = order.length * 18 + 30;
    const marks = order.flatMap((i, row) => {
      const y = row * 18 + 12;
      const label = content.labels[i].length > 26 ? `${content.labels[i].slice(0, 25)}…` : content.labels[i];
      return [
        svg("line", { x1: gutter, x2: width, y1: y, y2: y, stroke: theme.hair }),
        svg("text", { x: gutter - 8, y: y + 4.4, "text-anchor": "end", "font-size": 12.5, fill: theme.ink, text: label }, svg("title", { text: content.labels[i] })),
        refused ? null : svg("rect", { x: x(content.lo[j][i]), y: y - 4, width: Math.max(x(content.hi[j][i]) - x(content.lo[j][i]), 1), height: 8, fill: translucent(colour, 0.3) }),
        svg("rect", { x: x(truth[i]) - 1.2, y: y - 8, width: 2.4, height: 16, fill: theme.ink }),
        refused ? null : svg("circle", { cx: x(frame[j][i]), cy: y, r: 4.4, fill: colour }),
      ];
    });
    const steps = ticksOf(most, 2);
    const ticks = [...steps.map((t) => -t), 0, ...steps].map((t) => svg("text", { x: x(t), y: height - 6, "text-anchor": "middle", "font-size": 12, fill: theme.grey, text: String(t).replace("-", "−") }));
    const zero = svg("line", { x1: x(0), x2: x(0), y1: 2, y2: height - 20, stroke: theme.rule });
    const values = { number: j + 1, shown: MOST_LABELS, count: truth.length };
    const caption = filled(truth.length > MOST_LABELS ? words.largest_loadings : words.direction, values);
    return html("figure", {}, html("figcaption", { text: caption }), svg("svg", { width, height, role: "img", "aria-label": filled(words.loadings, values) }, zero, ...marks, ...ticks));
  }));
}

function showRelease(view, figures) {
  view.release.body.replaceChildren(...figures);
}

function drawProjection(view, content) {
  const { projection, theme, data } = view;
  projection.section.hidden = !content;
  if (!content) return;
  write(projection.title, content.title);
  write(projection.note, content.note);
  const frame = frameOf(view, content.frames);
  const refused = data.release.refused[view.frame % data.release.refused.length];
  const total = view.size.left + view.size.width + view.size.right;
  const side = Math.min(300, Math.floor((total - 24) / 2));
  const chosen = data.mechanisms.find((m) => m.chosen);
  const seen = [...content.true, ...(refused ? [] : frame)];
  const ends = [0, 1].map((axis) => [Math.min(...seen.map((p) => p[axis])), Math.max(...seen.map((p) => p[axis]))]);
  const extent = Math.max(...ends.map(([low, high]) => high - low), 0.05) * 1.08;
  const [x, y] = ends.map(([low, high]) => (v) => ((v - (low + high) / 2) / extent + 0.5) * side);
  const axes = [x(0), y(0)].map((at) => (at > 0 && at < side ? at : -1));
  const plot = (points, name, colour) =>
    html("figure", {}, html("figcaption", { text: name }), svg("svg", { width: side, height: side, role: "img", "aria-label": `${content.title}: ${name}` },
      svg("rect", { x: 0.5, y: 0.5, width: side - 1, height: side - 1, fill: "none", stroke: theme.rule }),
      svg("line", { x1: axes[0], x2: axes[0], y1: 0, y2: side, stroke: theme.hair, visibility: axes[0] < 0 ? "hidden" : "visible" }),
      svg("line", { y1: side - axes[1], y2: side - axes[1], x1: 0, x2: side, stroke: theme.hair, visibility: axes[1] < 0 ? "hidden" : "visible" }),
      ...points.map(([a, b]) => svg("circle", { cx: x(a), cy: side - y(b), r: 2.4, fill: colour, "fill-opacity": 0.55 }))));
  projection.body.replaceChildren(plot(content.true, data.words.plane_true, theme.ink), refused ? html("p", { text: data.words.plane_refused }) : plot(frame, data.words.plane_released, colourOf(chosen, theme)));
}

export function bindFrames(view) {
  const { release } = view;
  const next = () => {
    view.frame += 1;
    drawRelease(view);
  };
  const stop = () => {
    clearInterval(view.playing);
    view.playing = null;
    release.play.textContent = view.data.words.play;
  };
  release.next.addEventListener("click", next);
  release.play.addEventListener("click", () => {
    if (view.playing) return stop();
    const slow = matchMedia("(prefers-reduced-motion: reduce)").matches ? 2000 : 700;
    view.playing = setInterval(next, slow);
    release.play.textContent = view.data.words.stop;
  });
  return stop;
}

/* Directions as images: orange positive, violet negative, one scale for all. */
function drawImages(view, content) {
  const { words } = view.data;
  const most = Math.max(...content.true.flat().map(Math.abs), 1e-9);
  const frame = frameOf(view, content.frames);
  const refused = content.refused[view.frame % content.refused.length];
  const strip = (rows, name) =>
    html("div", { class: "dpca-strip" }, html("span", { text: name }), html("div", {}, ...rows.map((row, j) => imageOf(row, content.shape, most, view.theme, filled(words.image, { name, number: j + 1 })))));
  const below = refused ? html("p", { text: words.image_refused }) : strip(frame, filled(words.image_released, { number: (view.frame % content.frames.length) + 1 }));
  showRelease(view, [strip(content.true, words.image_true), below]);
}
