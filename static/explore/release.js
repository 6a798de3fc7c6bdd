import { filled, html, write } from "../charts/dom.js";
import { drawFigure } from "../charts/figure.js";
import { rows } from "../charts/packed_content.js";
import { imageOf } from "../charts/signed_image.js";

const LEAST_WIDTH = 330;

/* Frame t of an array (T, k, d) packed as rows of its last axis. */
function frameOf(view, packed) {
  const count = Number(packed.shape.split(",")[0]);
  const all = rows(packed);
  const each = all.length / count;
  return all.slice((view.frame % count) * each, ((view.frame % count) + 1) * each);
}

export function drawRelease(view) {
  const { data: { release: content }, release } = view;
  release.section.hidden = !content;
  view.projection.section.hidden = !view.data.projection;
  if (!content) return;
  write(release.title, content.title);
  write(release.note, content.note);
  if (content.shape) drawImages(view, content);
  else drawLoadings(view, content);
  if (view.data.projection) drawProjection(view, view.data.projection);
  markStale(view);
}

const refusedNow = (view) => view.data.release.refused[view.frame % view.data.release.refused.length];

/* The server's figure with the release shown in its last trace. */
function filledIn(figure, x, y) {
  const last = figure.data.length - 1;
  return { ...figure, data: figure.data.map((trace, i) => (i < last ? trace : { ...trace, x, ...(y && { y }) })) };
}

function drawLoadings(view, content) {
  const { release: { body } } = view;
  const total = body.parentElement.clientWidth;
  const columns = Math.max(1, Math.min(content.figures.length, Math.floor(total / LEAST_WIDTH)));
  const width = Math.floor((total - (columns - 1) * 20) / columns);
  const frame = frameOf(view, content.frames);
  if (body.children.length !== content.figures.length) {
    body.replaceChildren(...content.figures.map(() => html("figure", {}, html("figcaption", {}), html("div", { role: "figure" }))));
  }
  content.figures.forEach((figure, j) => {
    const values = { number: j + 1, shown: content.order[j].length, count: content.labels.length };
    const [caption, plot] = body.children[j].children;
    const { words } = view.data;
    caption.textContent = filled(values.shown < values.count ? words.largest_loadings : words.direction, values);
    plot.setAttribute("aria-label", filled(words.loadings, values));
    const x = refusedNow(view) ? [] : content.order[j].map((i) => frame[j][i]);
    drawFigure(view.plotly, plot, filledIn(figure, x), view.look, { width, phone: true });
  });
}

function drawProjection(view, content) {
  const { projection } = view;
  write(projection.title, content.title);
  write(projection.note, content.note);
  projection.body.setAttribute("aria-label", content.title);
  const points = refusedNow(view) ? [] : frameOf(view, content.frames);
  projection.figure = filledIn(content.figure, points.map((p) => p[0]), points.map((p) => p[1]));
  drawFigure(view.plotly, projection.body, projection.figure, view.look, { width: Math.min(projection.body.clientWidth, 624), phone: true });
}

export function markStale(view) {
  const { data: { release: content, words, epsilon_texts: texts }, release } = view;
  if (!content) return;
  const stale = content.old || content.epsilon_index !== view.index;
  const count = content.refused.length;
  const values = { number: (view.frame % count) + 1, count, epsilon: texts[content.epsilon_index] };
  release.body.classList.toggle("dpca-stale", stale);
  const sentence = content.old ? words.stale_picture : stale ? words.stale : refusedNow(view) ? words.release_refused : words.release;
  release.count.textContent = filled(sentence, values);
}

export function releaseTable({ release: { labels, true: truth, frames, refused } }) {
  const directions = rows(truth);
  const count = directions.length;
  const answered = refused.flatMap((no, t) => (no ? [] : [t]));
  const all = rows(frames);
  const head = ["column", ...directions.map((_, j) => `true_${j + 1}`), ...answered.flatMap((t) => directions.map((_, j) => `release_${t + 1}_${j + 1}`))];
  return [head, ...labels.map((name, i) => [name, ...directions.map((v) => v[i]), ...answered.flatMap((t) => directions.map((_, j) => all[t * count + j][i]))])];
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
    release.play.textContent = view.data.words.pause;
  });
  return stop;
}

/* Directions as images: orange positive, violet negative, one scale for all. */
function drawImages(view, content) {
  const { words } = view.data;
  const truth = rows(content.true);
  const most = Math.max(...truth.map((row) => row.reduce((m, v) => Math.max(m, Math.abs(v)), 0)), 1e-9);
  const strip = (images, name) => html("div", { class: "dpca-strip" }, html("span", { text: name }), html("div", {}, ...images.map((row, j) => imageOf(row, content.shape, most, view.look, filled(words.image, { name, number: j + 1 })))));
  const number = (view.frame % content.refused.length) + 1;
  const below = refusedNow(view) ? html("p", { text: words.image_refused }) : strip(frameOf(view, content.frames), filled(words.image_released, { number }));
  view.release.body.replaceChildren(strip(truth, words.image_true), below);
}
