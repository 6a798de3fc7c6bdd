/* Whether a figure has a row of this name; and whether it has that or a line. */
const hasRow = ({ layout: { shapes } }, name) => shapes?.some((shape) => shape.name === name);
export const holds = (figure, name) => Boolean(name && (hasRow(figure, name) || figure.data.some(({ meta }) => meta === name)));

/* A figure in which one name is lit: its row and its name, or its lines; with `alone` all other lines are faint. */
export function lit(figure, name, alone) {
  if (!holds(figure, name)) return figure;
  const others = (trace) => (trace.meta === undefined || !alone ? trace : { ...trace, opacity: 0.35 });
  const data = hasRow(figure, name) ? figure.data : figure.data.map((trace) => (trace.meta === name ? { ...trace, line: { ...trace.line, width: trace.line.width + 1.15 } } : others(trace)));
  const shapes = figure.layout.shapes?.map((shape) => (shape.name === name ? { ...shape, visible: true } : shape));
  const bold = (words) => words.map((word) => (word.name === name ? { ...word, text: `<b>${word.text}</b>` } : word));
  const sizes = Object.entries(figure.sizes).map(([width, size]) => [width, { ...size, annotations: bold(size.annotations) }]);
  return { ...figure, data, layout: { ...figure.layout, shapes }, sizes: Object.fromEntries(sizes) };
}

/* The name of the row under the pointer, of a figure that is drawn and has rows. */
export function rowUnder(node, { clientY }) {
  const areas = (node.layout?.shapes || []).filter(({ name }) => name);
  if (!areas.length) return undefined;
  const { top, height } = node.querySelector(".nsewdrag").getBoundingClientRect();
  const [last, first] = node.layout.yaxis.range;
  const at = first + ((clientY - top) / height) * (last - first);
  return areas.find(({ y0, y1 }) => y1 <= at && at < y0)?.name;
}
