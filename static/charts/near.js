import { drawFigure, heightAt } from "./figure.js";

const WAITING = new WeakMap();
/* Charts within 400 pixels of the window are drawn in the frames after those inside it. */
const FAR = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) draw(target);
}, { rootMargin: "400px" });

function draw(node) {
  FAR.unobserve(node);
  WAITING.get(node)();
}

/* Draws figures in their places, as high as these or as the figures say: at once in the window, else when they come near
   it. All places are read before any is drawn, as a reading in between lays the page out again. */
export function drawPlaces({ Plotly, look, printing }, places) {
  const read = places.map(({ node }) => [node.clientWidth, node.getBoundingClientRect()]);
  places.forEach(({ node, figure, height, phone, after }, i) => {
    const [width, { top, bottom }] = read[i];
    node.style.minHeight = height ? "" : `${heightAt(figure, width)}px`;
    WAITING.set(node, () => {
      drawFigure(Plotly, node, figure, look, { width, height, phone });
      after?.();
    });
    if (printing || (top < innerHeight && bottom > 0)) draw(node);
    else FAR.observe(node);
  });
}
