import { forRoom } from "./presentation.js";
import { resolved } from "./colours.js";
import { showWords } from "./words.js";

/* Plotly's own: within it a second click resets the zoom, and neither does anything else. */
const DOUBLE_CLICK = 300;

/* The largest size of a figure that fits a plot of this width: its type, scale and names. */
export function sizeAt(figure, width) {
  const widths = Object.keys(figure.sizes || {}).map(Number).sort((a, b) => a - b);
  return figure.sizes?.[widths.findLast((w) => w <= width) ?? widths[0]];
}

/* How high a figure is in a frame of this width: a size's own height is what it says. */
export function heightAt({ layout, ...figure }, width) {
  const { l = 0, r = 0 } = layout.margin || {};
  const size = sizeAt(figure, width - l - r);
  return size?.layout?.height ?? layout.height * (size?.scale ?? 1);
}

/* Data and layout for a frame of a page: { width, height, domains, phone }; colours resolved. */
export function laidOut(figure, look, { width, height = heightAt(figure, width), domains, phone }) {
  const { l = 0, r = 0 } = figure.layout.margin || {};
  const size = sizeAt(figure, width - l - r);
  const layout = { ...figure.layout, ...size?.layout };
  const annotations = [...(layout.annotations || []), ...(size?.annotations || [])];
  const whole = { ...layout, width, height, annotations };
  if (size) whole.font = { ...layout.font, size: size.type };
  if (phone) whole.dragmode = false;
  if (domains) whole.margin = { ...layout.margin, t: 0 };
  for (const [axis, domain] of Object.entries(domains || {})) whole[axis] = { ...whole[axis], domain };
  return { data: resolved(figure.data, look), layout: resolved(whole, look) };
}

/* Draws a figure, or changes the one that is there; its zoom stays while uirevision does. Most of a
   refinement is as it was before, and drawing it again would keep the next key press waiting.
   With `over` its words are laid over it. */
export function drawFigure(Plotly, node, figure, look, frame) {
  const { data, layout } = forRoom(laidOut, figure, look, frame);
  const config = { ...look.palette.config, ...(frame.phone && { displayModeBar: false }) };
  const asked = JSON.stringify([data, layout, config]);
  if (node.asked === asked) return undefined;
  node.asked = asked;
  const words = frame.over && layout.annotations.splice(0);
  const start = performance.now();
  const drawn = Plotly.react(node, data, layout, config);
  performance.measure("dpca-react", { start });
  if (words) showWords(node, words);
  return drawn;
}

/* Listens to a figure that is drawn, once: to lines and names that are chosen, at once or with patience for a
   second click; to clicks beside them; to its zoom. */
export function listenTo(node, { chosen, clicked, zoomed, patient = false }) {
  if (node.heard) return;
  node.heard = true;
  let later;
  let over = false;
  const end = (ended) => {
    clearTimeout(later);
    over = ended;
  };
  const choose = (key) => {
    if (!key || over) return;
    end(true);
    later = setTimeout(() => chosen(key), patient ? DOUBLE_CLICK : 0);
  };
  node.addEventListener("pointerdown", () => end(false), true);
  node.addEventListener("click", ({ target, clientX }) => {
    if (over || !clicked || !target.closest(".draglayer")) return;
    later = setTimeout(() => clicked(clientX - node.getBoundingClientRect().left), DOUBLE_CLICK);
  });
  node.on("plotly_click", ({ points: [{ data }] }) => choose(data.meta));
  node.on("plotly_clickannotation", ({ annotation }) => choose(annotation.name));
  node.on("plotly_doubleclick", () => end(true));
  node.on("plotly_relayout", () => {
    end(true);
    zoomed();
  });
}
