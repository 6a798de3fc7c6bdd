/* Where a column's figure lies: behind its titles, with panels where the page left frames empty; of each
   axis the part of the figure's height that its frame leaves to it. */
export function frameIn(node, { layout: { margin: { b: foot } } }) {
  const box = node.parentElement;
  const { clientWidth, clientHeight: height } = box;
  const { top } = box.getBoundingClientRect();
  const share = (place) => Math.min(Math.max(1 - (place - top) / (height - foot), 0), 1);
  const domains = Object.fromEntries([...box.querySelectorAll(".dpca-frame")].map((frame) => {
    const place = frame.getBoundingClientRect();
    return [frame.dataset.axis, [share(place.bottom), share(place.top)]];
  }));
  return { width: Math.max(clientWidth, 200), height, domains, over: true };
}
