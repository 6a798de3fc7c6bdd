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
  if (seen) {
    draw();
    return;
  }
  WAITING.set(node, draw);
  FAR.observe(node);
}
