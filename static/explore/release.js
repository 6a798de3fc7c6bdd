import { write } from "../charts/dom.js";
import { drawPlaces } from "../charts/near.js";

const [PACE, CALM_PACE] = [700, 2000];

/* Single releases and the data along them: figures of the server's, whose last trace is the release shown. */
export function drawRelease(view) {
  const { data, parts, frame = 0 } = view;
  const places = [];
  for (const name of ["release", "projection"]) {
    const content = data[name];
    parts[name].hidden = !content;
    if (!content) continue;
    const body = parts[`${name}_figures`];
    for (const words of ["title", "note"]) write(parts[`${name}_${words}`], content[words]);
    write(body, content.markup[frame % content.markup.length]);
    content.figures.forEach(({ figure, frames }, i) => {
      const released = { ...figure.data.at(-1), ...frames[frame % frames.length] };
      const shown = { ...figure, data: [...figure.data.slice(0, -1), released] };
      places.push({ node: body.children[i].lastElementChild, figure: shown, phone: true });
    });
  }
  drawPlaces(view, places);
  markStale(view);
}

export function markStale({ data: { release, stale_picture: older }, index, frame = 0, parts }) {
  if (!release) return;
  const stale = release.old || release.epsilon_index !== index;
  for (const name of ["release", "projection"]) parts[`${name}_figures`].classList.toggle("dpca-stale", stale);
  write(parts.count, release.old ? older : stale ? release.stale : release.counts[frame % release.counts.length]);
}

/* Leafing through the releases, or playing them. */
export function bindFrames(view) {
  const { next, play } = view.parts;
  const step = () => {
    view.frame = (view.frame ?? 0) + 1;
    drawRelease(view);
  };
  const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? CALM_PACE : PACE;
  next.addEventListener("click", step);
  play.addEventListener("click", () => {
    clearInterval(view.playing);
    if (play.toggleAttribute("data-on")) view.playing = setInterval(step, pace);
  });
  view.signal.addEventListener("abort", () => clearInterval(view.playing));
}
