import { drawFigure, heightAt } from "./figure.js";

/* Pixels beyond the window within which a chart is drawn, in the frames after those inside it. */
const NEAR = 400;
const WAITING = new WeakMap();
const FAR = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) drawNear(target, true, WAITING.get(target));
}, { rootMargin: `${NEAR}px` });

export function inWindow(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

/* Draws into a node at once where that is seen, else when the node comes near the window. */
export function drawNear(node, seen, draw) {
  FAR.unobserve(node);
  WAITING.set(node, draw);
  if (seen) draw();
  else FAR.observe(node);
}

/* Draws figures in their places, as high as these are or as the figures want to be. All places are read
   before any is drawn, as a reading in between lays the page out again. */
export function drawPlaces({ Plotly, look, printing }, places) {
  const read = places.map(({ node }) => [node.clientWidth, printing || inWindow(node)]);
  places.forEach(({ node, figure, height, phone, after }, i) => {
    const [width, seen] = read[i];
    node.style.minHeight = height ? "" : `${heightAt(figure, width)}px`;
    drawNear(node, seen, () => {
      drawFigure(Plotly, node, figure, look, { width, height, phone });
      after?.();
    });
  });
}
